/* Bounds from clocks, at any stakes.
 *
 * A side that plays by its own position alone has guaranteed chances against the other side's clock (solve/clock.h): to
 * bear off a checker in time, to win, to win a gammon.  So it is guaranteed the value of any payoffs that do not fall
 * from worse to better endings; other payoffs are lowered to the least of an ending and all better ones.  That is a
 * bound from above for the other side.
 *
 * With a cube, let the opponent of a side play so, answer a double by the better of passing and taking, and never
 * double, as is allowed wherever the cube is.  Let x be what the endings pay to the side on this plane and d what they
 * pay after a double, and choose any share s from 0 to 1.  If the side doubles when the endings have some chances, it
 * gets the lesser of the pass and the mean of d: at most the mean of s pass + (1 - s) d.  If it never doubles, it gets
 * the mean of x.  So in any case it gets at most its value if the endings paid
 *
 *     max(x, s pass + (1 - s) d)
 *
 * and there were no cube.  The least such value is at one of the shares where the two are equal for an ending.
 *
 * Where no gammons count, the chance to win may also be the true one, which the opponent leaves a side by playing best
 * without a cube.  The bounds of every plane then follow from that one chance; values of several planes that are each
 * within bounds need not be possible together (bgr_bounds_of_chance).
 *
 * More seconds never give wider bounds.  Seconds decide only the number of steps of `tuned_clock_steps`; each step
 * finds new clocks and ways to play.  The least chances of all clocks and all ways are kept, so a step can only narrow
 * the bounds. */

#include "answer/clock_bounds.h"

#include "base/elementary.h"
#include "base/try.h"
#include "solve/clock.h"

#include <math.h>
#include <stdlib.h>

/* How a game ends for a side, from worst to best. */
enum { ENDS_GAMMON_LOST, ENDS_LOST, ENDS_WON, ENDS_GAMMON_WON, N_ENDINGS };

typedef struct {
    double of[N_ENDINGS];
} ending_payoffs;

enum { N_CLOCK_STEPS = sizeof tuned_clock_steps / sizeof *tuned_clock_steps, MAX_WAYS = 4 * N_CLOCK_STEPS };

/* The guaranteed chances of each way to play. */
typedef struct {
    bgr_sure_chances way[MAX_WAYS];
    int n;
} sure_ways;

/* ------------------------------------------------------------------ bounds of a side's value */

static int may_lose_gammon(const bgr_prover *p, int side)
{
    return p->gammons && p->asked->loses[side] >= BGR_LOST_GAMMON;
}

/* The payoffs of endings to a side on a plane, times factor, plus offset.  If a gammon may be a backgammon, it pays the
 * greater of the two. */
static ending_payoffs payoffs_of_endings(const bgr_prover *p, const bgr_plane *plane, int side, double factor,
                                         double offset)
{
    ending_payoffs x = {{-INFINITY, -INFINITY, -INFINITY, -INFINITY}};
    int lost_most = may_lose_gammon(p, side) ? p->asked->loses[side] : BGR_LOST_SINGLE;
    int won_most = may_lose_gammon(p, !side) ? p->asked->loses[!side] : BGR_LOST_SINGLE;
    for (int loss = won_most ? BGR_LOST_GAMMON : BGR_LOST_SINGLE; loss <= won_most; loss++)
        x.of[ENDS_GAMMON_WON] = fmax(x.of[ENDS_GAMMON_WON], factor * plane->win[loss][side] + offset);
    for (int loss = lost_most ? BGR_LOST_GAMMON : BGR_LOST_SINGLE; loss <= lost_most; loss++)
        x.of[ENDS_GAMMON_LOST] = fmax(x.of[ENDS_GAMMON_LOST], -factor * plane->win[loss][!side] + offset);
    x.of[ENDS_WON] = factor * plane->win[BGR_LOST_SINGLE][side] + offset;
    x.of[ENDS_LOST] = -factor * plane->win[BGR_LOST_SINGLE][!side] + offset;
    return x;
}

/* Upper bound of a side's value without a cube, if endings pay x and the opponent has these ways to play. */
static double limit_without_cube(const sure_ways *opponent, ending_payoffs x)
{
    double least = INFINITY;
    for (int k = ENDS_LOST; k <= ENDS_GAMMON_WON; k++) /* better endings pay no less */
        x.of[k] = fmax(x.of[k], x.of[k - 1]);
    for (int k = 0; k < opponent->n; k++) {
        const bgr_sure_chances *sure = &opponent->way[k];
        double kept = (x.of[ENDS_GAMMON_WON] - x.of[ENDS_WON]) * sure->saved +
                      (x.of[ENDS_WON] - x.of[ENDS_LOST]) * sure->won +
                      (x.of[ENDS_LOST] - x.of[ENDS_GAMMON_LOST]) * sure->won_gammon;
        least = fmin(least, x.of[ENDS_GAMMON_WON] - kept);
    }
    return least;
}

/* Upper bound with doubling, for one share s of the pass. */
static double limit_of_share(const sure_ways *opponent, ending_payoffs x, ending_payoffs doubled, double pass,
                             double share)
{
    for (int k = 0; k < N_ENDINGS; k++)
        x.of[k] = fmax(x.of[k], share * pass + (1 - share) * doubled.of[k]);
    return limit_without_cube(opponent, x);
}

/* Upper bound of a side's value on a plane. */
static double limit_of_plane(const bgr_prover *p, const bgr_plane *plane, int side, const sure_ways *opponent)
{
    ending_payoffs x = payoffs_of_endings(p, plane, side, 1, 0);
    if (plane->turned[side] < 0)
        return limit_without_cube(opponent, x);
    const bgr_plane turned = bgr_prover_plane(p, plane->turned[side]);
    ending_payoffs doubled = payoffs_of_endings(p, &turned, side, plane->factor[side], plane->offset[side]);
    double pass = plane->passed[side], least = limit_of_share(opponent, x, doubled, pass, 1);
    for (int k = 0; k < N_ENDINGS; k++) {
        double share = (x.of[k] - doubled.of[k]) / (pass - doubled.of[k]);
        if (share >= 0 && share <= 1)
            least = fmin(least, limit_of_share(opponent, x, doubled, pass, share));
    }
    return fmin(least, limit_of_share(opponent, x, doubled, pass, 0));
}

static void bound_planes(const bgr_prover *p, const sure_ways ways[2], bgr_row_bounds *bounds)
{
    for (int k = 0; k < p->plan.n_planes; k++) {
        const bgr_plane plane = bgr_prover_plane(p, k);
        bounds->low[k] = -limit_of_plane(p, &plane, 1, &ways[0]);
        bounds->high[k] = limit_of_plane(p, &plane, 0, &ways[1]);
    }
}

/* ------------------------------------------------------------------ ways to play */

/* Kinds of clocks and ways of a side in a step. */
enum { CLOCK_OF_ALL, CLOCK_OF_FIRST, PLAYS_SOON, PLAYS_TO_SAVE, PLAYS_TO_WIN_GAMMON, PLAYS_BY_CLOCK };

typedef struct {
    const bgr_prover *prover;
    bgr_dice_home *home[2][2];
    bgr_clock_side side[2]; /* of this step */
    int has[2];             /* bit set of the kinds above that are found */
    int soon[2];            /* the index of its first way */
    bgr_clock clock[2];     /* of all steps */
    bgr_dice_law law[2][MAX_WAYS];
    int n_ways[2];
    double seconds;   /* left in this step, by counted work */
    double past, all; /* the seconds of all steps up to this one, and up to the last */
    bgr_listener listener;
} clock_work;

static int tell_of_clocks(void *context, int level, int64_t done, int64_t total)
{
    const clock_work *w = context;
    const bgr_solve_options *options = &w->prover->asked->options;
    (void)level, (void)done, (void)total;
    return options->progress && options->progress(options->progress_context, (w->past - fmax(w->seconds, 0)) / w->all);
}

/* Whether to begin work of these seconds: if its result is missing, and if there is time or this is the first step.  If
 * so, counts the work as done. */
static int begins(clock_work *w, int side, int what, double seconds)
{
    int bit = 1 << what, first = w->past <= tuned_clock_steps[0];
    if (w->has[side] & bit || (!first && seconds > w->seconds))
        return 0;
    w->has[side] |= bit;
    w->seconds -= seconds;
    return 1;
}

static bgr_status find_clock(clock_work *w, int side, int what)
{
    double fastest[BGR_DICE_WIDTH], *chances = what == CLOCK_OF_FIRST ? w->clock[side].first : w->clock[side].off;
    double n = w->side[side].n_above, longer = fmax(1, bgr_power(n / tuned_many_states, tuned_longer_states));
    if (!begins(w, side, what, tuned_seconds_of_clock * n * longer * w->side[side].width))
        return BGR_OK;
    BGR_TRY(bgr_clock_fastest(&w->side[side], what == CLOCK_OF_FIRST, fastest));
    for (int i = 0; i < BGR_DICE_WIDTH; i++)
        chances[i] = fmin(chances[i], fastest[i]);
    return BGR_OK;
}

/* Add a way to play of a side. */
static bgr_status add_plays(clock_work *w, int side, int what, bgr_dice_aim aim)
{
    const bgr_clock_side *of_side = &w->side[side];
    if (!begins(w, side, what, tuned_seconds_of_way * of_side->n_below * of_side->width))
        return BGR_OK;
    if (what == PLAYS_SOON)
        w->soon[side] = w->n_ways[side];
    bgr_dice_law *law = &w->law[side][w->n_ways[side]++];
    return bgr_die_plays(of_side->below, aim, may_lose_gammon(w->prover, side), of_side->width, law);
}

static bgr_sure_chances sure_of(const clock_work *w, int side, int way)
{
    return bgr_clock_sure(&w->law[side][way], &w->clock[!side], side, may_lose_gammon(w->prover, side));
}

/* Add a way: be off as soon as the other side's clock requires. */
static bgr_status play_by_clock(clock_work *w, int side)
{
    double growth = bgr_clock_growth(w->law[side][w->soon[side]].off, w->clock[!side].off, side);
    double won = sure_of(w, side, w->soon[side]).won;
    if (fabs(growth - 1) < tuned_growth_apart || fmin(won, 1 - won) < tuned_hardly_a_way || w->seconds <= 0)
        return BGR_OK;
    return add_plays(w, side, PLAYS_BY_CLOCK, (bgr_dice_aim){growth, 0});
}

/* Add ways: save the gammon, and win one, which is weighted by its chance. */
static bgr_status play_for_gammon(clock_work *w, int side)
{
    double lost = 1 - sure_of(w, side, w->soon[side]).saved;
    if (!may_lose_gammon(w->prover, side) || lost < tuned_hardly_a_way ||
        (lost < tuned_likely_a_way && w->seconds <= 0))
        return BGR_OK;
    double growth = bgr_clock_growth(w->law[side][w->soon[side]].first, w->clock[!side].off, side);
    if (w->seconds > 0)
        BGR_TRY(add_plays(w, side, PLAYS_TO_SAVE, (bgr_dice_aim){growth, tuned_growth_to_save}));
    BGR_TRY(find_clock(w, side, CLOCK_OF_FIRST));
    growth = bgr_clock_growth(w->law[!side][w->soon[!side]].off, w->clock[side].first, !side);
    return add_plays(w, !side, PLAYS_TO_WIN_GAMMON, (bgr_dice_aim){growth, 0});
}

/* The number of states that there is time for.  as_few: the number if each took as long as in a small set.  If a gammon
 * may be lost, there are clocks to the first checker, too, which take hardly any time in a small set. */
static double states_of(const bgr_prover *p, double as_few)
{
    double share = as_few / (tuned_many_states * (1 + (may_lose_gammon(p, 0) || may_lose_gammon(p, 1))));
    return share > 1 ? tuned_many_states * bgr_power(share, 1 / (1 + tuned_longer_states))
                     : fmin(as_few, tuned_many_states);
}

/* Set up the sides of a step; keep those of the previous step unless the new ones are larger. */
static bgr_status take_sides(clock_work *w, int width)
{
    const bgr_asked *asked = w->prover->asked;
    double rolls = w->seconds / width;
    bgr_clock_side sides[2];
    const bgr_clock_limits limits = {
        width, states_of(w->prover, rolls * tuned_share_of_clocks / tuned_seconds_of_clock),
        states_of(w->prover, rolls * tuned_share_of_ways / tuned_seconds_of_way), (double)asked->options.memory_bytes};
    bgr_status status = bgr_clock_sides_init(asked->counts, &limits, &w->listener, w->home, sides);
    w->seconds -= fmax(w->seconds, 0) * tuned_share_of_search;
    for (int side = 0; side < 2; side++) {
        int same_above = sides[side].n_above == w->side[side].n_above;
        int same_below = sides[side].n_below == w->side[side].n_below;
        int kept = (same_above ? 1 << CLOCK_OF_ALL | 1 << CLOCK_OF_FIRST : 0) | (same_below ? 1 << PLAYS_SOON : 0);
        bgr_clock_side_free(same_above && same_below ? &sides[side] : &w->side[side]);
        if (!same_above || !same_below) {
            w->side[side] = sides[side];
            w->has[side] &= kept;
        }
    }
    return status;
}

static bgr_status find_ways(clock_work *w, int width)
{
    BGR_TRY(take_sides(w, width));
    for (int side = 0; side < 2; side++)
        BGR_TRY(find_clock(w, side, CLOCK_OF_ALL));
    for (int side = 0; side < 2; side++)
        BGR_TRY(add_plays(w, side, PLAYS_SOON, (bgr_dice_aim){1, 0}));
    for (int side = 0; side < 2; side++)
        BGR_TRY(play_for_gammon(w, side));
    for (int side = 0; side < 2; side++)
        BGR_TRY(play_by_clock(w, side));
    return BGR_OK;
}

/* Do the steps that the seconds suffice for; stop before the step in which `least` seconds would fit beside the clocks.
 */
static bgr_status take_steps(clock_work *w, double least)
{
    const bgr_asked *asked = w->prover->asked;
    int width = bgr_clock_width(asked->counts[0], asked->counts[1]),
        other = bgr_clock_width(asked->counts[1], asked->counts[0]);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < BGR_DICE_WIDTH; i++)
            w->clock[side].first[i] = w->clock[side].off[i] = 1; /* until clocks are found */
    int n_steps = 1;
    while (n_steps < N_CLOCK_STEPS && tuned_clock_steps[n_steps] <= asked->options.seconds)
        n_steps++;
    w->all = tuned_clock_steps[n_steps - 1];
    for (int step = 0; step < n_steps && least + w->past - w->seconds > tuned_clock_steps[step]; step++) {
        w->seconds += tuned_clock_steps[step] - w->past; /* less the excess of earlier steps */
        w->past = tuned_clock_steps[step];
        if (step == 0 || w->seconds > 0)
            BGR_TRY(find_ways(w, width > other ? width : other));
    }
    return BGR_OK;
}

void bgr_bounds_of_chance(const bgr_prover *p, double least, double most, bgr_row_bounds *bounds)
{
    const sure_ways ways[2] = {{{{1, least, 0}}, 1}, {{{1, 1 - most, 0}}, 1}};
    bound_planes(p, ways, bounds);
}

bgr_status bgr_bounds_by_clocks(const bgr_prover *prover, double least, bgr_row_bounds *bounds, double *gone)
{
    clock_work *work = calloc(1, sizeof *work);
    sure_ways *ways = calloc(2, sizeof *ways);
    bgr_status status = work && ways ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        work->prover = prover;
        work->listener = (bgr_listener){tell_of_clocks, work, 0};
        status = take_steps(work, least);
        *gone = work->past - work->seconds;
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < work->n_ways[side]; k++)
                ways[side].way[ways[side].n++] = sure_of(work, side, k);
        if (status == BGR_OK)
            bound_planes(prover, ways, bounds);
        for (int side = 0; side < 2; side++) {
            bgr_clock_side_free(&work->side[side]);
            bgr_dice_home_free(work->home[side][0]);
            bgr_dice_home_free(work->home[side][1]);
        }
    }
    free(ways);
    free(work);
    return status;
}
