/* The inner loops in registers of 128 bits, which every x86-64 has. */

#include "simd/kernels.h"

#ifdef BGR_HAS_SSE2
#include <emmintrin.h>

#define KERNEL(name) sse2_##name
#define TARGET
#define X86(name) _mm_##name
#define X86_WHOLE(name) _mm_##name##_si128
#define INTEGERS __m128i
#define FLOATS __m128
#define DOUBLES __m128d
#define FLOATS_MASK FLOATS
#define DOUBLES_MASK DOUBLES
#define GREATER(a, b) OF(cmpgt)(a, b)
#define SELECT(mask, a, b) OF(or)(OF(and)(mask, a), OF(andnot)(mask, b))
#define LINES_AT_A_TIME 2
#define TRANSPOSE(v)                                                                                                   \
    do {                                                                                                               \
        __m128d first = _mm_unpacklo_pd(v[0], v[1]);                                                                   \
        v[1] = _mm_unpackhi_pd(v[0], v[1]);                                                                            \
        v[0] = first;                                                                                                  \
    } while (0)
#define JOIN(from, to) ((to)[0] = (from)[0])
#include "simd/x86.inc"

BGR_KERNELS(sse2);
#endif
