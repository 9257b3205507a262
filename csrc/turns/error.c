#include "turns/error.h"

#include "base/elementary.h"
#include "turns/choose.h"

#include <math.h>

enum { FEW_CHECKERS_KNOWN = 4 }; /* what a table of fewer takes away is not counted */

static const double error_of_files = 1.1e-4; /* of any value: docs/accuracy.md */

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

static double error_of_gains(const bgr_question *q)
{
    double looked = fmin(q->reach[0]->delta, q->reach[1]->delta);
    double error = unseen + share_of_left_out * (q->reach[0]->left_out + q->reach[1]->left_out);
    return error + (looked >= BGR_LOOK_AT ? 0 : looked > 0 ? looked_less : looked_at_one);
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

double bgr_error_of(const bgr_question *q)
{
    double rounded = q->pairs.boundary.values == bgr_stored_values ? error_of_files : 0;
    double merging = q->reach[0]->merge_error + q->reach[1]->merge_error;
    if (isinf(q->delta))
        return rounded + (q->pairs.precision == BGR_FLOAT ? 1e-6 : 1e-12);
    double error = q->options.exactness != 0 ? error_within_delta(q) : error_of_gains(q);
    double gammons = merging > 0 ? bgr_gammon_chance(q, 0) + bgr_gammon_chance(q, 1) : 0;
    double blurred = 1 + (merged_with_gammons - 1) * (q->pairs.followers ? fmin(gammons / common_gammons, 1) : 0);
    error += by_merging * sqrt(merging) * blurred;
    return rounded + error * worth_of_gammons(q);
}
