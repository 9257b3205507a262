/* The inner loops of the solver in double precision: one row of a stripe, and what the other side makes of rows. */
#ifndef BGR_ROW_H
#define BGR_ROW_H

#include "base/stakes.h"

#include <stdint.h>

/* A line is one value for each of 8 columns: 64 bytes.  Rows of a stripe are whole lines. */
enum { BGR_LINE = 8 };

/* A row is made of the results of all 21 rolls, those of the 15 without doubles before those of the doubles, and
 * of either kind those of a roll with fewer results before those of one with more.
 * shape: for either kind how many rolls have one result, two, three, and more than that; then how many results each of
 * those has that have more. */
enum { BGR_ROW_SIZES = 3 };

typedef struct {
    const int32_t *result;
    const uint16_t *shape;
} bgr_row_rolls;

/* out[e] = (1/36) sum over the rolls of weight * max over the roll's results k of stripe[k * length + e], for
 * e = 0 .. length - 1, length a multiple of BGR_LINE.  The sum runs in the order of the results, and is doubled before
 * the doubles, which is to count the others twice.  Maxima are exact and sums keep their order, so every processor
 * gives the same bits. */
typedef void (*bgr_row_function)(const double *stripe, int length, bgr_row_rolls rolls, double *out);

/* Eight rows for eight positions on roll, `step` apart, of a line for each plane. */
typedef struct {
    const bgr_plane *planes;
    int side;      /* on roll */
    int n_columns; /* of a line: the opponent's positions */
    int64_t step, out_step;
} bgr_meeting;

/* What it is worth to the opponent to have just moved, on one plane: columns become rows of a line, out_step apart.
 *
 *     out[j][i] = - max(now[i][j], min(factor * turned[i][j] + offset, passed)) */
typedef void (*bgr_meet_function)(const double *now, int plane, const bgr_meeting *meeting, double *out);

#endif
