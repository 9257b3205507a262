/* The positions that two sides can come to, for the solver of all pairs. */
#pragma once

#include "answer/cache.h"
#include "answer/plan.h"

/* Both sides, each with all that it can come to. */
typedef struct bgr_sides {
    bgr_closed_set side[2], both; /* both: if they have a common board */
    bgr_plan_size size;
    double graph_bytes; /* about what the graphs of either side take */
} bgr_sides;

/* Count them, on as many points as the checker farthest out needs, or where its positions have too large numbers, each
 * side on as many as its own checkers need.  counts: of two sides.  BGR_ERR_SIZE if numbers are too large even then:
 * of every position with 15 checkers of which one stands on point 18 or beyond. */
bgr_status bgr_sides_init(const int8_t (*counts)[BGR_MAX_POINTS], bgr_sides *sides);

/* List what was counted.  Free it with bgr_sides_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_sides_list(bgr_sides *sides);
void bgr_sides_free(bgr_sides *sides);

/* The rank of a position of a set in its graph; -1: not in the set. */
int64_t bgr_closed_set_rank(const bgr_closed_set *set, const bgr_graph *graph, const int8_t *counts);
