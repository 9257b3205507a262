/* The order in which positions are solved: by pips, then by index. */

#include "base/levels.h"

#include "base/memory.h"
#include "base/position.h"

/* Find the pips of all positions in order of index, in which suffix sums run through all falling sequences. */
static void pips_of_all(const bgr_space *space, int16_t *pips)
{
    int t[BGR_MAX_POINTS] = {0}, sum = 0;
    for (int64_t i = 0; i < space->size; i++) {
        pips[i] = (int16_t)sum;
        int j = space->points - 1;
        for (; j > 0 && t[j] == t[j - 1]; j--) {
            sum -= t[j];
            t[j] = 0;
        }
        t[j]++;
        sum++;
    }
}

bgr_status bgr_levels_new(const bgr_space *space, const int64_t *sorted, int64_t n, bgr_levels *levels)
{
    enum { BATCH = 1 << 16 }; /* positions that are decoded at a time */
    int64_t batch = n < BATCH ? n : BATCH, n_done;
    int8_t *counts = malloc((size_t)batch * (size_t)space->points);
    int n_levels = space->checkers * space->points + 1;
    int16_t *pips = malloc((size_t)n * sizeof *pips);
    levels->index = malloc((size_t)n * sizeof *levels->index);
    levels->start = calloc((size_t)n_levels + 2, sizeof *levels->start);
    if (!counts || !pips || !levels->index || !levels->start) {
        BGR_FREE(counts, pips);
        bgr_levels_free(levels);
        return BGR_ERR_MEMORY;
    }
    /* A counting sort keeps the order of index among equal pips.  Each start is stored one place higher, and advances
     * to the next one's value. */
    int most = 0;
    if (!sorted)
        pips_of_all(space, pips);
    for (int64_t i = 0; sorted && i < n; i += BATCH) {
        int64_t length = n - i < BATCH ? n - i : BATCH;
        (void)bgr_position_batch(space, sorted + i, length, counts, &n_done);
        for (int64_t k = 0; k < length; k++)
            pips[i + k] = (int16_t)bgr_pips(space->points, counts + k * space->points);
    }
    for (int64_t i = 0; i < n; i++) {
        levels->start[pips[i] + 2]++;
        if (pips[i] > most)
            most = pips[i];
    }
    free(counts);
    for (int l = 0; l <= n_levels; l++)
        levels->start[l + 1] += levels->start[l];
    for (int64_t i = 0; i < n; i++)
        levels->index[levels->start[pips[i] + 1]++] = (int32_t)(sorted ? sorted[i] : i);
    levels->n_levels = most + 1;
    free(pips);
    return BGR_OK;
}

void bgr_levels_free(bgr_levels *levels)
{
    BGR_FREE(levels->index, levels->start);
    levels->index = NULL;
    levels->start = NULL;
}
