/* The chances of a position to be off within 0, 1, .. rolls. */
#pragma once

#include "turns/home_board.h"

/* Chances to be off within 0, 1, .. rolls, every play chosen for that number; nobody in a race that is not merged takes
 * more. */
enum { BGR_OFF_WIDTH = 48 };
typedef float bgr_off_chances[BGR_OFF_WIDTH];

/* Chances to be off: exact in the home board; outside estimated, from estimates of the mean and the variance. */
void bgr_position_chances(const bgr_home_board *home, bgr_packed position, bgr_off_chances chances);

/* About the chance that a number of rolls with this mean and variance is n at most. */
double bgr_chance_within(double mean, double variance, int n);
