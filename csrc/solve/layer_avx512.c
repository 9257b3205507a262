/* The positions of a block, with vectors of 512 bits. */

#include "solve/layer_avx512.h"

#ifdef BGR_HAS_AVX
#include "solve/layer_plays.h"

#include <immintrin.h>
#include <math.h>
#include <string.h>

#define TARGET __attribute__((target("avx512bw")))

enum { LANES = 8 }; /* results that are looked at side by side */

/* A position that is not home, and what single dice make of it. */
typedef struct {
    int t[BGR_MAX_POINTS + 1];
    int32_t lowered[BGR_MAX_POINTS + LANES]; /* [BGR_MAX_POINTS - j], as visit has it for j */
    int32_t result[BGR_MAX_POINTS][LANES];   /* by die, of each source, where sources have a checker to be moved */
    int source[BGR_MAX_POINTS];              /* rising; a die can be played from there if it is not larger */
    int n_sources;
} visit_lanes;

TARGET static inline void find_results_lanes(const bgr_layer *l, int32_t slot, int changed, visit_lanes *v)
{
    int32_t *lowered = v->lowered + BGR_MAX_POINTS;
    for (int j = changed; j < l->points; j++)
        lowered[-j] = lowered[1 - j] + (v->t[j] ? (int32_t)l->count[j][v->t[j] - 1] : 0);
    int n = 0;
    for (int j = 1; j < l->points; j++) {
        v->source[n] = j;
        n += v->t[j] > v->t[j + 1];
    }
    v->n_sources = n;
    for (int i = 0; i < n; i++) {
        const int32_t *at = lowered - v->source[i];
        __m256i before = _mm256_loadu_si256((const __m256i *)(const void *)(at + 1));
        __m256i result = _mm256_add_epi32(before, _mm256_set1_epi32(slot - *at));
        _mm256_storeu_si256((__m256i *)(void *)v->result[i], result);
    }
}

/* The best so far of eight things side by side; slots are in the lower half. */
typedef struct {
    __m512d mean;
    __m512i slot;
} best_lanes;

TARGET static inline void consider_lanes(const double *mean, __m512i slot, __mmask8 lanes, best_lanes *best)
{
    __m512d none = _mm512_set1_pd(INFINITY);
    __m512d now = _mm512_mask_i32gather_pd(none, lanes, _mm512_castsi512_si256(slot), mean, sizeof(double));
    __m512d difference = _mm512_sub_pd(now, best->mean);
    __mmask8 less = _mm512_cmp_pd_mask(difference, _mm512_set1_pd(-BGR_TIE), _CMP_LT_OQ);
    __mmask8 equal = _mm512_cmp_pd_mask(difference, _mm512_set1_pd(BGR_TIE), _CMP_LE_OQ);
    __mmask8 first = (__mmask8)_mm512_cmplt_epi32_mask(slot, best->slot);
    __mmask8 better = (__mmask8)(less | (equal & first));
    best->slot = _mm512_mask_mov_epi32(best->slot, better, slot);
    best->mean = _mm512_mask_mov_pd(best->mean, better, now);
}

/* Of the chains of what a die leaves, by die: those of one of each die, with three of the same die in its own place,
 * then those of one and of two of the same.  They are counted from chain 0, or, for 5 and 6, from chain 2. */
static const int32_t goes_on[6][2 * LANES] = {
    {0, 7, 8, 9, 10, 11, 6, 12}, {6, 1, 8, 9, 10, 11, 7, 13}, {6, 7, 2, 9, 10, 11, 8, 14},
    {6, 7, 8, 3, 10, 11, 9, 15}, {4, 5, 6, 7, 2, 9, 8, 14},   {4, 5, 6, 7, 8, 3, 9, 15},
};

/* As choose has it. */
TARGET static inline void choose_lanes(const bgr_layer *l, const visit_lanes *v, int32_t *chain, play_choices *chosen)
{
    const double *mean = l->mean;
    const best_lanes none = {_mm512_set1_pd(INFINITY), _mm512_setzero_si512()};
    int any_order = v->t[BGR_HOME_POINTS] > 1, then = any_order ? 0xc0 : 0xff;
    best_lanes one = none, both[6] = {none, none, none, none, none, none};
    for (int i = 0; i < v->n_sources; i++) {
        int j = v->source[i];
        __m256i result = _mm256_loadu_si256((const __m256i *)(const void *)v->result[i]);
        consider_lanes(mean, _mm512_castsi256_si512(result), (__mmask8)(j < 6 ? (1 << j) - 1 : 63), &one);
#pragma GCC unroll 6
        for (int a = 0; a < 6; a++)
            if (a < j) {
                const int32_t *next = l->chains + (int64_t)v->result[i][a] * BGR_N_CHAINS;
                __m512i slot = _mm512_permutexvar_epi32(_mm512_loadu_si512(goes_on[a]),
                                                        _mm512_loadu_si512(a < 4 ? next : next + 2));
                consider_lanes(mean, slot, (__mmask8)(then | ((2 << a) - 1)), &both[a]);
            }
    }
    int32_t slots[6][2 * LANES];
    double means[6][LANES];
#pragma GCC unroll 6
    for (int a = 0; a < 6; a++) {
        _mm512_storeu_si512(slots[a], both[a].slot);
        _mm512_storeu_pd(means[a], both[a].mean);
    }
    _mm512_mask_storeu_epi32(chain + BGR_ONE_DIE, 63, one.slot);
    for (int a = 0; a < 6; a++) {
        chain[BGR_TWO_DICE + a] = slots[a][6];
        chain[BGR_THREE_DICE + a] = slots[a][7];
    }
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int a = bgr_rolls[roll].larger - 1, b = bgr_rolls[roll].smaller - 1;
        play_result best = {slots[a][b], means[a][b]};
        if (a != b && !any_order)
            consider(mean, slots[b][a], &best);
        if (l->rings) /* the sums of means come first */
            _mm_prefetch((const char *)(l->rings + (int64_t)best.place * BGR_RING), _MM_HINT_T0);
        chosen->place[roll] = best.place;
        chosen->mean[roll] = best.mean;
    }
}

/* The sums of 0 .. 15 elements. */
TARGET static inline __m512i running_sums(__m512i x)
{
    const __m512i zero = _mm512_setzero_si512();
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
    return _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
}

/* Thirty-sixths to the nearest, halves to even.  They are below 2^22, so that floats have them and their halves
 * exactly, and no other quotient is as near to a half as its rounding is large. */
TARGET static inline __m512i thirty_sixths(__m512i x)
{
    return _mm512_cvtps_epi32(_mm512_div_ps(_mm512_cvtepi32_ps(x), _mm512_set1_ps(36)));
}

/* As add_rings has it. */
TARGET static inline int add_rings_lanes(const bgr_layer *l, const play_choices *chosen, int32_t slot)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i low[2] = {zero, zero},
            high[2] = {zero, zero}; /* sums of whole elements modulo 2^16, of their upper bytes */
    int start = 255, past = 0;
#pragma GCC unroll 21
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int32_t from = chosen->place[roll];
        int first = l->span[from].first, beyond = first + l->span[from].length;
        start = first < start ? first : start;
        past = beyond > past ? beyond : past;
        __m512i ring = _mm512_loadu_si512(l->rings + (int64_t)from * BGR_RING);
        int once = bgr_rolls[roll].larger == bgr_rolls[roll].smaller;
        low[once] = _mm512_add_epi16(low[once], ring);
        high[once] = _mm512_add_epi16(high[once], _mm512_srli_epi16(ring, 8));
    }
    if (past - start > BGR_RING - 1)
        return 0;
    __m512i whole = _mm512_add_epi16(_mm512_add_epi16(low[0], low[0]), low[1]);
    __m512i upper = _mm512_add_epi16(_mm512_add_epi16(high[0], high[0]), high[1]);
    /* What the lower bytes sum to is less than 2^16 as well. */
    __m512i lower = _mm512_sub_epi16(whole, _mm512_slli_epi16(upper, 8));
    __m512i sums[2], order = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int k = 0; k < 2; k++) {
        __m256i u = k ? _mm512_extracti64x4_epi64(upper, 1) : _mm512_castsi512_si256(upper);
        __m256i w = k ? _mm512_extracti64x4_epi64(lower, 1) : _mm512_castsi512_si256(lower);
        sums[k] = _mm512_add_epi32(_mm512_slli_epi32(_mm512_cvtepu16_epi32(u), 8), _mm512_cvtepu16_epi32(w));
    }
    /* Turned so that the first number of rolls is element 0; permutations don't look beyond the five bits of 0 .. 31.
     */
    __m512i from = _mm512_add_epi32(order, _mm512_set1_epi32(start)), on = _mm512_set1_epi32(16);
    __m512i early = running_sums(_mm512_permutex2var_epi32(sums[0], from, sums[1]));
    __m512i late = running_sums(_mm512_permutex2var_epi32(sums[0], _mm512_add_epi32(from, on), sums[1]));
    late = _mm512_add_epi32(late, _mm512_permutexvar_epi32(_mm512_set1_epi32(15), early));
    early = thirty_sixths(early);
    late = thirty_sixths(late);
    __m512i head = _mm512_sub_epi32(early, _mm512_alignr_epi32(early, zero, 15));
    __m512i tail = _mm512_sub_epi32(late, _mm512_alignr_epi32(late, early, 15));
    uint32_t some = _mm512_test_epi32_mask(head, head) | (uint32_t)_mm512_test_epi32_mask(tail, tail) << 16;
    int first = __builtin_ctz(some), last = 31 - __builtin_clz(some);
    /* And back, one roll later. */
    __m512i to = _mm512_sub_epi32(order, _mm512_set1_epi32(start + 1));
    __m256i *ring = (__m256i *)(void *)(l->rings + (int64_t)slot * BGR_RING);
    _mm256_storeu_si256(ring, _mm512_cvtepi32_epi16(_mm512_permutex2var_epi32(head, to, tail)));
    to = _mm512_add_epi32(to, on);
    _mm256_storeu_si256(ring + 1, _mm512_cvtepi32_epi16(_mm512_permutex2var_epi32(head, to, tail)));
    l->span[slot] = (bgr_span){(uint8_t)(start + 1 + first), (uint8_t)(last - first + 1)};
    return 1;
}

#define visit visit_lanes
#define find_results find_results_lanes
#define choose choose_lanes
#define add_rings add_rings_lanes
#define solve_block solve_block_avx512
#define BLOCK_TARGET TARGET
#include "solve/layer_block.inc"
#undef add_rings /* all of this may be one file with what has other ones */
#undef solve_block
#undef BLOCK_TARGET

int bgr_solve_block_avx512(const bgr_layer *l, const bgr_layer_blocks *b, int64_t first)
{
    return solve_block_avx512(l, b, first);
}
#endif
