/* Tables of pairs packed and unpacked, stripe by stripe: 32 rows at a time. */
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

/* The blocks of a stripe coded, one behind the other, from the start of `codes`, which has room for BGR_MAX_BLOCK_BYTES
 * for each; their sizes, in bytes, and the CRC-32 of their values.  values: the stripe's rows of the table as it is
 * when it is not packed: n_rows x n x BGR_N_PLANES.  size, crc: as many as there are blocks side by side. BGR_ERR_SIZE
 * if the numbers don't fit together, BGR_ERR_ARGUMENT if the path can't be taken, BGR_ERR_MEMORY. */
bgr_status bgr_pack_stripe(const bgr_stripe *stripe, const int16_t *values, int32_t *size, uint32_t *crc,
                           unsigned char *codes);

/* By how much the products of the factors miss the values of one plane, n_rows x n: products are rounded, and cut off
 * at -most and most, up to INT16_MAX.  The same statuses, and BGR_ERR_ARGUMENT if there is no such plane. */
bgr_status bgr_miss_stripe(const bgr_stripe *stripe, int plane, int most, const int16_t *values, uint16_t *missed);

/* The blocks of a stripe, coded. */
typedef struct bgr_coded {
    const unsigned char *codes;
    int64_t n_bytes;
    const int64_t *start; /* of each block in codes, and the end of the last */
    const uint32_t *crc;  /* what the blocks should have */
} bgr_coded;

/* A stripe decoded into values.  *damaged counts blocks that do not have their checksum, *first is the number of the
 * first.  The same statuses. */
bgr_status bgr_unpack_stripe(const bgr_stripe *stripe, const bgr_coded *coded, int16_t *values, int64_t *damaged,
                             int64_t *first);
