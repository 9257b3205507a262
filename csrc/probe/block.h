/* Blocks of a packed table of pairs: 32 rows by 32 columns, and in each of four planes what is left of the values when
 * the products of the factors are taken away.
 *
 * The rest is a small number, of either sign, less one `base` for all of a block's plane.  It is folded (0, -1, 1,
 * -2, 2, ... become 0, 1, 2, 3, 4, ...) and cut in two (Rice, "Some practical universal noiseless coding techniques",
 * JPL Publication 79-22): the lowest bits, as many for each value, stand side by side; the rest r is written as r zeros
 * and a one.  The ones are counted to find a value's, so any value can be had without decoding those before it. */
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
    /* With 15 bits apart there are at most 2 for each value besides, and no plane is coded in more than that. */
    BGR_MAX_BLOCK_BYTES = BGR_BLOCK_HEAD + BGR_N_PLANES * BGR_BLOCK_PLACES / 8 * (BGR_MAX_LOW_BITS + 2)
};

/* A plane of a block. */
typedef struct bgr_block_plane {
    const unsigned char *low;  /* low_bits of each value, the lowest bit first */
    const unsigned char *high; /* n_words of eight bytes; the bit of value 1 comes first */
    int base, low_bits, n_words;
} bgr_block_plane;

/* Find the planes of a block of n_bytes.  BGR_ERR_DAMAGED if they are not those that its head asks for. */
bgr_status bgr_block_read(const unsigned char *block, size_t n_bytes, bgr_block_plane planes[BGR_N_PLANES]);

/* The rest at a place, 32 times the row plus the column.  BGR_ERR_DAMAGED if the plane ends before it. */
bgr_status bgr_block_value(const bgr_block_plane *plane, int place, int *left);

/* The same at all places. */
bgr_status bgr_block_values(const bgr_block_plane *plane, int16_t left[BGR_BLOCK_PLACES]);

/* The sum over k < n of a[k] b[k], of int16 as files have them, modulo 2^32.  Whole numbers: the same bits whatever
 * the order. */
int32_t bgr_dot(const unsigned char *a, const unsigned char *b, int n);

/* The product that such a sum stands for: divided by 2^shift, rounded to the nearest number. */
static inline int bgr_product(int32_t sum, int shift)
{
    int64_t half = (int64_t)1 << shift >> 1;
    return (int)((sum + half) >> shift);
}

/* A stored value: the product of the factors and what is left, modulo 2^16. */
static inline int16_t bgr_stored_value(int product, int left)
{
    int bits = (int)(((unsigned)product + (unsigned)left) & 0xFFFF);
    return (int16_t)((bits ^ 0x8000) - 0x8000);
}
