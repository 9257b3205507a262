/* The inner loops of the solvers of pairs, in single and in double precision: combining rows of a stripe, and
 * converting rows to the other side's. */
#pragma once

#include "base/stakes.h"

#include <stdint.h>

/* A line is one value for each of some columns: 64 bytes, so 8 numbers in double precision.  A row of a stripe is one
 * or more lines. */
enum { BGR_LINE_BYTES = 64, BGR_LINE = BGR_LINE_BYTES / 8 };

/* A row is computed from the results of all 21 rolls, the 15 without doubles first, and of either kind the rolls with
 * fewer results first.  shape: for either kind, the numbers of rolls with one result, two, three, and more; then the
 * number of results of each roll with more. */
enum { BGR_ROW_SIZES = 3, BGR_MAX_SHAPE = 2 * (BGR_ROW_SIZES + 1) + 21 };

typedef struct {
    const int32_t *result;
    const uint16_t *shape;
} bgr_row_rolls;

/* Sort the doubles, or the other rolls, by their number of results; returns how many rolls there are.  n_results: of
 * each roll, in the order of bgr_rolls. */
int bgr_sort_rolls(const int32_t *n_results, int doubles, int *sorted);

/* Find the shape of a row.  n_results: of each roll, in the order of bgr_rolls.  order [out] 21: the order in which
 * rolls are listed.  shape [out] at most BGR_MAX_SHAPE; returns its length. */
int bgr_row_shape(const int32_t *n_results, int *order, uint16_t *shape);

/* Rows for as many positions on roll as a line has columns, `step` apart, of a line for each plane. */
typedef struct {
    const bgr_plane *planes;
    int side;      /* on roll */
    int n_columns; /* of a line: the opponent's positions */
    int64_t step, out_step;
} bgr_meeting;

/* best: out = (1/36) sum over the rolls of weight * max over the roll's results k of row k of the stripe, element by
 * element.  The sum runs in the order of the results; it is doubled before the doubles, since the other rolls count
 * twice.
 *
 * follow: the same, 2 to BGR_FOLLOW_LINES lines, where results are chosen by line 0 alone, the first of equal ones, and
 * the other lines follow.
 *
 * mix: out = (1/36) sum over k = 0 .. n - 1 of ways[k] * row result[k].
 *
 * meet: the opponent's values of having just moved, on one plane: columns become rows of a line, out_step apart.
 *
 *     out[j][i] = - max(now[i][j], min(factor turned[i][j] + offset, beaver turned[i][j] + offset, passed))
 *
 * Maxima are exact and sums keep their order, so every path gives the same bits. */
enum { BGR_FOLLOW_LINES = 5 };

#define BGR_ROWS(real)                                                                                                 \
    struct {                                                                                                           \
        void (*best)(const real *stripe, int n_lines, bgr_row_rolls rolls, real *out);                                 \
        void (*follow)(const real *stripe, int n_lines, bgr_row_rolls rolls, real *out);                               \
        void (*mix)(const real *stripe, int n_lines, int64_t n, const int32_t *result, const float *ways, real *out);  \
        void (*meet)(const real *now, int plane, const bgr_meeting *meeting, real *out);                               \
    }
typedef BGR_ROWS(float) bgr_rows_float;
typedef BGR_ROWS(double) bgr_rows_double;

typedef struct bgr_rows {
    bgr_rows_float in_float;
    bgr_rows_double in_double;
} bgr_rows;
