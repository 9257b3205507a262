/* Pack and unpack tables of pairs, in stripes of 32 rows. */
#pragma once

#include "base/path.h"
#include "probe/block.h"

/* Factors of n positions, `n_factors` each: on roll and as the opponent.  Plane k has `count` of them from `first` on;
 * their products are divided by 2^shift. */
typedef struct bgr_factors {
    const int16_t *on_roll, *opponent;
    int64_t n;
    int n_factors;
    int first[BGR_N_PLANES], count[BGR_N_PLANES], shift[BGR_N_PLANES];
} bgr_factors;

/* A stripe: n_rows rows of the table from `row` on. */
typedef struct bgr_stripe {
    const bgr_factors *factors;
    int64_t row;
    int n_rows, n_threads;
    bgr_path path;
} bgr_stripe;

/* Code the blocks of a stripe, one after another, into `codes`, which has room for BGR_MAX_BLOCK_BYTES for each.
 * values: the stripe's rows of the table, n_rows x n x BGR_N_PLANES.  size, crc [out]: for each block its bytes and the
 * CRC-32 of its values.  BGR_ERR_SIZE if the numbers are inconsistent, BGR_ERR_ARGUMENT if the machine does not support
 * the path, BGR_ERR_MEMORY. */
bgr_status bgr_pack_stripe(const bgr_stripe *stripe, const int16_t *values, int32_t *size, uint32_t *crc,
                           unsigned char *codes);

/* Find the absolute errors of the products for the values of one plane, n_rows x n; products are rounded, and clamped
 * to -most .. most, at most INT16_MAX.  The same statuses, and BGR_ERR_ARGUMENT if the plane does not exist. */
bgr_status bgr_miss_stripe(const bgr_stripe *stripe, int plane, int most, const int16_t *values, uint16_t *missed);

/* The coded blocks of a stripe. */
typedef struct bgr_coded {
    const unsigned char *codes;
    int64_t n_bytes;
    const int64_t *start; /* of each block in codes, and the end of the last */
    const uint32_t *crc;  /* expected CRC-32 of the values of each block */
} bgr_coded;

/* Decode a stripe.  damaged [out]: number of blocks without their checksum; first [out]: the first of these.  The same
 * statuses. */
bgr_status bgr_unpack_stripe(const bgr_stripe *stripe, const bgr_coded *coded, int16_t *values, int64_t *damaged,
                             int64_t *first);
