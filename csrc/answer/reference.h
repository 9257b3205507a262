/* The ordinary race, with which others are compared: each side's number of rolls is normally distributed, with the
 * variance that is usual for its mean in played races. */
#pragma once

#include "bgrace.h"

/* The mean and the variance of the number of rolls of any side, from its chances to be off in exactly 0, 1, ... rolls:
 * BGR_MAX_WIDTH of them.  Sums from the first term to the last have the same bits everywhere. */
double bgr_mean_of(const double *distribution);
double bgr_variance_of(const double *distribution, double mean);

/* Chances to be off within 0, 1, ... rolls. */
typedef double bgr_off_within[BGR_MAX_WIDTH];

/* Fill in an ordinary side whose mean number of rolls is `mean`, at least 1. */
void bgr_reference_side(double mean, bgr_off_within within);

/* The chance of the side on roll to be off first. */
double bgr_first_off(const bgr_off_within on_roll, const bgr_off_within other);

/* The variance of the number of rolls of an ordinary side. */
double bgr_usual_spread(double mean);

/* The normal distribution to within 2e-4. */
double bgr_below_normal(double z);

/* The usual wastage, in pips, of played races of this length. */
double bgr_usual_waste(int pips);
