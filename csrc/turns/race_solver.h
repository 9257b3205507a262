/* A solver of races: the home board, the chart of the cube, and tables of pairs, shared by any number of questions. */
#pragma once

#include "solve/cube_chart.h"
#include "turns/home_board.h"
#include "turns/pair_table.h"

struct bgr_solver {
    bgr_holders holders;
    bgr_lock lock;
    bgr_home_board *home;  /* NULL until bgr_solver_ready() has been called */
    bgr_cube_chart *chart; /* for estimates */
    int64_t n_tables, room;
    bgr_pair_table **tables;
};

/* Make a solver without the home board, which a single question may not need. */
bgr_status bgr_solver_begin(bgr_solver **solver);

/* The chart of the cube that a solver has. */
const bgr_cube_chart *bgr_solver_chart(const bgr_solver *solver);

/* Add a holder; bgr_solver_free removes one. */
bgr_solver *bgr_solver_hold(const bgr_solver *solver);

/* Whether its home board has been solved. */
int bgr_solver_is_ready(const bgr_solver *solver);

/* Solve the home board, unless that has been done; needed before it is used.  For any number of threads.
 * BGR_ERR_MEMORY. */
bgr_status bgr_solver_ready(const bgr_solver *solver);
