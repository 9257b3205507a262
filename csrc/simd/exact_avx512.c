#include "solve/exact.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define ROW_FUNCTION bgr_exact_avx512
#define ROW_TARGET __attribute__((target("avx512f")))
#define VECTOR __m512d
#define LANES 8
#define LINES_AT_A_TIME 8
#define LOAD(p) _mm512_loadu_pd(p)
#define STORE(p, v) _mm512_storeu_pd(p, v)
#define SET(x) _mm512_set1_pd(x)
#define MAX(a, b) _mm512_max_pd(a, b)
#define ADD(a, b) _mm512_add_pd(a, b)
#define MULTIPLY(a, b) _mm512_mul_pd(a, b)
#define DIVIDE(a, b) _mm512_div_pd(a, b)
#include "simd/exact_row.h"
#else
void bgr_exact_avx512(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out)
{
    bgr_exact_scalar(stripe, length, start, result, out);
}
#endif
