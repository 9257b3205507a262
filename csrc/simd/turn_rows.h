/* The inner loops of the solver of equal turns, in single and in double precision. */
#ifndef BGR_TURN_ROWS_H
#define BGR_TURN_ROWS_H

#include <stdint.h>

/* A line is one value for each of some columns: 64 bytes.  A row is 1 .. BGR_ROW_LINES of them, one for each of as many
 * planes. */
enum { BGR_LINE_BYTES = 64, BGR_ROW_LINES = 5 };

/* out = (1/36) sum over the 21 rolls of weight * max over the roll's results k of row result[k] of the stripe, element
 * by element: start points to the 22 bounds of the rolls' results.  Each roll has at least one. */
#define BGR_BEST_FUNCTION(name, real)                                                                                  \
    void name(const real *stripe, int n_lines, const int64_t *start, const int32_t *result, real *out)
/* The same, where the results are chosen by line 0 alone and the other lines follow: of equals the first. */
#define BGR_FOLLOW_FUNCTION(name, real) BGR_BEST_FUNCTION(name, real)
/* out = (1/36) sum over k = 0 .. n - 1 of ways[k] * row result[k]. */
#define BGR_MIX_FUNCTION(name, real)                                                                                   \
    void name(const real *stripe, int n_lines, int64_t n, const int32_t *result, const float *ways, real *out)

/* A square of lines turned over: number j of line i of `square`, line after line, becomes number i of out + j * stride.
 */
#define BGR_TURN_FUNCTION(name, real) void name(const real *square, real *out, int64_t stride)

/* Maxima are exact and sums keep their order, so every path gives the same bits. */
#define BGR_ROWS(real)                                                                                                 \
    struct {                                                                                                           \
        BGR_BEST_FUNCTION((*best), real);                                                                              \
        BGR_FOLLOW_FUNCTION((*follow), real);                                                                          \
        BGR_MIX_FUNCTION((*mix), real);                                                                                \
        BGR_TURN_FUNCTION((*turn), real);                                                                              \
    }
typedef BGR_ROWS(float) bgr_rows_float;
typedef BGR_ROWS(double) bgr_rows_double;

typedef struct bgr_rows {
    bgr_rows_float in_float;
    bgr_rows_double in_double;
} bgr_rows;

#endif
