/* The order in which positions are solved: by pips, then by index. */
#pragma once

#include "bgrace.h"

/* A *rank* is a position's number in order of pips, then of index.  Every play lowers the pips, so the positions of a
 * level (those with equal pips) don't depend on each other. */
typedef struct {
    int32_t *index; /* rank -> index */
    int64_t *start; /* n_levels + 1: the first rank with a given pip count */
    int n_levels;   /* greatest pip count + 1 */
} bgr_levels;

/* Sort positions into levels.  sorted: n rising indices below 2^31, or NULL for 0 .. n - 1.  BGR_ERR_MEMORY. */
bgr_status bgr_levels_new(const bgr_space *space, const int64_t *sorted, int64_t n, bgr_levels *levels);
void bgr_levels_free(bgr_levels *levels);
