#include "solve/two_sided.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>

#define TILE_FUNCTION bgr_tile_sse2
#define TILE_TARGET
#define INTEGERS __m128i
#define LANES 8
#define X86(name) X86_##name
#define X86_setzero _mm_setzero_si128
#define X86_set1_epi32 _mm_set1_epi32
#define X86_add_epi32 _mm_add_epi32
#define X86_madd_epi16 _mm_madd_epi16
#define X86_unpacklo_epi16 _mm_unpacklo_epi16
#define X86_unpackhi_epi16 _mm_unpackhi_epi16
#define X86_cvtps_epi32 _mm_cvtps_epi32
#define X86_cvttps_epi32 _mm_cvttps_epi32
#define X86_cvtepi32_ps _mm_cvtepi32_ps
#define X86_div_ps _mm_div_ps
#define X86_set1_ps _mm_set1_ps
#define X86_packs_epi32 _mm_packs_epi32
#define X86_max_epi16 _mm_max_epi16
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)
#include "simd/two_sided_x86.h"

#include "simd/two_sided_tile.h"

int bgr_have_sse2(void) { return 1; }
#else
void bgr_tile_sse2(const int16_t *stripe, const bgr_block_rolls *rolls, int cut, int16_t (*out)[BGR_ROW])
{
    bgr_tile_scalar(stripe, rolls, cut, out);
}

int bgr_have_sse2(void) { return 0; }
#endif
