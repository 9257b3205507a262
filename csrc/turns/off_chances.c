/* Chances to be off within each number of rolls, exact in the home board and estimated outside.
 *
 * The number of rolls is nearly normal; Edgeworth's series (Abramowitz and Stegun, 26.2.48) corrects it by the third
 * and fourth cumulants.  Its errors are alike for neighbouring positions, so a blend of some of these has about the
 * chances of a position of the same mean and variance. */

#include "turns/off_chances.h"

#include "base/elementary.h"
#include "turns/results.h"

#include <math.h>

/* The variance that rounding to whole rolls adds: Sheppard's correction. */
static const double sheppard = 1 / 12.0;

static const double normal_peak = 0.3989422804014327; /* the density at 0: 1 / sqrt(2 pi) */

/* The normal distribution function at z, with the density there given: Abramowitz and Stegun, 26.2.17, to
 * within 7.5e-8. */
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
    double of[4] = {1, mean, bgr_pips(BGR_MAX_POINTS, places + 1), bgr_packed_n_outside(position)};
    double third = by[8] * variance * variance;
    for (int k = 0; k < 4; k++)
        third += (by[k] + by[4 + k] * variance) * of[k];
    return third;
}

double bgr_chance_within(double mean, double variance, int n)
{
    double z = (n + 0.5 - mean) / sqrt(fmax(variance, tuned_least_variance));
    return normal(z, normal_peak * bgr_exp(fmax(-z * z / 2, -700)));
}

void bgr_position_chances(const bgr_home_board *home, bgr_packed position, bgr_off_chances chances)
{
    if (bgr_packed_home(position)) {
        const float *exact = home->chances[bgr_packed_index(home, position)];
        for (int n = 0; n < BGR_OFF_WIDTH; n++)
            chances[n] = n < BGR_HOME_ROLLS ? exact[n] : 1;
        return;
    }
    double mean = bgr_position_mean(home, position), variance = bgr_position_variance(home, position);
    double deviation = sqrt(variance - sheppard), step = 1 / deviation;
    double skewness = third_cumulant(position, mean, variance) * step * step * step;
    int n = (int)fmax(mean - 0.5 - tuned_far_from_mean * deviation, 0);
    for (int k = 0; k < n && k < BGR_OFF_WIDTH; k++)
        chances[k] = 0;
    /* The ratios of densities one roll apart have a constant ratio. */
    double z = (n + 0.5 - mean) * step, density = normal_peak * bgr_exp(-z * z / 2);
    double quotient = bgr_exp(-(z + step / 2) * step), quotients = bgr_exp(-step * step);
    for (; n < BGR_OFF_WIDTH; n++, z += step, density *= quotient, quotient *= quotients) {
        if (z > tuned_far_from_mean) {
            chances[n] = 1;
            continue;
        }
        double square = z * z;
        double off = skewness / 6 * (square - 1) + tuned_excess / 24 * z * (square - 3) +
                     skewness * skewness / 72 * z * (square * square - 10 * square + 15);
        chances[n] = (float)fmin(fmax(normal(z, density) - density * off, 0), 1);
    }
}
