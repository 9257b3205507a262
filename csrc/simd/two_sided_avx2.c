#include "solve/two_sided.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define TILE_FUNCTION bgr_tile_avx2
#define TILE_TARGET __attribute__((target("avx2")))
#define INTEGERS __m256i
#define LANES 16
#define X86(name) X86_##name
#define X86_setzero _mm256_setzero_si256
#define X86_set1_epi32 _mm256_set1_epi32
#define X86_add_epi32 _mm256_add_epi32
#define X86_madd_epi16 _mm256_madd_epi16
#define X86_unpacklo_epi16 _mm256_unpacklo_epi16
#define X86_unpackhi_epi16 _mm256_unpackhi_epi16
#define X86_cvtps_epi32 _mm256_cvtps_epi32
#define X86_cvttps_epi32 _mm256_cvttps_epi32
#define X86_cvtepi32_ps _mm256_cvtepi32_ps
#define X86_div_ps _mm256_div_ps
#define X86_set1_ps _mm256_set1_ps
#define X86_packs_epi32 _mm256_packs_epi32
#define X86_max_epi16 _mm256_max_epi16
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#include "simd/two_sided_x86.h"

#include "simd/two_sided_tile.h"

int bgr_have_avx2(void) { return __builtin_cpu_supports("avx2") != 0; }
#else
void bgr_tile_avx2(const int16_t *stripe, const bgr_block_rolls *rolls, int cut, int16_t (*out)[BGR_ROW])
{
    bgr_tile_scalar(stripe, rolls, cut, out);
}

int bgr_have_avx2(void) { return 0; }
#endif
