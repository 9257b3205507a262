/* Every position that one side may come to, found before it is chosen which of them to keep. */
#pragma once

#include "turns/nodes.h"

/* Owned by the caller. */
typedef struct bgr_candidates {
    const bgr_home_board *home;
    bgr_reach_options options;
    bgr_packed position;
    double delta;          /* what was looked at */
    int look;              /* how far, up to BGR_FINEST_LOOK, if within max_work; 0: at the best results only */
    int by_turn;           /* 1: there are too many, so results are found while layers are made */
    int64_t max_positions; /* by turn: of a layer, unless bgr_reach_of is given a number, or there is work for fewer */
    double max_work;       /* by turn: about nodes.work with all layers; 0: no limit */
    int weighed;
    bgr_nodes nodes;
    double spent; /* work done in vain before these nodes were found, as nodes.work */
} bgr_candidates;

/* counts: BGR_MAX_POINTS numbers, not all of them 0; max_layer is not looked at.  Free it with bgr_candidates_free.
 * BGR_ERR_POSITION, BGR_ERR_SIZE if an option is out of range or beyond max_nodes with delta INFINITY, BGR_ERR_MEMORY.
 */
bgr_status bgr_candidates_new(const bgr_home_board *home, const int8_t *counts, const bgr_reach_options *options,
                              bgr_candidates **candidates);
void bgr_candidates_free(bgr_candidates *candidates); /* NULL is allowed */

/* Find results turn by turn, whether or not there are too many.  Nothing may be weighed then. */
void bgr_candidates_by_turn(bgr_candidates *candidates);

/* How far from the best, in rolls, results found turn by turn are kept: only a side that cannot win chooses. */
static inline double bgr_margin_by_turn(const bgr_reach_options *options)
{
    return options->cannot_win ? tuned_margin_to_save : 0;
}

/* Where results are found turn by turn: make nodes to begin with, unless there are some from the last time, whose
 * results need not be found again.  BGR_ERR_MEMORY. */
bgr_status bgr_candidates_start(bgr_candidates *candidates);

/* The same, and how many results the first roll has. */
bgr_status bgr_candidates_results(bgr_candidates *candidates, int64_t *n);

/* The most rolls that it can take until everybody is off; 0: not known, because there are too many positions. */
bgr_status bgr_candidates_longest(const bgr_candidates *candidates, int *turns);

/* Weigh the results of all nodes, as bgr_nodes_weigh does, unless they are found turn by turn.  BGR_ERR_MEMORY. */
bgr_status bgr_candidates_weigh(bgr_candidates *candidates, const double *in_time, int n, int gammons);
