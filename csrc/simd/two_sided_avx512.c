#include "solve/two_sided.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define TILE_FUNCTION bgr_tile_avx512
#define TILE_TARGET __attribute__((target("avx512bw")))
#define INTEGERS __m512i
#define LANES 32
#define X86(name) X86_##name
#define X86_setzero _mm512_setzero_si512
#define X86_set1_epi32 _mm512_set1_epi32
#define X86_add_epi32 _mm512_add_epi32
#define X86_madd_epi16 _mm512_madd_epi16
#define X86_unpacklo_epi16 _mm512_unpacklo_epi16
#define X86_unpackhi_epi16 _mm512_unpackhi_epi16
#define X86_cvtps_epi32 _mm512_cvtps_epi32
#define X86_cvttps_epi32 _mm512_cvttps_epi32
#define X86_cvtepi32_ps _mm512_cvtepi32_ps
#define X86_div_ps _mm512_div_ps
#define X86_set1_ps _mm512_set1_ps
#define X86_packs_epi32 _mm512_packs_epi32
#define X86_max_epi16 _mm512_max_epi16
#define LOAD(p) _mm512_loadu_si512((const __m512i *)(p))
#define STORE(p, v) _mm512_storeu_si512((__m512i *)(p), v)
#include "simd/two_sided_x86.h"

#include "simd/two_sided_tile.h"

int bgr_have_avx512(void) { return __builtin_cpu_supports("avx512bw") != 0; }
#else
void bgr_tile_avx512(const int16_t *stripe, const bgr_block_rolls *rolls, int cut, int16_t (*out)[BGR_ROW])
{
    bgr_tile_scalar(stripe, rolls, cut, out);
}

int bgr_have_avx512(void) { return 0; }
#endif
