/* Solve all pairs of positions that two sides can reach: Dotsenko and Marynych, "Optimal doubling strategies in
 * backgammon", section 4, on real positions.  solve/pairs.h has the order and solve/exact.c the recurrence; plan.c
 * chooses the planes and the positions. */

#include "answer/all_pairs.h"

#include "base/try.h"

#include <stdlib.h>
#include <string.h>

struct bgr_all_pairs {
    bgr_holders holders;
    bgr_cache *cache;
    bgr_closed_set sets[2];
    bgr_graph *graphs[2]; /* if solved together, only the first */
    int together;
    int n_planes;
    int solved_plane[2][BGR_PLAN_PLANES];
    bgr_exact *exact; /* NULL until solved */
};

void bgr_all_pairs_hold(bgr_all_pairs *pairs) { bgr_hold(&pairs->holders); }

void bgr_all_pairs_release(bgr_all_pairs *pairs)
{
    if (!pairs || !bgr_let_go(&pairs->holders))
        return;
    if (pairs->exact)
        bgr_cache_put_memory(pairs->cache, bgr_exact_close(pairs->exact));
    bgr_graph_free(pairs->graphs[0]);
    bgr_graph_free(pairs->graphs[1]);
    bgr_cache_free(pairs->cache);
    free(pairs);
}

/* ------------------------------------------------------------------ solving */

static bgr_status begin_pairs(const bgr_sides *sides, int together, const bgr_resources *resources,
                              bgr_all_pairs **pairs)
{
    bgr_all_pairs *all = *pairs = calloc(1, sizeof *all);
    if (!all)
        return BGR_ERR_MEMORY;
    all->holders.n = 1;
    all->cache = bgr_cache_hold(resources->cache);
    all->together = together;
    /* Finding beaten plays pays only if there are many opponents. */
    int64_t n = sides->side[0].n, m = sides->side[1].n;
    int compared = together || (n <= 2 * m && m <= 2 * n);
    for (int k = 0; k < 2; k++) {
        const bgr_closed_set *set = together ? &sides->both : &sides->side[k];
        all->sets[k] = sides->side[k];
        all->sets[k].indices = NULL; /* owned by the caller, and no longer needed */
        if (k < 2 - together)
            BGR_TRY(bgr_cache_graph(set, compared, resources, &all->graphs[k]));
    }
    return BGR_OK;
}

static const bgr_graph *graph_of_side(const bgr_all_pairs *pairs, int side)
{
    return pairs->graphs[pairs->together ? 0 : side];
}

bgr_status bgr_all_pairs_new(const bgr_sides *sides, const bgr_plan *plan, const bgr_resources *resources,
                             bgr_all_pairs **pairs)
{
    bgr_all_pairs *all;
    bgr_status status = begin_pairs(sides, plan->together, resources, &all);
    if (status == BGR_OK) {
        all->n_planes = plan->n_planes;
        memcpy(all->solved_plane, plan->solved_plane, sizeof all->solved_plane);
        const bgr_graph *a = all->graphs[0], *b = all->graphs[1];
        size_t n_pairs = (size_t)bgr_graph_size(a) * (size_t)bgr_graph_size(b ? b : a) * (b ? 2 : 1);
        bgr_exact_memory memory =
            bgr_cache_take_memory(resources->cache, sizeof(double) * (size_t)plan->n_solved * n_pairs);
        bgr_exact_options options = bgr_exactly(plan, resources);
        options.memory = &memory;
        status = bgr_exact_new(a, b, &options, NULL, &all->exact);
        bgr_cache_put_memory(resources->cache, memory);
    }
    BGR_HAND_OVER(status, all, pairs, bgr_all_pairs_release);
}

/* ------------------------------------------------------------------ values */

bgr_status bgr_all_pairs_values(const bgr_all_pairs *pairs, int side, const int8_t *on_roll, const int8_t *opponent,
                                double *values)
{
    double solved[BGR_PLAN_PLANES];
    int64_t rank = bgr_closed_set_rank(&pairs->sets[side], graph_of_side(pairs, side), on_roll),
            opponent_rank = bgr_closed_set_rank(&pairs->sets[!side], graph_of_side(pairs, !side), opponent);
    if (rank < 0 || opponent_rank < 0)
        return BGR_ERR_COVERAGE;
    bgr_exact_values(pairs->exact, pairs->together ? 0 : side, rank, opponent_rank, solved);
    for (int k = 0; k < pairs->n_planes; k++)
        values[k] = solved[pairs->solved_plane[side][k]];
    return BGR_OK;
}
