#include "solve/exact.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define ROW_FUNCTION bgr_exact_avx2
#define ROW_TARGET __attribute__((target("avx2")))
#define VECTOR __m256d
#define LANES 4
#define LINES_AT_A_TIME 4
#define LOAD(p) _mm256_loadu_pd(p)
#define STORE(p, v) _mm256_storeu_pd(p, v)
#define SET(x) _mm256_set1_pd(x)
#define MAX(a, b) _mm256_max_pd(a, b)
#define ADD(a, b) _mm256_add_pd(a, b)
#define MULTIPLY(a, b) _mm256_mul_pd(a, b)
#define DIVIDE(a, b) _mm256_div_pd(a, b)
#include "simd/exact_row.h"
#else
void bgr_exact_avx2(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out)
{
    bgr_exact_scalar(stripe, length, start, result, out);
}
#endif
