#include "solve/exact.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>

#define ROW_FUNCTION bgr_exact_sse2
#define ROW_TARGET
#define VECTOR __m128d
#define LANES 2
#define LINES_AT_A_TIME 2
#define LOAD(p) _mm_loadu_pd(p)
#define STORE(p, v) _mm_storeu_pd(p, v)
#define SET(x) _mm_set1_pd(x)
#define MAX(a, b) _mm_max_pd(a, b)
#define ADD(a, b) _mm_add_pd(a, b)
#define MULTIPLY(a, b) _mm_mul_pd(a, b)
#define DIVIDE(a, b) _mm_div_pd(a, b)
#include "simd/exact_row.h"
#else
void bgr_exact_sse2(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out)
{
    bgr_exact_scalar(stripe, length, start, result, out);
}
#endif
