/* The inner loop of the solver in double precision: one row of a stripe, on each kind of processor. */
#ifndef BGR_EXACT_H
#define BGR_EXACT_H

#include "base/internal.h"

/* A line is one value for each of 8 columns: 64 bytes.  Rows of a stripe are whole lines. */
enum { BGR_LINE = 8 };

/* out[e] = (1/36) sum over the 21 rolls of weight * max over the roll's results k of stripe[result[k] * length + e],
 * for e = 0 .. length - 1, length a multiple of BGR_LINE.  Results of roll r are start[r] .. start[r + 1] - 1; each
 * roll has at least one.  Maxima are exact and sums keep their order, so every processor gives the same bits. */
typedef void (*bgr_exact_function)(const double *stripe, int length, const int64_t *start, const int32_t *result,
                                   double *out);

void bgr_exact_scalar(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out);
void bgr_exact_sse2(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out);
void bgr_exact_avx2(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out);
void bgr_exact_avx512(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out);
void bgr_exact_neon(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out);

#endif
