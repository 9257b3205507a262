/* The positions that one side can reach, turn by turn: a reach and its layers.
 *
 * A side that plays by its own position alone, and keeps for each roll the results whose mean number of rolls is nearly
 * the best, reaches few of all positions.  bgr_reach holds these, by turn, with the results of every roll.  Two of them
 * are the input of the solver of pairs: turns alternate, so only positions of equal turns meet.
 *
 * A *node* is a position, each kept once.  A *layer* lists the nodes that the side can stand on after each number of
 * rolls of its own, each with a *local number*; a node may be in many layers.  For a solver of pairs:
 *
 *   - Layer 0 holds the position itself and nothing else.
 *   - Local number 0 of every other layer is the empty board, even if it cannot be reached by then.  It leads to
 * itself.
 *   - Then come home positions in order of index, then the nodes outside the home board.  So positions with fewer
 * checkers come first, and those in a table of n checkers a side are the first n_within[n].
 *   - The last layer holds only the empty board, or, with max_turns, is the horizon.  It has no results.
 *   - In a layer of *choices*, the results of local number i begin at result[start[i]], and fall into rolls as
 *     bgr_row_rolls of simd/row.h says: distinct local numbers of the next layer, that with the least mean first.  The
 * value of i is the weighted mean over the rolls of the greatest value of the roll's results.
 *   - In a *mixture*, local number i leads to result[k] on ways[k] of the 36 throws, k = start[i] .. start[i + 1] - 1,
 *     distinct and rising: the value of i is the sum of ways times value, over 36.  Ways add up to 36.
 *   - If there are too many positions, some of a layer become *blends*, with local numbers from n on: the value of a
 * blend is the mean of its parts, positions of the same layer, weighted by their shares.  A blend has no results. */
#pragma once

#include "turns/candidates.h"
#include "turns/merge.h"

typedef struct bgr_reach_layer {
    int32_t n;            /* positions */
    int32_t n_blends;     /* merged positions: local numbers from n on, without nodes */
    int choices;          /* 1: choices, 0: a mixture */
    int32_t *node;        /* n: node by local number */
    double *chance;       /* n: of being here after these rolls if the result with the least mean is always played */
    int64_t *start;       /* n + 1: where the results of each begin; NULL in the last layer */
    int32_t *result;      /* local numbers of the next layer; NULL in the last layer */
    int64_t *shape_start; /* of choices, n: where the shape of each begins in `shape` */
    uint16_t *shape;      /* of choices */
    float *ways;          /* of a mixture: of the 36 throws, by result */
    int64_t n_results;
    bgr_blend *blends;                      /* n_blends: parts are local numbers below n */
    int32_t n_within[BGR_MAX_CHECKERS + 1]; /* number in the home board with at most k checkers */
} bgr_reach_layer;

typedef struct bgr_reach {
    double delta;      /* that of the options, or less because of max_nodes */
    double least_gain; /* the least gain of kept results, if they were weighed */
    int64_t max_layer; /* as given to bgr_reach_of; 0: no limit */
    int n_layers;      /* with layer 0 and the last */
    bgr_reach_layer *layers;
    int64_t n_nodes;
    /* By node: */
    int8_t (*counts)[BGR_MAX_POINTS];
    int32_t *home_index; /* its index on 6 points, or -1 if it is not in the home board */
    uint8_t *checkers;
    int64_t n_merged; /* merged positions in all layers */
} bgr_reach;

/* Make the layers of candidates, with the results that gain more than least_gain, or with all if they were not weighed;
 * INFINITY: only the best, and, if weighed, those that are always kept.  max_layer: 2 or more: in a layer of more
 * positions about this many stay, at most a few more, and the others become blends; 0: no limit, except turn by turn.
 * only_sizes: 1 for sizes alone, without results and merging.  Free the reach with bgr_reach_free.  BGR_ERR_SIZE as for
 * bgr_nodes_start, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_reach_of(bgr_candidates *candidates, double least_gain, int64_t max_layer, int only_sizes,
                        bgr_reach **reach);
void bgr_reach_free(bgr_reach *reach); /* NULL is allowed */
