#include "turns/rows.h"

#ifdef BGR_HAS_AVX
#include <immintrin.h>

#define KERNEL(name) avx512_##name
#define ROW_TARGET __attribute__((target("avx512f")))
#define X86(name) _mm512_##name
#define FLOATS __m512
#define DOUBLES __m512d
#define FLOATS_MASK __mmask16
#define DOUBLES_MASK __mmask8
#define GREATER_OF(type, a, b) _mm512_cmp_##type##_mask(a, b, _CMP_GT_OQ)
#define SELECT_OF(type, mask, a, b) _mm512_mask_blend_##type(mask, b, a)
#include "turns/rows_x86.inc"
#undef KERNEL

const bgr_rows bgr_rows_avx512 = {{avx512_float_best, avx512_float_follow, avx512_float_mix, avx512_float_turn},
                                  {avx512_double_best, avx512_double_follow, avx512_double_mix, avx512_double_turn}};
#endif
