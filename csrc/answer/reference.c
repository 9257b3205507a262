#include "answer/reference.h"

#include "base/elementary.h"

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

typedef struct {
    double x, y;
} reference_knot;

/* Waste by pips, and the variance of the number of rolls by its mean: of both sides of every eighth recorded race, each
 * by itself, smoothed by hand.  24 November 2026. */
static const reference_knot usual_waste[] = {{1, 6.2},   {3, 8.0},   {6, 11.0},  {10, 13.0}, {15, 14.0}, {30, 13.8},
                                             {40, 13.4}, {50, 12.2}, {60, 11.0}, {80, 9.0},  {100, 8.0}, {130, 7.5}};
static const reference_knot usual_variance[] = {
    {1, 0},    {1.3, 0.2}, {2, 0.28},  {3, 0.36}, {4, 0.46},  {5, 0.61},    {6, 0.77}, {7, 0.93}, {8, 1.14},
    {9, 1.39}, {10, 1.7},  {11, 2.05}, {12, 2.4}, {13, 2.73}, {15.4, 3.46}, {60, 15.8}}; /* as one checker's spreads */
static const double least_deviation = 0.02;
enum { MEAN_STEPS = 4 };

/* On straight lines between knots, and level beyond them. */
static double between_knots(const reference_knot *knot, int n, double x)
{
    int k = 1;
    if (x <= knot[0].x)
        return knot[0].y;
    while (k < n && knot[k].x < x)
        k++;
    if (k == n)
        return knot[n - 1].y;
    return knot[k - 1].y + (x - knot[k - 1].x) / (knot[k].x - knot[k - 1].x) * (knot[k].y - knot[k - 1].y);
}

double bgr_usual_waste(int pips) { return between_knots(usual_waste, sizeof usual_waste / sizeof *usual_waste, pips); }

double bgr_usual_spread(double mean)
{
    return between_knots(usual_variance, sizeof usual_variance / sizeof *usual_variance, mean);
}

/* The normal distribution to within 2e-4. */
static double below_normal(double z)
{
    if (fabs(z) > 6)
        return z > 0;
    return 1 / (1 + bgr_exp(-z * (1.5976 + 0.070566 * z * z)));
}

void bgr_reference_side(double mean, bgr_off_within within)
{
    mean = fmax(mean, 1);
    double deviation = fmax(sqrt(bgr_usual_spread(mean)), least_deviation), middle = mean;
    for (int step = 0; step < MEAN_STEPS; step++) { /* whole numbers of rolls have another mean, where they are few */
        double sum = 1;
        int t = 1;
        within[0] = 0;
        for (; t < BGR_MAX_WIDTH && (t == 1 || within[t - 1] < 1); t++) {
            within[t] = below_normal((t + 0.5 - middle) / deviation);
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
