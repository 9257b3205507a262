/* Which planes the solver of all pairs solves for some stakes. */
#pragma once

#include "solve/exact.h"

/* Two planes without a cube follow those of the stakes where a gammon can happen: only one side's gammons count, and
 * what that adds to 2 W - 1 is the chance of one. */
enum { BGR_PLAN_PLANES = BGR_MAX_PLANES + 2 };

typedef struct bgr_plan {
    int n_planes;
    int together; /* whether all pairs of both sides' positions together are solved, once */
    int n_solved;
    bgr_plane solved[BGR_PLAN_PLANES];
    int exchanged[BGR_PLAN_PLANES];       /* together: the number of each of them with the sides exchanged */
    int solved_plane[2][BGR_PLAN_PLANES]; /* by the side on roll and the plane: the solved one with its values */
    double bytes;                         /* of the solution */
} bgr_plan;

/* How many positions there are, and how many columns the solver makes of them. */
typedef struct bgr_plan_size {
    double positions[2], columns[2];
    double both, columns_of_both; /* of both sides together; -1 if they have no common board */
} bgr_plan_size;

/* The one where only the gammons of one side, 0 on roll now, count. */
bgr_plane bgr_gammon_plane(int side);

/* The cheaper way to solve planes; with `gammons` those two more. */
void bgr_plan_make(const bgr_planes *planes, int gammons, const bgr_plan_size *size, bgr_plan *plan);
