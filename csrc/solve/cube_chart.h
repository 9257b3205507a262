/* The efficiency of the cube in a race, by the chance to win and the length of the race. */
#pragma once

#include "bgrace.h"

enum { BGR_CHART_MINE, BGR_CHART_CENTERED, BGR_CHART_THEIRS, BGR_CHART_STATES };

/* The efficiency of the cube: 0 if it is dead, 1 if it is live, so that doubles come at the very point where the
 * opponent may as well pass.  It is that of races of one checker a side without wastage, solved exactly.  Opaque; read
 * by any number of threads. */
typedef struct bgr_cube_chart bgr_cube_chart;

/* Solve it: some 5 ms and 300 KB.  BGR_ERR_MEMORY. */
bgr_status bgr_cube_chart_new(bgr_cube_chart **chart);
void bgr_cube_chart_free(bgr_cube_chart *chart); /* NULL is allowed */

/* The chances at which a live cube is passed and at which it is cashed, for money without gammons. */
#define BGR_CHART_TAKE 0.2
#define BGR_CHART_CASH 0.8

/* Look up the efficiency.  mean_rolls: the mean of both sides' mean rolls to the end.  win: the chance to win of the
 * player on roll.  life [out] BGR_CHART_STATES. */
void bgr_cube_chart_life(const bgr_cube_chart *chart, double mean_rolls, double win, double *life);
