#include "solve/exact.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define ROW_FUNCTION bgr_exact_neon
#define ROW_TARGET
#define VECTOR float64x2_t
#define LANES 2
#define LINES_AT_A_TIME 3
#define LOAD(p) vld1q_f64(p)
#define STORE(p, v) vst1q_f64(p, v)
#define SET(x) vdupq_n_f64(x)
#define MAX(a, b) vmaxq_f64(a, b)
#define ADD(a, b) vaddq_f64(a, b)
#define MULTIPLY(a, b) vmulq_f64(a, b)
#define DIVIDE(a, b) vdivq_f64(a, b)
#include "simd/exact_row.h"
#else
void bgr_exact_neon(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out)
{
    bgr_exact_scalar(stripe, length, start, result, out);
}
#endif
