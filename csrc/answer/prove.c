/* Prove bounds for the values of a race.
 *
 * Confining a player to some plays can only lower the value to that player.  So with the player on roll confined to a
 * shortlist, the opponent free and both free to turn the cube, all pairs give a bound from below; with the opponent
 * confined, one from above.  The shortlist is a set of positions: those within `delta` rolls of the least mean of each
 * roll, and a confined player may come to any position of the set.  It is as wide as the budget allows: with enough
 * time nobody is confined, and both bounds are the value.  If even narrow shortlists make too many pairs, or a side can
 * reach too many positions to list, clocks give bounds (clock_bounds.c).
 *
 * More seconds never give wider bounds, but for rounding.  A wider shortlist contains the narrower one.  Bounds by
 * shortlists are combined with those of the clock steps of fewer seconds, in which even the shortest lists do not fit.
 * Slices begin at multiples of a power of two, so those of a narrower interval lie within those of a wider one.
 *
 * Rounding: a value is a mean of means, one for each roll of a game, of 21 products each; values are of the order of 1.
 * So its error is at most some 60 x 25 x 2^-53, and bounds are widened by more than that. */

#include "answer/answer.h"

#include "answer/clock_bounds.h"
#include "answer/state.h"
#include "answer/verdict.h"
#include "base/memory.h"
#include "base/sized.h"
#include "base/try.h"
#include "solve/confine.h"

#include <math.h>

static const double rounding = 1e-11;

enum { MAX_SLICES = 130 };

struct bgr_proof {
    bgr_proof_info info;
    bgr_planes planes;
    int gammons;                     /* whether gammons can happen, and count */
    bgr_rules rules;                 /* of the stakes */
    bgr_row_bounds bounds, by_pairs; /* by_pairs: from pairs alone, if there are any */
    bgr_row_bounds *slices;          /* for parts of the interval of the chance to win, or NULL */
    int n_slices;
    int within_all;  /* 1: found within all of the seconds asked for */
    int8_t *kept[2]; /* the positions of either shortlist, BGR_MAX_POINTS each */
};

/* One side's shortlist. */
typedef struct {
    uint8_t *marks;
    int64_t n;
} shortlist;

/* ------------------------------------------------------------------ pairs */

/* The number of values of all pairs of n and n_opponent positions. */
static double values_of(const bgr_prover *p, int64_t n, int64_t n_opponent)
{
    return 2 * (double)n * (double)n_opponent * p->plan.n_solved;
}

/* Seconds to solve pairs with the two given numbers of values, either of which may be 0; INFINITY beyond the memory.
 * compared [out]: 1 to compare plays beforehand. */
static double seconds_of_pairs(const bgr_prover *p, const double each[2], int *compared)
{
    const bgr_solve_options *options = &p->asked->options;
    double values = each[0] + each[1], memory = fmax(each[0], each[1]) * (double)sizeof(double), comparing = 0;
    for (int side = 0; side < 2; side++)
        comparing += tuned_seconds_of_comparison * (double)p->graph[side]->n;
    *compared = comparing < values * tuned_seconds_of_value * (1 - tuned_compared_share);
    double seconds = *compared ? comparing + values * tuned_seconds_of_value * tuned_compared_share
                               : values * tuned_seconds_of_value;
    return memory <= (double)options->memory_bytes ? seconds : INFINITY;
}

/* Whether pairs of both numbers of values fit into the budget after `gone` seconds; with an `exactness` there is no
 * budget. */
static int fits_budget(const bgr_prover *p, const double each[2], double gone, int *compared)
{
    const bgr_solve_options *options = &p->asked->options;
    double seconds = seconds_of_pairs(p, each, compared) + gone;
    return options->exactness != 0 ? isfinite(seconds) : seconds <= options->seconds;
}

/* Solve for the values of rolling now, by plane, with the first side in graph a and the other in graph b. */
static bgr_status solve_between(const bgr_prover *p, const bgr_graph *a, const bgr_graph *b, const int64_t *rank,
                                double *row)
{
    const bgr_plan *plan = &p->plan;
    const bgr_exact_options options = bgr_exactly(plan, &p->resources);
    double solved[BGR_PLAN_PLANES];
    bgr_exact *exact = NULL;
    bgr_status status = bgr_exact_new(a, b, &options, NULL, &exact);
    if (status == BGR_OK) {
        bgr_exact_values(exact, 0, rank[0], rank[1], solved);
        for (int k = 0; k < plan->n_planes; k++)
            row[k] = solved[plan->solved_plane[0][k]];
    }
    bgr_exact_free(exact);
    return status;
}

/* Solve with `side` confined to its shortlist. */
static bgr_status solve_confined(const bgr_prover *p, const shortlist *list, int side, double *row)
{
    const bgr_graph *graph[2] = {p->graph[0], p->graph[1]};
    int64_t rank[2] = {p->rank[0], p->rank[1]};
    bgr_graph *confined;
    bgr_status status = bgr_graph_confine(p->graph[side], list->marks, p->rank[side], &confined, &rank[side]);
    if (status == BGR_OK && p->graph[!side]->best.start)
        status = bgr_graph_compare(confined, BGR_MAX_CHECKERS, &p->resources.work);
    graph[side] = confined;
    if (status == BGR_OK)
        status = solve_between(p, graph[0], graph[1], rank, row);
    bgr_graph_free(confined);
    return status;
}

/* ------------------------------------------------------------------ shortlists */

static bgr_status keep_list(const bgr_prover *p, const shortlist *list, int side, int8_t **kept)
{
    const bgr_graph *graph = p->graph[side];
    const bgr_space *space = &p->sides.side[side].space;
    int8_t *counts = *kept = calloc((size_t)list->n, BGR_MAX_POINTS);
    if (!counts)
        return BGR_ERR_MEMORY;
    for (int64_t r = 0; r < graph->n; r++)
        if (list->marks[r]) {
            bgr_position(space, graph->levels.index[r], counts);
            counts += BGR_MAX_POINTS;
        }
    return BGR_OK;
}

/* Make shortlists of width delta.  values [out]: numbers of values of the solutions with either side confined. */
static void make_lists(const bgr_prover *p, shortlist *lists, const bgr_graph_means means[2], double delta,
                       double values[2])
{
    for (int side = 0; side < 2; side++)
        lists[side].n =
            bgr_graph_shortlist(p->graph[side], &means[side], p->rank[side], delta, p->gammons, lists[side].marks);
    values[0] = values_of(p, lists[0].n, p->graph[1]->n);
    values[1] = values_of(p, p->graph[0]->n, lists[1].n);
}

/* The seconds that listing positions takes: counted, not timed. */
static double seconds_of_positions(double n) { return n <= tuned_few_listed ? 0 : n * tuned_seconds_of_position; }

/* Find the widest shortlists whose pairs fit beside the clocks after `gone` seconds, or those of the given exactness.
 * *delta < 0: none fit.  clocks [out]: the bounds by clocks, unless an exactness is given. */
static bgr_status find_lists(const bgr_prover *p, shortlist *lists, double gone, double *delta, int *compared,
                             bgr_row_bounds *clocks)
{
    bgr_graph_means means[2] = {{0}};
    double values[2], asked = p->asked->options.exactness, of_clocks;
    bgr_status status = BGR_OK;
    for (int side = 0; side < 2 && status == BGR_OK; side++) {
        status = bgr_graph_means_new(p->graph[side], &means[side]);
        if (status == BGR_OK && !(lists[side].marks = malloc((size_t)p->graph[side]->n)))
            status = BGR_ERR_MEMORY;
    }
    *delta = -1;
    size_t n_deltas = asked != 0 ? 1 : sizeof tuned_deltas / sizeof *tuned_deltas;
    if (status == BGR_OK && asked == 0) {
        make_lists(p, lists, means, 0, values);
        double least = gone + seconds_of_pairs(p, values, compared);
        status = bgr_bounds_by_clocks(p, least, clocks, &of_clocks);
        gone += of_clocks;
        if (least + of_clocks > p->asked->options.seconds)
            n_deltas = 0; /* no wider ones fit */
    }
    for (size_t k = 0; k < n_deltas && status == BGR_OK && *delta < 0; k++) {
        double tried = asked != 0 ? fmax(asked, 0) : tuned_deltas[k];
        make_lists(p, lists, means, tried, values);
        if (fits_budget(p, values, gone, compared))
            *delta = tried;
    }
    bgr_graph_means_free(&means[0]);
    bgr_graph_means_free(&means[1]);
    return status;
}

static bgr_status bound_by_lists(const bgr_prover *p, shortlist *lists, bgr_proof *proof)
{
    double *rows[2] = {proof->bounds.low, proof->bounds.high};
    for (int side = 0; side < 2; side++) {
        BGR_TRY(solve_confined(p, &lists[side], side, rows[side]));
        BGR_TRY(keep_list(p, &lists[side], side, &proof->kept[side]));
        proof->info.kept[side] = lists[side].n;
    }
    return BGR_OK;
}

/* ------------------------------------------------------------------ a proof */

/* Get the graphs of both sides. */
static bgr_status take_graphs(bgr_prover *p, int compared)
{
    for (int side = 0; side < 2; side++) {
        const bgr_closed_set *set = &p->sides.side[side];
        bgr_graph_free(p->graph[side]);
        BGR_TRY(bgr_cache_graph(set, compared, &p->resources, &p->graph[side]));
        p->rank[side] = bgr_closed_set_rank(set, p->graph[side], p->asked->counts[side]);
    }
    return BGR_OK;
}

/* Bound by as many pairs as the budget allows: by all, or by those of shortlists combined with clocks. */
static bgr_status bound_by_pairs(bgr_prover *p, bgr_proof *proof, bgr_row_bounds *clocks)
{
    const double all[2] = {values_of(p, p->graph[0]->n, p->graph[1]->n), 0};
    double asked = p->asked->options.exactness;
    double listing = seconds_of_positions((double)(p->graph[0]->n + p->graph[1]->n));
    shortlist lists[2] = {{0}};
    int compared = 0;
    bgr_status status = BGR_OK;
    if ((asked == 0 || isinf(asked)) && fits_budget(p, all, listing, &compared))
        proof->info.method = BGR_PROOF_EXACT;
    else {
        status = find_lists(p, lists, listing, &proof->info.delta, &compared, clocks);
        proof->info.method = proof->info.delta < 0 ? BGR_PROOF_NONE : BGR_PROOF_CONFINED;
        proof->info.delta = fmax(proof->info.delta, 0);
    }
    if (status == BGR_OK && proof->info.method != BGR_PROOF_NONE && compared)
        status = take_graphs(p, 1);
    if (status == BGR_OK && proof->info.method == BGR_PROOF_EXACT) {
        status = solve_between(p, p->graph[0], p->graph[1], p->rank, proof->bounds.low);
        memcpy(proof->bounds.high, proof->bounds.low, sizeof proof->bounds.low);
    } else if (status == BGR_OK && proof->info.method == BGR_PROOF_CONFINED)
        status = bound_by_lists(p, lists, proof);
    BGR_FREE(lists[0].marks, lists[1].marks);
    return status;
}

/* Widen bounds for rounding, but not beyond the payoffs of losing and winning the game. */
static void widen(const bgr_prover *p, bgr_row_bounds *bounds)
{
    for (int k = 0; k < p->plan.n_planes; k++) {
        const bgr_plane plane = bgr_prover_plane(p, k);
        double least = INFINITY, most = -INFINITY;
        for (int side = 0; side < 2; side++)
            for (int loss = BGR_LOST_SINGLE; loss <= p->asked->loses[!side]; loss++) {
                double end = side ? -plane.win[loss][side] : plane.win[loss][side];
                least = fmin(least, end);
                most = fmax(most, end);
            }
        bounds->low[k] = fmax(bounds->low[k] - rounding, least);
        bounds->high[k] = fmin(bounds->high[k] + rounding, most);
    }
}

static void intersect(bgr_row_bounds *bounds, const bgr_row_bounds *with, int n_planes)
{
    for (int k = 0; k < n_planes; k++) {
        bounds->low[k] = fmax(bounds->low[k], with->low[k]);
        bounds->high[k] = fmin(bounds->high[k], with->high[k]);
    }
}

/* Cut the interval of the chance to win into slices, one of which contains the true chance. */
static bgr_status slice_bounds(const bgr_prover *p, bgr_proof *proof)
{
    bgr_chance_bounds chances;
    BGR_TRY(bgr_proof_chances(proof, &chances));
    double low = chances.win.low, high = chances.win.high, step = 0x1p-40;
    while (high - low > step * (MAX_SLICES - 2))
        step *= 2;
    if (!(proof->slices = malloc(MAX_SLICES * sizeof *proof->slices)))
        return BGR_ERR_MEMORY;
    for (double from = floor(low / step) * step; from <= high && proof->n_slices < MAX_SLICES; from += step) {
        bgr_row_bounds *slice = &proof->slices[proof->n_slices++];
        bgr_bounds_of_chance(p, fmax(fmax(from, low) - rounding, 0), fmin(fmin(from + step, high) + rounding, 1),
                             slice);
        widen(p, slice);
        intersect(slice, &proof->bounds, p->plan.n_planes);
    }
    return BGR_OK;
}

/* Bound by pairs if all fit, by pairs and clocks if only shortlists fit, else by clocks. */
static bgr_status bound(bgr_prover *p, int by_pairs, bgr_proof *proof)
{
    double asked = p->asked->options.exactness, gone;
    bgr_row_bounds clocks;
    BGR_TRY(by_pairs ? bound_by_pairs(p, proof, &clocks) : BGR_OK);
    widen(p, &proof->bounds);
    proof->by_pairs = proof->bounds;
    if (proof->info.method == BGR_PROOF_EXACT || (proof->info.method == BGR_PROOF_CONFINED && asked != 0))
        return BGR_OK;
    if (!by_pairs || asked != 0)
        BGR_TRY(bgr_bounds_by_clocks(p, INFINITY, &clocks, &gone));
    widen(p, &clocks);
    if (proof->info.method == BGR_PROOF_NONE) {
        proof->info.method = BGR_PROOF_CLOCKS;
        proof->bounds = clocks;
    } else
        intersect(&proof->bounds, &clocks, p->plan.n_planes);
    return p->gammons ? BGR_OK : slice_bounds(p, proof);
}

/* Whether listing the positions that the sides can reach fits into the budget; with an `exactness`, into memory. */
static int sides_fit(const bgr_prover *p)
{
    const bgr_solve_options *options = &p->asked->options;
    double all = p->sides.size.positions[0] + p->sides.size.positions[1];
    return (options->exactness != 0 || seconds_of_positions(all) <= options->seconds) &&
           all * tuned_graph_bytes <= (double)options->memory_bytes;
}

/* Whether pairs of the shortest lists may fit into the budget, before lists are made. */
static int lists_may_fit(const bgr_prover *p)
{
    const bgr_solve_options *options = &p->asked->options;
    double values = 2 * tuned_least_listed * (double)p->sides.side[0].n * (double)p->sides.side[1].n * p->plan.n_solved;
    return 2 * values * tuned_seconds_of_value * tuned_compared_share <= options->seconds &&
           values * (double)sizeof(double) <= (double)options->memory_bytes;
}

static bgr_status prove(const bgr_asked *asked, bgr_prover *p, bgr_proof *proof)
{
    const bgr_plan_size apart = {.both = -1};
    p->asked = asked;
    p->resources = bgr_resources_of(&asked->options);
    p->gammons = bgr_worst_loss(asked) >= BGR_LOST_GAMMON && asked->stakes.gammons;
    BGR_TRY(bgr_planes_of_stakes(&asked->stakes, bgr_worst_loss(asked), &p->planes));
    bgr_plan_make(&p->planes, p->gammons, &apart, &p->plan);
    proof->planes = p->planes;
    proof->rules = (bgr_rules){asked->stakes.gammons, asked->stakes.jacoby, asked->stakes.beavers};
    proof->gammons = p->gammons;
    int by_pairs = bgr_sides_init(p->asked->counts, &p->sides) == BGR_OK && sides_fit(p) &&
                   !(p->gammons && bgr_worst_loss(asked) == BGR_LOST_BACKGAMMON);
    for (int side = 0; side < 2 && by_pairs; side++)
        proof->info.positions[side] = p->sides.side[side].n;
    by_pairs = by_pairs && (asked->options.exactness != 0 || lists_may_fit(p));
    bgr_status status = by_pairs ? bgr_sides_list(&p->sides) : BGR_OK;
    if (by_pairs && status == BGR_OK)
        status = take_graphs(p, 0);
    if (status == BGR_OK)
        status = bound(p, by_pairs, proof);
    for (int side = 0; side < 2; side++)
        bgr_graph_free(p->graph[side]);
    return status;
}

/* Prove within these seconds, or those of the options if they are fewer. */
static bgr_status prove_within(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                               const bgr_solve_options *options, double seconds, bgr_proof **proof)
{
    bgr_asked asked = {0};
    *proof = NULL;
    bgr_status status = bgr_asked_read(points, on_roll, opponent, stakes, options, &asked);
    bgr_prover *p = calloc(1, sizeof *p);
    bgr_proof *fresh = calloc(1, sizeof *fresh);
    int within_all = asked.options.seconds <= seconds;
    asked.options.seconds = fmin(asked.options.seconds, seconds);
    if (status == BGR_OK)
        status = p && fresh ? prove(&asked, p, fresh) : BGR_ERR_MEMORY;
    if (p)
        bgr_sides_free(&p->sides);
    free(p);
    if (status == BGR_OK) {
        fresh->info.seconds = asked.options.seconds;
        fresh->within_all = within_all;
    }
    BGR_HAND_OVER(status, fresh, proof, bgr_proof_free);
}

bgr_status bgr_prove(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                     const bgr_solve_options *options, bgr_proof **proof)
{
    return prove_within(points, on_roll, opponent, stakes, options, INFINITY, proof);
}

bgr_status bgr_prove_verdict(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                             const bgr_solve_options *options, bgr_cube cube, bgr_proof **proof)
{
    bgr_status status = BGR_OK;
    bgr_cube_bounds bounds = {.proved = 0};
    bgr_proof *latest = NULL;
    int last = 0;
    *proof = NULL;
    for (double seconds = tuned_first_proof; status == BGR_OK && !bounds.proved && !last; seconds *= 10) {
        bgr_proof_free(latest);
        status = prove_within(points, on_roll, opponent, stakes, options, seconds, &latest);
        if (status != BGR_OK)
            break;
        last = latest->within_all;
        status = bgr_proof_cube(latest, cube, &bounds);
        if (bounds.verdict == BGR_VERDICT_NO_CUBE)
            seconds = INFINITY; /* there is no verdict to prove: use all of the seconds next */
    }
    BGR_HAND_OVER(status, latest, proof, bgr_proof_free);
}

void bgr_proof_free(bgr_proof *proof)
{
    if (!proof)
        return;
    BGR_FREE(proof->slices, proof->kept[0], proof->kept[1], proof);
}

/* ------------------------------------------------------------------ contents */

bgr_status bgr_proof_describe(const bgr_proof *proof, bgr_proof_info *info)
{
    return bgr_give_sized(&proof->info, sizeof proof->info, info);
}

static bgr_interval chance_between(double low, double high)
{
    return (bgr_interval){fmin(fmax(low, 0), 1), fmax(fmin(high, 1), 0)};
}

bgr_status bgr_proof_chances(const bgr_proof *proof, bgr_chance_bounds *chances)
{
    const double *low = proof->bounds.low, *high = proof->bounds.high;
    int win = BGR_PLANE_WIN, n = proof->planes.n;
    memset(chances, 0, sizeof *chances);
    chances->win = chance_between((1 + low[win]) / 2, (1 + high[win]) / 2);
    if (proof->gammons) {
        chances->win_gammon = chance_between(low[n] - high[win], high[n] - low[win]);
        chances->lose_gammon = chance_between(low[win] - high[n + 1], high[win] - low[n + 1]);
    }
    return BGR_OK;
}

/* Whether the verdict is the same at the four corners of the bounds of rolling and of double/take; if so, it is the
 * same everywhere between. */
static int same_at_corners(const bgr_proof *proof, const bgr_place *place, const bgr_row_bounds *bounds,
                           bgr_cube_verdict verdict)
{
    const double *corner[2] = {bounds->low, bounds->high};
    int turned = place->turned[0].plane;
    for (int k = 0; k < 4; k++) {
        double row[BGR_PLAN_PLANES];
        bgr_cube_values corner_values;
        memcpy(row, corner[k & 1], sizeof row);
        if (turned != place->now.plane)
            row[turned] = corner[k >> 1][turned];
        bgr_cube_of_row(&proof->planes, proof->rules.beavers, place, row, &corner_values);
        if (corner_values.verdict != verdict)
            return 0;
    }
    return 1;
}

static int verdict_proved(const bgr_proof *proof, const bgr_place *place, bgr_cube_verdict *verdict)
{
    bgr_cube_values first;
    if (place->turned[0].plane < 0)
        return 0;
    if (same_at_corners(proof, place, &proof->bounds, *verdict))
        return 1;
    if (!proof->n_slices)
        return 0;
    bgr_cube_of_row(&proof->planes, proof->rules.beavers, place, proof->slices[0].low, &first);
    for (int k = 0; k < proof->n_slices; k++)
        if (!same_at_corners(proof, place, &proof->slices[k], first.verdict))
            return 0;
    *verdict = first.verdict;
    return 1;
}

bgr_status bgr_proof_cube(const bgr_proof *proof, bgr_cube cube, bgr_cube_bounds *bounds)
{
    bgr_cube_values low, high;
    const bgr_place *place = bgr_place_of(&proof->planes, cube);
    if (!place)
        return BGR_ERR_STAKES;
    bgr_cube_of_row(&proof->planes, proof->rules.beavers, place, proof->bounds.low, &low);
    bgr_cube_of_row(&proof->planes, proof->rules.beavers, place, proof->bounds.high, &high);
    bounds->no_double = (bgr_interval){low.no_double, high.no_double};
    bounds->double_take = (bgr_interval){low.double_take, high.double_take};
    bounds->value = (bgr_interval){low.value, high.value};
    bounds->verdict = low.verdict;
    bounds->proved = verdict_proved(proof, place, &bounds->verdict);
    return BGR_OK;
}

static void limit(double *value, bgr_interval bounds)
{
    if (!isnan(*value))
        *value = fmin(fmax(*value, bounds.low), bounds.high);
}

/* Clamp the value of a scaled plane of an answer to the proof's bounds of the same plane. */
static void limit_scaled(bgr_answer *answer, const bgr_scaled_plane *scaled, const bgr_proof *proof,
                         const bgr_scaled_plane *bounded)
{
    if (scaled->plane >= 0 && bounded->plane >= 0)
        limit(&answer->now[scaled->plane],
              (bgr_interval){proof->bounds.low[bounded->plane], proof->bounds.high[bounded->plane]});
}

static bgr_status limit_chances(bgr_chances *chances, const bgr_proof *proof)
{
    bgr_chance_bounds bounds;
    int cubeless_is_win = chances->cubeless_win == chances->win;
    BGR_TRY(bgr_proof_chances(proof, &bounds));
    limit(&chances->win, bounds.win);
    if (cubeless_is_win)
        chances->cubeless_win = chances->win;
    if (proof->gammons) {
        limit(&chances->win_gammon, bounds.win_gammon);
        limit(&chances->lose_gammon, bounds.lose_gammon);
        limit(&chances->win_backgammon, (bgr_interval){0, chances->win_gammon});
        limit(&chances->lose_backgammon, (bgr_interval){0, chances->lose_gammon});
    }
    return BGR_OK;
}

static int alike(double a, double b) { return fabs(a - b) <= 1e-9; }

/* Whether two planes of a match are the same except for gammons, with all planes that doubling leads to.  swapped: 1 if
 * the sides of `b` are exchanged. */
static int same_states(const bgr_planes *a, int k, int swapped, const bgr_planes *b, int l)
{
    for (int side = 0; side < 2 && k >= 0 && l >= 0; side++) {
        const bgr_plane *x = &a->plane[k], *y = &b->plane[l];
        int seen = side ^ swapped;
        if (!alike(x->factor[seen], y->factor[side]) || !alike(x->offset[seen], y->offset[side]) ||
            !same_states(a, x->turned[seen], swapped, b, y->turned[side]))
            return 0;
    }
    return (k < 0) == (l < 0);
}

static int same_stakes(const bgr_answer *answer, const bgr_proof *proof)
{
    const bgr_planes *a = &answer->planes, *b = &proof->planes;
    int same = a->match == b->match && memcmp(&answer->rules, &proof->rules, sizeof answer->rules) == 0;
    for (int loss = 0; loss < BGR_N_LOSSES; loss++)
        for (int side = 0; side < 2; side++)
            same = same && alike(a->pays[side][loss], b->pays[side][loss]);
    for (int at = 0; same && a->match && at < BGR_N_CUBES; at++)
        same = same_states(a, a->place[at].now.plane, answer->pairs.side, b, b->place[at].now.plane);
    return same;
}

static double farther_end(double value, bgr_interval bounds) { return fmax(value - bounds.low, bounds.high - value); }

bgr_status bgr_answer_bound(bgr_answer *answer, const bgr_proof *proof, bgr_cube cube)
{
    bgr_cube_bounds bounds;
    bgr_cube_values values;
    const bgr_planes *planes = &answer->planes;
    BGR_TRY(bgr_proof_cube(proof, cube, &bounds));
    if (!same_stakes(answer, proof))
        return BGR_ERR_STAKES;
    limit(&answer->now[BGR_PLANE_WIN],
          (bgr_interval){proof->bounds.low[BGR_PLANE_WIN], proof->bounds.high[BGR_PLANE_WIN]});
    for (int at = 0; at < BGR_N_CUBES; at++) {
        limit_scaled(answer, &planes->place[at].now, proof, &proof->planes.place[at].now);
        limit_scaled(answer, &planes->place[at].turned[0], proof, &proof->planes.place[at].turned[0]);
    }
    BGR_TRY(limit_chances(&answer->chances, proof));
    BGR_TRY(bgr_answer_cube(answer, cube, &values));
    double unit = (planes->won - planes->lost) / 2, farthest = farther_end(values.no_double, bounds.no_double);
    if (values.verdict != BGR_VERDICT_NO_CUBE)
        farthest = fmax(farthest, farther_end(values.double_take, bounds.double_take));
    if (unit > 0)
        answer->info.error = fmin(answer->info.error, farthest / unit);
    return BGR_OK;
}

void bgr_proof_keep_pairs(bgr_proof *proof)
{
    proof->bounds = proof->by_pairs;
    proof->n_slices = 0;
}

bgr_status bgr_proof_shortlist(const bgr_proof *proof, int side, const int8_t **counts, int64_t *n)
{
    if (side < 0 || side > 1 || proof->info.method != BGR_PROOF_CONFINED)
        return BGR_ERR_ARGUMENT;
    *counts = proof->kept[side];
    *n = proof->info.kept[side];
    return BGR_OK;
}
