/* The numbers of distributions of rolls, and the sides of an ordinary race. */

#include "answer/reference.h"

#include "base/elementary.h"
#include "base/tuning.h"

#include <math.h>

double bgr_mean_of(const double *distribution)
{
    double sum = 0;
    for (int k = 0; k < BGR_MAX_WIDTH; k++)
        sum += distribution[k] * k;
    return sum;
}

double bgr_variance_of(const double *distribution, double mean)
{
    double sum = 0;
    for (int k = 0; k < BGR_MAX_WIDTH; k++)
        sum += distribution[k] * ((k - mean) * (k - mean));
    return sum;
}

enum { MEAN_STEPS = 4 };

/* Interpolate linearly between knots; constant beyond them. */
static double between_knots(const double (*knot)[2], size_t n, double x)
{
    size_t k = 1;
    if (x <= knot[0][0])
        return knot[0][1];
    while (k < n && knot[k][0] < x)
        k++;
    if (k == n)
        return knot[n - 1][1];
    return knot[k - 1][1] + (x - knot[k - 1][0]) / (knot[k][0] - knot[k - 1][0]) * (knot[k][1] - knot[k - 1][1]);
}

double bgr_usual_waste(int pips)
{
    return between_knots(tuned_usual_waste, sizeof tuned_usual_waste / sizeof *tuned_usual_waste, pips);
}

double bgr_usual_spread(double mean)
{
    return between_knots(tuned_usual_variance, sizeof tuned_usual_variance / sizeof *tuned_usual_variance, mean);
}

double bgr_below_normal(double z)
{
    if (fabs(z) > 6)
        return z > 0;
    return 1 / (1 + bgr_exp(-z * (1.5976 + 0.070566 * z * z)));
}

void bgr_reference_side(double mean, bgr_off_within within)
{
    mean = fmax(mean, 1);
    double deviation = fmax(sqrt(bgr_usual_spread(mean)), tuned_least_deviation), middle = mean;
    for (int step = 0; step < MEAN_STEPS; step++) { /* rounding to whole numbers of rolls changes a small mean */
        double sum = 1;
        int t = 1;
        within[0] = 0;
        for (; t < BGR_MAX_WIDTH && (t == 1 || within[t - 1] < 1); t++) {
            within[t] = bgr_below_normal((t + 0.5 - middle) / deviation);
            sum += 1 - within[t];
        }
        for (; t < BGR_MAX_WIDTH; t++)
            within[t] = 1;
        middle += mean - sum;
    }
}

double bgr_first_off(const bgr_off_within on_roll, const bgr_off_within other)
{
    double sum = 0;
    for (int t = 1; t < BGR_MAX_WIDTH && on_roll[t - 1] < 1; t++)
        sum += (on_roll[t] - on_roll[t - 1]) * (1 - other[t - 1]);
    return sum;
}
