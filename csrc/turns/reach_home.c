/* What every question about one side stands on: the home board solved, and the coefficients of the estimates. */

#include "turns/estimate.h"
#include "turns/packed.h"

#include "base/dice.h"
#include "bgrace.h"
#include "solve/one_sided.h"

#include <stdlib.h>

static void number_points(bgr_reach_home *h)
{
    for (int three = 0; three < 4096; three++) {
        const int count[3] = {three >> 8, three >> 4 & 15, three & 15};
        int all = count[0] + count[1] + count[2];
        h->n_upper[three] = (uint8_t)(all <= BGR_MAX_CHECKERS ? all : 0);
        if (all > BGR_MAX_CHECKERS)
            continue;
        for (int j = 0, t = all; j < 3; t -= count[j++])
            h->upper[three] += (int32_t)h->space.term[3 + j][t];
        for (int above = 0; above + all <= BGR_MAX_CHECKERS; above++)
            for (int j = 0, t = above + all; j < 3; t -= count[j++])
                h->lower[above][three] += (int32_t)h->space.term[j][t];
    }
}

/* A play lowers the index, so results come before what leads to them. */
static void fill_variances(bgr_reach_home *h)
{
    for (int64_t i = 1; i < h->space.size; i++) {
        double sum = 0;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            int32_t next = h->best[i * BGR_N_ROLLS + roll];
            double off = h->mean[next] + 1 - h->mean[i];
            sum += bgr_rolls[roll].weight * (h->variance[next] + off * off);
        }
        h->variance[i] = sum / 36;
    }
}

static void fill_positions(bgr_reach_home *h)
{
    for (int64_t i = 0; i < h->space.size; i++) {
        int8_t places[BGR_MAX_POINTS + 1] = {BGR_MAX_CHECKERS};
        bgr_position(&h->space, i, places + 1);
        for (int j = 1; j <= h->space.points; j++)
            places[0] = (int8_t)(places[0] - places[j]);
        h->packed[i] = bgr_pack(places);
    }
}

static void fill_worth(const int16_t *coefficients, bgr_worth worth)
{
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        for (int t = 0; t <= BGR_MAX_CHECKERS; t++)
            for (int u = 0; u <= t; u++)
                worth[j][t][u] = (float)(t * (6 / 49.0) + *coefficients++ * BGR_ESTIMATE_STEP);
}

bgr_status bgr_reach_home_new(bgr_reach_home **home)
{
    *home = NULL;
    bgr_reach_home *h = calloc(1, sizeof *h);
    if (!h)
        return BGR_ERR_MEMORY;
    bgr_status status = bgr_space_init(6, BGR_MAX_CHECKERS, &h->space);
    size_t n = (size_t)h->space.size;
    uint8_t *longest = malloc(n);
    h->mean = malloc(n * sizeof *h->mean);
    h->variance = calloc(n, sizeof *h->variance);
    h->first = malloc(n * sizeof *h->first);
    h->best = malloc(n * BGR_N_ROLLS * sizeof *h->best);
    h->packed = malloc(n * sizeof *h->packed);
    if (!longest || !h->mean || !h->variance || !h->first || !h->best || !h->packed)
        status = BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = bgr_one_sided_means(&h->space, BGR_MAX_CHECKERS, 1, h->first, h->best, longest);
    if (status == BGR_OK)
        status = bgr_one_sided_means(&h->space, 1, 1, h->mean, h->best, longest);
    free(longest);
    if (status != BGR_OK) {
        bgr_reach_home_free(h);
        return status;
    }
    number_points(h);
    fill_variances(h);
    fill_positions(h);
    fill_worth(bgr_estimate_last[0], h->worth);
    fill_worth(bgr_estimate_first[0], h->first_worth);
    *home = h;
    return BGR_OK;
}

void bgr_reach_home_free(bgr_reach_home *home)
{
    if (!home)
        return;
    free(home->mean);
    free(home->variance);
    free(home->first);
    free(home->best);
    free(home->packed);
    free(home);
}
