#include "turns/rows.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define ROW_TARGET __attribute__((target("avx512f")))

#define ROW(name) avx512_float_##name
#define REAL float
#define VECTOR __m512
#define LANES 16
#define LOAD(p) _mm512_loadu_ps(p)
#define STORE(p, v) _mm512_storeu_ps(p, v)
#define SET(x) _mm512_set1_ps(x)
#define MAX(a, b) _mm512_max_ps(a, b)
#define ADD(a, b) _mm512_add_ps(a, b)
#define MULTIPLY(a, b) _mm512_mul_ps(a, b)
#define DIVIDE(a, b) _mm512_div_ps(a, b)
#define MASK __mmask16
#define GREATER(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ)
#define SELECT(mask, a, b) _mm512_mask_blend_ps(mask, b, a)
#include "turns/rows.inc"

#define ROW(name) avx512_double_##name
#define REAL double
#define VECTOR __m512d
#define LANES 8
#define LOAD(p) _mm512_loadu_pd(p)
#define STORE(p, v) _mm512_storeu_pd(p, v)
#define SET(x) _mm512_set1_pd(x)
#define MAX(a, b) _mm512_max_pd(a, b)
#define ADD(a, b) _mm512_add_pd(a, b)
#define MULTIPLY(a, b) _mm512_mul_pd(a, b)
#define DIVIDE(a, b) _mm512_div_pd(a, b)
#define MASK __mmask8
#define GREATER(a, b) _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ)
#define SELECT(mask, a, b) _mm512_mask_blend_pd(mask, b, a)
#include "turns/rows.inc"
#undef ROW_TARGET

const bgr_rows bgr_rows_avx512 = {{avx512_float_best, avx512_float_follow, avx512_float_mix},
                                  {avx512_double_best, avx512_double_follow, avx512_double_mix}};
#else
const bgr_rows bgr_rows_avx512;
#endif
