/* One side of a race carried forward turn by turn: what a position can come to, wherever its checkers are. */
#ifndef BGR_REACH_H
#define BGR_REACH_H

#include "turns/layers.h"

/* What a position can come to.  counts: BGR_MAX_POINTS numbers, not all of them 0.  Free it with bgr_reach_free.
 * BGR_ERR_POSITION, BGR_ERR_SIZE if an option is out of range or with max_nodes as above, BGR_ERR_MEMORY. */
bgr_status bgr_reach_new(const bgr_reach_home *home, const int8_t *counts, const bgr_reach_options *options,
                         bgr_reach **reach);
void bgr_reach_free(bgr_reach *reach); /* NULL is allowed */

/* The layers, with the results that gain more than least_gain if they were weighed, else with all of them; with
 * INFINITY only the best, and those that are wanted anyway if they were weighed.
 * max_layer: as in the options.  only_sizes: without results, and without merging, but for how many there are. */
bgr_status bgr_reach_of(bgr_candidates *candidates, double least_gain, int64_t max_layer, int only_sizes,
                        bgr_reach **reach);

/* How many positions each layer would have without merging, and how many results all layers together: what to choose
 * delta by.  Costs about half of bgr_reach_new, and a fraction of the memory.
 * positions [out] BGR_REACH_MOST_TURNS + 1; the first *n_layers are written.  The same errors, and BGR_ERR_SIZE beyond
 * max_nodes whatever delta is: then the layers need a limit. */
bgr_status bgr_reach_sizes(const bgr_reach_home *home, const int8_t *counts, const bgr_reach_options *options,
                           int64_t *positions, int *n_layers, int64_t *n_results);

#endif
