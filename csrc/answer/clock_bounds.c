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
 * the other one can hope for. */

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

/* The certain value of either side on a plane, or on another one that pays the same without a cube. */
typedef struct {
    bgr_clock_payoff payoff;
    double sure;
} known_payoff;

typedef struct {
    const bgr_prover *prover;
    bgr_choices choices[2];
    bgr_clock clock[2];
    known_payoff known[2][BGR_PLAN_PLANES];
    int n_known[2];
} clock_work;

static bgr_status be_sure(clock_work *w, int side, const bgr_plane *plane, double *sure)
{
    const bgr_prover *p = w->prover;
    int worst = p->gammons ? p->question->loses[side] : BGR_LOST_SINGLE;
    const bgr_clock_payoff payoff = {plane->win[BGR_LOST_SINGLE][side], -plane->win[BGR_LOST_SINGLE][!side],
                                     -plane->win[worst][!side]};
    known_payoff *known = w->known[side];
    int k = 0;
    while (k < w->n_known[side] && memcmp(&known[k].payoff, &payoff, sizeof payoff) != 0)
        k++;
    bgr_status status = BGR_OK;
    if (k == w->n_known[side]) {
        known[k].payoff = payoff;
        status = bgr_clock_value(p->graph[side], &w->choices[side], p->rank[side], p->row, w->clock[!side], side,
                                 &payoff, &known[k].sure);
        w->n_known[side]++;
    }
    *sure = known[k].sure;
    return status;
}

static bgr_status bound_planes(clock_work *w, bgr_row_bounds *bounds)
{
    const bgr_prover *p = w->prover;
    bgr_status status = BGR_OK;
    for (int side = 0; side < 2 && status == BGR_OK; side++) {
        status = bgr_choices_all(p->graph[side], &w->choices[side]);
        if (status == BGR_OK)
            status = bgr_clock_fastest(p->graph[side], &w->choices[side], p->rank[side], p->row, w->clock[side]);
    }
    for (int k = 0; k < p->plan.n_planes && status == BGR_OK; k++) {
        const bgr_plane plane = bgr_prover_plane(p, k);
        double sure[2];
        for (int side = 0; side < 2 && status == BGR_OK; side++)
            status = be_sure(w, side, &plane, &sure[side]);
        if (status == BGR_OK) {
            bounds->low[k] = -hope_with_cube(p, &plane, 1, -sure[0]);
            bounds->high[k] = hope_with_cube(p, &plane, 0, -sure[1]);
        }
    }
    return status;
}

bgr_status bgr_bounds_by_clocks(const bgr_prover *prover, bgr_row_bounds *bounds)
{
    clock_work *work = calloc(1, sizeof *work);
    if (!work)
        return BGR_ERR_MEMORY;
    work->prover = prover;
    bgr_status status = bound_planes(work, bounds);
    bgr_choices_free(&work->choices[0]);
    bgr_choices_free(&work->choices[1]);
    free(work);
    return status;
}
