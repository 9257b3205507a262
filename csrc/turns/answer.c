/* Any race at any stakes: what the solution of equal turns says.
 *
 * What to compare is chosen first (choose.h), and where pairs of few checkers come from (tables.h). */

#include "turns/answer.h"

#include "base/plays.h"
#include "base/position.h"
#include "turns/choose.h"
#include "turns/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int8_t counts[BGR_MAX_POINTS];
    double values[BGR_MAX_LINES]; /* of the opponent on roll */
} result;

struct bgr_answer {
    bgr_planes planes;
    int8_t counts[BGR_MAX_POINTS]; /* of the player on roll */
    int loss;                      /* how the opponent loses if the player on roll wins with this roll */
    unsigned followers;
    double now[BGR_MAX_LINES];
    int64_t n_results;
    result *results; /* of the first roll; sorted */
    bgr_answer_info info;
};

const bgr_reach_home *bgr_solver_home(const bgr_solver *solver) { return solver->home; }

static int compare_results(const void *a, const void *b)
{
    return memcmp(((const result *)a)->counts, ((const result *)b)->counts, BGR_MAX_POINTS);
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
        qsort(answer->results, (size_t)layer->n, sizeof *answer->results, compare_results);
    free(after);
    return status;
}

static void describe(const bgr_question *q, double win, bgr_answer_info *info)
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
    info->error = bgr_error_of(q, win);
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
    if (status != BGR_OK)
        return status;
    answer->planes = q->planes;
    answer->followers = q->pairs.followers;
    answer->loss = bgr_question_loss(q->counts[1]);
    memcpy(answer->counts, q->counts[0], sizeof answer->counts);
    describe(q, (1 + answer->now[BGR_PLANE_WIN]) / 2, &answer->info);
    return BGR_OK;
}

bgr_status bgr_answer_question(bgr_question *q, bgr_answer **answer)
{
    *answer = NULL;
    bgr_answer *made = calloc(1, sizeof *made);
    bgr_status status = made ? find_answer(q, made) : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        *answer = made;
    else
        bgr_answer_free(made);
    return status;
}

static bgr_status ask(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                      const bgr_stakes *stakes, const bgr_solve_options *options, bgr_path path, int precision,
                      bgr_kept_tables *kept, bgr_answer **answer)
{
    bgr_question q = {.solver = solver, .pairs = {.path = path}, .precision = precision, .kept = kept};
    *answer = NULL;
    bgr_status status = bgr_question_read(points, on_roll, opponent, stakes, options, &q);
    if (status == BGR_OK)
        status = bgr_answer_question(&q, answer);
    bgr_question_forget(&q);
    return status;
}

bgr_status bgr_solve(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                     const bgr_stakes *stakes, const bgr_solve_options *options, bgr_answer **answer)
{
    return ask(solver, points, on_roll, opponent, stakes, options, BGR_PATH_BEST, -1, NULL, answer);
}

bgr_status bgr_solve_keeping(const bgr_solver *solver, bgr_kept_tables *kept, const int8_t *on_roll,
                             const int8_t *opponent, const bgr_stakes *stakes, const bgr_solve_options *options,
                             bgr_answer **answer)
{
    return ask(solver, BGR_MAX_POINTS, on_roll, opponent, stakes, options, BGR_PATH_BEST, -1, kept, answer);
}

bgr_status bgr_solve_on_path(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent,
                             const bgr_stakes *stakes, const bgr_solve_options *options, bgr_path path, int precision,
                             bgr_answer **answer)
{
    return ask(solver, BGR_MAX_POINTS, on_roll, opponent, stakes, options, path, precision, NULL, answer);
}

void bgr_answer_free(bgr_answer *answer)
{
    if (!answer)
        return;
    free(answer->results);
    free(answer);
}

void bgr_answer_describe(const bgr_answer *answer, bgr_answer_info *info) { *info = answer->info; }

/* ------------------------------------------------------------------ what it says */

const bgr_planes *bgr_answer_planes(const bgr_answer *answer) { return &answer->planes; }

const double *bgr_answer_now(const bgr_answer *answer) { return answer->now; }

static const result *find_result(const bgr_answer *answer, const int8_t *counts)
{
    result key;
    memcpy(key.counts, counts, BGR_MAX_POINTS);
    return bsearch(&key, answer->results, (size_t)answer->n_results, sizeof *answer->results, compare_results);
}

bgr_status bgr_answer_after(const bgr_answer *answer, const int8_t *counts, int64_t n, double *values)
{
    for (int64_t i = 0; i < n; i++) {
        const result *found = find_result(answer, counts + i * BGR_MAX_POINTS);
        if (!found || !bgr_question_highest(found->counts))
            return found ? BGR_ERR_POSITION : BGR_ERR_COVERAGE;
        memcpy(values + i * answer->planes.n, found->values, (size_t)answer->planes.n * sizeof *values);
    }
    return BGR_OK;
}

void bgr_answer_chances(const bgr_answer *answer, bgr_chances *chances)
{
    const double *follower = answer->now + BGR_MAX_PLANES;
    const bgr_planes *planes = &answer->planes;
    chances->win = (1 + answer->now[BGR_PLANE_WIN]) / 2;
    chances->win_gammon = answer->followers >> BGR_GAMMON_FIRST & 1 ? follower[BGR_GAMMON_FIRST] : 0;
    chances->lose_gammon = answer->followers >> BGR_GAMMON_SECOND & 1 ? follower[BGR_GAMMON_SECOND] : 0;
    chances->win_backgammon = answer->followers >> BGR_BACKGAMMON_FIRST & 1 ? follower[BGR_BACKGAMMON_FIRST] : 0;
    chances->lose_backgammon = answer->followers >> BGR_BACKGAMMON_SECOND & 1 ? follower[BGR_BACKGAMMON_SECOND] : 0;
    /* cubeless = W w - (1 - W) l + what gammons add */
    const bgr_plane *cubeless = &planes->plane[planes->place[BGR_CUBE_NONE].now.plane];
    const double (*pays)[2] = cubeless->win;
    double value = answer->now[planes->place[BGR_CUBE_NONE].now.plane];
    value -= chances->win_gammon * (pays[1][0] - pays[0][0]) + chances->win_backgammon * (pays[2][0] - pays[1][0]);
    value += chances->lose_gammon * (pays[1][1] - pays[0][1]) + chances->lose_backgammon * (pays[2][1] - pays[1][1]);
    double apart = pays[0][0] + pays[0][1];
    chances->cubeless_win = apart > 0 ? (value + pays[0][1]) / apart : chances->win;
}

static const bgr_place *place_of(const bgr_answer *answer, bgr_cube cube)
{
    if ((int)cube < 0 || cube >= BGR_N_CUBES || answer->planes.place[cube].now.plane < 0)
        return NULL;
    return &answer->planes.place[cube];
}

static double seen(const bgr_view *view, double value) { return view->middle + view->scale * value; }

bgr_status bgr_answer_cube(const bgr_answer *answer, bgr_cube cube, bgr_cube_values *values)
{
    static const double tie = 1e-9;
    const bgr_planes *planes = &answer->planes;
    const bgr_place *place = place_of(answer, cube);
    if (!place)
        return BGR_ERR_STAKES;
    const bgr_plane *plane = &planes->plane[place->now.plane];
    double now = answer->now[place->now.plane];
    memset(values, 0, sizeof *values);
    values->no_double = values->value = seen(&place->now, now);
    values->double_take = values->double_pass = NAN;
    values->verdict = BGR_VERDICT_NO_CUBE;
    if (plane->turned[0] < 0)
        return BGR_OK;
    double turned = answer->now[plane->turned[0]], passed = plane->passed[0];
    double taken = plane->factor[0] * turned + plane->offset[0],
           beavered = plane->beaver[0] * turned + plane->offset[0];
    values->beavers = beavered < taken - tie;
    taken = values->beavers ? beavered : taken;
    values->takes = taken <= passed + tie;
    double doubled = taken < passed ? taken : passed;
    values->doubles = doubled >= now - tie;
    values->double_take = seen(&place->now, taken);
    values->double_pass = seen(&place->now, passed);
    values->value = seen(&place->now, doubled > now ? doubled : now);
    if (values->doubles)
        values->verdict = values->beavers ? BGR_VERDICT_DOUBLE_BEAVER
                          : values->takes ? BGR_VERDICT_DOUBLE_TAKE
                                          : BGR_VERDICT_DOUBLE_PASS;
    else
        values->verdict = !values->takes && now > passed ? BGR_VERDICT_TOO_GOOD : BGR_VERDICT_NO_DOUBLE;
    return BGR_OK;
}

static double value_of(const bgr_answer *answer, const bgr_place *place, const result *found)
{
    const bgr_plane *plane = &answer->planes.plane[place->now.plane];
    if (!bgr_question_highest(found->counts))
        return seen(&place->now, plane->win[answer->loss][0]);
    double his = found->values[place->now.plane];
    if (plane->turned[1] >= 0)
        his = bgr_plane_double(plane, 1, his, found->values[plane->turned[1]]);
    return seen(&place->now, -his);
}

bgr_status bgr_answer_move(const bgr_answer *answer, int points, const int8_t *counts, bgr_cube cube, double *value)
{
    const bgr_place *place = place_of(answer, cube);
    int8_t read[BGR_MAX_POINTS];
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    if (!place)
        return BGR_ERR_STAKES;
    bgr_status status = bgr_question_position(points, counts, read);
    if (status != BGR_OK)
        return status;
    const result *found = find_result(answer, read);
    if (!found)
        return BGR_ERR_COVERAGE;
    *value = value_of(answer, place, found);
    return BGR_OK;
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
    bgr_ranked_play *found = NULL;
    bgr_status status = indices ? bgr_space_init(BGR_MAX_POINTS, BGR_MAX_CHECKERS, &space) : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = bgr_index(&space, answer->counts, &index);
    if (status == BGR_OK)
        status = bgr_plays(&space, index, die1, die2, indices, &n_results);
    if (status == BGR_OK && !(found = malloc((size_t)n_results * sizeof *found)))
        status = BGR_ERR_MEMORY;
    for (int k = 0; status == BGR_OK && k < n_results; k++) {
        status = bgr_position(&space, indices[k], found[k].counts);
        if (status == BGR_OK)
            status = bgr_answer_move(answer, BGR_MAX_POINTS, found[k].counts, cube, &found[k].value);
    }
    if (status == BGR_OK) {
        /* An insertion sort keeps equals in order; a roll has few results, but for strange ones. */
        for (int k = 1; k < n_results; k++) {
            bgr_ranked_play moved = found[k];
            int at = k;
            for (; at && compare_plays(&found[at - 1], &moved) > 0; at--)
                found[at] = found[at - 1];
            found[at] = moved;
        }
        for (int k = 0; k < n_results && k < most; k++) {
            plays[k] = found[k];
            plays[k].loss = found[0].value - found[k].value;
        }
        *n = n_results;
    }
    free(indices);
    free(found);
    return status;
}
