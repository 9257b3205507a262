/* Bounds from clocks, at any stakes.
 *
 * Without a cube a side is sure of what solve/clock.h finds, and the other one can hope for the rest.  Let u be what a
 * side can hope for so, on one plane of the cube.  While its opponent plays by the clock, u of the positions that come
 * does not rise in the mean, whatever the side does.  Now let it have the cube, and let the opponent answer a double by
 * the better of passing and taking, never turn the cube back, and go on by the clock.  Then a double is worth
 *
 *     g(u) = max(u, min(pass, a + b u))
 *
 * at most, where a + b u is at least the payment of the doubled plane in any outcome.  The side chooses when; as u does
 * not rise in the mean, what it can hope for is the least concave function above g, at u as it is now.  That holds
 * wherever the cube is, for an opponent may refrain from turning it.  A side's certain value is the negative of what
 * the other one can hope for.
 *
 * With gammons u may rise to a gammon, which says little where gammons are rare.  So let the opponent also play by the
 * clock for its chance to win less `gammon_weight` times that to lose a gammon, and be sure of v so.  Whatever the side
 * does, its chance to win is no more than 1 - v, and to win a gammon no more than (1 - v) / gammon_weight, once for the
 * greatest stakes: that on top of what it can hope for without gammons is another bound.
 *
 * Where no gammons count, u may also be the true value without a cube, which the opponent leaves a side by playing best
 * without one.  On every plane that follows from one number, the true chance to win; so values of planes that bounds of
 * that chance allow, each by itself, need not be possible together (bgr_bounds_of_chance). */

#include "answer/clock_bounds.h"

#include "solve/clock.h"
#include "solve/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Outcomes of a game for one side, as one plane pays them. */
typedef struct {
    double lost, won, won_gammon;
} plane_outcomes;

/* Of a common processor, for a state of a side, in all of some four runs. */
static const double seconds_of_state = 6e-6;
static const double gammon_weight = 64;
static const double few_states = 3e4; /* are looked at whatever the seconds */

static const double least_apart = 1e-9; /* of winning and losing: below, a plane says nothing about another one */

static plane_outcomes outcomes_of(const bgr_prover *p, const bgr_plane *plane, int side)
{
    int worst = p->question->loses[!side];
    return (plane_outcomes){-plane->win[BGR_LOST_SINGLE][!side], plane->win[BGR_LOST_SINGLE][side],
                            plane->win[p->gammons ? worst : BGR_LOST_SINGLE][side]};
}

/* The least concave function above the points (x[0], y[0]), (x[1], y[1]), (x[2], y[2]) with rising x, at `at`. */
static double hull_at(const double *x, const double *y, double at)
{
    double straight = y[0] + (y[2] - y[0]) * (at - x[0]) / (x[2] - x[0]);
    int k = at > x[1];
    if (!(x[1] > x[0] && x[2] > x[1]))
        return straight;
    double bent = y[k] + (y[k + 1] - y[k]) * (at - x[k]) / (x[k + 1] - x[k]);
    return fmax(straight, bent);
}

/* The most that a side can hope for, if it can hope for `dead` without the cube. */
static double hope_with_cube(const bgr_prover *p, const bgr_plane *plane, int side, double dead)
{
    if (plane->turned[side] < 0)
        return dead;
    const bgr_plane turned = bgr_prover_plane(p, plane->turned[side]);
    plane_outcomes own = outcomes_of(p, plane, side), doubled = outcomes_of(p, &turned, side);
    double pass = plane->passed[side], factor = plane->factor[side], offset = plane->offset[side];
    double won = factor * doubled.won + offset, lost = factor * doubled.lost + offset,
           gammon = factor * doubled.won_gammon + offset;
    double most = fmax(fmax(own.won_gammon, own.won), pass);
    if (!(own.won - own.lost > least_apart) || !(won > lost))
        return most;
    double slope = fmax((won - lost) / (own.won - own.lost), (gammon - lost) / (own.won_gammon - own.lost));
    double kink = own.lost + (pass - lost) / slope; /* where a double is passed */
    double high = fmax(own.won_gammon, dead);
    const double x[3] = {own.lost, kink, high};
    const double y[3] = {fmax(own.lost, fmin(pass, lost)), fmax(kink, pass),
                         fmax(high, fmin(pass, lost + slope * (high - own.lost)))};
    return fmin(fmax(hull_at(x, y, fmax(dead, own.lost)), dead), most);
}

/* The same, also for a side whose opponent can be sure of `careful` against gammons. */
static double hope_with_gammons(const bgr_prover *p, const bgr_plane *plane, int side, double dead, double careful)
{
    double hope = hope_with_cube(p, plane, side, dead), chance = fmin(1 - careful, 1);
    if (!p->gammons)
        return hope;
    bgr_prover single = *p;
    single.gammons = 0;
    plane_outcomes own = outcomes_of(p, plane, side);
    double extra = own.won_gammon - own.won;
    if (plane->turned[side] >= 0) {
        const bgr_plane turned = bgr_prover_plane(p, plane->turned[side]);
        plane_outcomes doubled = outcomes_of(p, &turned, side);
        extra = fmax(extra, plane->factor[side] * (doubled.won_gammon - doubled.won));
    }
    return fmin(hope, hope_with_cube(&single, plane, side, own.lost + chance * (own.won - own.lost)) +
                          extra * (1 - careful) / gammon_weight);
}

/* The certain value of either side on a plane, or on another one that pays the same without a cube. */
typedef struct {
    bgr_clock_payoff payoff;
    double sure;
} known_payoff;

typedef struct {
    const bgr_prover *prover;
    bgr_clock_side side[2];
    bgr_clock clock[2];
    known_payoff known[2][BGR_PLAN_PLANES + 1];
    int n_known[2];
} clock_work;

static bgr_status be_sure(clock_work *w, int side, bgr_clock_payoff payoff, double *sure)
{
    known_payoff *known = w->known[side];
    int k = 0;
    while (k < w->n_known[side] && memcmp(&known[k].payoff, &payoff, sizeof payoff) != 0)
        k++;
    bgr_status status = BGR_OK;
    if (k == w->n_known[side]) {
        known[k].payoff = payoff;
        status = bgr_clock_value(&w->side[side], w->clock[!side], side, &payoff, &known[k].sure);
        w->n_known[side]++;
    }
    *sure = known[k].sure;
    return status;
}

static bgr_clock_payoff payoff_of(const bgr_prover *p, const bgr_plane *plane, int side)
{
    int worst = p->gammons ? p->question->loses[side] : BGR_LOST_SINGLE;
    return (bgr_clock_payoff){plane->win[BGR_LOST_SINGLE][side], -plane->win[BGR_LOST_SINGLE][!side],
                              -plane->win[worst][!side]};
}

static bgr_status find_clocks(clock_work *w)
{
    const bgr_question *q = w->prover->question;
    int width = bgr_clock_width(q->counts[0], q->counts[1]), other = bgr_clock_width(q->counts[1], q->counts[0]);
    double states = fmax(q->options.seconds / seconds_of_state, few_states);
    bgr_status status = BGR_OK;
    for (int side = 0; side < 2 && status == BGR_OK; side++) {
        status = bgr_clock_side_init(q->counts[side], width > other ? width : other, states,
                                     (double)q->options.memory_bytes, &w->side[side]);
        if (status == BGR_OK)
            status = bgr_clock_fastest(&w->side[side], w->clock[side]);
    }
    return status;
}

static bgr_status bound_planes(clock_work *w, bgr_row_bounds *bounds)
{
    const bgr_prover *p = w->prover;
    bgr_status status = find_clocks(w);
    double careful[2] = {0, 0}, sure[2];
    for (int side = 0; side < 2 && status == BGR_OK && p->gammons; side++)
        status = be_sure(w, side, (bgr_clock_payoff){1, 0, -gammon_weight}, &careful[side]);
    for (int k = 0; k < p->plan.n_planes && status == BGR_OK; k++) {
        const bgr_plane plane = bgr_prover_plane(p, k);
        for (int side = 0; side < 2 && status == BGR_OK; side++)
            status = be_sure(w, side, payoff_of(p, &plane, side), &sure[side]);
        if (status == BGR_OK) {
            bounds->low[k] = -hope_with_gammons(p, &plane, 1, -sure[0], careful[0]);
            bounds->high[k] = hope_with_gammons(p, &plane, 0, -sure[1], careful[1]);
        }
    }
    return status;
}

void bgr_bounds_of_chance(const bgr_prover *p, double least, double most, bgr_row_bounds *bounds)
{
    for (int k = 0; k < p->plan.n_planes; k++) {
        const bgr_plane plane = bgr_prover_plane(p, k);
        plane_outcomes own = outcomes_of(p, &plane, 0), other = outcomes_of(p, &plane, 1);
        bounds->low[k] = -hope_with_cube(p, &plane, 1, other.lost + (1 - least) * (other.won - other.lost));
        bounds->high[k] = hope_with_cube(p, &plane, 0, own.lost + most * (own.won - own.lost));
    }
}

bgr_status bgr_bounds_by_clocks(const bgr_prover *prover, bgr_row_bounds *bounds)
{
    clock_work *work = calloc(1, sizeof *work);
    if (!work)
        return BGR_ERR_MEMORY;
    work->prover = prover;
    bgr_status status = bound_planes(work, bounds);
    bgr_clock_side_free(&work->side[0]);
    bgr_clock_side_free(&work->side[1]);
    free(work);
    return status;
}
