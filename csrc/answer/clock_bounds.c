/* Bounds from clocks, at any stakes.
 *
 * A side that plays by its own position alone is sure of chances against the other one's clocks (solve/clock.h): to
 * bear off a checker in time, to win, to win a gammon.  So it is sure of the value of any payoffs that rise with how
 * well the game ends for it; of others it takes the least that an ending or a better one pays.  The other side can hope
 * for the rest.
 *
 * With a cube, let the opponent of a side play so, answer a double by the better of passing and taking, and never turn
 * the cube itself, which it may refrain from wherever the cube is.  Let x be what the endings pay to the side on this
 * plane and d what they pay after a double, and choose any share s from 0 to 1.  Where the side doubles, expecting the
 * endings with some chances, it gets the lesser of what a pass pays and the mean of d: no more than the mean of
 * s pass + (1 - s) d.  Where it never does, it gets the mean of x.  So whatever it does, it gets no more than if the
 * endings paid
 *
 *     max(x, s pass + (1 - s) d)
 *
 * and there were no cube.  The least such value is at one of the shares where the two are equal for an ending.
 *
 * Where no gammons count, the chance to win may also be the true one, which the opponent leaves a side by playing best
 * without a cube.  On every plane that follows from one number; so values of planes that bounds of that chance allow,
 * each by itself, need not be possible together (bgr_bounds_of_chance). */

#include "answer/clock_bounds.h"

#include "solve/clock.h"
#include "solve/graph.h"

#include <math.h>
#include <stdlib.h>

/* How a game ends for a side, from worst to best. */
enum { ENDS_GAMMON_LOST, ENDS_LOST, ENDS_WON, ENDS_GAMMON_WON, N_ENDINGS };

typedef struct {
    double of[N_ENDINGS];
} ending_payoffs;

enum { MAX_WAYS = 4 };

/* Each way to play is sure of these chances. */
typedef struct {
    bgr_sure_chances way[MAX_WAYS];
    int n;
} sure_ways;

/* Of a common processor: for each roll of a clock of a state, and for each of a way to play. */
static const double seconds_of_clock = 6e-8, seconds_of_way = 4e-8;
static const double share_of_clocks = 0.7, share_of_ways = 0.2; /* of the time: clocks that are not sharp cost most */
static const double growth_apart = 0.05;                        /* of ways that are worth finding both */
static const double hardly = 1e-4; /* the chance of what is not worth a way of its own, and */
static const double likely = 0.1;  /* that of what is, even if time has run out */

/* ------------------------------------------------------------------ what a side is sure of, and can hope for */

static int may_lose_gammon(const bgr_prover *p, int side)
{
    return p->gammons && p->question->loses[side] >= BGR_LOST_GAMMON;
}

/* The most that endings pay to a side on a plane, times factor and plus offset. */
static ending_payoffs payoffs_of_endings(const bgr_prover *p, const bgr_plane *plane, int side, double factor,
                                         double offset)
{
    ending_payoffs x = {{-INFINITY, -INFINITY, -INFINITY, -INFINITY}};
    int lost_most = may_lose_gammon(p, side) ? p->question->loses[side] : BGR_LOST_SINGLE;
    int won_most = may_lose_gammon(p, !side) ? p->question->loses[!side] : BGR_LOST_SINGLE;
    for (int loss = won_most ? BGR_LOST_GAMMON : BGR_LOST_SINGLE; loss <= won_most; loss++)
        x.of[ENDS_GAMMON_WON] = fmax(x.of[ENDS_GAMMON_WON], factor * plane->win[loss][side] + offset);
    for (int loss = lost_most ? BGR_LOST_GAMMON : BGR_LOST_SINGLE; loss <= lost_most; loss++)
        x.of[ENDS_GAMMON_LOST] = fmax(x.of[ENDS_GAMMON_LOST], -factor * plane->win[loss][!side] + offset);
    x.of[ENDS_WON] = factor * plane->win[BGR_LOST_SINGLE][side] + offset;
    x.of[ENDS_LOST] = -factor * plane->win[BGR_LOST_SINGLE][!side] + offset;
    return x;
}

/* The most that a side can hope for if endings pay so, its opponent being sure of this in one of some ways. */
static double hope_without_cube(const sure_ways *opponent, ending_payoffs x)
{
    double least = INFINITY;
    for (int k = ENDS_LOST; k <= ENDS_GAMMON_WON; k++) /* no better ending is sure to pay less */
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

/* The same if it doubles with a share of a pass. */
static double hope_of_share(const sure_ways *opponent, ending_payoffs x, ending_payoffs doubled, double pass,
                            double share)
{
    for (int k = 0; k < N_ENDINGS; k++)
        x.of[k] = fmax(x.of[k], share * pass + (1 - share) * doubled.of[k]);
    return hope_without_cube(opponent, x);
}

/* The most that a side can hope for on a plane. */
static double hope_of_plane(const bgr_prover *p, const bgr_plane *plane, int side, const sure_ways *opponent)
{
    ending_payoffs x = payoffs_of_endings(p, plane, side, 1, 0);
    if (plane->turned[side] < 0)
        return hope_without_cube(opponent, x);
    const bgr_plane turned = bgr_prover_plane(p, plane->turned[side]);
    ending_payoffs doubled = payoffs_of_endings(p, &turned, side, plane->factor[side], plane->offset[side]);
    double pass = plane->passed[side], least = hope_of_share(opponent, x, doubled, pass, 1);
    for (int k = 0; k < N_ENDINGS; k++) {
        double share = (x.of[k] - doubled.of[k]) / (pass - doubled.of[k]);
        if (share >= 0 && share <= 1)
            least = fmin(least, hope_of_share(opponent, x, doubled, pass, share));
    }
    return fmin(least, hope_of_share(opponent, x, doubled, pass, 0));
}

static void bound_planes(const bgr_prover *p, const sure_ways ways[2], bgr_row_bounds *bounds)
{
    for (int k = 0; k < p->plan.n_planes; k++) {
        const bgr_plane plane = bgr_prover_plane(p, k);
        bounds->low[k] = -hope_of_plane(p, &plane, 1, &ways[0]);
        bounds->high[k] = hope_of_plane(p, &plane, 0, &ways[1]);
    }
}

/* ------------------------------------------------------------------ ways to play */

typedef struct {
    const bgr_prover *prover;
    bgr_clock_side side[2];
    bgr_clock clock[2];
    sure_ways ways[2];
    bgr_dice_law soon[2]; /* of the first way */
    double seconds;       /* that are left, by what was counted */
} clock_work;

static int has_all_checkers(const bgr_prover *p, int side)
{
    int n = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        n += p->question->counts[side][j];
    return n == BGR_MAX_CHECKERS;
}

static bgr_status find_clock(clock_work *w, int side, int first)
{
    bgr_clock *clock = &w->clock[side];
    w->seconds -= seconds_of_clock * w->side[side].n_above * w->side[side].width;
    return bgr_clock_fastest(&w->side[side], first, first ? clock->first : clock->off);
}

static double seconds_of_plays(const clock_work *w, int side)
{
    return seconds_of_way * w->side[side].n_below * w->side[side].width;
}

/* One more way of a side to play. */
static bgr_status add_plays(clock_work *w, int side, bgr_dice_aim aim, bgr_dice_law *law)
{
    int full = may_lose_gammon(w->prover, side) && has_all_checkers(w->prover, side);
    sure_ways *ways = &w->ways[side];
    w->seconds -= seconds_of_plays(w, side);
    bgr_status status = bgr_die_plays(w->side[side].below, aim, full, w->side[side].width, law);
    ways->way[ways->n++] = bgr_clock_sure(law, &w->clock[!side], side, full);
    return status;
}

/* To be off as soon as the other side's clock asks for. */
static bgr_status play_by_clock(clock_work *w, int side)
{
    double growth = bgr_clock_growth(w->soon[side].off, w->clock[!side].off, side), won = w->ways[side].way[0].won;
    bgr_dice_law law;
    if (fabs(growth - 1) < growth_apart || fmin(won, 1 - won) < hardly || w->seconds < seconds_of_plays(w, side))
        return BGR_OK;
    return add_plays(w, side, (bgr_dice_aim){growth, 0}, &law);
}

/* Save a gammon, and win one from a side that may not save it. */
static bgr_status play_for_gammon(clock_work *w, int side)
{
    static const double to_save = 4;
    bgr_dice_law law;
    double lost = 1 - w->ways[side].way[0].saved;
    if (!may_lose_gammon(w->prover, side) || lost < hardly || (lost < likely && w->seconds <= 0))
        return BGR_OK;
    double growth = bgr_clock_growth(w->soon[side].first, w->clock[!side].off, side);
    bgr_status status = add_plays(w, side, (bgr_dice_aim){growth, to_save}, &law);
    if (status == BGR_OK)
        status = find_clock(w, side, 1);
    growth = status == BGR_OK ? bgr_clock_growth(w->soon[!side].off, w->clock[side].first, !side) : 1;
    return status == BGR_OK ? add_plays(w, !side, (bgr_dice_aim){growth, 0}, &law) : status;
}

static bgr_status find_ways(clock_work *w)
{
    const bgr_question *q = w->prover->question;
    int width = bgr_clock_width(q->counts[0], q->counts[1]), other = bgr_clock_width(q->counts[1], q->counts[0]);
    width = width > other ? width : other;
    w->seconds = q->options.seconds;
    const int8_t *const counts[2] = {q->counts[0], q->counts[1]};
    double rolls = w->seconds / width;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < BGR_DICE_WIDTH; i++)
            w->clock[side].first[i] = 1; /* unless more is known */
    bgr_status status =
        bgr_clock_sides_init(counts, width, rolls * share_of_clocks / seconds_of_clock,
                             rolls * share_of_ways / seconds_of_way, (double)q->options.memory_bytes, w->side);
    for (int side = 0; side < 2 && status == BGR_OK; side++)
        status = find_clock(w, side, 0);
    for (int side = 0; side < 2 && status == BGR_OK; side++)
        status = add_plays(w, side, (bgr_dice_aim){1, 0}, &w->soon[side]);
    for (int side = 0; side < 2 && status == BGR_OK; side++)
        status = play_for_gammon(w, side);
    for (int side = 0; side < 2 && status == BGR_OK; side++)
        status = play_by_clock(w, side);
    return status;
}

void bgr_bounds_of_chance(const bgr_prover *p, double least, double most, bgr_row_bounds *bounds)
{
    const sure_ways ways[2] = {{{{1, least, 0}}, 1}, {{{1, 1 - most, 0}}, 1}};
    bound_planes(p, ways, bounds);
}

bgr_status bgr_bounds_by_clocks(const bgr_prover *prover, bgr_row_bounds *bounds)
{
    clock_work *work = calloc(1, sizeof *work);
    if (!work)
        return BGR_ERR_MEMORY;
    work->prover = prover;
    bgr_status status = find_ways(work);
    if (status == BGR_OK)
        bound_planes(prover, work->ways, bounds);
    bgr_clock_side_free(&work->side[0]);
    bgr_clock_side_free(&work->side[1]);
    free(work);
    return status;
}
