#include "simd/kernels.h"

#ifdef BGR_HAS_AVX
#include <immintrin.h>

#define KERNEL(name) avx512_##name
#define TARGET __attribute__((target("avx512bw")))
#define X86(name) _mm512_##name
#define X86_WHOLE(name) _mm512_##name##_si512
#define INTEGERS __m512i
#define DOUBLES __m512d
#define LINES_AT_A_TIME 8
#include "simd/x86.inc"
#undef KERNEL

const bgr_kernels bgr_avx512 = {avx512_tile, avx512_row};
#endif
