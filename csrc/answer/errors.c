/* The stated error of an answer.
 *
 * If an answer by turns and the estimate of the race agree, the race is easy, and both are right.  So the error is a
 * function of their difference, of how open the race is, and of how many plays the answer has compared.  All numbers
 * here are fitted; base/tuning.h has them. */

#include "answer/ways.h"

#include "answer/state.h"
#include "base/elementary.h"
#include "base/try.h"

#include <math.h>

/* The uncertainty of an event with this chance: 1 for a chance of 1/2. */
static double uncertainty(double chance) { return fmax(4 * chance * (1 - chance), tuned_least_open); }

/* The greatest worth of a gammon on the planes, relative to money. */
static double worth_of_gammons(const bgr_planes *planes)
{
    double most = 2;
    for (int k = 0; k < planes->n; k++)
        for (int side = 0; side < 2; side++)
            most = fmax(most, planes->plane[k].win[BGR_LOST_GAMMON][side]);
    return most / 2;
}

/* ------------------------------------------------------------------ estimates */

/* How open a gammon or a backgammon is: 1 for all chances except those near 0 or 1. */
static double open_loss(double chance)
{
    double open = 4 * chance * (1 - chance) / tuned_open_loss;
    return open > 0 ? bgr_power(fmin(open, 1), tuned_open_power) : 0;
}

static int is_outside(const int8_t *counts) { return bgr_question_highest(counts) > BGR_HOME_POINTS; }

double bgr_error_of_estimate(const bgr_asked *asked, const bgr_planes *planes, const bgr_chances *chances)
{
    int outside = is_outside(asked->counts[0]) || is_outside(asked->counts[1]);
    double error =
        tuned_error_of_win[outside][asked->stakes.match != 0] * bgr_power(uncertainty(chances->win), tuned_open_power);
    if (!asked->stakes.gammons)
        return error;
    double gammon = fmax(open_loss(chances->win_gammon), open_loss(chances->lose_gammon)),
           backgammon = fmax(open_loss(chances->win_backgammon), open_loss(chances->lose_backgammon)),
           losses = fmax(tuned_error_of_gammon[outside] * gammon, tuned_error_of_backgammon * backgammon);
    return fmax(error, losses * worth_of_gammons(planes));
}

/* ------------------------------------------------------------------ answers by turns */

/* The error if delta was asked for: plays beyond it might have gained something. */
static double error_within_delta(const bgr_question *q)
{
    enum { LAST = sizeof tuned_errors / sizeof *tuned_errors - 1 };
    int k = 0, checkers = q->pairs.boundary.checkers;
    while (k < LAST && tuned_errors[k + 1].delta <= q->chosen.delta)
        k++;
    double share =
        checkers > TUNED_FEW_IN_TABLE ? (double)(checkers - TUNED_FEW_IN_TABLE) / (8 - TUNED_FEW_IN_TABLE) : 0;
    double error = tuned_errors[k].without * bgr_power(tuned_errors[k].with_eight / tuned_errors[k].without, share);
    return q->pairs.followers ? fmax(error, tuned_errors[k].gammons) : error;
}

/* The factor by which a doubled cube enlarges errors, in units of the cube now: double/take is one of the values. */
static double worth_of_doubling(const bgr_question *q)
{
    double most = 1;
    for (int cube = 0; cube < BGR_N_CUBES; cube++) {
        int plane = q->planes.place[cube].now.plane;
        if (plane >= 0 && q->planes.plane[plane].turned[0] >= 0)
            most = fmax(most, q->planes.plane[plane].factor[0]);
    }
    return most;
}

/* Get the values of rolling now, of double/take, and of the gain from doubling, for a position of the cube.  Return
 * their number. */
static int place_values(const bgr_answer *answer, int cube, double values[3])
{
    int now = answer->planes.place[cube].now.plane;
    if (now < 0)
        return 0;
    const bgr_plane *plane = &answer->planes.plane[now];
    values[0] = answer->now[now];
    if (plane->turned[0] < 0)
        return 1;
    values[1] = plane->factor[0] * answer->now[plane->turned[0]] + plane->offset[0];
    values[2] = values[1] - values[0];
    return 3;
}

/* The greatest difference between values of two answers to one question. */
static double difference(const bgr_answer *a, const bgr_answer *b)
{
    double most = 0;
    for (int cube = 0; cube < BGR_N_CUBES; cube++) {
        double of_a[3], of_b[3];
        int n = place_values(a, cube, of_a), also = place_values(b, cube, of_b);
        for (int k = 0; k < n && k < also; k++)
            most = fmax(most, fabs(of_a[k] - of_b[k]));
    }
    return most;
}

/* The index of the error tables for how widely a side's plays were searched; 0: found turn by turn. */
static int look_of(const bgr_candidates *c) { return c->by_turn ? 0 : 1 + c->look; }

/* The error from plays, a power of the difference `off` between the answer and the estimate.  For a side that cannot
 * win, but may save the gammon, its own search for plays matters more than the other side's. */
static double error_of_plays(const bgr_question *q, const bgr_chances *chances, double off)
{
    const bgr_candidates *const *c = (const bgr_candidates *const *)q->candidates;
    double gammons = worth_of_gammons(q->pairs.planes);
    for (int side = 0; side < 2; side++)
        if (c[side]->options.cannot_win) {
            int own = look_of(c[side]), other = look_of(c[!side]) + TUNED_OTHER_LOOK;
            double error = tuned_error_to_save[q->asked.loses[side] >= BGR_LOST_BACKGAMMON][own < other ? own : other];
            return 2 * q->chosen.win_left_out * worth_of_doubling(q) +
                   error * gammons * bgr_power(fmax(off / gammons, tuned_least_off), tuned_off_to_save);
        }
    int look = look_of(c[0]) < look_of(c[1]) ? look_of(c[0]) : look_of(c[1]);
    if (look > 1 && q->asked.options.least_gain > tuned_fine_gain)
        look = 1; /* a wide search, but plays that might have gained something were left out */
    double open = uncertainty(chances->win), worth = 1, error = tuned_error[look];
    const double losses[] = {chances->win_gammon, chances->lose_gammon, chances->win_backgammon,
                             chances->lose_backgammon};
    for (int k = 0; k < 4 && q->pairs.followers; k++)
        if (uncertainty(losses[k]) > open) {
            open = uncertainty(losses[k]);
            worth = gammons;
        }
    double nearer = fmin(bgr_pips(BGR_MAX_POINTS, q->asked.counts[0]), bgr_pips(BGR_MAX_POINTS, q->asked.counts[1]));
    if (look == 0 && q->pairs.followers && fmin(chances->win, 1 - chances->win) < tuned_hardly_wins)
        error = tuned_error_unsaved;
    else if (look == 0 && nearer > TUNED_LONG_RACE)
        error *= fmax(TUNED_LONG_RACE * TUNED_LONG_RACE / (nearer * nearer), tuned_least_longer);
    return error * worth * sqrt(open) * bgr_power(fmax(off / worth, tuned_least_off), tuned_off_power);
}

/* Round up to two significant digits. */
static double rounded_up(double error)
{
    double scale = 1;
    while (error * scale < 10 && scale < 1e15)
        scale *= 10;
    return ceil(error * scale - 1e-9) / scale;
}

bgr_status bgr_error_of_turns(bgr_question *q, const bgr_answer *turns, double *error)
{
    double rounded = q->pairs.boundary.values == bgr_stored_values ? tuned_error_of_files : 0;
    if (isinf(q->chosen.delta)) {
        *error = (rounded + (q->pairs.precision == BGR_FLOAT ? 1e-6 : 1e-12)) * worth_of_doubling(q);
        return BGR_OK;
    }
    if (q->asked.options.exactness != 0) {
        double worth = q->pairs.followers ? worth_of_gammons(q->pairs.planes) : 1;
        *error = rounded_up(error_within_delta(q) * worth * worth_of_doubling(q));
    } else {
        bgr_answer *estimate = NULL;
        BGR_TRY(bgr_answer_by_estimate(q, &estimate));
        *error = rounded_up(error_of_plays(q, &turns->chances, difference(turns, estimate)));
        bgr_answer_free(estimate);
    }
    *error += rounded * worth_of_doubling(q);
    return BGR_OK;
}
