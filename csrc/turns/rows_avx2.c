#include "turns/rows.h"

#ifdef BGR_HAS_AVX
#include <immintrin.h>

#define KERNEL(name) avx2_##name
#define ROW_TARGET __attribute__((target("avx2")))
#define X86(name) _mm256_##name
#define FLOATS __m256
#define DOUBLES __m256d
#define FLOATS_MASK __m256
#define DOUBLES_MASK __m256d
#define GREATER_OF(type, a, b) _mm256_cmp_##type(a, b, _CMP_GT_OQ)
#define SELECT_OF(type, mask, a, b) _mm256_blendv_##type(b, a, mask)
#include "turns/rows_x86.inc"
#undef KERNEL

const bgr_rows bgr_rows_avx2 = {{avx2_float_best, avx2_float_follow, avx2_float_mix, avx2_float_turn},
                                {avx2_double_best, avx2_double_follow, avx2_double_mix, avx2_double_turn}};
#endif
