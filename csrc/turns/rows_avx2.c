#include "turns/rows.h"

#ifdef BGR_HAS_AVX
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

const bgr_rows bgr_rows_avx2 = {{avx2_float_best, avx2_float_follow, avx2_float_mix, avx2_float_turn},
                                {avx2_double_best, avx2_double_follow, avx2_double_mix, avx2_double_turn}};
#endif
