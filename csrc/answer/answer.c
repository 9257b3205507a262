/* Read the contents of an answer. */

#include "answer/answer.h"

#include "answer/state.h"
#include "answer/verdict.h"
#include "base/memory.h"
#include "base/plays.h"
#include "base/sized.h"
#include "base/try.h"

#include <math.h>

bgr_chances bgr_chances_of_end(int loser, int loss)
{
    bgr_chances chances = {.win = loser, .cubeless_win = loser};
    *(loser ? &chances.win_gammon : &chances.lose_gammon) = loss >= BGR_LOST_GAMMON;
    *(loser ? &chances.win_backgammon : &chances.lose_backgammon) = loss == BGR_LOST_BACKGAMMON;
    return chances;
}

void bgr_answer_free(bgr_answer *answer)
{
    if (!answer)
        return;
    if (answer->ops)
        answer->ops->release(answer);
    BGR_FREE(answer->listed.results, answer->off[0], answer->off[1], answer);
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
        int least = (int)rest; /* split between two numbers of rolls, which keeps the mean */
        (*off)[least] += (1 - before) * (least + 1 - rest);
        (*off)[least + 1] += (1 - before) * (rest - least);
    }
    return BGR_OK;
}

void bgr_chances_of_row(const bgr_answer *answer, int side, const double *row, bgr_chances *chances)
{
    const bgr_plane *cubeless = &answer->planes.plane[answer->cubeless_plane];
    double followed[BGR_N_FOLLOWERS], sign = side ? -1 : 1;
    for (int k = 0; k < BGR_N_FOLLOWERS; k++)
        followed[k] = answer->listed.followers >> k & 1 ? row[BGR_MAX_PLANES + k] : 0;
    chances->win = (1 + sign * row[BGR_PLANE_WIN]) / 2;
    chances->win_gammon = followed[BGR_GAMMON_FIRST];
    chances->lose_gammon = followed[BGR_GAMMON_SECOND];
    chances->win_backgammon = followed[BGR_BACKGAMMON_FIRST];
    chances->lose_backgammon = followed[BGR_BACKGAMMON_SECOND];
    /* cubeless = W w - (1 - W) l + what gammons add */
    double value = sign * row[answer->cubeless_plane];
    value -= bgr_gammon_points(cubeless, 0, chances->win_gammon, chances->win_backgammon);
    value += bgr_gammon_points(cubeless, 1, chances->lose_gammon, chances->lose_backgammon);
    double lost = cubeless->win[BGR_LOST_SINGLE][1], apart = cubeless->win[BGR_LOST_SINGLE][0] + lost;
    chances->cubeless_win = apart > 0 ? (value + lost) / apart : chances->win;
}

/* ------------------------------------------------------------------ contents */

bgr_status bgr_answer_describe(const bgr_answer *answer, bgr_answer_info *info)
{
    return bgr_give_sized(&answer->info, sizeof answer->info, info);
}

void bgr_answer_chances(const bgr_answer *answer, bgr_chances *chances) { *chances = answer->chances; }

const bgr_planes *bgr_answer_planes(const bgr_answer *answer) { return &answer->planes; }

const double *bgr_answer_now(const bgr_answer *answer) { return answer->now; }

double bgr_answer_normalised(const bgr_answer *answer, double value)
{
    double won = answer->planes.won, lost = answer->planes.lost;
    if (!answer->planes.match)
        return value;
    return won > lost ? (2 * value - won - lost) / (won - lost) : NAN;
}

static int compare_firsts(const void *a, const void *b)
{
    return memcmp(((const bgr_first_result *)a)->counts, ((const bgr_first_result *)b)->counts, BGR_MAX_POINTS);
}

void bgr_sort_results(bgr_answer *answer)
{
    qsort(answer->listed.results, (size_t)answer->listed.n, sizeof *answer->listed.results, compare_firsts);
}

/* Find a result of the first roll; NULL if it was not compared. */
static const bgr_first_result *find_result(const bgr_answer *answer, const int8_t *counts)
{
    if (!answer->listed.n)
        return NULL;
    return bsearch(counts, answer->listed.results, (size_t)answer->listed.n, sizeof *answer->listed.results,
                   compare_firsts);
}

/* Get the values by plane for the opponent on roll after a move.  values [out] BGR_PLAN_PLANES. */
static bgr_status values_after(const bgr_answer *answer, const int8_t *counts, double *values)
{
    if (answer->ops)
        return answer->ops->values_after(answer, counts, values);
    const bgr_first_result *result = find_result(answer, counts);
    if (result)
        memcpy(values, result->values, (size_t)answer->planes.n * sizeof *values);
    return result ? BGR_OK : BGR_ERR_NOT_COMPARED;
}

bgr_status bgr_answer_after(const bgr_answer *answer, const int8_t *counts, int64_t n, double *values)
{
    double row[BGR_PLAN_PLANES];
    for (int64_t i = 0; i < n; i++) {
        const int8_t *result = counts + i * BGR_MAX_POINTS;
        BGR_TRY(values_after(answer, result, row));
        if (!bgr_question_highest(result))
            return BGR_ERR_POSITION;
        memcpy(values + i * answer->planes.n, row, (size_t)answer->planes.n * sizeof *values);
    }
    return BGR_OK;
}

bgr_status bgr_answer_cube(const bgr_answer *answer, bgr_cube cube, bgr_cube_values *values)
{
    const bgr_place *place = bgr_place_of(&answer->planes, cube);
    if (!place)
        return BGR_ERR_STAKES;
    const bgr_place nobody_doubles = {place->now, {{-1, 0, 0}, {-1, 0, 0}}};
    bgr_cube_of_row(&answer->planes, answer->rules.beavers, answer->over ? &nobody_doubles : place, answer->now,
                    values);
    return BGR_OK;
}

static bgr_status value_of_move(const bgr_answer *answer, const int8_t *result, bgr_cube cube, double *value)
{
    double row[BGR_PLAN_PLANES];
    const bgr_place *place = bgr_place_of(&answer->planes, cube);
    if (!place)
        return BGR_ERR_STAKES;
    if (!bgr_question_highest(result)) {
        int gammons = answer->rules.gammons && !(answer->rules.jacoby && cube == BGR_CUBE_CENTERED);
        *value = answer->planes.pays[0][gammons ? answer->opponent_loss : BGR_LOST_SINGLE];
        return BGR_OK;
    }
    BGR_TRY(values_after(answer, result, row));
    *value = bgr_worth_of_row(&answer->planes, place, row);
    return BGR_OK;
}

bgr_chances bgr_chances_of_other(const bgr_chances *c)
{
    return (bgr_chances){.win = 1 - c->win,
                         .win_gammon = c->lose_gammon,
                         .win_backgammon = c->lose_backgammon,
                         .lose_gammon = c->win_gammon,
                         .lose_backgammon = c->win_backgammon,
                         .cubeless_win = 1 - c->cubeless_win};
}

void bgr_leave_out_gammons(const bgr_answer *answer, bgr_chances *chances)
{
    if (!answer->rules.gammons)
        *chances = (bgr_chances){.win = chances->win, .cubeless_win = chances->cubeless_win};
}

/* Whether a throw of 6-6 bears off all checkers: no other roll does more. */
static int may_end(const int8_t *counts)
{
    int sixes = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        sixes += counts[j] * (j / 6 + 1);
    return sixes <= 4;
}

bgr_status bgr_chances_after(const bgr_answer *answer, const int8_t *result, bgr_chances *chances)
{
    const bgr_first_result *after;
    if (answer->over)
        return BGR_ERR_COVERAGE;
    if (!bgr_question_highest(result) && may_end(answer->counts[0]))
        *chances = bgr_chances_of_end(1, answer->opponent_loss);
    else if (answer->ops && bgr_question_highest(result))
        BGR_TRY(answer->ops->chances_after(answer, result, chances));
    else if ((after = find_result(answer, result)))
        bgr_chances_of_row(answer, 1, after->values, chances);
    else
        return BGR_ERR_NOT_COMPARED;
    bgr_leave_out_gammons(answer, chances);
    return BGR_OK;
}

bgr_status bgr_answer_move(const bgr_answer *answer, int points, const int8_t *counts, bgr_cube cube, bgr_moved *moved)
{
    int8_t result[BGR_MAX_POINTS];
    bgr_moved whole;
    BGR_TRY(bgr_question_position(points, counts, result));
    BGR_TRY(bgr_chances_after(answer, result, &whole.chances));
    BGR_TRY(value_of_move(answer, result, cube, &whole.value));
    return bgr_give_sized(&whole, sizeof whole, moved);
}

/* Return a copy; NULL if `from` is NULL or memory is out. */
static void *copy_of(const void *from, size_t n_bytes)
{
    void *copy = from ? malloc(n_bytes + 1) : NULL;
    return copy ? memcpy(copy, from, n_bytes) : NULL;
}

/* Give a copy its own parts, which it shared with the original until then. */
static bgr_status own_parts(const bgr_answer *answer, bgr_answer *fresh)
{
    fresh->listed.results = copy_of(answer->listed.results, (size_t)answer->listed.n * sizeof *answer->listed.results);
    int copied = fresh->listed.results || !answer->listed.results;
    for (int side = 0; side < 2; side++) {
        fresh->off[side] = copy_of(answer->off[side], BGR_MAX_WIDTH * sizeof *answer->off[side]);
        copied = copied && (fresh->off[side] || !answer->off[side]);
    }
    if (answer->ops)
        answer->ops->hold(answer);
    return copied ? BGR_OK : BGR_ERR_MEMORY;
}

bgr_status bgr_answer_at_cube(const bgr_answer *answer, const bgr_stakes *stakes, bgr_answer **other)
{
    *other = NULL;
    if (answer->pairs.side)
        return BGR_ERR_COVERAGE;
    bgr_answer *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    *fresh = *answer;
    bgr_status status = own_parts(answer, fresh);
    if (status == BGR_OK)
        status = bgr_planes_at_cube(stakes, answer->worst_loss, &fresh->planes);
    BGR_HAND_OVER(status, fresh, other, bgr_answer_free);
}

static bgr_status weigh_play(const bgr_answer *answer, const int8_t *counts, bgr_cube cube, bgr_weighed_play *weighed)
{
    weighed->pips = bgr_pips(BGR_MAX_POINTS, counts);
    weighed->cubeless = 0;
    BGR_TRY(value_of_move(answer, counts, cube, &weighed->value));
    return bgr_place_of(&answer->planes, BGR_CUBE_NONE)
               ? value_of_move(answer, counts, BGR_CUBE_NONE, &weighed->cubeless)
               : BGR_OK;
}

bgr_status bgr_answer_plays(const bgr_answer *answer, int die1, int die2, bgr_cube cube, int most,
                            bgr_ranked_play *plays, int *n)
{
    int8_t (*results)[BGR_MAX_POINTS];
    int n_results;
    if (answer->over || !bgr_place_of(&answer->planes, cube))
        return answer->over ? BGR_ERR_COVERAGE : BGR_ERR_STAKES;
    bgr_status status = bgr_results_of_roll(answer->counts[0], die1, die2, &results, &n_results);
    bgr_weighed_play *ranked = malloc((size_t)(n_results + 1) * sizeof *ranked);
    if (status == BGR_OK && !ranked)
        status = BGR_ERR_MEMORY;
    for (int k = 0; status == BGR_OK && k < n_results; k++) {
        ranked[k].number = k;
        status = weigh_play(answer, results[k], cube, &ranked[k]);
    }
    if (status == BGR_OK) {
        bgr_rank_plays(ranked, n_results);
        for (int k = 0; k < n_results && k < most; k++) {
            memcpy(plays[k].counts, results[ranked[k].number], sizeof plays[k].counts);
            plays[k].value = ranked[k].value;
            plays[k].loss = ranked[0].value - ranked[k].value;
        }
        *n = n_results;
    }
    BGR_FREE(results, ranked);
    return status;
}
