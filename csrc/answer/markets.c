/* Values with a dead cube are cubeless; those with a live cube are linear between the chances at which it is passed. R.
 * Janowski, "Take-Points in Money Games" (1993), has the lines and the interpolation. */

#include "answer/markets.h"

#include <math.h>

/* The mean payoff of winning, gammons included. */
static double mean_win(const bgr_plane *plane, int side, double win, double gammon, double backgammon)
{
    double single = plane->win[BGR_LOST_SINGLE][side];
    return win > 0 ? single + bgr_gammon_points(plane, side, gammon, backgammon) / win : single;
}

static double between(double x, double x0, double x1, double y0, double y1)
{
    return x1 > x0 ? y0 + (x - x0) * (y1 - y0) / (x1 - x0) : y1;
}

/* The value with a live cube, to the first side. */
static double value_of_live(const bgr_market *m, double win)
{
    if (win < m->take)
        return between(win, 0, m->take, m->lost, m->at_take);
    if (win > m->cash)
        return between(win, m->cash, 1, m->at_cash, m->won);
    return between(win, m->take, m->cash, m->at_take, m->at_cash);
}

/* The chance at which a live cube has this value to the first side. */
static double chance_of_value(const bgr_market *m, double value)
{
    if (value < m->at_take)
        return between(value, m->lost, m->at_take, 0, m->take);
    if (value > m->at_cash)
        return between(value, m->at_cash, m->won, m->cash, 1);
    return between(value, m->at_take, m->at_cash, m->take, m->cash);
}

/* A side's cash point, where double/take is worth double/pass, as a chance of the first side. */
static double end_of_market(const bgr_plane *plane, const bgr_market *markets, int side)
{
    double turned = (plane->passed[side] - plane->offset[side]) / plane->factor[side];
    double chance = chance_of_value(&markets[plane->turned[side]], side ? -turned : turned);
    return fmin(fmax(chance, 0), 1);
}

double bgr_value_of_chances(const bgr_plane *plane, const bgr_chances *c)
{
    return c->win * mean_win(plane, 0, c->win, c->win_gammon, c->win_backgammon) -
           (1 - c->win) * mean_win(plane, 1, 1 - c->win, c->lose_gammon, c->lose_backgammon);
}

void bgr_markets_settle(const bgr_planes *planes, const bgr_chances *chances, bgr_market *markets)
{
    enum { MAX_ROUNDS = 40 };
    const double settled = 1e-9;
    for (int k = 0; k < planes->n; k++) {
        const bgr_plane *plane = &planes->plane[k];
        bgr_market *m = &markets[k];
        m->won = mean_win(plane, 0, chances->win, chances->win_gammon, chances->win_backgammon);
        m->lost = -mean_win(plane, 1, 1 - chances->win, chances->lose_gammon, chances->lose_backgammon);
        m->take = plane->turned[1] >= 0 ? BGR_CHART_TAKE : 0;
        m->cash = plane->turned[0] >= 0 ? BGR_CHART_CASH : 1;
        m->at_take = plane->turned[1] >= 0 ? -plane->passed[1] : m->lost;
        m->at_cash = plane->turned[0] >= 0 ? plane->passed[0] : m->won;
    }
    double change = 1;
    for (int round = 0; round < MAX_ROUNDS && change > settled; round++) {
        change = 0;
        for (int k = 0; k < planes->n; k++) {
            const bgr_plane *plane = &planes->plane[k];
            bgr_market *m = &markets[k], before = *m;
            if (plane->turned[0] >= 0)
                m->cash = end_of_market(plane, markets, 0);
            if (plane->turned[1] >= 0)
                m->take = fmin(end_of_market(plane, markets, 1), m->cash);
            change = fmax(change, fmax(fabs(m->cash - before.cash), fabs(m->take - before.take)));
        }
    }
}

/* Whether doubling costs a side nothing: the other side cannot redouble, and a loss costs no more.  The side then
 * doubles on the next roll in any race. */
static int turns_for_nothing(const bgr_planes *planes, const bgr_market *markets, int plane, int side)
{
    const double rounding = 1e-9;
    const bgr_plane *of = &planes->plane[plane];
    int turned = of->turned[side];
    if (turned < 0 || planes->plane[turned].turned[!side] >= 0)
        return 0;
    double lost = side ? -markets[plane].won : markets[plane].lost;
    double then = side ? -markets[turned].won : markets[turned].lost;
    return of->factor[side] * then + of->offset[side] >= lost - rounding;
}

double bgr_market_value(const bgr_planes *planes, const bgr_market *markets, const bgr_cube_chart *chart, int plane,
                        int side, double win, double mean_rolls)
{
    const bgr_plane *of = &planes->plane[plane];
    const bgr_market *m = &markets[plane];
    double first = side ? 1 - win : win, dead = m->lost + first * (m->won - m->lost), value = dead;
    int mine = of->turned[side] >= 0, theirs = of->turned[!side] >= 0;
    if (mine || theirs) {
        double low = side ? 1 - m->cash : m->take, high = side ? 1 - m->take : m->cash, life[BGR_CHART_STATES];
        double at = win < low    ? between(win, 0, low, 0, theirs ? BGR_CHART_TAKE : 0)
                    : win > high ? between(win, high, 1, mine ? BGR_CHART_CASH : 1, 1)
                                 : between(win, low, high, theirs ? BGR_CHART_TAKE : 0, mine ? BGR_CHART_CASH : 1);
        bgr_cube_chart_life(chart, mean_rolls, at, life);
        int state = mine ? theirs ? BGR_CHART_CENTERED : BGR_CHART_MINE : BGR_CHART_THEIRS;
        double alive = life[state];
        /* A free double has nearly the value of a live cube, if there is another roll. */
        if (turns_for_nothing(planes, markets, plane, side) || turns_for_nothing(planes, markets, plane, !side))
            alive = fmax(alive, fmin(fmax((mean_rolls - 1) / 2, 0), 1));
        value = dead + alive * (value_of_live(m, first) - dead);
    }
    return side ? -value : value;
}
