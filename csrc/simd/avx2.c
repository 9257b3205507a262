#include "simd/kernels.h"

#ifdef BGR_HAS_AVX
#include <immintrin.h>

#define KERNEL(name) avx2_##name
#define TARGET __attribute__((target("avx2")))
#define X86(name) _mm256_##name
#define X86_WHOLE(name) _mm256_##name##_si256
#define INTEGERS __m256i
#define DOUBLES __m256d
#define LINES_AT_A_TIME 4
#include "simd/x86.inc"
#undef KERNEL

const bgr_kernels bgr_avx2 = {avx2_tile, avx2_row};
#endif
