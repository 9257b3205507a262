#include "turns/error.h"

#include "base/elementary.h"
#include "turns/choose.h"

#include <math.h>

enum { FEW_CHECKERS_KNOWN = 4 }; /* what a table of fewer takes away is not counted */

static const double error_of_files = 1.1e-4; /* of any value: docs/accuracy.md */

/* What 99 of 100 answers are wrong by at most, in any place of the cube: scripts/calibrate_turns.py prints what it was
 * taken from.  What is left out of the plays could have gained `left_out` at most, in chance to win; answers were wrong
 * by up to three quarters of it, and by a little that cannot be seen there. */
static const double share_of_left_out = 0.75, unseen = 1e-4;

/* What a side adds that looked no further than this for other plays than the best by the mean; and what it adds for a
 * gammon that it may lose, times the chance that it does and the chance that it does not.  The first: results were
 * found turn by turn, which merging stands for where no gammon is at stake. */
enum { LOOKS = 2 + BGR_FINEST_LOOK };
static const double looked[LOOKS] = {0, 3.5e-3, 3.5e-3, 3.5e-3, 1.5e-3, 8e-4, 0};
static const double looked_for_gammons[LOOKS] = {0.3, 0.06, 0.06, 0.06, 0.022, 0.018, 0.001};

/* The same, and a little more, for a side that cannot win. */
static const double looked_to_save[LOOKS] = {0.4, 0.25, 0.12, 0.085, 0.04, 0.022, 0.006}, unseen_to_save = 3e-4;

/* Of what merged positions are off by, each as if it had a sign of its own: the more of it there is the more of it
 * makes up for the rest, and the fourth root is of the order of what is left.  Where only estimates tell what positions
 * are, plays are poor as well, which matters while it is open who wins; and for a gammon, in proportion to the chance
 * that it is lost, all of what is off counts. */
static const double by_merging = 0.10, by_estimates = 0.2, by_estimates_of_gammons = 0.4, decided = 0.02,
                    least_square = 1e-12;

/* With all plays within delta, but not those beyond it that might gain: with exact pairs of at most 4 checkers or none,
 * of 8, and where a gammon may be lost (whatever the table).  Tables between lie between. */
static const struct {
    double delta, without, with_eight, gammons;
} errors[] = {{0, 0.0076, 0.0065, 0.0097},
              {0.02, 0.0044, 0.0016, 0.0068},
              {0.04, 0.0030, 0.0005, 0.0048},
              {0.08, 0.0015, 0.0004, 0.0029}};

static double error_within_delta(const bgr_question *q)
{
    enum { LAST = sizeof errors / sizeof *errors - 1 };
    int k = 0, checkers = q->pairs.boundary.checkers;
    while (k < LAST && errors[k + 1].delta <= q->delta)
        k++;
    double share =
        checkers > FEW_CHECKERS_KNOWN ? (double)(checkers - FEW_CHECKERS_KNOWN) / (8 - FEW_CHECKERS_KNOWN) : 0;
    double error = errors[k].without * bgr_power(errors[k].with_eight / errors[k].without, share);
    return q->pairs.followers ? fmax(error, errors[k].gammons) : error;
}

/* win: the chance to. */
static double error_of_merging(const bgr_question *q, double win)
{
    double square = q->reach[0]->merge_square + q->reach[1]->merge_square;
    if (!q->candidates[0]->by_turn && !q->candidates[1]->by_turn)
        return by_merging * sqrt(sqrt(square));
    return by_estimates * sqrt(4 * win * (1 - win) + decided) * sqrt(sqrt(fmax(square, least_square)));
}

static double error_of_gains(const bgr_question *q, double win)
{
    double error = unseen + 2 * q->win_left_out + error_of_merging(q, win);
    for (int side = 0; side < 2; side++) {
        const bgr_candidates *c = q->candidates[side];
        double gammon = q->loses[side] >= BGR_LOST_GAMMON ? bgr_gammon_chance(q, side) : 0;
        int look = c->by_turn ? 0 : 1 + c->look;
        double by_looks = c->options.cannot_win ? unseen_to_save + looked_to_save[look] * gammon * (1 - gammon)
                                                : looked[look] + looked_for_gammons[look] * gammon * (1 - gammon);
        error += share_of_left_out * q->reach[side]->left_out + by_looks +
                 (c->by_turn ? by_estimates_of_gammons * gammon * q->reach[side]->merge_error : 0);
    }
    return error;
}

/* How much more a gammon is worth than for money, at most. */
static double worth_of_gammons(const bgr_question *q)
{
    double most = 2;
    for (int k = 0; q->pairs.followers && k < q->pairs.planes->n; k++)
        for (int side = 0; side < 2; side++)
            most = fmax(most, q->pairs.planes->plane[k].win[BGR_LOST_GAMMON][side]);
    return most / 2;
}

double bgr_error_of(const bgr_question *q, double win)
{
    double rounded = q->pairs.boundary.values == bgr_stored_values ? error_of_files : 0;
    if (isinf(q->delta))
        return rounded + (q->pairs.precision == BGR_FLOAT ? 1e-6 : 1e-12);
    double error = q->options.exactness != 0 ? error_within_delta(q) : error_of_gains(q, win);
    return rounded + error * worth_of_gammons(q);
}
