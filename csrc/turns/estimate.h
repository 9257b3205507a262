/* Estimates of a position outside the home board: of the mean number of rolls to the last checker, and to the first of
 * 15, and of the variance of the former.
 *
 *     estimate = so much a pip + sum over points j of  pairs[j][t_j, t_{j+1}] + sums[j][t_j] + counts[j][c_j],
 *
 * t_j the checkers on point j or beyond, c_j those on it: what pips alone say, what each pair of neighbouring sums
 * adds, and what each sum and each count adds at each number of pips.  The latter lie on lines between knots, and
 * stay as they are beyond the last. */
#ifndef BGR_ESTIMATE_H
#define BGR_ESTIMATE_H

#include "bgrace.h"

#define BGR_ESTIMATE_STEP 1e-4 /* rolls */

enum {
    BGR_ESTIMATE_PAIRS = (BGR_MAX_CHECKERS + 1) * (BGR_MAX_CHECKERS + 2) / 2,
    BGR_ESTIMATE_POINTS = 15, /* that sums and counts are of */
    BGR_ESTIMATE_KNOTS = 8,
    BGR_ESTIMATE_PIPS = 24, /* from one knot to the next; the first is at 0 */
    BGR_ESTIMATE_MAX_PIPS = (BGR_ESTIMATE_KNOTS - 1) * BGR_ESTIMATE_PIPS
};

/* Pairs by point; then t_j = 0 .. 15, and t_{j+1} = 0 .. t_j.  Levels by sums or counts, point, checkers and knot. */
typedef struct {
    int16_t pairs[BGR_MAX_POINTS][BGR_ESTIMATE_PAIRS];
    int16_t levels[2][BGR_ESTIMATE_POINTS][BGR_MAX_CHECKERS + 1][BGR_ESTIMATE_KNOTS];
} bgr_terms;

/* Three of them, number by number, as text: see read_terms in home_board.c. */
enum { BGR_ESTIMATE_LAST, BGR_ESTIMATE_FIRST, BGR_ESTIMATE_VARIANCE, BGR_N_ESTIMATES };
extern const char bgr_estimate_text[7][4096];

/* The third cumulant: a constant, and what it changes by with the mean, the variance, a checker and a pip. */
extern const double bgr_estimate_third[5];

#endif
