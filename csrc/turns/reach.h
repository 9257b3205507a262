/* The positions that one can come to, turn by turn: a reach and its layers.
 *
 * A side that looks at its own position only, and keeps for each roll the results whose mean number of rolls is nearly
 * the best, comes to few of all the positions below it.  bgr_reach holds these, by turn, with the results of every
 * roll: half of the input of a solver of pairs, as turns alternate and only pairs of the same turn ever meet.
 *
 * A *node* is a position, each kept once.  A *layer* lists the nodes that the side can stand on after each number of
 * rolls of its own, each with a *local number*; a node may be in many layers.  For a solver of pairs:
 *
 *   - Layer 0 holds the position itself and nothing else.
 *   - Local number 0 of every other layer is the empty board, whether or not it can be reached by then.  It leads to
 *     itself.
 *   - The rest of a layer is in order of home index, then the nodes that are not in the home board.  So positions with
 *     fewer checkers come first, and those that a table of n checkers a side has are the first n_within[n].
 *   - In the last layer everybody is off, and it holds the empty board only; or, with max_turns, it is the horizon.
 *     The last layer has no results.
 *   - In a layer of *choices*, the results of local number i begin at result[start[i]], and fall into rolls as
 *     bgr_row_rolls of simd/row.h says: distinct local numbers of the next layer, the best by the mean first.  The
 *     value of i is the mean over the rolls, with their weights, of the greatest value of these.
 *   - In a *mixture*, local number i leads to result[k] on ways[k] of the 36 throws, k = start[i] .. start[i + 1] - 1,
 *     distinct and rising: the value of i is the sum of ways times value, over 36.  Ways add up to 36.
 *   - Where there are too many positions some of a layer become *blends*, with local numbers n and up: a blend is worth
 *     the mean of its parts, positions of the same layer, by their shares.  Nothing is carried on from it.
 */
#pragma once

#include "turns/candidates.h"
#include "turns/merge.h"

typedef struct bgr_reach_layer {
    int32_t n;            /* positions */
    int32_t n_blends;     /* positions that were merged: local numbers n and up, no nodes, each a blend of positions */
    int choices;          /* 1: choices, 0: a mixture */
    int32_t *node;        /* n: which node has a local number */
    double *chance;       /* n: to stand here after these rolls if the result with the least mean is always played */
    int64_t *start;       /* n + 1: where each one's results begin; NULL in the last layer */
    int32_t *result;      /* local numbers of the next layer; NULL in the last layer */
    int64_t *shape_start; /* n: where each one's shape begins in `shape`; of choices */
    uint16_t *shape;      /* of choices */
    float *ways;          /* of the 36 throws, by result; of a mixture */
    int64_t n_results;
    bgr_blend *blends;                      /* n_blends: parts are local numbers below n */
    int32_t n_within[BGR_MAX_CHECKERS + 1]; /* how many are in the home board with at most k checkers */
} bgr_reach_layer;

typedef struct bgr_reach {
    double delta;      /* what was looked at: that of the options, or less where max_nodes asked for it */
    double least_gain; /* the gain that a result had to have to be kept, if results were weighed */
    int64_t max_layer; /* what it was made with; 0: none */
    int n_layers;      /* layer 0 to the last */
    bgr_reach_layer *layers;
    int64_t n_nodes;
    /* By node: */
    int8_t (*counts)[BGR_MAX_POINTS];
    int32_t *home_index; /* its index on 6 points, or -1 if it is not in the home board */
    uint8_t *checkers;
    int64_t n_results; /* of all layers */
    int64_t n_merged;  /* positions that were merged, over all layers; 0: nothing was */
} bgr_reach;

/* The reach of a position.  counts: BGR_MAX_POINTS numbers, not all of them 0.  Free it with bgr_reach_free.
 * BGR_ERR_POSITION, BGR_ERR_SIZE if an option is out of range or with max_nodes as above, BGR_ERR_MEMORY. */
bgr_status bgr_reach_new(const bgr_home_board *home, const int8_t *counts, const bgr_reach_options *options,
                         bgr_reach **reach);
void bgr_reach_free(bgr_reach *reach); /* NULL is allowed */

/* The layers, with the results that gain more than least_gain if they were weighed, else with all of them; with
 * INFINITY only the best, and those that are wanted anyway if they were weighed.
 * max_layer: as in the options.  only_sizes: without results, and without merging, but for how many there are. */
bgr_status bgr_reach_of(bgr_candidates *candidates, double least_gain, int64_t max_layer, int only_sizes,
                        bgr_reach **reach);
