/* Any race at any stakes: asked, and what the answer says. */

#include "answer/answer.h"

#include "answer/by_estimate.h"
#include "answer/by_pairs.h"
#include "answer/by_turns.h"
#include "answer/state.h"
#include "answer/verdict.h"
#include "base/plays.h"
#include "base/position.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bgr_status ask_any(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                          const bgr_stakes *stakes, const bgr_solve_options *options, bgr_path path, int precision,
                          bgr_answer **answer)
{
    bgr_question q = {.solver = solver, .pairs = {.path = path}, .precision = precision};
    *answer = NULL;
    bgr_status status = bgr_question_read(points, on_roll, opponent, stakes, options, &q);
    if (status == BGR_OK && q.options.way == BGR_ESTIMATE)
        status = bgr_answer_by_estimate(&q, answer);
    else if (status == BGR_OK && precision < 0)
        status = bgr_answer_by_pairs(&q, answer);
    if (status == BGR_OK && !*answer && q.options.way == BGR_FEW_PAIRS)
        status = BGR_ERR_COVERAGE;
    if (status == BGR_OK && !*answer) {
        q.kept = bgr_cache_take_tables(q.options.cache);
        status = bgr_answer_question(&q, answer);
        bgr_cache_put_tables(q.options.cache, q.kept);
    }
    bgr_question_forget(&q);
    return status;
}

bgr_status bgr_ask(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                   const bgr_stakes *stakes, const bgr_solve_options *options, bgr_answer **answer)
{
    return ask_any(solver, points, on_roll, opponent, stakes, options, BGR_PATH_BEST, -1, answer);
}

bgr_status bgr_estimate(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                        const bgr_stakes *stakes, bgr_answer **answer)
{
    const bgr_solve_options options = {.size = sizeof options, .way = BGR_ESTIMATE};
    return bgr_ask(solver, points, on_roll, opponent, stakes, &options, answer);
}

bgr_status bgr_solve(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                     const bgr_stakes *stakes, const bgr_solve_options *options, bgr_answer **answer)
{
    return bgr_ask(solver, points, on_roll, opponent, stakes, options, answer);
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

/* Values by plane for the opponent on roll values_after a move.  values [out] BGR_PLAN_PLANES. */
static bgr_status values_after(const bgr_answer *answer, const int8_t *counts, double *values)
{
    if (answer->pairs)
        return bgr_all_pairs_values(answer->pairs, !answer->side, answer->counts[1], counts, values);
    if (answer->estimated) {
        bgr_estimated_values(answer->estimated, counts, values);
        return BGR_OK;
    }
    const bgr_first_result *result = answer->n_results ? bsearch(counts, answer->results, (size_t)answer->n_results,
                                                                 sizeof *answer->results, compare_counts)
                                                       : NULL;
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
    bgr_cube_of_row(&answer->planes, answer->beavers, place, answer->now, values);
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
    if (!place_of(answer, cube))
        return BGR_ERR_STAKES;
    bgr_status status = bgr_question_position(points, counts, result);
    return status == BGR_OK ? value_of_move(answer, result, cube, value) : status;
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
    if (!place_of(answer, cube))
        return BGR_ERR_STAKES;
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
