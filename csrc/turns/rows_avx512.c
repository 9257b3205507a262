#include "turns/rows.h"

#ifdef BGR_HAS_AVX
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
#define SIDE 8
#define HALVES(p, line) _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps((p) + 4 * (line)), 1)
/* Four columns of eight lines, the first four in the low halves. */
#define TURN_FOUR(from, to, stride, line)                                                                              \
    do {                                                                                                               \
        __m256 a = HALVES(from, line), b = HALVES((from) + (line), line), c = HALVES((from) + 2 * (line), line),       \
               d = HALVES((from) + 3 * (line), line);                                                                  \
        __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d);                                           \
        _mm256_storeu_ps(to, _mm256_shuffle_ps(ab, cd, 0x44));                                                         \
        _mm256_storeu_ps((to) + (stride), _mm256_shuffle_ps(ab, cd, 0xEE));                                            \
        ab = _mm256_unpackhi_ps(a, b), cd = _mm256_unpackhi_ps(c, d);                                                  \
        _mm256_storeu_ps((to) + 2 * (stride), _mm256_shuffle_ps(ab, cd, 0x44));                                        \
        _mm256_storeu_ps((to) + 3 * (stride), _mm256_shuffle_ps(ab, cd, 0xEE));                                        \
    } while (0)
#define TURN(from, to, stride, line)                                                                                   \
    do {                                                                                                               \
        TURN_FOUR(from, to, stride, line);                                                                             \
        TURN_FOUR((from) + 4, (to) + 4 * (stride), stride, line);                                                      \
    } while (0)
#include "turns/rows.inc"
#undef HALVES
#undef TURN_FOUR

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
#define SIDE 4
#define HALVES(p, line) _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd((p) + 2 * (line)), 1)
#define TURN_TWO(from, to, stride, line)                                                                               \
    do {                                                                                                               \
        __m256d a = HALVES(from, line), b = HALVES((from) + (line), line);                                             \
        _mm256_storeu_pd(to, _mm256_unpacklo_pd(a, b));                                                                \
        _mm256_storeu_pd((to) + (stride), _mm256_unpackhi_pd(a, b));                                                   \
    } while (0)
#define TURN(from, to, stride, line)                                                                                   \
    do {                                                                                                               \
        TURN_TWO(from, to, stride, line);                                                                              \
        TURN_TWO((from) + 2, (to) + 2 * (stride), stride, line);                                                       \
    } while (0)
#include "turns/rows.inc"
#undef HALVES
#undef TURN_TWO
#undef ROW_TARGET

const bgr_rows bgr_rows_avx512 = {{avx512_float_best, avx512_float_follow, avx512_float_mix, avx512_float_turn},
                                  {avx512_double_best, avx512_double_follow, avx512_double_mix, avx512_double_turn}};
#endif
