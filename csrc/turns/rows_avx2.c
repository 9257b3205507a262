#include "turns/rows.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define ROW_TARGET __attribute__((target("avx2")))

#define ROW(name) avx2_float_##name
#define REAL float
#define VECTOR __m256
#define LANES 8
#define LOAD(p) _mm256_loadu_ps(p)
#define STORE(p, v) _mm256_storeu_ps(p, v)
#define SET(x) _mm256_set1_ps(x)
#define MAX(a, b) _mm256_max_ps(a, b)
#define ADD(a, b) _mm256_add_ps(a, b)
#define MULTIPLY(a, b) _mm256_mul_ps(a, b)
#define DIVIDE(a, b) _mm256_div_ps(a, b)
#define MASK __m256
#define GREATER(a, b) _mm256_cmp_ps(a, b, _CMP_GT_OQ)
#define SELECT(mask, a, b) _mm256_blendv_ps(b, a, mask)
#include "turns/rows.inc"

#define ROW(name) avx2_double_##name
#define REAL double
#define VECTOR __m256d
#define LANES 4
#define LOAD(p) _mm256_loadu_pd(p)
#define STORE(p, v) _mm256_storeu_pd(p, v)
#define SET(x) _mm256_set1_pd(x)
#define MAX(a, b) _mm256_max_pd(a, b)
#define ADD(a, b) _mm256_add_pd(a, b)
#define MULTIPLY(a, b) _mm256_mul_pd(a, b)
#define DIVIDE(a, b) _mm256_div_pd(a, b)
#define MASK __m256d
#define GREATER(a, b) _mm256_cmp_pd(a, b, _CMP_GT_OQ)
#define SELECT(mask, a, b) _mm256_blendv_pd(b, a, mask)
#include "turns/rows.inc"
#undef ROW_TARGET

const bgr_rows bgr_rows_avx2 = {{avx2_float_best, avx2_float_follow, avx2_float_mix},
                                {avx2_double_best, avx2_double_follow, avx2_double_mix}};
#else
const bgr_rows bgr_rows_avx2;
#endif
