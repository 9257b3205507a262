/* The positions that two sides can reach, for the solver of all pairs. */
#pragma once

#include "answer/cache.h"
#include "answer/plan.h"

/* The positions that each side can reach. */
typedef struct bgr_sides {
    bgr_closed_set side[2], both; /* both: all positions of either side, if they have a common board */
    bgr_plan_size size;
    double graph_bytes; /* approximate size of the graphs of both sides */
} bgr_sides;

/* Count positions, on a board with the fewest points for both sides, or if indices are too large, with the fewest for
 * each side.  counts: of the two sides.  BGR_ERR_SIZE if indices are too large even then, as always with 15 checkers,
 * one of them on point 18 or higher. */
bgr_status bgr_sides_init(const int8_t (*counts)[BGR_MAX_POINTS], bgr_sides *sides);

/* List the positions that were counted.  Free them with bgr_sides_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_sides_list(bgr_sides *sides);
void bgr_sides_free(bgr_sides *sides);

/* The rank of a position of a set in its graph; -1: not in the set. */
int64_t bgr_closed_set_rank(const bgr_closed_set *set, const bgr_graph *graph, const int8_t *counts);
