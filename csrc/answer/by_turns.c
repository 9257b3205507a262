/* A race answered turn by turn: turns/choose.c chooses which plays to compare, turns/question.c where pairs of few
 * checkers come from; then pairs of equal turns are solved. */

#include "answer/ways.h"

#include "answer/state.h"
#include "base/dice.h"
#include "base/plays.h"
#include "base/position.h"
#include "base/try.h"
#include "turns/question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_firsts(const void *a, const void *b)
{
    return memcmp(((const bgr_first_result *)a)->counts, ((const bgr_first_result *)b)->counts, BGR_MAX_POINTS);
}

void bgr_sort_results(bgr_answer *answer)
{
    qsort(answer->results, (size_t)answer->n_results, sizeof *answer->results, compare_firsts);
}

static bgr_status keep_results(bgr_question *q, bgr_answer *answer)
{
    const bgr_reach *reach = q->reach[0];
    const bgr_reach_layer *layer = &reach->layers[1];
    double *after = malloc((size_t)layer->n * BGR_MAX_LINES * sizeof *after);
    answer->results = malloc((size_t)layer->n * sizeof *answer->results);
    answer->n_results = layer->n;
    bgr_status status = after && answer->results ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = bgr_pairs_solve(reach, q->reach[1], &q->pairs, answer->now, after);
    for (int32_t k = 0; status == BGR_OK && k < layer->n; k++) {
        memcpy(answer->results[k].counts, reach->counts[layer->node[k]], BGR_MAX_POINTS);
        memcpy(answer->results[k].values, after + (int64_t)k * BGR_MAX_LINES, sizeof answer->results[k].values);
    }
    if (status == BGR_OK)
        bgr_sort_results(answer);
    free(after);
    return status;
}

static void describe_turns(const bgr_question *q, bgr_answer_info *info)
{
    info->method = isinf(q->delta) ? BGR_ANSWER_EXACT : BGR_ANSWER_TURNS;
    info->delta = q->delta;
    info->least_gain = isinf(q->delta) ? 0 : q->delta > 0 ? q->reach[0]->least_gain : INFINITY;
    info->boundary_checkers = q->pairs.boundary.checkers;
    info->from_database = q->pairs.boundary.values == bgr_stored_values;
    info->pairs = q->size.pairs;
    for (int side = 0; side < 2; side++) {
        info->positions[side] = q->reach[side]->n_nodes;
        info->merged += q->reach[side]->n_merged;
    }
}

/* Exact values in double precision, if there is room. */
static bgr_status choose_precision(bgr_question *q)
{
    bgr_pairs_size in_float = q->size;
    if (q->precision < 0 && !isinf(q->delta))
        return BGR_OK;
    q->pairs.precision = q->precision > 0 ? BGR_FLOAT : BGR_DOUBLE;
    bgr_status status = bgr_pairs_measure(q->reach[0], q->reach[1], &q->pairs, &q->size);
    if (status == BGR_OK && q->precision < 0 && q->size.bytes > q->options.memory_bytes) {
        q->pairs.precision = BGR_FLOAT;
        q->size = in_float;
    }
    return status;
}

bgr_status bgr_keep_off(const double *within, int n, double mean, double **off)
{
    double sum = 0, before = 0;
    *off = calloc(BGR_MAX_WIDTH, sizeof **off);
    if (!*off)
        return BGR_ERR_MEMORY;
    for (int k = 1; k < n; k++) {
        (*off)[k] = within[k] - before;
        sum += k * (within[k] - before);
        before = within[k];
    }
    if (before < 1) {
        double rest = (mean - sum) / (1 - before);
        rest = fmin(fmax(rest, n), BGR_MAX_WIDTH - 2);
        int least = (int)rest; /* two numbers of rolls, so that the mean is right */
        (*off)[least] += (1 - before) * (least + 1 - rest);
        (*off)[least + 1] += (1 - before) * (rest - least);
    }
    return BGR_OK;
}

static bgr_status keep_off_of_reach(const bgr_reach_home *home, const bgr_reach *reach, double **off)
{
    double within[BGR_MAX_WIDTH];
    int n = reach->n_layers < BGR_MAX_WIDTH ? reach->n_layers : BGR_MAX_WIDTH;
    for (int k = 1; k < n; k++)
        within[k] = reach->layers[k].chance[0];
    const int8_t *counts = reach->counts[reach->layers[0].node[0]];
    return bgr_keep_off(within, n, bgr_position_mean(home, bgr_packed_of(counts)), off);
}

void bgr_chances_of_row(const bgr_answer *answer, int side, const double *row, bgr_chances *chances)
{
    const bgr_planes *planes = &answer->planes;
    int cubeless = answer->cubeless;
    double followed[BGR_N_FOLLOWERS], sign = side ? -1 : 1;
    for (int k = 0; k < BGR_N_FOLLOWERS; k++)
        followed[k] = answer->followers >> k & 1 ? row[BGR_MAX_PLANES + k] : 0;
    chances->win = (1 + sign * row[BGR_PLANE_WIN]) / 2;
    chances->win_gammon = followed[BGR_GAMMON_FIRST];
    chances->lose_gammon = followed[BGR_GAMMON_SECOND];
    chances->win_backgammon = followed[BGR_BACKGAMMON_FIRST];
    chances->lose_backgammon = followed[BGR_BACKGAMMON_SECOND];
    /* cubeless = W w - (1 - W) l + what gammons add */
    const double (*pays)[2] = planes->plane[cubeless].win;
    double value = sign * row[cubeless];
    value -= chances->win_gammon * (pays[1][0] - pays[0][0]) + chances->win_backgammon * (pays[2][0] - pays[1][0]);
    value += chances->lose_gammon * (pays[1][1] - pays[0][1]) + chances->lose_backgammon * (pays[2][1] - pays[1][1]);
    double apart = pays[0][0] + pays[0][1];
    chances->cubeless_win = apart > 0 ? (value + pays[0][1]) / apart : chances->win;
}

static bgr_status find_answer(bgr_question *q, bgr_answer *answer)
{
    q->pairs.precision = BGR_FLOAT;
    bgr_status status = bgr_question_planes(q);
    if (status != BGR_OK)
        return status;
    bgr_find_table(q);
    status = bgr_choose(q);
    if (status == BGR_OK && q->pairs.boundary.checkers)
        bgr_find_table(q); /* the planes may have become others */
    else if (status == BGR_OK)
        status = bgr_make_table(q);
    if (status == BGR_OK)
        status = choose_precision(q);
    if (status == BGR_OK)
        status = keep_results(q, answer);
    if (status == BGR_OK)
        status = bgr_stored_status(&q->stored);
    for (int side = 0; status == BGR_OK && side < 2; side++)
        status = keep_off_of_reach(q->solver->home, q->reach[side], &answer->off[side]);
    if (status != BGR_OK)
        return status;
    answer->planes = q->planes;
    answer->way = BGR_BY_TURNS;
    bgr_answer_begin(q, answer);
    answer->worst = q->loses[0] > q->loses[1] ? q->loses[0] : q->loses[1];
    answer->followers = q->pairs.followers;
    bgr_chances_of_row(answer, 0, answer->now, &answer->chances);
    describe_turns(q, &answer->info);
    return bgr_error_of_turns(q, answer, &answer->info.error);
}

bgr_status bgr_answer_question(bgr_question *q, bgr_answer **answer)
{
    *answer = NULL;
    bgr_answer *fresh = calloc(1, sizeof *fresh);
    bgr_status status = fresh ? find_answer(q, fresh) : BGR_ERR_MEMORY;
    BGR_HAND_OVER(status, fresh, answer, bgr_answer_free);
}
