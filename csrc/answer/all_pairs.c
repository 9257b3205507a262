/* All pairs of what two sides can come to: Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section
 * 4, on real positions.  The order and the operator stand in solve/pairs.h, solve/exact.c and solve/two_sided.c; plan.c
 * says which states are solved, and for which positions. */

#include "answer/all_pairs.h"

#include "base/lock.h"
#include "base/memory.h"
#include "base/planes.h"
#include "base/try.h"
#ifdef BGR_THREADS
#include "solve/two_sided.h"
#endif

#include <stdlib.h>
#include <string.h>

struct bgr_all_pairs {
    bgr_holders holders;
    bgr_cache *cache;
    bgr_closed_set sets[2];
    bgr_graph *graphs[2]; /* together, only the first */
    int together;
    int n_planes;
    int place[2][BGR_PLAN_PLANES];
    bgr_exact *exact;              /* or NULL, and then: */
    int16_t *table[2], *single[2]; /* [rank on roll][rank of the opponent][plane] for either side; gammons counting once
                                    */
    double scale;
};

bgr_all_pairs *bgr_all_pairs_hold(bgr_all_pairs *pairs)
{
    bgr_hold(&pairs->holders);
    return pairs;
}

void bgr_all_pairs_release(bgr_all_pairs *pairs)
{
    if (!pairs || !bgr_let_go(&pairs->holders))
        return;
    if (pairs->exact)
        bgr_cache_put_memory(pairs->cache, bgr_exact_close(pairs->exact));
    for (int k = 0; k < 2; k++) {
        bgr_graph_free(pairs->graphs[k]);
        BGR_FREE(pairs->table[k], pairs->single[k]);
    }
    bgr_cache_free(pairs->cache);
    free(pairs);
}

void bgr_all_pairs_positions(const bgr_all_pairs *pairs, int64_t *positions)
{
    for (int k = 0; k < 2; k++)
        positions[k] = pairs->sets[k].n;
}

/* ------------------------------------------------------------------ solving */

static bgr_status begin_pairs(const bgr_sides *sides, int together, const bgr_pairs_work *work, bgr_all_pairs **pairs)
{
    bgr_all_pairs *all = *pairs = calloc(1, sizeof *all);
    if (!all)
        return BGR_ERR_MEMORY;
    all->holders.n = 1;
    all->cache = bgr_cache_hold(work->cache);
    all->together = together;
    /* Finding beaten plays pays only if there are many opponents. */
    int64_t n = sides->side[0].n, m = sides->side[1].n;
    int compared = together || (n <= 2 * m && m <= 2 * n);
    for (int k = 0; k < 2; k++) {
        const bgr_closed_set *set = together ? &sides->both : &sides->side[k];
        all->sets[k] = sides->side[k];
        all->sets[k].indices = NULL; /* the caller's, and nobody asks for them any more */
        if (k < 2 - together)
            BGR_TRY(bgr_cache_graph(set, compared, work, &all->graphs[k]));
    }
    return BGR_OK;
}

static const bgr_graph *graph_of_side(const bgr_all_pairs *pairs, int side)
{
    return pairs->graphs[pairs->together ? 0 : side];
}

bgr_status bgr_all_pairs_new(const bgr_sides *sides, const bgr_plan *plan, const bgr_pairs_work *work,
                             bgr_all_pairs **pairs)
{
    bgr_all_pairs *all;
    bgr_status status = begin_pairs(sides, plan->together, work, &all);
    if (status == BGR_OK) {
        all->n_planes = plan->n_planes;
        memcpy(all->place, plan->place, sizeof all->place);
        const bgr_graph *a = all->graphs[0], *b = all->graphs[1];
        size_t n_pairs = (size_t)bgr_graph_size(a) * (size_t)bgr_graph_size(b ? b : a) * (b ? 2 : 1);
        bgr_exact_memory memory = bgr_cache_take_memory(work->cache, sizeof(double) * (size_t)plan->n_solved * n_pairs);
        bgr_exact_options options = bgr_exactly(plan, work);
        options.memory = &memory;
        status = bgr_exact_new(a, b, &options, NULL, NULL, &all->exact);
        bgr_cache_put_memory(work->cache, memory);
    }
    BGR_HAND_OVER(status, all, pairs, bgr_all_pairs_release);
}

/* ------------------------------------------------------------------ 16 bits */

static int is_less_together(const bgr_sides *sides)
{
    return sides->size.both >= 0 &&
           sides->size.both * sides->size.both < 2 * sides->size.positions[0] * sides->size.positions[1];
}

double bgr_int16_bytes(const bgr_sides *sides, int gammons)
{
    double pairs = is_less_together(sides) ? sides->size.both * sides->size.both
                                           : 2 * sides->size.positions[0] * sides->size.positions[1];
    /* The table and V, and with gammons another table. */
    return pairs * BGR_N_PLANES * sizeof(int16_t) * (gammons ? 3 : 2);
}

#ifdef BGR_THREADS
/* Tables of all pairs as bgr_two_sided has them, which belong to `pairs`, also if this fails. */
static bgr_status fill_tables(const bgr_all_pairs *pairs, int gammons, unsigned single_planes,
                              const bgr_pairs_work *work, int16_t **table)
{
    const bgr_graph *a = pairs->graphs[0], *b = pairs->graphs[1];
    const bgr_two_sided_options options = {.scale = (int)pairs->scale,
                                           .gammon_checkers = gammons ? BGR_MAX_CHECKERS : 0,
                                           .single_planes = single_planes,
                                           .parallel = work->parallel,
                                           .progress = work->progress,
                                           .context = work->context};
    size_t n_bytes = (size_t)bgr_graph_size(a) * (size_t)bgr_graph_size(b ? b : a) * BGR_N_PLANES * sizeof **table;
    for (int k = 0; k < (b ? 2 : 1); k++)
        if (!(table[k] = malloc(n_bytes)))
            return BGR_ERR_MEMORY;
    return bgr_two_sided(a, b, &options, table[0], table[1]);
}
#endif

bgr_status bgr_all_pairs_new_int16(const bgr_sides *sides, const bgr_planes *planes, int gammons, int jacoby,
                                   const bgr_pairs_work *work, bgr_all_pairs **pairs)
{
#ifdef BGR_THREADS
    bgr_all_pairs *all;
    bgr_status status = begin_pairs(sides, is_less_together(sides), work, &all);
    if (status == BGR_OK) {
        all->n_planes = planes->n;
        all->scale = gammons ? 16380 : 32760;
        status = fill_tables(all, gammons, jacoby ? 1u << BGR_CENTERED : 0, work, all->table);
        if (status == BGR_OK && gammons)
            status = fill_tables(all, 1, 1u << BGR_CUBELESS, work, all->single);
    }
    BGR_HAND_OVER(status, all, pairs, bgr_all_pairs_release);
#else /* the library for engines has no solver in 16 bits */
    (void)sides, (void)planes, (void)gammons, (void)jacoby, (void)work, (void)pairs;
    return BGR_ERR_ARGUMENT;
#endif
}

/* ------------------------------------------------------------------ values */

/* Planes of money: the chance to win, then cubeless, mine, centered and theirs. */
static void int16_values(const bgr_all_pairs *pairs, int side, int64_t rank, int64_t opponent_rank, double *values)
{
    static const int seen_by_other[BGR_N_PLANES] = {BGR_CUBELESS, BGR_THEIRS, BGR_CENTERED, BGR_MINE};
    int table = pairs->together ? 0 : side;
    int64_t columns = bgr_graph_size(graph_of_side(pairs, 1 - side));
    const int64_t at = (rank * columns + opponent_rank) * BGR_N_PLANES;
    const int16_t *single = pairs->single[0] ? pairs->single[table] : pairs->table[table];
    values[BGR_PLANE_WIN] = single[at + BGR_CUBELESS] / pairs->scale;
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        values[1 + plane] = pairs->table[table][at + (side ? seen_by_other[plane] : plane)] / pairs->scale;
}

bgr_status bgr_all_pairs_values(const bgr_all_pairs *pairs, int side, const int8_t *on_roll, const int8_t *opponent,
                                double *values)
{
    double solved[BGR_PLAN_PLANES];
    int64_t rank = bgr_closed_set_rank(&pairs->sets[side], graph_of_side(pairs, side), on_roll),
            opponent_rank = bgr_closed_set_rank(&pairs->sets[!side], graph_of_side(pairs, !side), opponent);
    if (rank < 0 || opponent_rank < 0)
        return BGR_ERR_COVERAGE;
    if (!pairs->exact) {
        int16_values(pairs, side, rank, opponent_rank, values);
        return BGR_OK;
    }
    bgr_status status = bgr_exact_values(pairs->exact, pairs->together ? 0 : side, rank, opponent_rank, solved);
    for (int k = 0; status == BGR_OK && k < pairs->n_planes; k++)
        values[k] = solved[pairs->place[side][k]];
    return status;
}
