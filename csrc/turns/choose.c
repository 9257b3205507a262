/* Choose which plays to compare.
 *
 * An answer is exact if every play is compared, as in small races.  Otherwise only plays that can gain more than a
 * threshold are compared (weigh.c); a larger budget lowers the threshold, until lowering it further changes nothing. If
 * even few plays exceed the budget, positions are merged.  Work is counted beforehand, in microseconds for finding
 * positions and in row operations for pairs of them (pairs.h), so the choice depends on the question alone. */

#include "turns/choose.h"

#include "base/elementary.h"
#include "base/try.h"
#include "solve/graph.h"

#include <float.h>
#include <math.h>

static int pips(const int8_t *counts) { return bgr_pips(BGR_MAX_POINTS, counts); }

static int nearer_side(const bgr_asked *asked) { return pips(asked->counts[1]) < pips(asked->counts[0]); }

static void forget_reach(bgr_question *q, int side)
{
    bgr_reach_free(q->reach[side]);
    q->reach[side] = NULL;
}

/* The work of finding positions, in microseconds of a common processor. */
static double finding_work(const bgr_question *q, int side)
{
    return q->candidates[side]->spent + q->candidates[side]->nodes.work.done;
}

/* Whether the sides have about as many pips.  Play by estimates, as turn by turn, loses some thousandths of a roll: if
 * both sides play so, the losses nearly cancel. */
static int as_long(const bgr_asked *asked)
{
    int a = pips(asked->counts[0]), b = pips(asked->counts[1]);
    return 2 * a >= b && 2 * b >= a;
}

/* The chance to be off after a turn, or, for a side that cannot win, to have borne off a checker. */
static double settled(const bgr_reach *reach, int cannot_win, int turn)
{
    const bgr_reach_layer *layer = &reach->layers[turn];
    double sum = layer->chance[0]; /* local number 0 is the empty board */
    for (int32_t k = 1; cannot_win && turn && k < layer->n; k++)
        sum += reach->checkers[layer->node[k]] < BGR_MAX_CHECKERS ? layer->chance[k] : 0;
    return sum;
}

/* The chance that a side has saved the backgammon after a turn; 0 if it cannot lose one. */
static double stragglers_out(const bgr_reach *reach, int loses, int turn)
{
    const bgr_reach_layer *layer = &reach->layers[turn];
    double sum = 0;
    for (int32_t k = 0; loses >= BGR_LOST_BACKGAMMON && k < layer->n; k++)
        sum += bgr_loss_of(reach->counts[layer->node[k]]) < BGR_LOST_BACKGAMMON ? layer->chance[k] : 0;
    return sum;
}

/* An optimistic chance to win of a side with 15 checkers, whose opponent has been carried forward: it wastes only
 * TUNED_WASTED pips, and no die. */
static double most_win_chance(const bgr_question *q, int side)
{
    enum { MAX_DOUBLES = 15 }; /* more are very rare before the other side is off, and count as 15 */
    const bgr_reach *other = q->reach[!side];
    int needed = pips(q->asked.counts[side]) + TUNED_WASTED,
        dice = BGR_MAX_CHECKERS + bgr_dice_to_home(bgr_packed_of(q->asked.counts[side]));
    double chance = 0, before = 0,
           thrown[MAX_DOUBLES + 1][BGR_MAX_BOARD_PIPS + TUNED_WASTED + 1] = {{1}}; /* by doubles and pips */
    for (int turn = 1; turn < other->n_layers; turn++) {
        double off = 0;
        for (int doubles = turn < MAX_DOUBLES ? turn : MAX_DOUBLES; doubles >= 0; doubles--)
            for (int n = needed; n >= 0; n--) {
                double now = thrown[doubles][n];
                thrown[doubles][n] = 0;
                for (int roll = 0; roll < BGR_N_ROLLS && now > 0; roll++) {
                    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
                    int to = n + bgr_roll_pips(larger, smaller), more = larger == smaller && doubles < MAX_DOUBLES;
                    thrown[doubles + more][to < needed ? to : needed] += now * bgr_rolls[roll].weight / 36;
                }
            }
        for (int doubles = 0; doubles <= MAX_DOUBLES; doubles++)
            off += 2 * (turn + doubles) >= dice ? thrown[doubles][needed] : 0;
        /* When the side on roll has rolled `turn` times, its opponent has rolled once less. */
        chance += (off - before) * (1 - settled(other, 0, turn - (side == 0)));
        before = off;
    }
    return chance;
}

static int checkers_left(const bgr_asked *asked, int side)
{
    return bgr_n_checkers(BGR_MAX_POINTS, asked->counts[side]);
}

/* Whether a side can lose a gammon, the other side needs few turns to bear off, and the first has few positions with
 * all 15 checkers. */
static int few_to_save(const bgr_asked *asked, int side)
{
    return asked->loses[side] >= BGR_LOST_GAMMON && checkers_left(asked, !side) <= 2 * TUNED_TURNS_TO_SAVE &&
           bgr_positions_with_all(asked->counts[side]) <= TUNED_EXACT_TO_SAVE;
}

/* Whether a side can neither win nor save a gammon, if the other side bears off at least one checker each turn. */
static int hopeless(const bgr_asked *asked, int side)
{
    return asked->loses[side] >= BGR_LOST_GAMMON &&
           bgr_no_hope(bgr_packed_of(asked->counts[side]), checkers_left(asked, !side));
}

/* Whether losing less is better for a side on all planes, which a match equity table need not ensure. */
static int less_is_better(const bgr_question *q, int side)
{
    for (int k = 0; k < q->planes.n; k++)
        for (int loss = BGR_LOST_SINGLE; loss < q->asked.loses[side]; loss++)
            if (q->planes.plane[k].win[loss + 1][!side] < q->planes.plane[k].win[loss][!side])
                return 0;
    return 1;
}

/* Set the horizon of the farther side: the nearer one is certainly off after `turns`.  If work is limited, also set
 * whether the farther side can still win. */
static bgr_status look_at_horizon(bgr_question *q, int nearer, int turns, double delta, bgr_reach_options *options)
{
    /* Before the last roll of the first side, the second has rolled once less. */
    options->max_turns = turns - (nearer == 0);
    options->max_turns += !options->max_turns;
    if (isinf(delta) || !(options->max_work > 0))
        return BGR_OK;
    BGR_TRY(bgr_reach_of(q->candidates[nearer], INFINITY, 0, 1, &q->reach[nearer]));
    double win = q->asked.loses[!nearer] >= BGR_LOST_GAMMON ? most_win_chance(q, !nearer) : 1;
    int by = 1;
    while (by < q->reach[nearer]->n_layers - 1 && settled(q->reach[nearer], 0, by) < 1 - tuned_no_hope)
        by++;
    options->hope_turns = by > 1 ? by - (nearer == 0) : by;
    forget_reach(q, nearer);
    options->cannot_win = win < tuned_least_win_chance && less_is_better(q, !nearer);
    q->chosen.win_left_out = options->cannot_win ? win : 0;
    options->delta = options->cannot_win ? tuned_look_at_to_save : delta;
    if (options->cannot_win) /* pairs will be few, so finding may take more */
        options->max_work *= tuned_saving_share / tuned_finding_share;
    return BGR_OK;
}

/* Estimate the chance that a side has exactly n rolls before the other one is off.  in_time [out] BGR_OFF_WIDTH. */
static void estimate_time(const bgr_question *q, int side, double *in_time)
{
    bgr_off_chances off;
    bgr_position_chances(q->solver->home, bgr_packed_of(q->asked.counts[!side]), off);
    for (int n = 0; n < BGR_OFF_WIDTH; n++) {
        int others = n + side; /* when the first side is off, the second has rolled once less */
        in_time[n] = others > 0 && others < BGR_OFF_WIDTH ? (double)off[others] - (double)off[others - 1] : 0;
    }
}

/* Find the candidates of both sides; of the side with fewer pips first, since it gives the other one its number of
 * turns. */
static bgr_status find_candidates(bgr_question *q, double delta, int64_t max_nodes, double max_work)
{
    int nearer = nearer_side(&q->asked);
    bgr_reach_options options = {.delta = delta,
                                 .max_nodes = max_nodes,
                                 .max_work = tuned_nearer_share * max_work,
                                 .progress = q->asked.options.progress,
                                 .context = q->asked.options.progress_context};
    BGR_TRY(bgr_solver_ready(q->solver));
    for (int side = 0; side < 2; side++) {
        forget_reach(q, side);
        bgr_candidates_free(q->candidates[side]);
        q->candidates[side] = NULL;
    }
    for (int k = 0; k < 2; k++) {
        int side = k ? !nearer : nearer, turns = 0;
        options.first_checker = q->asked.loses[side] >= BGR_LOST_GAMMON;
        options.last_straggler = q->asked.loses[side] >= BGR_LOST_BACKGAMMON;
        options.less_is_better = less_is_better(q, side);
        options.first_roll = side == 0 ? q->asked.first_roll : 0;
        estimate_time(q, side, options.in_time);
        BGR_TRY(bgr_candidates_new(q->solver->home, q->asked.counts[side], &options, &q->candidates[side]));
        if (k)
            break;
        BGR_TRY(bgr_candidates_longest(q->candidates[side], &turns));
        if (max_work > 0)
            options.max_work = fmax(max_work - finding_work(q, side), max_work / 8);
        if (max_nodes && turns && turns <= TUNED_TURNS_TO_SAVE && isinf(delta) && few_to_save(&q->asked, !side))
            options.max_nodes = max_nodes > TUNED_NODES_TO_SAVE ? max_nodes : TUNED_NODES_TO_SAVE;
        if (turns)
            BGR_TRY(look_at_horizon(q, nearer, turns, delta, &options));
    }
    if (q->candidates[0]->by_turn != q->candidates[1]->by_turn && as_long(&q->asked) && !options.cannot_win)
        bgr_candidates_by_turn(q->candidates[q->candidates[0]->by_turn]);
    return BGR_OK;
}

/* Set the other side's number of turns from the layers of the nearer side, which may have another number than its
 * candidates. */
static void renew_horizon(bgr_question *q, int nearer)
{
    bgr_reach_options *other = &q->candidates[!nearer]->options;
    int turns = q->reach[nearer]->n_layers - 1 - (nearer == 0);
    if (q->candidates[nearer]->by_turn && other->max_turns)
        other->max_turns = turns > 1 ? turns : 1;
}

/* Carry both sides forward, the one with fewer pips first. */
static bgr_status carry_sides(bgr_question *q, double least_gain, int64_t max_layer, int only_sizes)
{
    int nearer = nearer_side(&q->asked);
    for (int k = 0; k < 2; k++) {
        int side = k ? !nearer : nearer;
        if (k)
            renew_horizon(q, nearer);
        /* Turn by turn, results do not depend on the gain. */
        if (q->reach[side] && q->candidates[side]->by_turn && q->reach[side]->max_layer == max_layer)
            continue;
        forget_reach(q, side);
        BGR_TRY(bgr_reach_of(q->candidates[side], least_gain, max_layer, only_sizes, &q->reach[side]));
    }
    q->chosen.delta = isinf(least_gain) ? 0 : fmin(q->reach[0]->delta, q->reach[1]->delta);
    return bgr_pairs_measure(q->reach[0], q->reach[1], &q->pairs, &q->size);
}

/* Carry both sides forward with every result whose mean is within delta of the least. */
static bgr_status carry_all(bgr_question *q, double delta, int64_t max_nodes, double max_work)
{
    BGR_TRY(find_candidates(q, delta, max_nodes, max_work));
    return carry_sides(q, 0, 0, 0);
}

/* The share of a budget that pairs take; more than 1 is too much. */
static double share_taken(const bgr_question *q, double seconds)
{
    return fmax((double)q->size.operations / (seconds * tuned_operations_a_second),
                (double)q->size.bytes / (double)q->asked.options.memory_bytes);
}

/* The chance that a side loses a gammon if both sides play for the least mean. */
static double gammon_chance(const bgr_question *q, int loser)
{
    const bgr_reach *mine = q->reach[loser], *theirs = q->reach[!loser];
    double chance = 0, before = 0;
    for (int turn = 1; turn < theirs->n_layers; turn++) {
        double off = theirs->layers[turn].chance[0], lost = 0; /* local number 0 is the empty board */
        int own = turn - (loser == 1);                         /* number of turns of the loser */
        for (int32_t k = 0; own < mine->n_layers && k < mine->layers[own].n; k++)
            if (bgr_loss_of(mine->counts[mine->layers[own].node[k]]) >= BGR_LOST_GAMMON)
                lost += own ? mine->layers[own].chance[k] : 1;
        chance += (off - before) * lost;
        before = off;
    }
    return chance;
}

/* Treat a side as unable to lose a gammon if that is less likely than tuned_least_gammon_chance. */
static bgr_status forget_gammons(bgr_question *q)
{
    for (int side = 0; side < 2; side++)
        if (q->asked.loses[side] && gammon_chance(q, side) < tuned_least_gammon_chance)
            q->asked.loses[side] = BGR_LOST_SINGLE;
    return bgr_question_planes(q);
}

/* The number of positions of a side that can be found and leave time for pairs. */
static int64_t max_nodes_of(const bgr_asked *asked)
{
    double by_time = asked->options.seconds * tuned_nodes_a_second,
           by_memory = (double)asked->options.memory_bytes / 2 / (double)tuned_node_bytes;
    return (int64_t)fmax(fmin(by_time, by_memory), TUNED_FEWEST_NODES);
}

/* Whether a side certainly reaches more positions than max_nodes.  Rolls reach nearly all positions that single dice
 * reach, also before the other side can be off, unless that side is much nearer. */
static int too_many(const bgr_asked *asked, int side, int64_t max_nodes)
{
    double n = 0;
    int near = pips(asked->counts[side]) > 2 * pips(asked->counts[!side]);
    bgr_status status = bgr_count_reachable(BGR_MAX_POINTS, asked->counts[side], &n);
    return status == BGR_OK && !near && n > tuned_most_by_dice * (double)max_nodes;
}

/* Compare every play, if that is quick, or, regardless of the seconds, if a gammon must be saved within a few turns. */
static bgr_status try_exact(bgr_question *q, double seconds, int *exact)
{
    int64_t max_nodes = (int64_t)(tuned_nodes_of_exact * sqrt(seconds / tuned_exact_seconds));
    if (max_nodes > q->asked.options.memory_bytes / tuned_node_bytes)
        max_nodes = q->asked.options.memory_bytes / tuned_node_bytes;
    seconds = fmax(seconds, fmin(tuned_few_seconds, q->asked.options.seconds));
    for (int side = 0; side < 2; side++) {
        if (few_to_save(&q->asked, side) || hopeless(&q->asked, side))
            seconds = fmax(seconds, fmin(tuned_seconds_to_save, q->asked.options.seconds));
        else if (too_many(&q->asked, side, max_nodes))
            return BGR_OK;
    }
    bgr_status status = carry_all(q, INFINITY, max_nodes, tuned_exact_finding * q->asked.options.seconds * 1e6);
    *exact = status == BGR_OK && share_taken(q, seconds) <= 1;
    return status == BGR_ERR_SIZE ? BGR_OK : status;
}

/* Sizes of the layers of both sides. */
typedef struct {
    int n_turns[2];
    double n[2][BGR_MAX_RACE_ROLLS + 1];
} layer_sizes;

/* Measure layers as they are, or if `unmerged`, with the positions that were merged. */
static layer_sizes measure_layers(const bgr_question *q, int unmerged)
{
    layer_sizes sizes;
    for (int side = 0; side < 2; side++) {
        sizes.n_turns[side] = q->reach[side]->n_layers;
        for (int turn = 0; turn < sizes.n_turns[side] && turn <= BGR_MAX_RACE_ROLLS; turn++) {
            const bgr_reach_layer *layer = &q->reach[side]->layers[turn];
            sizes.n[side][turn] = layer->n + (unmerged ? layer->n_blends : 0);
        }
    }
    return sizes;
}

/* The approximate number of pairs if each layer has at most `max_positions` positions. */
static double pairs_within(const layer_sizes *sizes, double max_positions)
{
    double all = 0;
    for (int side = 0; side < 2; side++)
        for (int turn = 0; turn < sizes->n_turns[side] && turn + side < sizes->n_turns[!side]; turn++)
            all += fmin(sizes->n[side][turn], max_positions) * fmin(sizes->n[!side][turn + side], max_positions);
    return all;
}

/* The limit of positions in a layer at which finding results turn by turn takes its share of the time. */
static double positions_within(const bgr_question *q)
{
    double work = 0;
    for (int side = 0; side < 2; side++) {
        const bgr_candidates *c = q->candidates[side];
        if (c->by_turn) /* estimated from the work so far */
            work +=
                c->nodes.work.done / (double)(q->reach[side]->max_layer ? q->reach[side]->max_layer : c->max_positions);
    }
    return work > 0 ? fmax(tuned_finding_share * q->asked.options.seconds * 1e6 / work, TUNED_FEWEST_POSITIONS)
                    : INFINITY;
}

/* Merge positions until the pairs just fit the budget.  If results are found turn by turn, the layers measured here
 * have been limited themselves. */
static bgr_status merge_sides(bgr_question *q, double least_gain, double seconds)
{
    double share = share_taken(q, seconds), before = 0;
    int few =
        q->candidates[0]->max_positions < TUNED_FEW_POSITIONS || q->candidates[1]->max_positions < TUNED_FEW_POSITIONS;
    if (few && share <= 1)
        return carry_sides(q, least_gain, 0, 0); /* the layers are already as large as time allows */
    int again = 1;                               /* there may be only sizes so far */
    for (int times = 0; times < TUNED_MAX_MERGES && again; times++) {
        layer_sizes now = measure_layers(q, 0), sizes = measure_layers(q, 1);
        double wanted = pairs_within(&now, INFINITY) * tuned_merged_work / share, low = TUNED_FEWEST_POSITIONS,
               high = 0;
        for (int side = 0; side < 2; side++)
            for (int turn = 0; turn < sizes.n_turns[side]; turn++)
                high = fmax(high, sizes.n[side][turn]);
        high = fmax(fmin(high, positions_within(q)), low);
        while (high - low > 1) {
            double middle = (low + high) / 2;
            *(pairs_within(&sizes, middle) > wanted ? &high : &low) = middle;
        }
        if ((int64_t)low == (int64_t)before || (share <= 1 && low < tuned_more_positions * before))
            break; /* fewer or hardly more positions: not worth the work */
        before = low;
        BGR_TRY(carry_sides(q, least_gain, (int64_t)low, 0));
        share = share_taken(q, seconds);
        again = share > 1 || (times == 0 && share < tuned_few_work);
    }
    return BGR_OK;
}

/* Weigh the results of a side against the rolls that the other side, playing for its least mean, leaves it. */
static bgr_status weigh(bgr_question *q, int side)
{
    const bgr_reach *other = q->reach[!side];
    double in_time[BGR_MAX_RACE_ROLLS + 1] = {0}, before = 0;
    int n = 0;
    for (int turn = 1; turn < other->n_layers && turn <= BGR_MAX_RACE_ROLLS; turn++) {
        double off = settled(other, q->candidates[!side]->options.cannot_win, turn) +
                     tuned_stragglers_too * stragglers_out(other, q->asked.loses[!side], turn);
        n = turn + 1 - side; /* before the first side is off, the second rolls once less */
        in_time[n - 1] = off - before;
        before = off;
    }
    return bgr_candidates_weigh(q->candidates[side], in_time, n, q->asked.loses[side] >= BGR_LOST_GAMMON);
}

/* The least gain of a step that is tried; the last step has the smallest. */
static double gain_of_step(int step) { return tuned_finest_gain * bgr_power(tuned_gain_step, TUNED_GAIN_STEPS - step); }

/* Turn by turn: set how many positions of a layer there is time for.  With fewer than TUNED_MIN_POSITIONS an estimate
 * is more accurate. */
static bgr_status choose_positions(bgr_question *q)
{
    double turns = 0, first = 0, of_side[2] = {0};
    for (int side = 0; side < 2; side++) {
        bgr_candidates *c = q->candidates[side];
        double rolls = bgr_position_mean(c->home, c->position);
        if (c->options.max_turns)
            rolls = fmin(rolls, c->options.max_turns);
        double far = bgr_power(fmax(rolls / tuned_far_rolls, 1), tuned_far_power);
        int64_t results;
        if (!c->by_turn)
            continue;
        BGR_TRY(bgr_candidates_results(c, &results));
        double dear = c->options.first_checker ? tuned_turns_for_gammons : 1;
        if (c->options.cannot_win) /* every result is compared; the work of the first turn shows how many there are */
            dear = fmax(dear, c->nodes.work.done / tuned_work_of_turn);
        of_side[side] = dear * far * rolls;
        turns += of_side[side];
        if (c->options.first_roll)
            first = (bgr_packed_home(c->position) ? tuned_first_at_home : tuned_first_outside) * (double)results;
    }
    if (turns == 0)
        return BGR_OK;
    double positions = (tuned_turn_share * q->asked.options.seconds * 1e6 / tuned_work_of_turn - first) / turns;
    if (positions < TUNED_MIN_POSITIONS && q->asked.may_estimate) {
        q->chosen.too_dear = 1;
        return BGR_ERR_SIZE;
    }
    for (int side = 0; side < 2; side++) {
        bgr_candidates *c = q->candidates[side];
        c->max_positions = (int64_t)fmin(fmax(positions, TUNED_MIN_POSITIONS), TUNED_FEW_POSITIONS);
        c->max_work = c->nodes.work.done + tuned_layers_share * q->asked.options.seconds * 1e6 * of_side[side] / turns;
    }
    return BGR_OK;
}

/* Choose the lowest least gain that the budget allows. */
static bgr_status choose_gain(bgr_question *q)
{
    double seconds = q->asked.options.seconds;
    double look = tuned_look_at * bgr_power(fmax(fmin(seconds / tuned_look_seconds, 1), DBL_MIN), tuned_look_power);
    BGR_TRY(find_candidates(q, look, max_nodes_of(&q->asked), tuned_finding_share * seconds * 1e6));
    BGR_TRY(choose_positions(q));
    BGR_TRY(carry_sides(q, INFINITY, 0, 1));
    BGR_TRY(forget_gammons(q));
    for (int side = 0; side < 2; side++)
        BGR_TRY(weigh(q, side));
    BGR_TRY(carry_sides(q, INFINITY, 0, 1));
    if (q->asked.options.least_gain > 0)
        return carry_sides(q, q->asked.options.least_gain, 0, 0);
    seconds -= fmin((finding_work(q, 0) + finding_work(q, 1)) * 1e-6, tuned_finding_share * seconds);
    if (q->reach[0]->n_merged || q->reach[1]->n_merged) {
        BGR_TRY(carry_sides(q, tuned_merged_gain, 0, 1));
        return merge_sides(q, tuned_merged_gain, seconds);
    }
    /* Keep all results found, if that takes little. */
    BGR_TRY(carry_sides(q, -1, 0, 1));
    if (share_taken(q, seconds) <= tuned_all_share)
        return carry_sides(q, -1, 0, 0);
    /* Bisect for the smallest gain that is affordable, trying the smallest of all first. */
    int low = 0, high = TUNED_GAIN_STEPS + 1;
    for (int k = TUNED_GAIN_STEPS; high - low > 1; k = (low + high) / 2) {
        BGR_TRY(carry_sides(q, gain_of_step(k), 0, 1));
        *(share_taken(q, seconds) <= 1 ? &low : &high) = k;
    }
    if (low)
        return carry_sides(q, gain_of_step(low), 0, 0);
    BGR_TRY(carry_sides(q, tuned_merged_gain, 0, 1));
    return merge_sides(q, tuned_merged_gain, seconds);
}

bgr_status bgr_choose(bgr_question *q)
{
    double asked = q->asked.options.exactness;
    int exact = 0;
    if (asked != 0)
        return carry_all(q, asked < 0 ? 0 : asked, 0, 0);
    double budget = q->asked.options.seconds;
    double seconds = fmax(tuned_exact_share * budget, fmin(budget / 2, tuned_exact_half));
    if (q->asked.options.least_gain == 0)
        BGR_TRY(try_exact(q, seconds, &exact));
    return exact ? BGR_OK : choose_gain(q);
}
