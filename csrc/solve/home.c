/* The home board for layers: every position solved, with its distribution in float64 and as a ring. */

#include "solve/layer_slots.h"

#include "base/memory.h"
#include "base/try.h"

#include <string.h>

/* Round the cumulative sums of chances[0 .. n - 1] into a ring. */
static void ring_of(const double *chances, int n, uint16_t *ring, bgr_span *span)
{
    double sum = 0;
    int before = 0, start = -1, last = 0;
    memset(ring, 0, BGR_RING * sizeof *ring);
    for (int k = 0; k < n; k++) {
        sum += chances[k];
        int now = k == n - 1 ? BGR_CHANCE_SCALE : (int)(sum * BGR_CHANCE_SCALE + 0.5);
        if (now > before) {
            ring[k % BGR_RING] = (uint16_t)(now - before);
            if (start < 0)
                start = k;
            last = k;
        }
        before = now;
    }
    span->first = (uint8_t)start;
    span->length = (uint8_t)(last - start + 1);
}

bgr_status bgr_layer_home_new(int checkers, int stop, int n_threads, bgr_layer_home **home)
{
    bgr_layer_home *h = calloc(1, sizeof *h);
    if (!h)
        return BGR_ERR_MEMORY;
    bgr_status status = bgr_space_init(BGR_HOME_POINTS, checkers, &h->space);
    if (status != BGR_OK)
        BGR_HAND_OVER(status, h, home, bgr_layer_home_free);
    h->stop = stop;
    size_t n = (size_t)h->space.size;
    int32_t *best = malloc(n * BGR_N_ROLLS * sizeof *best);
    uint8_t *longest = malloc(n);
    bgr_one_sided tables = {&h->space, .stop = stop, .n_threads = n_threads, .best = best, .longest = longest};
    tables.mean_rolls = h->mean = malloc(n * sizeof *h->mean);
    tables.variance_rolls = h->variance = malloc(n * sizeof *h->variance);
    tables.chains = h->chains = malloc(n * BGR_N_CHAINS * sizeof *h->chains);
    h->rings = malloc(n * BGR_RING * sizeof *h->rings);
    h->span = malloc(n * sizeof *h->span);
    status = BGR_ERR_MEMORY;
    if (best && longest && h->mean && h->variance && h->chains && h->rings && h->span)
        status = bgr_one_sided_means(&tables);
    if (status == BGR_OK) {
        for (size_t i = 0; i < n; i++)
            if (longest[i] >= h->width)
                h->width = longest[i] + 1;
        tables.width = h->width;
        tables.distribution = h->distribution = malloc(n * (size_t)h->width * sizeof *h->distribution);
        status = h->distribution ? bgr_one_sided_distributions(&tables) : BGR_ERR_MEMORY;
    }
    for (size_t i = 0; status == BGR_OK && i < n; i++)
        ring_of(h->distribution + i * (size_t)h->width, h->width, h->rings + i * BGR_RING, h->span + i);
    BGR_FREE(best, longest);
    BGR_HAND_OVER(status, h, home, bgr_layer_home_free);
}

void bgr_layer_home_free(bgr_layer_home *home)
{
    if (!home)
        return;
    BGR_FREE(home->mean, home->variance, home->chains, home->distribution, home->rings, home->span, home);
}
