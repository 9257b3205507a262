#include "turns/rows.h"

#ifdef BGR_HAS_SSE2
#include <immintrin.h>

#define ROW_TARGET

#define ROW(name) sse2_float_##name
#define REAL float
#define VECTOR __m128
#define LANES 4
#define LOAD(p) _mm_loadu_ps(p)
#define STORE(p, v) _mm_storeu_ps(p, v)
#define SET(x) _mm_set1_ps(x)
#define MAX(a, b) _mm_max_ps(a, b)
#define ADD(a, b) _mm_add_ps(a, b)
#define MULTIPLY(a, b) _mm_mul_ps(a, b)
#define DIVIDE(a, b) _mm_div_ps(a, b)
#define MASK __m128
#define GREATER(a, b) _mm_cmpgt_ps(a, b)
#define SELECT(mask, a, b) _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b))
#define SIDE 4
#define TURN(from, to, stride, line)                                                                                   \
    do {                                                                                                               \
        __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps((from) + (line)), c = _mm_loadu_ps((from) + 2 * (line)),       \
               d = _mm_loadu_ps((from) + 3 * (line));                                                                  \
        _MM_TRANSPOSE4_PS(a, b, c, d);                                                                                 \
        _mm_storeu_ps(to, a);                                                                                          \
        _mm_storeu_ps((to) + (stride), b);                                                                             \
        _mm_storeu_ps((to) + 2 * (stride), c);                                                                         \
        _mm_storeu_ps((to) + 3 * (stride), d);                                                                         \
    } while (0)
#include "turns/rows.inc"

#define ROW(name) sse2_double_##name
#define REAL double
#define VECTOR __m128d
#define LANES 2
#define LOAD(p) _mm_loadu_pd(p)
#define STORE(p, v) _mm_storeu_pd(p, v)
#define SET(x) _mm_set1_pd(x)
#define MAX(a, b) _mm_max_pd(a, b)
#define ADD(a, b) _mm_add_pd(a, b)
#define MULTIPLY(a, b) _mm_mul_pd(a, b)
#define DIVIDE(a, b) _mm_div_pd(a, b)
#define MASK __m128d
#define GREATER(a, b) _mm_cmpgt_pd(a, b)
#define SELECT(mask, a, b) _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b))
#define SIDE 2
#define TURN(from, to, stride, line)                                                                                   \
    do {                                                                                                               \
        __m128d a = _mm_loadu_pd(from), b = _mm_loadu_pd((from) + (line));                                             \
        _mm_storeu_pd(to, _mm_unpacklo_pd(a, b));                                                                      \
        _mm_storeu_pd((to) + (stride), _mm_unpackhi_pd(a, b));                                                         \
    } while (0)
#include "turns/rows.inc"
#undef ROW_TARGET

const bgr_rows bgr_rows_sse2 = {{sse2_float_best, sse2_float_follow, sse2_float_mix, sse2_float_turn},
                                {sse2_double_best, sse2_double_follow, sse2_double_mix, sse2_double_turn}};
#endif
