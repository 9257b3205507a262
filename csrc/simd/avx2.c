/* The inner loops with AVX2, in registers of 256 bits. */

#include "simd/kernels.h"

#ifdef BGR_HAS_AVX
#include <immintrin.h>

#define KERNEL(name) avx2_##name
#define TARGET __attribute__((target("avx2")))
#define X86(name) _mm256_##name
#define X86_WHOLE(name) _mm256_##name##_si256
#define INTEGERS __m256i
#define FLOATS __m256
#define DOUBLES __m256d
#define FLOATS_MASK __m256
#define DOUBLES_MASK __m256d
#define GREATER(a, b) OF(cmp)(a, b, _CMP_GT_OQ)
#define SELECT(mask, a, b) OF(blendv)(b, a, mask)
#define LINES_AT_A_TIME 4
/* Pairs of rows first, then halves of registers. */
#define TRANSPOSE(v)                                                                                                   \
    do {                                                                                                               \
        __m256d low01 = _mm256_unpacklo_pd(v[0], v[1]), high01 = _mm256_unpackhi_pd(v[0], v[1]);                       \
        __m256d low23 = _mm256_unpacklo_pd(v[2], v[3]), high23 = _mm256_unpackhi_pd(v[2], v[3]);                       \
        v[0] = _mm256_permute2f128_pd(low01, low23, 0x20);                                                             \
        v[1] = _mm256_permute2f128_pd(high01, high23, 0x20);                                                           \
        v[2] = _mm256_permute2f128_pd(low01, low23, 0x31);                                                             \
        v[3] = _mm256_permute2f128_pd(high01, high23, 0x31);                                                           \
    } while (0)
#define JOIN(from, to)                                                                                                 \
    ((to)[0] = _mm256_permute2f128_ps((from)[0], (from)[4], 0x20),                                                     \
     (to)[4] = _mm256_permute2f128_ps((from)[0], (from)[4], 0x31))
#include "simd/x86.inc"

BGR_KERNELS(avx2);
#endif
