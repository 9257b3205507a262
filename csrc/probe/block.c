/* Decode blocks of a packed table of pairs: a single value, or all. */

#include "probe/block.h"

#include "base/bytes.h"
#include "base/path.h"

bgr_status bgr_block_read(const unsigned char *block, size_t n_bytes, bgr_block_plane planes[BGR_N_PLANES])
{
    if (n_bytes < BGR_BLOCK_HEAD || n_bytes > BGR_MAX_BLOCK_BYTES)
        return BGR_ERR_DAMAGED;
    size_t at = BGR_BLOCK_HEAD;
    for (int k = 0; k < BGR_N_PLANES; k++) {
        uint32_t head = get_u32(block + 4 * k);
        planes[k].base = (int)((head & 0xFFFF) ^ 0x8000) - 0x8000;
        planes[k].low_bits = (int)(head >> 16 & 0xF);
        planes[k].n_words = (int)(head >> 20);
        planes[k].low = block + at;
        at += BGR_BLOCK_PLACES / 8 * (size_t)planes[k].low_bits;
    }
    for (int k = 0; k < BGR_N_PLANES; k++) {
        planes[k].high = block + at;
        at += 8 * (size_t)planes[k].n_words;
    }
    return at == n_bytes ? BGR_OK : BGR_ERR_DAMAGED;
}

/* The number of ones in a word.  counted: 1 if the processor has an instruction for it. */
BGR_WITHIN int ones_in(uint64_t word, int counted)
{
#ifdef __GNUC__
    if (counted)
        return __builtin_popcountll(word);
#endif
    (void)counted;
    word -= word >> 1 & 0x5555555555555555U;
    word = (word & 0x3333333333333333U) + (word >> 2 & 0x3333333333333333U);
    return (int)(((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FU) * 0x0101010101010101U >> 56);
}

/* The number of zeros below the lowest one of a word other than 0. */
BGR_WITHIN int zeros_below(uint64_t word)
{
#ifdef __GNUC__
    return __builtin_ctzll(word);
#else
    return ones_in((word & (0 - word)) - 1, 0);
#endif
}

/* The place of one number `rest` of a word that has more ones than that. */
BGR_WITHIN int place_of_one(uint64_t word, int rest, int counted)
{
    int at = 0;
    for (int width = 32; width >= 4; width /= 2) {
        int ones = ones_in(word & (((uint64_t)1 << width) - 1), counted), beyond = ones <= rest;
        rest -= beyond ? ones : 0;
        word >>= beyond ? width : 0;
        at += beyond ? width : 0;
    }
    for (; rest > 0; rest--)
        word &= word - 1;
    return at + zeros_below(word);
}

/* Restore a value from its folded form and the base. */
static inline int unfold(unsigned folded, int base)
{
    return (int)((unsigned)base + (folded >> 1 ^ (0 - (folded & 1))));
}

/* The low bits of a value of a plane that has words.  Up to 15 bits may span three bytes; four are read, which is safe
 * since the words follow. */
static inline unsigned low_of(const bgr_block_plane *plane, int place)
{
    unsigned bit = (unsigned)(place * plane->low_bits);
    return get_u32(plane->low + (bit >> 3)) >> (bit & 7) & ((1U << plane->low_bits) - 1);
}

BGR_WITHIN bgr_status find_value(const bgr_block_plane *plane, int place, int counted, int *left)
{
    if (plane->n_words == 0) { /* all values are equal */
        *left = plane->base;
        return BGR_OK;
    }
    int rest = place, w = 0;
    uint64_t word = 0;
    for (; w < plane->n_words; w++) {
        word = get_u64(plane->high + 8 * w);
        int ones = ones_in(word, counted);
        if (rest < ones)
            break;
        rest -= ones;
    }
    if (w == plane->n_words)
        return BGR_ERR_DAMAGED;
    int at = place_of_one(word, rest, counted), before;
    if (rest > 0)
        before = bgr_highest_bit(word & (((uint64_t)1 << at) - 1));
    else { /* the previous one is in an earlier word, or there is none */
        int v = w - 1;
        uint64_t earlier = 0;
        for (; v >= 0 && !earlier; v--)
            earlier = get_u64(plane->high + 8 * v);
        before = earlier ? 64 * (v + 1 - w) + bgr_highest_bit(earlier) : -64 * w - 1;
    }
    unsigned high = (unsigned)(at - before - 1);
    *left = unfold(high << plane->low_bits | low_of(plane, place), plane->base);
    return BGR_OK;
}

#ifdef BGR_HAS_AVX /* not in the first x86-64 processors */
__attribute__((target("popcnt"))) static bgr_status find_value_counted(const bgr_block_plane *plane, int place,
                                                                       int *left)
{
    return find_value(plane, place, 1, left);
}

bgr_status bgr_block_value(const bgr_block_plane *plane, int place, int *left)
{
    if (__builtin_cpu_supports("popcnt"))
        return find_value_counted(plane, place, left);
    return find_value(plane, place, 0, left);
}
#else
bgr_status bgr_block_value(const bgr_block_plane *plane, int place, int *left)
{
    return find_value(plane, place, 1, left);
}
#endif

BGR_EVERY_WIDTH
bgr_status bgr_block_values(const bgr_block_plane *plane, int16_t left[BGR_BLOCK_PLACES])
{
    int place = 0;
    unsigned high = 0;
    if (plane->n_words == 0) {
        for (; place < BGR_BLOCK_PLACES; place++)
            left[place] = (int16_t)plane->base;
        return BGR_OK;
    }
    for (int w = 0; w < plane->n_words; w++) {
        int at = 0;
        for (uint64_t word = get_u64(plane->high + 8 * w); word; word &= word - 1) {
            int zeros = zeros_below(word) - at;
            if (place == BGR_BLOCK_PLACES)
                return BGR_ERR_DAMAGED;
            high += (unsigned)zeros;
            int value = unfold(high << plane->low_bits | low_of(plane, place), plane->base);
            left[place++] = bgr_stored_value(0, value);
            at += zeros + 1;
            high = 0;
        }
        high += (unsigned)(64 - at);
    }
    return place == BGR_BLOCK_PLACES ? BGR_OK : BGR_ERR_DAMAGED;
}

#if defined(BGR_HAS_SSE2)
#include <emmintrin.h>
#define VECTOR __m128i
#define LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define ZERO _mm_setzero_si128()
#define ADD_PRODUCTS(sum, a, b) _mm_add_epi32(sum, _mm_madd_epi16(a, b))
#define ADD(a, b) _mm_add_epi32(a, b)
#define STORE(p, sum) _mm_storeu_si128((__m128i *)(void *)(p), sum)
#elif defined(BGR_HAS_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_neon.h>
#define VECTOR int32x4_t
#define LOAD(p) vreinterpretq_s16_u8(vld1q_u8(p))
#define ZERO vdupq_n_s32(0)
#define ADD_PRODUCTS(sum, a, b) vmlal_high_s16(vmlal_s16(sum, vget_low_s16(a), vget_low_s16(b)), a, b)
#define ADD(a, b) vaddq_s32(a, b)
#define STORE(p, sum) vst1q_s32((int32_t *)(p), sum)
#elif defined(BGR_HAS_WASM)
#include <wasm_simd128.h>
#define VECTOR v128_t
#define LOAD(p) wasm_v128_load(p)
#define ZERO wasm_i32x4_const(0, 0, 0, 0)
#define ADD_PRODUCTS(sum, a, b) wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(a, b))
#define ADD(a, b) wasm_i32x4_add(a, b)
#define STORE(p, sum) wasm_v128_store(p, sum)
#endif

int32_t bgr_dot(const unsigned char *a, const unsigned char *b, int n)
{
    uint32_t sum = 0;
    int k = 0;
#ifdef VECTOR /* sums modulo 2^32, so the order does not matter */
    uint32_t part[4];
    VECTOR even = ZERO, odd = ZERO;
    for (; k + 16 <= n; k += 16) {
        even = ADD_PRODUCTS(even, LOAD(a + 2 * k), LOAD(b + 2 * k));
        odd = ADD_PRODUCTS(odd, LOAD(a + 2 * k + 16), LOAD(b + 2 * k + 16));
    }
    STORE(part, ADD(even, odd));
    for (int lane = 0; lane < 4; lane++)
        sum += part[lane];
#endif
    for (; k < n; k++) {
        int x = ((a[2 * k] | a[2 * k + 1] << 8) ^ 0x8000) - 0x8000;
        int y = ((b[2 * k] | b[2 * k + 1] << 8) ^ 0x8000) - 0x8000;
        sum += (uint32_t)x * (uint32_t)y;
    }
    return (int32_t)sum;
}

#undef VECTOR
#undef LOAD
#undef ZERO
#undef ADD_PRODUCTS
#undef ADD
#undef STORE
