/* All positions that one side may reach, found before the choice of those to keep. */
#pragma once

#include "turns/nodes.h"

/* Candidates of one side.  Owned by the caller. */
typedef struct bgr_candidates {
    const bgr_home_board *home;
    bgr_reach_options options;
    bgr_packed position;
    double delta;          /* results within this of the least mean were found */
    int look;              /* width of the search, up to BGR_FINEST_LOOK, with max_work; 0: the best results only */
    int by_turn;           /* 1: there are too many positions, so results are found while layers are made */
    int64_t max_positions; /* by turn: limit for a layer, unless bgr_reach_of has another one, or max_work allows
                            * fewer */
    double max_work;       /* by turn: approximate limit of nodes.work after all layers; 0: none */
    int weighed;
    bgr_nodes nodes;
    double spent; /* work of searches that were discarded, in the unit of nodes.work */
} bgr_candidates;

/* counts: BGR_MAX_POINTS numbers, not all 0.  Free it with bgr_candidates_free.
 * BGR_ERR_POSITION, BGR_ERR_SIZE if an option is out of range or beyond max_nodes with delta INFINITY, BGR_ERR_MEMORY.
 */
bgr_status bgr_candidates_new(const bgr_home_board *home, const int8_t *counts, const bgr_reach_options *options,
                              bgr_candidates **candidates);
void bgr_candidates_free(bgr_candidates *candidates); /* NULL is allowed */

/* Find results turn by turn even if all would fit.  They must not be weighed then. */
void bgr_candidates_by_turn(bgr_candidates *candidates);

/* Results found turn by turn are kept within this many rolls of the best; 0 unless the side cannot win. */
static inline double bgr_margin_by_turn(const bgr_reach_options *options)
{
    return options->cannot_win ? tuned_margin_to_save : 0;
}

/* Turn by turn: make the first nodes, unless nodes of an earlier call can be reused.  BGR_ERR_MEMORY. */
bgr_status bgr_candidates_start(bgr_candidates *candidates);

/* Do the same, and count the results of the first roll. */
bgr_status bgr_candidates_results(bgr_candidates *candidates, int64_t *n);

/* Get the greatest number of rolls until the last checker is off; 0: unknown, since there are too many positions. */
bgr_status bgr_candidates_longest(const bgr_candidates *candidates, int *turns);

/* Weigh the results of all nodes, as bgr_nodes_weigh does, unless they are found turn by turn.  BGR_ERR_MEMORY. */
bgr_status bgr_candidates_weigh(bgr_candidates *candidates, const double *in_time, int n, int gammons);
