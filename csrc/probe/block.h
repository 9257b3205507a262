/* Blocks of a packed table of pairs: 32 rows by 32 columns, with four planes of remainders: values minus the products
 * of the factors.
 *
 * A remainder is a small signed number, relative to one `base` for each plane of a block.  It is folded (0, -1, 1, -2,
 * 2, ... become 0, 1, 2, 3, 4, ...) and split in two (Rice, "Some practical universal noiseless coding techniques", JPL
 * Publication 79-22): the lowest bits, a fixed number for each value, are stored side by side; the high part r as r
 * zeros and a one.  Counting ones finds a value's high part, so any value can be decoded without those before it. */
#pragma once

#include "base/planes.h"
#include "bgrace.h"

enum {
    BGR_MAX_FACTORS = 8192, /* of a position */
    BGR_MAX_SHIFT = 30,
    BGR_BLOCK_SIDE = 32,
    BGR_BLOCK_PLACES = BGR_BLOCK_SIDE * BGR_BLOCK_SIDE,
    BGR_BLOCK_HEAD = 4 * BGR_N_PLANES, /* bytes */
    BGR_MAX_LOW_BITS = 15,
    /* With 15 low bits the high part takes at most 2 bits for each value; no plane takes more. */
    BGR_MAX_BLOCK_BYTES = BGR_BLOCK_HEAD + BGR_N_PLANES * BGR_BLOCK_PLACES / 8 * (BGR_MAX_LOW_BITS + 2)
};

/* A plane of a block. */
typedef struct bgr_block_plane {
    const unsigned char *low;  /* low_bits of each value, the lowest bit first */
    const unsigned char *high; /* n_words of eight bytes; the bit of value 1 comes first */
    int base, low_bits, n_words;
} bgr_block_plane;

/* Find the planes of a block of n_bytes.  BGR_ERR_DAMAGED if they do not agree with its head. */
bgr_status bgr_block_read(const unsigned char *block, size_t n_bytes, bgr_block_plane planes[BGR_N_PLANES]);

/* Get the remainder at a place, 32 times the row plus the column.  BGR_ERR_DAMAGED if the plane ends before it. */
bgr_status bgr_block_value(const bgr_block_plane *plane, int place, int *left);

/* Get the remainders at all places. */
bgr_status bgr_block_values(const bgr_block_plane *plane, int16_t left[BGR_BLOCK_PLACES]);

/* The sum over k < n of a[k] b[k], of int16 as files have them, modulo 2^32.  Integers: the result does not depend on
 * the order. */
int32_t bgr_dot(const unsigned char *a, const unsigned char *b, int n);

/* The product of such a sum: divided by 2^shift, rounded to the nearest integer. */
static inline int bgr_product(int32_t sum, int shift)
{
    int64_t half = (int64_t)1 << shift >> 1;
    return (int)((sum + half) >> shift);
}

/* The stored value: the product plus the remainder, modulo 2^16. */
static inline int16_t bgr_stored_value(int product, int left)
{
    int bits = (int)(((unsigned)product + (unsigned)left) & 0xFFFF);
    return (int16_t)((bits ^ 0x8000) - 0x8000);
}
