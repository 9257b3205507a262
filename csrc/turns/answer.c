/* Any race at any stakes: which plays to compare, and what the solution of equal turns says.
 *
 * An answer is exact if every play is compared, and that is what small races get.  Else the plays of a roll that can
 * gain something are (csrc/turns/gains.h), the less the larger the budget, down to where no difference can be seen; and
 * pairs of few checkers come from an exact table where that is the cheaper way.  Work is counted in row operations
 * (csrc/turns/pairs.h) before anything is solved, so what is chosen depends on the question alone.
 */

#include "turns/answer.h"

#include "base/elementary.h"
#include "base/plays.h"
#include "base/position.h"
#include "turns/known.h"
#include "turns/stored.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TABLES = 64, /* prepared */
    FEWEST_KNOWN = 4, /* checkers of a table that is worth making for one question */
    FEWEST_NODES = 1000,
    FEWEST_PLACES = 32, /* of a layer that is merged */
    MOST_MERGES = 3
};

static const double operations_a_second = 1.3e8; /* of a common processor, as measured: scripts/measure_turns.py */
static const double exact_seconds = 0.05;        /* as many are spent on an exact answer, if that suffices */
static const double look_at = 0.12;              /* rolls: results whose mean is within this of the least are weighed */
static const double finest_gain = 2e-8;          /* beyond which no difference can be seen */
static const double gain_step = 4;               /* from one least gain to the next that is tried, */
static const int gain_steps = 6;                 /* and how many of them there are */
static const double nodes_a_second = 9000;       /* of a side */
static const double merged_work = 0.7;           /* of the budget, as rows of merged positions are longer */
static const double least_gammon_chance = 1e-7;  /* what is less likely is left out of an answer by turns */
static const double default_seconds = 1;
static const int64_t default_memory = (int64_t)1 << 30;
static const int64_t few_operations = 10000000; /* for a table, however small the race */
static const int64_t node_bytes = 2048;         /* about what a position takes in a reach */
static const double error_of_files = 1.1e-4;    /* of any value: docs/accuracy.md */

struct bgr_solver {
    bgr_reach_home *home;
    int n_tables;
    bgr_known *tables[MOST_TABLES];
};

typedef struct {
    int8_t counts[BGR_MAX_POINTS];
    double values[BGR_MAX_LINES]; /* of the opponent on roll */
} result;

struct bgr_answer {
    bgr_planes planes;
    int8_t counts[2][BGR_MAX_POINTS];
    int loss; /* how the opponent loses if the player on roll wins with this roll */
    unsigned followers;
    double now[BGR_MAX_LINES];
    int64_t n_results;
    result *results; /* of the first roll; sorted */
    bgr_answer_info info;
};

/* ------------------------------------------------------------------ solvers */

bgr_status bgr_solver_new(bgr_solver **solver)
{
    *solver = NULL;
    bgr_solver *made = calloc(1, sizeof *made);
    if (!made)
        return BGR_ERR_MEMORY;
    bgr_status status = bgr_reach_home_new(&made->home);
    if (status == BGR_OK)
        *solver = made;
    else
        bgr_solver_free(made);
    return status;
}

void bgr_solver_free(bgr_solver *solver)
{
    if (!solver)
        return;
    bgr_reach_home_free(solver->home);
    for (int k = 0; k < solver->n_tables; k++)
        bgr_known_free(solver->tables[k]);
    free(solver);
}

const bgr_reach_home *bgr_solver_home(const bgr_solver *solver) { return solver->home; }

bgr_status bgr_solver_prepare(bgr_solver *solver, const bgr_stakes *stakes, int checkers)
{
    bgr_planes planes;
    bgr_known_view view;
    bgr_known *known;
    if (checkers < 1 || checkers > BGR_KNOWN_CHECKERS)
        return BGR_ERR_CHECKERS;
    bgr_status status = bgr_planes_of_stakes(stakes, 0, 0, &planes);
    if (status != BGR_OK)
        return status;
    int at = 0;
    while (at < solver->n_tables && !bgr_known_find(solver->tables[at], &planes, 0, &view))
        at++;
    if (at < solver->n_tables && bgr_known_checkers(solver->tables[at]) >= checkers)
        return BGR_OK;
    if (at == MOST_TABLES)
        return BGR_ERR_MEMORY;
    status = bgr_known_new(&planes, checkers, &known);
    if (status != BGR_OK)
        return status;
    if (at == solver->n_tables)
        solver->n_tables++;
    else
        bgr_known_free(solver->tables[at]);
    solver->tables[at] = known;
    return BGR_OK;
}

/* ------------------------------------------------------------------ the question */

typedef struct {
    const bgr_solver *solver;
    const bgr_stakes *stakes;
    bgr_solve_options options;
    bgr_pairs_options pairs;
    bgr_known_view view;
    bgr_known *made;   /* a table for this question alone, or NULL */
    bgr_stored stored; /* the database */
    bgr_candidates *candidates[2];
    bgr_reach *reach[2];
    bgr_pairs_size size;
    double delta;
    int precision;  /* asked for; negative: none */
    int loses[2];   /* the most that each side may lose by, as far as chances are worth looking at */
    int first_roll; /* as in bgr_reach_options */
    bgr_answer *answer;
} question;

static bgr_status read_position(int points, const int8_t *from, int8_t *counts)
{
    int checkers = 0;
    memset(counts, 0, BGR_MAX_POINTS);
    for (int j = 0; j < points; j++) {
        if (from[j] < 0 || (checkers += from[j]) > BGR_MAX_CHECKERS)
            return BGR_ERR_POSITION;
        counts[j] = from[j];
    }
    return BGR_OK;
}

static int highest(const int8_t *counts)
{
    int point = BGR_MAX_POINTS;
    while (point && !counts[point - 1])
        point--;
    return point;
}

static int pips(const int8_t *counts) { return bgr_pips(BGR_MAX_POINTS, counts); }

static int loss_of(const int8_t *counts)
{
    int checkers = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        checkers += counts[j];
    if (checkers < BGR_MAX_CHECKERS)
        return BGR_LOST_SINGLE;
    return highest(counts) > 18 ? BGR_LOST_BACKGAMMON : BGR_LOST_GAMMON;
}

static bgr_status read_options(const bgr_solve_options *options, bgr_solve_options *read)
{
    memset(read, 0, sizeof *read);
    if (options) {
        size_t least = offsetof(bgr_solve_options, dice) + sizeof options->dice; /* the first that there was */
        if (options->size < least)
            return BGR_ERR_SIZE;
        memcpy(read, options, options->size < sizeof *read ? options->size : sizeof *read);
    }
    if (isnan(read->seconds) || read->seconds < 0 || read->memory_bytes < 0 || isnan(read->exactness) ||
        !(read->least_gain >= 0) || (read->parallel && (!read->parallel->run || read->parallel->n_workers < 1)))
        return BGR_ERR_SIZE;
    if (read->dice[0] || read->dice[1])
        for (int k = 0; k < 2; k++)
            if (read->dice[k] < 1 || read->dice[k] > 6)
                return BGR_ERR_ROLL;
    if (read->seconds == 0)
        read->seconds = default_seconds;
    if (read->memory_bytes == 0)
        read->memory_bytes = default_memory;
    return BGR_OK;
}

/* ------------------------------------------------------------------ what to compare */

static void forget_reaches(question *q)
{
    for (int side = 0; side < 2; side++) {
        bgr_reach_free(q->reach[side]);
        q->reach[side] = NULL;
    }
}

static void forget(question *q)
{
    forget_reaches(q);
    for (int side = 0; side < 2; side++) {
        bgr_candidates_free(q->candidates[side]);
        q->candidates[side] = NULL;
    }
}

/* What both sides can come to; the one with fewer pips first, because it tells the other how many turns there are. */
static bgr_status find_candidates(question *q, double delta, int64_t max_nodes, int rare)
{
    int quick = pips(q->answer->counts[1]) < pips(q->answer->counts[0]);
    bgr_reach_options options = {.delta = delta, .max_nodes = max_nodes, .rare = rare};
    forget(q);
    for (int k = 0; k < 2; k++) {
        int side = k ? !quick : quick;
        options.first_checker = q->loses[side] >= BGR_LOST_GAMMON;
        options.last_straggler = q->loses[side] >= BGR_LOST_BACKGAMMON;
        options.first_roll = side == 0 ? q->first_roll : 0;
        bgr_status status =
            bgr_candidates_new(q->solver->home, q->answer->counts[side], &options, &q->candidates[side]);
        int turns = 0;
        if (status == BGR_OK && !k)
            status = bgr_candidates_longest(q->candidates[side], &turns);
        if (status != BGR_OK)
            return status;
        if (turns) { /* the first side is off after its last roll, and the second one has rolled once less before that
                      */
            options.max_turns = turns - (quick == 0);
            options.max_turns += !options.max_turns;
        }
    }
    return BGR_OK;
}

/* Both sides carried forward. */
static bgr_status carry_sides(question *q, double least_gain, int64_t max_layer, int only_sizes)
{
    bgr_status status = BGR_OK;
    forget_reaches(q);
    for (int side = 0; side < 2 && status == BGR_OK; side++)
        status = bgr_candidates_reach(q->candidates[side], least_gain, max_layer, only_sizes, &q->reach[side]);
    if (status != BGR_OK)
        return status;
    q->delta = isinf(least_gain) ? 0 : fmin(q->reach[0]->delta, q->reach[1]->delta);
    return bgr_pairs_measure(q->reach[0], q->reach[1], &q->pairs, &q->size);
}

/* With every result whose mean is within delta of the least. */
static bgr_status carry_all(question *q, double delta, int64_t max_nodes)
{
    bgr_status status = find_candidates(q, delta, max_nodes, 0);
    return status == BGR_OK ? carry_sides(q, 0, 0, 0) : status;
}

static int affordable(const question *q, double seconds)
{
    return (double)q->size.operations <= seconds * operations_a_second && q->size.bytes <= q->options.memory_bytes;
}

/* Planes and followers for what each side may lose by. */
static bgr_status list_planes(question *q)
{
    static const unsigned to_lose[2][BGR_N_LOSSES] = {
        {0, 1u << BGR_GAMMON_SECOND, 1u << BGR_GAMMON_SECOND | 1u << BGR_BACKGAMMON_SECOND},
        {0, 1u << BGR_GAMMON_FIRST, 1u << BGR_GAMMON_FIRST | 1u << BGR_BACKGAMMON_FIRST}};
    int worst = q->loses[0] > q->loses[1] ? q->loses[0] : q->loses[1];
    q->pairs.followers = q->answer->followers = to_lose[0][q->loses[0]] | to_lose[1][q->loses[1]];
    return bgr_planes_of_stakes(q->stakes, worst >= BGR_LOST_GAMMON, worst >= BGR_LOST_BACKGAMMON, &q->answer->planes);
}

/* Chance that a side loses a gammon if both sides play to save rolls. */
static double gammon_chance(const question *q, int loser)
{
    const bgr_reach *mine = q->reach[loser], *theirs = q->reach[!loser];
    double chance = 0, before = 0;
    for (int turn = 1; turn < theirs->n_layers; turn++) {
        double off = theirs->layers[turn].chance[0], with_all = 0; /* local number 0 is the empty board */
        int own = turn - (loser == 1);                             /* turns that the loser has had */
        for (int32_t k = 0; own < mine->n_layers && k < mine->layers[own].n; k++)
            if (mine->checkers[mine->layers[own].node[k]] == BGR_MAX_CHECKERS)
                with_all += own ? mine->layers[own].chance[k] : 1;
        chance += (off - before) * with_all;
        before = off;
    }
    return chance;
}

/* Leave out gammons that do not happen. */
static bgr_status forget_gammons(question *q)
{
    for (int side = 0; side < 2; side++)
        if (q->loses[side] && gammon_chance(q, side) < least_gammon_chance)
            q->loses[side] = BGR_LOST_SINGLE;
    return list_planes(q);
}

/* How many positions a side may have, so that finding them leaves time for pairs. */
static int64_t most_nodes(const question *q)
{
    double by_time = q->options.seconds * nodes_a_second,
           by_memory = (double)q->options.memory_bytes / 2 / (double)node_bytes;
    return (int64_t)fmax(fmin(by_time, by_memory), FEWEST_NODES);
}

static int merged(const question *q) { return q->reach[0]->n_merged || q->reach[1]->n_merged; }

/* Every play, if that is quick. */
static bgr_status try_exact(question *q, double seconds, int *found)
{
    int64_t most = (int64_t)(3000 * sqrt(seconds / exact_seconds));
    if (most > q->options.memory_bytes / node_bytes)
        most = q->options.memory_bytes / node_bytes;
    bgr_status status = carry_all(q, INFINITY, most);
    *found = status == BGR_OK && affordable(q, seconds);
    return status == BGR_ERR_SIZE ? BGR_OK : status;
}

/* About how much of the work is left if no layer has more than `most` positions. */
static double share_of_work(const question *q, double most)
{
    double all = 0, left = 0;
    for (int side = 0; side < 2; side++)
        for (int turn = 0; turn < q->reach[side]->n_layers && turn + side < q->reach[!side]->n_layers; turn++) {
            double n = q->reach[side]->layers[turn].n, m = q->reach[!side]->layers[turn + side].n;
            all += n * m;
            left += fmin(n, most) * fmin(m, most);
        }
    return all > 0 ? left / all : 1;
}

/* Let positions share places until not even one result a roll takes longer than this. */
static bgr_status merge_sides(question *q, double seconds)
{
    bgr_status status = BGR_OK;
    for (int times = 0; status == BGR_OK && times < MOST_MERGES && !affordable(q, seconds); times++) {
        double work = fmax((double)q->size.operations / (seconds * operations_a_second),
                           (double)q->size.bytes / (double)q->options.memory_bytes);
        double low = FEWEST_PLACES, high = low;
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < q->reach[side]->n_layers; k++)
                high = fmax(high, q->reach[side]->layers[k].n);
        while (high - low > 1) {
            double middle = (low + high) / 2;
            *(share_of_work(q, middle) * work > merged_work ? &high : &low) = middle;
        }
        status = carry_sides(q, INFINITY, (int64_t)low, 0);
    }
    return status;
}

/* Weigh the results of a side against the time that the other one leaves it, if that plays to save rolls. */
static bgr_status weigh(question *q, int side)
{
    const bgr_reach *other = q->reach[!side];
    double in_time[BGR_REACH_MOST_TURNS + 1] = {0}, before = 0;
    int n = 0;
    for (int turn = 1; turn < other->n_layers && turn <= BGR_REACH_MOST_TURNS; turn++) {
        double off = other->layers[turn].chance[0];
        n = turn + 1 - side; /* the second side rolls once less before the first is off */
        in_time[n - 1] = off - before;
        before = off;
    }
    return bgr_candidates_weigh(q->candidates[side], in_time, n, q->loses[side] >= BGR_LOST_GAMMON);
}

/* The least gain that work allows. */
static bgr_status choose_gain(question *q)
{
    double seconds = q->options.seconds;
    bgr_status status = find_candidates(q, look_at, most_nodes(q), 1);
    if (status == BGR_OK)
        status = carry_sides(q, INFINITY, 0, 1);
    if (status == BGR_OK)
        status = forget_gammons(q);
    for (int side = 0; side < 2 && status == BGR_OK; side++)
        status = weigh(q, side);
    if (status == BGR_OK)
        status = carry_sides(q, INFINITY, 0, 1);
    if (status != BGR_OK)
        return status;
    if (q->options.least_gain > 0)
        return carry_sides(q, q->options.least_gain, 0, 0);
    if (merged(q) || !affordable(q, seconds)) {
        status = carry_sides(q, INFINITY, 0, 0);
        return status == BGR_OK ? merge_sides(q, seconds) : status;
    }
    /* Half-way between a step that is affordable (0: nothing but the best) and one that is not, the finest first. */
    int low = 0, high = gain_steps + 1;
    for (int k = gain_steps; status == BGR_OK && high - low > 1; k = (low + high) / 2) {
        status = carry_sides(q, finest_gain * bgr_power(gain_step, gain_steps - k), 0, 1);
        *(affordable(q, seconds) ? &low : &high) = k;
    }
    double least_gain = low ? finest_gain * bgr_power(gain_step, gain_steps - low) : INFINITY;
    return status == BGR_OK ? carry_sides(q, least_gain, 0, 0) : status;
}

/* ------------------------------------------------------------------ what is known already */

static int use_table(question *q, bgr_known *known)
{
    int n_followers = 0;
    for (int k = 0; k < BGR_N_FOLLOWERS; k++)
        n_followers += (int)(q->pairs.followers >> k & 1);
    if (!bgr_known_find(known, q->pairs.planes, n_followers, &q->view))
        return 0;
    q->pairs.boundary = (bgr_boundary){bgr_known_values, &q->view, bgr_known_checkers(known)};
    return 1;
}

static void find_table(question *q)
{
    int in_file = bgr_stored_find(&q->stored, q->pairs.planes, q->pairs.followers);
    for (int k = 0; k < q->solver->n_tables; k++)
        if (bgr_known_checkers(q->solver->tables[k]) >= in_file && use_table(q, q->solver->tables[k]))
            return;
    if (in_file)
        q->pairs.boundary = (bgr_boundary){bgr_stored_values, &q->stored, in_file};
}

/* A table for this question, as large as is worth its while. */
static bgr_status make_table(question *q)
{
    int64_t bytes, operations, few = isinf(q->delta) ? 0 : few_operations;
    for (int checkers = BGR_KNOWN_CHECKERS; checkers >= FEWEST_KNOWN && !q->pairs.boundary.checkers; checkers--) {
        bgr_known_measure(q->pairs.planes, checkers, &bytes, &operations);
        if ((operations > q->size.operations / 6 && operations > few) || 2 * bytes > q->options.memory_bytes / 2)
            continue;
        bgr_status status = bgr_known_new(q->pairs.planes, checkers, &q->made);
        if (status != BGR_OK)
            return status == BGR_ERR_MEMORY ? BGR_OK : status;
        use_table(q, q->made);
    }
    return BGR_OK;
}

/* ------------------------------------------------------------------ errors */

/* What 99 of 100 answers are wrong by at most, in any place of the cube: scripts/calibrate_turns.py prints what it was
 * taken from.  What is left out of the plays could have gained `left_out` at most, in chance to win; answers were wrong
 * by up to this share of it, and by a little that cannot be seen there.  Where there are too many positions to look as
 * far as is good, or at more than one play of a roll, that is added. */
static const double share_of_left_out = 0.6, unseen = 5e-5, looked_less = 3e-3, looked_at_one = 8e-3;

/* Merged positions err both ways: their errors go like the root of the sum of what each might do; and so much more
 * where gammons are common, which neither mean nor variance tells. */
static const double by_merging = 0.09, merged_with_gammons = 4.5, common_gammons = 0.05;

/* With all plays within delta, but not those beyond it that might gain: with exact pairs of at most 4 checkers or none,
 * of 8, and where a gammon may be lost (whatever the table).  Tables between lie between. */
static const struct {
    double delta, without, with_eight, gammons;
} errors[] = {{0, 0.0076, 0.0065, 0.0097},
              {0.02, 0.0044, 0.0016, 0.0068},
              {0.04, 0.0030, 0.0005, 0.0048},
              {0.08, 0.0015, 0.0004, 0.0029}};

static double error_within_delta(const question *q)
{
    enum { LAST = sizeof errors / sizeof *errors - 1 };
    int k = 0, checkers = q->pairs.boundary.checkers;
    while (k < LAST && errors[k + 1].delta <= q->delta)
        k++;
    double share = checkers > FEWEST_KNOWN ? (double)(checkers - FEWEST_KNOWN) / (8 - FEWEST_KNOWN) : 0;
    double error = errors[k].without * bgr_power(errors[k].with_eight / errors[k].without, share);
    return q->pairs.followers ? fmax(error, errors[k].gammons) : error;
}

static double error_of_gains(const question *q)
{
    double looked = fmin(q->reach[0]->delta, q->reach[1]->delta);
    double error = unseen + share_of_left_out * (q->reach[0]->left_out + q->reach[1]->left_out);
    return error + (looked >= look_at ? 0 : looked > 0 ? looked_less : looked_at_one);
}

/* How much more a gammon is worth than for money, at most. */
static double worth_of_gammons(const question *q)
{
    double most = 2;
    for (int k = 0; q->pairs.followers && k < q->pairs.planes->n; k++)
        for (int side = 0; side < 2; side++)
            most = fmax(most, q->pairs.planes->plane[k].win[BGR_LOST_GAMMON][side]);
    return most / 2;
}

static double error_of(const question *q)
{
    double rounded = q->pairs.boundary.values == bgr_stored_values ? error_of_files : 0;
    double merging = q->reach[0]->merge_error + q->reach[1]->merge_error;
    if (isinf(q->delta))
        return rounded + (q->pairs.precision == BGR_FLOAT ? 1e-6 : 1e-12);
    double error = q->options.exactness != 0 ? error_within_delta(q) : error_of_gains(q);
    double gammons = merging > 0 ? gammon_chance(q, 0) + gammon_chance(q, 1) : 0;
    double blurred = 1 + (merged_with_gammons - 1) * (q->pairs.followers ? fmin(gammons / common_gammons, 1) : 0);
    error += by_merging * sqrt(merging) * blurred;
    return rounded + error * worth_of_gammons(q);
}

/* ------------------------------------------------------------------ answers */

static int compare_results(const void *a, const void *b)
{
    return memcmp(((const result *)a)->counts, ((const result *)b)->counts, BGR_MAX_POINTS);
}

static bgr_status keep_results(question *q)
{
    bgr_answer *answer = q->answer;
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

static void describe(question *q)
{
    bgr_answer_info *info = &q->answer->info;
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
    info->error = error_of(q);
}

static bgr_status solve(question *q)
{
    double asked = q->options.exactness;
    bgr_status status;
    int exact = 0;
    q->pairs.precision = BGR_FLOAT;
    status = list_planes(q);
    if (status != BGR_OK)
        return status;
    find_table(q);
    if (asked != 0) {
        status = carry_all(q, asked < 0 ? 0 : asked, 0);
    } else {
        if (q->options.least_gain == 0)
            status = try_exact(q, exact_seconds, &exact);
        if (status == BGR_OK && !exact)
            status = choose_gain(q);
    }
    if (status == BGR_OK && q->pairs.boundary.checkers)
        find_table(q); /* the planes may have become others */
    else if (status == BGR_OK)
        status = make_table(q);
    if (status != BGR_OK)
        return status;
    if (q->precision >= 0) {
        q->pairs.precision = q->precision ? BGR_FLOAT : BGR_DOUBLE;
        status = bgr_pairs_measure(q->reach[0], q->reach[1], &q->pairs, &q->size);
    } else if (isinf(q->delta)) {
        bgr_pairs_size in_float = q->size;
        q->pairs.precision = BGR_DOUBLE;
        status = bgr_pairs_measure(q->reach[0], q->reach[1], &q->pairs, &q->size);
        if (status == BGR_OK && q->size.bytes > q->options.memory_bytes) {
            q->pairs.precision = BGR_FLOAT;
            q->size = in_float;
        }
    }
    if (status == BGR_OK)
        status = keep_results(q);
    if (status == BGR_OK)
        status = bgr_stored_status(&q->stored);
    if (status == BGR_OK)
        describe(q);
    return status;
}

static bgr_status ask(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                      const bgr_stakes *stakes, const bgr_solve_options *options, bgr_path path, int precision,
                      bgr_answer **answer)
{
    question q = {.solver = solver, .pairs = {.path = path}, .precision = precision};
    *answer = NULL;
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    bgr_status status = read_options(options, &q.options);
    if (status == BGR_OK)
        status = bgr_stored_open(q.options.database, &q.stored);
    if (status != BGR_OK)
        return status;
    bgr_answer *made = calloc(1, sizeof *made);
    if (!made)
        return BGR_ERR_MEMORY;
    status = read_position(points, on_roll, made->counts[0]);
    if (status == BGR_OK)
        status = read_position(points, opponent, made->counts[1]);
    if (status == BGR_OK) {
        int mine = highest(made->counts[0]), theirs = highest(made->counts[1]);
        if (!mine || !theirs)
            status = BGR_ERR_POSITION;
        else if (mine + theirs > BGR_MAX_POINTS)
            status = BGR_ERR_CONTACT;
    }
    if (status == BGR_OK) {
        made->loss = loss_of(made->counts[1]);
        for (int side = 0; side < 2; side++)
            q.loses[side] = loss_of(made->counts[side]);
    }
    if (status == BGR_OK) {
        int larger = q.options.dice[0] > q.options.dice[1] ? q.options.dice[0] : q.options.dice[1];
        int smaller = q.options.dice[0] + q.options.dice[1] - larger;
        q.first_roll = larger ? larger * (larger - 1) / 2 + smaller : 0; /* the order of bgr_roll, from 1 */
        if (q.options.rolls)
            q.first_roll = BGR_EVERY_FIRST_ROLL;
        q.answer = made;
        q.stakes = stakes;
        q.pairs.planes = &made->planes;
        q.pairs.parallel = q.options.parallel;
        q.pairs.progress = q.options.progress;
        q.pairs.context = q.options.progress_context;
        status = solve(&q);
    }
    forget(&q);
    bgr_known_free(q.made);
    if (status == BGR_OK)
        *answer = made;
    else
        bgr_answer_free(made);
    return status;
}

bgr_status bgr_solve(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                     const bgr_stakes *stakes, const bgr_solve_options *options, bgr_answer **answer)
{
    return ask(solver, points, on_roll, opponent, stakes, options, BGR_PATH_BEST, -1, answer);
}

bgr_status bgr_solve_on_path(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent,
                             const bgr_stakes *stakes, const bgr_solve_options *options, bgr_path path, int precision,
                             bgr_answer **answer)
{
    return ask(solver, BGR_MAX_POINTS, on_roll, opponent, stakes, options, path, precision, answer);
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
        if (!found || !highest(found->counts))
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
    if (!highest(found->counts))
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
    bgr_status status = read_position(points, counts, read);
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
        status = bgr_index(&space, answer->counts[0], &index);
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
