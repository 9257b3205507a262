/* Estimates of the mean number of rolls, for positions outside the home board.
 *
 *     mean = sum over points j of  t_j * 6/49 + step * coefficient[j][t_j][t_{j+1}],
 *
 * t_j the checkers on point j or beyond: pips over the mean of a throw, and what each pair of neighbouring sums adds.
 * A checker that moves changes as many terms as the die has pips, and one. */
#ifndef BGR_ESTIMATE_H
#define BGR_ESTIMATE_H

#include "bgrace.h"

#define BGR_ESTIMATE_STEP 1e-4 /* rolls */

enum { BGR_ESTIMATE_PAIRS = (BGR_MAX_CHECKERS + 1) * (BGR_MAX_CHECKERS + 2) / 2 };

/* By point; then t_j = 0 .. 15, and t_{j+1} = 0 .. t_j: to the last checker borne off, and to the first of 15. */
extern const int16_t bgr_estimate_last[BGR_MAX_POINTS][BGR_ESTIMATE_PAIRS];
extern const int16_t bgr_estimate_first[BGR_MAX_POINTS][BGR_ESTIMATE_PAIRS];

#endif
