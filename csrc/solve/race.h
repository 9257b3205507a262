/* Races of the single-checker model. */
#pragma once

#include "bgrace.h"

/* The greatest number of pips a side of the functions below. */
#define BGR_MAX_PIPS 2000

/* Compute the chance to win of every pair of pip counts: points rolled are subtracted in turn, and the first side at 0
 * or less wins.
 *
 * limit: 0 .. BGR_MAX_PIPS.  win_probability [out] (limit + 1) x (limit + 1), [player on roll][opponent]: 1 where the
 * first count is 0, 0 where the second is, and NaN where both are. */
void bgr_race_win_probabilities(int limit, double *win_probability);

/* Compute the equities of every pair of pip counts, for the player on roll, per unit of the present cube: with the
 * right to double before this roll if the cube is centered or mine; without it if it is theirs; and of rolling without
 * doubling.  Double/take is worth 2 * theirs, double/pass +1.
 *
 * Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 5.1, equations (7) to (15).
 * limit: 0 .. BGR_MAX_PIPS.  cubeless: or NULL.  All [out] (limit + 1) x (limit + 1), [player on roll][opponent]: +1
 * where the first count is 0, else -1 where the second is. */
void bgr_race_equities(int limit, double *cubeless, double *centered, double *mine, double *theirs,
                       double *no_double_centered, double *no_double_mine);
