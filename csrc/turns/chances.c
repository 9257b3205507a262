/* Chances to be off within so many rolls, estimated.
 *
 * Many rolls add up to nearly a normal distribution; Edgeworth's series (Abramowitz and Stegun, 26.2.48) says how it
 * differs, by the third and fourth cumulants.  Of neighbouring positions it errs alike, so means of some have about the
 * chances of another one that have its mean and its variance. */

#include "turns/chances.h"

#include "base/elementary.h"
#include "base/position.h"
#include "turns/estimate.h"

#include <math.h>

/* Hardly any chances are beyond so many standard deviations. */
static const double far_from_mean = 5;

/* The share of the fourth cumulant in the variance, squared: about the same for all. */
static const double excess = -0.07;

/* A number of rolls is whole, what the series is of is not: it has this much less of a variance. */
static const double of_rounding = 1 / 12.0;

/* Of what else there is. */
static const float by_first = 0.3F, by_variance = 0.1F;

float bgr_likeness(const bgr_reach_options *options, double first, double variance)
{
    return options->cannot_win ? by_variance * (float)variance : by_first * (float)first;
}

int bgr_kind_of(const bgr_reach_options *options, bgr_packed position)
{
    if (bgr_packed_any_off(position))
        return 0;
    return 1 + (options->last_straggler && bgr_packed_any_straggler(position));
}

/* The normal distribution to the left of z, of which the density is known: Abramowitz and Stegun, 26.2.17, to within
 * 7.5e-8. */
static inline double normal(double z, double density)
{
    double t = 1 / (1 + 0.2316419 * fabs(z));
    double beyond =
        density * t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return z > 0 ? 1 - beyond : beyond;
}

static double third_cumulant(bgr_packed position, double mean, double variance)
{
    const double *by = bgr_estimate_third;
    int8_t places[BGR_MAX_POINTS + 1];
    bgr_unpack(position, places);
    return by[0] + by[1] * mean + by[2] * variance + by[3] * (BGR_MAX_CHECKERS - places[0]) +
           by[4] * bgr_pips(BGR_MAX_POINTS, places + 1);
}

void bgr_position_chances(const bgr_reach_home *home, bgr_packed position, bgr_off_chances chances)
{
    if (bgr_packed_home(position)) {
        const float *exact = home->chances[bgr_packed_index(home, position)];
        for (int n = 0; n < BGR_OFF_WIDTH; n++)
            chances[n] = n < BGR_HOME_ROLLS ? exact[n] : 1;
        return;
    }
    double mean = bgr_position_mean(home, position), variance = bgr_position_variance(home, position);
    double deviation = sqrt(variance - of_rounding), step = 1 / deviation;
    double skewness = third_cumulant(position, mean, variance) * step * step * step;
    int n = (int)fmax(mean - 0.5 - far_from_mean * deviation, 0);
    for (int k = 0; k < n && k < BGR_OFF_WIDTH; k++)
        chances[k] = 0;
    /* Densities one roll apart have quotients that have a constant quotient. */
    double z = (n + 0.5 - mean) * step, density = 0.3989422804014327 * bgr_exp(-z * z / 2);
    double quotient = bgr_exp(-(z + step / 2) * step), quotients = bgr_exp(-step * step);
    for (; n < BGR_OFF_WIDTH; n++, z += step, density *= quotient, quotient *= quotients) {
        if (z > far_from_mean) {
            chances[n] = 1;
            continue;
        }
        double square = z * z;
        double off = skewness / 6 * (square - 1) + excess / 24 * z * (square - 3) +
                     skewness * skewness / 72 * z * (square * square - 10 * square + 15);
        chances[n] = (float)fmin(fmax(normal(z, density) - density * off, 0), 1);
    }
}
