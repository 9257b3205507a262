/* The inner loops with AVX-512, in registers of 512 bits. */

#include "simd/kernels.h"

#ifdef BGR_HAS_AVX
#include <immintrin.h>
#include <string.h>

#define KERNEL(name) avx512_##name
/* Clang 18 to 20 treat vectors of 512 bits as a separate feature, which zig does not enable. */
#if defined(__clang__) && __clang_major__ >= 18 && __clang_major__ <= 20 && !defined(__apple_build_version__)
#define TARGET __attribute__((target("avx512bw,evex512")))
#else
#define TARGET __attribute__((target("avx512bw")))
#endif
#define X86(name) _mm512_##name
#define X86_WHOLE(name) _mm512_##name##_si512
#define INTEGERS __m512i
#define FLOATS __m512
#define DOUBLES __m512d
#define FLOATS_MASK __mmask16
#define DOUBLES_MASK __mmask8
#define GREATER(a, b) OF_MASK(cmp)(a, b, _CMP_GT_OQ)
#define SELECT(mask, a, b) OF(mask_blend)(mask, b, a)
#define LINES_AT_A_TIME 8
/* Pairs of rows first, then quarters of registers: the even ones of two with 0x88, the odd ones with 0xdd. */
#define TRANSPOSE(v)                                                                                                   \
    do {                                                                                                               \
        __m512d turned_round[8];                                                                                       \
        for (int odd = 0; odd < 2; odd++) {                                                                            \
            __m512d pair[4];                                                                                           \
            for (int k = 0; k < 4; k++)                                                                                \
                pair[k] =                                                                                              \
                    odd ? _mm512_unpackhi_pd(v[2 * k], v[2 * k + 1]) : _mm512_unpacklo_pd(v[2 * k], v[2 * k + 1]);     \
            __m512d even_low = _mm512_shuffle_f64x2(pair[0], pair[1], 0x88);                                           \
            __m512d even_high = _mm512_shuffle_f64x2(pair[2], pair[3], 0x88);                                          \
            __m512d odd_low = _mm512_shuffle_f64x2(pair[0], pair[1], 0xdd);                                            \
            __m512d odd_high = _mm512_shuffle_f64x2(pair[2], pair[3], 0xdd);                                           \
            turned_round[odd] = _mm512_shuffle_f64x2(even_low, even_high, 0x88);                                       \
            turned_round[2 + odd] = _mm512_shuffle_f64x2(odd_low, odd_high, 0x88);                                     \
            turned_round[4 + odd] = _mm512_shuffle_f64x2(even_low, even_high, 0xdd);                                   \
            turned_round[6 + odd] = _mm512_shuffle_f64x2(odd_low, odd_high, 0xdd);                                     \
        }                                                                                                              \
        memcpy(v, turned_round, sizeof turned_round);                                                                  \
    } while (0)
#define JOIN(from, to)                                                                                                 \
    do {                                                                                                               \
        __m512 even_low = _mm512_shuffle_f32x4((from)[0], (from)[4], 0x88);                                            \
        __m512 even_high = _mm512_shuffle_f32x4((from)[8], (from)[12], 0x88);                                          \
        __m512 odd_low = _mm512_shuffle_f32x4((from)[0], (from)[4], 0xdd);                                             \
        __m512 odd_high = _mm512_shuffle_f32x4((from)[8], (from)[12], 0xdd);                                           \
        (to)[0] = _mm512_shuffle_f32x4(even_low, even_high, 0x88);                                                     \
        (to)[4] = _mm512_shuffle_f32x4(odd_low, odd_high, 0x88);                                                       \
        (to)[8] = _mm512_shuffle_f32x4(even_low, even_high, 0xdd);                                                     \
        (to)[12] = _mm512_shuffle_f32x4(odd_low, odd_high, 0xdd);                                                      \
    } while (0)
#include "simd/x86.inc"

BGR_KERNELS(avx512);
#endif
