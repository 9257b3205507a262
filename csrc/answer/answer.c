/* Any race at any stakes: asked, and what the answer says. */

#include "answer/answer.h"

#include "answer/state.h"
#include "answer/verdict.h"
#include "answer/ways.h"
#include "base/plays.h"
#include "base/position.h"
#include "base/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chances of the player on roll once a side, 0 the one on roll, has lost so much. */
static bgr_chances chances_of_end(int loser, int loss)
{
    bgr_chances chances = {.win = loser, .cubeless_win = loser};
    *(loser ? &chances.win_gammon : &chances.lose_gammon) = loss >= BGR_LOST_GAMMON;
    *(loser ? &chances.win_backgammon : &chances.lose_backgammon) = loss == BGR_LOST_BACKGAMMON;
    return chances;
}

/* A side has borne off: the game is worth what it pays. */
static bgr_status answer_finished(const bgr_question *q, bgr_answer **answer)
{
    bgr_answer *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    int loser = !bgr_question_highest(q->counts[0]), loss = q->loses[loser];
    bgr_status status = bgr_planes_of_stakes(q->stakes, 1, 1, &fresh->planes);
    if (status != BGR_OK) {
        bgr_answer_free(fresh);
        return status;
    }
    bgr_answer_begin(q, fresh);
    fresh->over = 1;
    fresh->worst = BGR_LOST_BACKGAMMON;
    fresh->way = BGR_ALL_PAIRS;
    fresh->info = (bgr_answer_info){.method = BGR_ANSWER_EXACT, .delta = INFINITY, .positions = {1, 1}, .pairs = 1};
    fresh->chances = chances_of_end(loser, loss);
    for (int k = 0; k < fresh->planes.n; k++)
        fresh->now[k] = (loser ? 1 : -1) * fresh->planes.plane[k].win[loss][!loser];
    *answer = fresh;
    return BGR_OK;
}

static bgr_status ask_any(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                          const bgr_stakes *stakes, const bgr_solve_options *options, bgr_path path, int precision,
                          bgr_answer **answer)
{
    bgr_question q = {.solver = solver, .pairs = {.path = path}, .precision = precision, .may_be_over = 1};
    *answer = NULL;
    bgr_status status = bgr_question_read(points, on_roll, opponent, stakes, options, &q);
    if (status == BGR_OK && (!bgr_question_highest(q.counts[0]) || !bgr_question_highest(q.counts[1])))
        status = answer_finished(&q, answer);
    else if (status == BGR_OK && q.options.way == BGR_ESTIMATE)
        status = bgr_answer_by_estimate(&q, answer);
    else if (status == BGR_OK && precision < 0) {
        int may_look_up = q.options.way == BGR_ANY_WAY && q.options.exactness == 0 && q.options.least_gain == 0;
        if (may_look_up)
            status = bgr_answer_by_table(&q, answer);
        if (status == BGR_OK && !*answer)
            status = bgr_answer_by_pairs(&q, answer);
        if (status == BGR_OK && !*answer && may_look_up)
            status = bgr_answer_by_file(&q, answer);
    }
    if (status == BGR_OK && !*answer && q.options.way == BGR_FEW_PAIRS)
        status = BGR_ERR_COVERAGE;
    if (status == BGR_OK && !*answer) {
        q.may_estimate = precision < 0 && q.options.way == BGR_ANY_WAY && q.options.exactness == 0;
        q.kept = bgr_cache_tables(q.options.cache);
        status = bgr_answer_question(&q, answer);
        if (q.too_dear)
            status = bgr_answer_by_estimate(&q, answer);
    }
    bgr_question_forget(&q);
    return status;
}

bgr_status bgr_ask(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                   const bgr_stakes *stakes, const bgr_solve_options *options, bgr_answer **answer)
{
    return ask_any(solver, points, on_roll, opponent, stakes, options, BGR_PATH_BEST, -1, answer);
}

bgr_status bgr_solve_on_path(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent,
                             const bgr_stakes *stakes, const bgr_solve_options *options, bgr_path path, int precision,
                             bgr_answer **answer)
{
    return ask_any(solver, BGR_MAX_POINTS, on_roll, opponent, stakes, options, path, precision, answer);
}

void bgr_answer_free(bgr_answer *answer)
{
    if (!answer)
        return;
    bgr_all_pairs_release(answer->pairs);
    bgr_estimated_free(answer->estimated);
    free(answer->results);
    free(answer->off[0]);
    free(answer->off[1]);
    free(answer);
}

/* ------------------------------------------------------------------ what it says */

void bgr_answer_describe(const bgr_answer *answer, bgr_answer_info *info) { *info = answer->info; }

void bgr_answer_chances(const bgr_answer *answer, bgr_chances *chances) { *chances = answer->chances; }

bgr_way bgr_answer_way(const bgr_answer *answer) { return answer->way; }

const bgr_planes *bgr_answer_planes(const bgr_answer *answer) { return &answer->planes; }

const double *bgr_answer_now(const bgr_answer *answer) { return answer->now; }

double bgr_answer_normalised(const bgr_answer *answer, double value) { return bgr_normalised(&answer->planes, value); }

static int compare_counts(const void *a, const void *b)
{
    return memcmp(a, ((const bgr_first_result *)b)->counts, BGR_MAX_POINTS);
}

/* NULL if it was not compared. */
static const bgr_first_result *find_result(const bgr_answer *answer, const int8_t *counts)
{
    if (!answer->n_results)
        return NULL;
    return bsearch(counts, answer->results, (size_t)answer->n_results, sizeof *answer->results, compare_counts);
}

/* Values by plane for the opponent on roll after a move.  values [out] BGR_PLAN_PLANES. */
static bgr_status values_after(const bgr_answer *answer, const int8_t *counts, double *values)
{
    if (answer->pairs)
        return bgr_all_pairs_values(answer->pairs, !answer->side, answer->counts[1], counts, values);
    if (answer->estimated) {
        bgr_estimated_values(answer->estimated, counts, values);
        return BGR_OK;
    }
    const bgr_first_result *result = find_result(answer, counts);
    if (result)
        memcpy(values, result->values, (size_t)answer->planes.n * sizeof *values);
    return result ? BGR_OK : BGR_ERR_COVERAGE;
}

bgr_status bgr_answer_after(const bgr_answer *answer, const int8_t *counts, int64_t n, double *values)
{
    double row[BGR_PLAN_PLANES];
    for (int64_t i = 0; i < n; i++) {
        const int8_t *result = counts + i * BGR_MAX_POINTS;
        bgr_status status = values_after(answer, result, row);
        if (status != BGR_OK || !bgr_question_highest(result))
            return status == BGR_OK ? BGR_ERR_POSITION : status;
        memcpy(values + i * answer->planes.n, row, (size_t)answer->planes.n * sizeof *values);
    }
    return BGR_OK;
}

static const bgr_place *place_of(const bgr_answer *answer, bgr_cube cube)
{
    if ((int)cube < 0 || cube >= BGR_N_CUBES || answer->planes.place[cube].now.plane < 0)
        return NULL;
    return &answer->planes.place[cube];
}

bgr_status bgr_answer_cube(const bgr_answer *answer, bgr_cube cube, bgr_cube_values *values)
{
    const bgr_place *place = place_of(answer, cube);
    if (!place)
        return BGR_ERR_STAKES;
    const bgr_place nobody_doubles = {place->now, {{-1, 0, 0}, {-1, 0, 0}}};
    bgr_cube_of_row(&answer->planes, answer->beavers, answer->over ? &nobody_doubles : place, answer->now, values);
    return BGR_OK;
}

/* The value of winning the game with this roll, with the cube in a place. */
static double worth_of_winning(const bgr_answer *answer, bgr_cube cube)
{
    int counts = answer->gammons && !(answer->jacoby && cube == BGR_CUBE_CENTERED);
    return answer->planes.pays[0][counts ? answer->loss : BGR_LOST_SINGLE];
}

static bgr_status value_of_move(const bgr_answer *answer, const int8_t *result, bgr_cube cube, double *value)
{
    double row[BGR_PLAN_PLANES];
    const bgr_place *place = place_of(answer, cube);
    if (!place)
        return BGR_ERR_STAKES;
    if (!bgr_question_highest(result)) {
        *value = worth_of_winning(answer, cube);
        return BGR_OK;
    }
    bgr_status status = values_after(answer, result, row);
    if (status == BGR_OK)
        *value = bgr_worth_of_row(&answer->planes, place, row);
    return status;
}

bgr_status bgr_answer_move(const bgr_answer *answer, int points, const int8_t *counts, bgr_cube cube, double *value)
{
    int8_t result[BGR_MAX_POINTS];
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    if (answer->over || !place_of(answer, cube))
        return answer->over ? BGR_ERR_COVERAGE : BGR_ERR_STAKES;
    bgr_status status = bgr_question_position(points, counts, result);
    return status == BGR_OK ? value_of_move(answer, result, cube, value) : status;
}

static bgr_chances seen_by_other(const bgr_chances *c)
{
    return (bgr_chances){.win = 1 - c->win,
                         .win_gammon = c->lose_gammon,
                         .win_backgammon = c->lose_backgammon,
                         .lose_gammon = c->win_gammon,
                         .lose_backgammon = c->win_backgammon,
                         .cubeless_win = 1 - c->cubeless_win};
}

bgr_status bgr_answer_move_chances(const bgr_answer *answer, int points, const int8_t *counts, bgr_chances *chances)
{
    int8_t result[BGR_MAX_POINTS];
    bgr_answer *next = NULL;
    bgr_chances of_other;
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    bgr_status status = bgr_question_position(points, counts, result);
    if (status != BGR_OK || answer->over)
        return status == BGR_OK ? BGR_ERR_COVERAGE : status;
    if (!bgr_question_highest(result)) {
        *chances = chances_of_end(1, answer->loss);
        return BGR_OK;
    }
    if (!answer->pairs && !answer->estimated) {
        const bgr_first_result *after = find_result(answer, result);
        if (after)
            bgr_chances_of_row(answer, 1, after->values, chances);
        return after ? BGR_OK : BGR_ERR_COVERAGE;
    }
    if (answer->pairs)
        status = bgr_answer_follow(answer, BGR_MAX_POINTS, answer->counts[1], result, 1, &next);
    else
        status = bgr_estimated_chances(answer->estimated, answer->counts[1], result, &of_other);
    if (status == BGR_OK)
        *chances = seen_by_other(next ? &next->chances : &of_other);
    bgr_answer_free(next);
    return status;
}

/* A copy of n_bytes; 0 without memory. */
static int copy_of(const void *from, size_t n_bytes, void **to)
{
    *to = from && n_bytes ? malloc(n_bytes) : NULL;
    if (*to)
        memcpy(*to, from, n_bytes);
    return *to || !from || !n_bytes;
}

/* The parts of an answer that it owns, which a copy shares until then. */
static bgr_status own_parts(const bgr_answer *answer, bgr_answer *fresh)
{
    void *parts[3] = {NULL, NULL, NULL};
    size_t n_bytes[3] = {(size_t)answer->n_results * sizeof *answer->results, BGR_MAX_WIDTH * sizeof(double),
                         BGR_MAX_WIDTH * sizeof(double)};
    const void *const from[3] = {answer->results, answer->off[0], answer->off[1]};
    int copied = 1;
    for (int k = 0; k < 3; k++)
        copied &= copy_of(from[k], n_bytes[k], &parts[k]);
    fresh->results = parts[0];
    fresh->off[0] = parts[1];
    fresh->off[1] = parts[2];
    fresh->estimated = answer->estimated ? bgr_estimated_copy(answer->estimated) : NULL;
    if (fresh->pairs)
        bgr_all_pairs_hold(fresh->pairs);
    return copied && (fresh->estimated || !answer->estimated) ? BGR_OK : BGR_ERR_MEMORY;
}

bgr_status bgr_answer_at_cube(const bgr_answer *answer, const bgr_stakes *stakes, bgr_answer **other)
{
    *other = NULL;
    if (answer->side)
        return BGR_ERR_COVERAGE;
    bgr_answer *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    *fresh = *answer;
    bgr_status status = own_parts(answer, fresh);
    if (status == BGR_OK)
        status = bgr_planes_at_cube(stakes, answer->worst >= BGR_LOST_GAMMON, answer->worst >= BGR_LOST_BACKGAMMON,
                                    &fresh->planes);
    BGR_HAND_OVER(status, fresh, other, bgr_answer_free);
}

static int compare_plays(const void *a, const void *b)
{
    const bgr_ranked_play *x = a, *y = b;
    return (x->value < y->value) - (x->value > y->value);
}

bgr_status bgr_answer_plays(const bgr_answer *answer, int die1, int die2, bgr_cube cube, int most,
                            bgr_ranked_play *plays, int *n)
{
    bgr_space space;
    int64_t index = 0;
    int n_results = 0;
    if (answer->over || !place_of(answer, cube))
        return answer->over ? BGR_ERR_COVERAGE : BGR_ERR_STAKES;
    int64_t *indices = malloc(BGR_MAX_PLAYS * sizeof *indices);
    bgr_ranked_play *ranked = NULL;
    bgr_status status = indices ? bgr_space_init(BGR_MAX_POINTS, BGR_MAX_CHECKERS, &space) : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = bgr_index(&space, answer->counts[0], &index);
    if (status == BGR_OK)
        status = bgr_plays(&space, index, die1, die2, indices, &n_results);
    if (status == BGR_OK && !(ranked = malloc((size_t)n_results * sizeof *ranked)))
        status = BGR_ERR_MEMORY;
    for (int k = 0; status == BGR_OK && k < n_results; k++) {
        status = bgr_position(&space, indices[k], ranked[k].counts);
        if (status == BGR_OK)
            status = value_of_move(answer, ranked[k].counts, cube, &ranked[k].value);
    }
    if (status == BGR_OK) {
        /* An insertion sort keeps equals in order; a roll has few results, but for strange ones. */
        for (int k = 1; k < n_results; k++) {
            bgr_ranked_play moved = ranked[k];
            int at = k;
            for (; at && compare_plays(&ranked[at - 1], &moved) > 0; at--)
                ranked[at] = ranked[at - 1];
            ranked[at] = moved;
        }
        for (int k = 0; k < n_results && k < most; k++) {
            plays[k] = ranked[k];
            plays[k].loss = ranked[0].value - ranked[k].value;
        }
        *n = n_results;
    }
    free(indices);
    free(ranked);
    return status;
}
