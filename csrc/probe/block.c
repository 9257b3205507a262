/* Blocks of a packed table of pairs, decoded: a value by itself, or all of them. */

#include "probe/block.h"

#include "base/path.h"
#include "probe/bytes.h"

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

static inline int ones_in(uint64_t word)
{
#ifdef __GNUC__
    return __builtin_popcountll(word);
#else
    word -= word >> 1 & 0x5555555555555555U;
    word = (word & 0x3333333333333333U) + (word >> 2 & 0x3333333333333333U);
    return (int)(((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FU) * 0x0101010101010101U >> 56);
#endif
}

/* Number of zeros below the lowest one, of which there is one. */
static inline int zeros_below(uint64_t word) { return ones_in((word & (0 - word)) - 1); }

/* Where the one number `rest` of a word is, of which there are more. */
static inline int place_of_one(uint64_t word, int rest)
{
    int at = 0;
    for (int width = 32; width >= 4; width /= 2) {
        int ones = ones_in(word & (((uint64_t)1 << width) - 1));
        if (ones <= rest) {
            rest -= ones;
            word >>= width;
            at += width;
        }
    }
    for (; rest > 0; rest--)
        word &= word - 1;
    return at + zeros_below(word);
}

/* From what a value was folded to, and the base. */
static inline int unfold(unsigned folded, int base)
{
    return (int)((unsigned)base + (folded >> 1 ^ (0 - (folded & 1))));
}

static inline unsigned low_of(const bgr_block_plane *plane, int place)
{
    unsigned bit = (unsigned)(place * plane->low_bits), value = 0;
    int n = plane->low_bits;
    if (n == 0)
        return 0;
    /* Up to 15 bits may be in three bytes; those after the last are not of this plane. */
    const unsigned char *p = plane->low + (bit >> 3);
    int n_bytes = (int)(((bit & 7) + (unsigned)n + 7) >> 3);
    for (int k = 0; k < n_bytes; k++)
        value |= (unsigned)p[k] << 8 * k;
    return value >> (bit & 7) & ((1U << n) - 1);
}

BGR_EVERY_WIDTH
bgr_status bgr_block_value(const bgr_block_plane *plane, int place, int *left)
{
    if (plane->n_words == 0) { /* all alike */
        *left = plane->base;
        return BGR_OK;
    }
    int rest = place, w = 0;
    uint64_t word = 0;
    for (; w < plane->n_words; w++) {
        word = get_u64(plane->high + 8 * w);
        int ones = ones_in(word);
        if (rest < ones)
            break;
        rest -= ones;
    }
    if (w == plane->n_words)
        return BGR_ERR_DAMAGED;
    int at = place_of_one(word, rest), before;
    if (rest > 0) {
        uint64_t below = word & (((uint64_t)1 << at) - 1);
        before = place_of_one(below, rest - 1);
    } else { /* the one before is in some earlier word, or there is none */
        int v = w - 1;
        uint64_t earlier = 0;
        for (; v >= 0 && !earlier; v--)
            earlier = get_u64(plane->high + 8 * v);
        before = earlier ? 64 * (v + 1 - w) + place_of_one(earlier, ones_in(earlier) - 1) : -64 * w - 1;
    }
    unsigned high = (unsigned)(at - before - 1);
    *left = unfold(high << plane->low_bits | low_of(plane, place), plane->base);
    return BGR_OK;
}

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

BGR_EVERY_WIDTH
int32_t bgr_dot(const unsigned char *a, const unsigned char *b, int n)
{
    uint32_t sum = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (int k = 0; k < n; k++) {
        int16_t x, y;
        memcpy(&x, a + 2 * k, sizeof x);
        memcpy(&y, b + 2 * k, sizeof y);
        sum += (uint32_t)(x * y);
    }
#else
    for (int k = 0; k < n; k++) {
        int x = ((a[2 * k] | a[2 * k + 1] << 8) ^ 0x8000) - 0x8000;
        int y = ((b[2 * k] | b[2 * k + 1] << 8) ^ 0x8000) - 0x8000;
        sum += (uint32_t)(x * y);
    }
#endif
    return (int32_t)sum;
}
