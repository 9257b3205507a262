/* The chances of a position to be off within 0, 1, .. rolls. */
#pragma once

#include "turns/home_board.h"

/* The number of chances to be off within 0, 1, .. rolls; without merging no side takes more rolls. */
enum { BGR_OFF_WIDTH = 48 };
typedef float bgr_off_chances[BGR_OFF_WIDTH];

/* Find a position's chances to be off: exact in the home board, outside from estimates of the mean and the variance. */
void bgr_position_chances(const bgr_home_board *home, bgr_packed position, bgr_off_chances chances);

/* The approximate chance that a number of rolls with this mean and variance is at most n. */
double bgr_chance_within(double mean, double variance, int n);
