/* The order in which positions are solved: by pips, then by index. */

#include "internal.h"

#include <stdlib.h>

bgr_status bgr_levels_new(const bgr_space *space, const int64_t *sorted, int64_t n, bgr_levels *levels)
{
    int8_t counts[BGR_MAX_POINTS];
    int n_levels = space->checkers * space->points + 1;
    int16_t *pips = malloc((size_t)n * sizeof *pips);
    levels->index = malloc((size_t)n * sizeof *levels->index);
    levels->start = calloc((size_t)n_levels + 1, sizeof *levels->start);
    if (!pips || !levels->index || !levels->start) {
        free(pips);
        bgr_levels_free(levels);
        return BGR_ERR_MEMORY;
    }
    /* A counting sort keeps the order of equal pips, which is that of the index. */
    int most = 0;
    for (int64_t i = 0; i < n; i++) {
        bgr_position(space, sorted ? sorted[i] : i, counts);
        pips[i] = (int16_t)bgr_pips(space->points, counts);
        levels->start[pips[i] + 1]++;
        if (pips[i] > most)
            most = pips[i];
    }
    for (int l = 0; l < n_levels; l++)
        levels->start[l + 1] += levels->start[l];
    for (int64_t i = 0; i < n; i++)
        levels->index[levels->start[pips[i]]++] = (int32_t)(sorted ? sorted[i] : i);
    /* Each start has moved to the end of its level, where the next one began. */
    for (int l = n_levels; l > 0; l--)
        levels->start[l] = levels->start[l - 1];
    levels->start[0] = 0;
    levels->n_levels = most + 1;
    free(pips);
    return BGR_OK;
}

void bgr_levels_free(bgr_levels *levels)
{
    free(levels->index);
    free(levels->start);
    levels->index = NULL;
    levels->start = NULL;
}
