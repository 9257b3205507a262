/* Answer a race turn by turn: turns/choose.c chooses the plays to compare, turns/known_pairs.c the source of pairs of
 * few checkers; then pairs of equal turns are solved. */

#include "answer/ways.h"

#include "answer/answer.h"
#include "answer/state.h"
#include "base/try.h"
#include "turns/choose.h"
#include "turns/known_pairs.h"

#include <math.h>
#include <stdlib.h>

static bgr_status solve_pairs(bgr_question *q, bgr_answer *answer)
{
    const bgr_reach *reach = q->reach[0];
    const bgr_reach_layer *layer = &reach->layers[1];
    double *after = malloc((size_t)layer->n * BGR_MAX_LINES * sizeof *after);
    bgr_first_result *results = answer->listed.results = malloc((size_t)layer->n * sizeof *results);
    answer->listed.n = layer->n;
    bgr_status status = after && results ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = bgr_pairs_solve(reach, q->reach[1], &q->pairs, answer->now, after);
    for (int32_t k = 0; status == BGR_OK && k < layer->n; k++) {
        memcpy(results[k].counts, reach->counts[layer->node[k]], BGR_MAX_POINTS);
        memcpy(results[k].values, after + (int64_t)k * BGR_MAX_LINES, sizeof results[k].values);
    }
    if (status == BGR_OK)
        bgr_sort_results(answer);
    free(after);
    return status;
}

static void describe_turns(const bgr_question *q, bgr_answer_info *info)
{
    info->exact = isinf(q->chosen.delta);
    info->delta = q->chosen.delta;
    info->least_gain = isinf(q->chosen.delta) ? 0 : q->chosen.delta > 0 ? q->reach[0]->least_gain : INFINITY;
    info->boundary_checkers = q->pairs.boundary.checkers;
    info->from_database = q->pairs.boundary.values == bgr_stored_values;
    info->pairs = q->size.pairs;
    for (int side = 0; side < 2; side++) {
        info->positions[side] = q->reach[side]->n_nodes;
        info->merged += q->reach[side]->n_merged;
    }
}

/* Choose double precision for exact values, if there is memory.  BGR_ERR_MEMORY if pairs do not fit with the exactness
 * or the gain that was asked for, though some_memory may be used in any case. */
static bgr_status choose_precision(bgr_question *q)
{
    bgr_pairs_size in_float = q->size;
    const bgr_solve_options *asked = &q->asked.options;
    const int64_t some_memory = 40 << 20;
    if ((asked->exactness != 0 || asked->least_gain > 0) && q->size.bytes > asked->memory_bytes &&
        q->size.bytes > some_memory)
        return BGR_ERR_MEMORY;
    if (!isinf(q->chosen.delta))
        return BGR_OK;
    q->pairs.precision = BGR_DOUBLE;
    BGR_TRY(bgr_pairs_measure(q->reach[0], q->reach[1], &q->pairs, &q->size));
    if (q->size.bytes > asked->memory_bytes) {
        q->pairs.precision = BGR_FLOAT;
        q->size = in_float;
    }
    return BGR_OK;
}

static bgr_status keep_off_of_reach(const bgr_home_board *home, const bgr_reach *reach, double **off)
{
    double within[BGR_MAX_WIDTH];
    int n = reach->n_layers < BGR_MAX_WIDTH ? reach->n_layers : BGR_MAX_WIDTH;
    for (int k = 1; k < n; k++)
        within[k] = reach->layers[k].chance[0];
    const int8_t *counts = reach->counts[reach->layers[0].node[0]];
    return bgr_keep_off(within, n, bgr_position_mean(home, bgr_packed_of(counts)), off);
}

static bgr_status find_answer(bgr_question *q, bgr_answer *answer)
{
    q->pairs.precision = BGR_FLOAT;
    BGR_TRY(bgr_question_planes(q));
    bgr_find_table(q);
    BGR_TRY(bgr_choose(q));
    if (q->pairs.boundary.checkers)
        bgr_find_table(q); /* the planes may have changed */
    else
        BGR_TRY(bgr_make_table(q));
    BGR_TRY(choose_precision(q));
    BGR_TRY(solve_pairs(q, answer));
    BGR_TRY((bgr_status)q->known.stored.status);
    for (int side = 0; side < 2; side++)
        BGR_TRY(keep_off_of_reach(q->solver->home, q->reach[side], &answer->off[side]));
    answer->planes = q->planes;
    answer->info.way = BGR_BY_TURNS;
    bgr_answer_begin(&q->asked, answer);
    answer->worst_loss = bgr_worst_loss(&q->asked);
    answer->listed.followers = q->pairs.followers;
    bgr_chances_of_row(answer, 0, answer->now, &answer->chances);
    describe_turns(q, &answer->info);
    return bgr_error_of_turns(q, answer, &answer->info.error);
}

bgr_status bgr_answer_by_turns(bgr_question *q, bgr_answer **answer)
{
    bgr_answer *fresh = calloc(1, sizeof *fresh);
    q->asked.may_estimate = q->asked.options.way == BGR_ANY_WAY && q->asked.options.exactness == 0;
    q->known.kept = bgr_cache_tables(q->asked.options.cache);
    bgr_status status = fresh ? find_answer(q, fresh) : BGR_ERR_MEMORY;
    if (q->chosen.too_dear) {
        bgr_answer_free(fresh);
        return bgr_answer_by_estimate(q, answer);
    }
    BGR_HAND_OVER(status, fresh, answer, bgr_answer_free);
}
