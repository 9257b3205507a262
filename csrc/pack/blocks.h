/* Tables of pairs packed and unpacked, stripe by stripe: 32 rows at a time. */
#ifndef BGR_PACK_BLOCKS_H
#define BGR_PACK_BLOCKS_H

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

/* The blocks of a stripe coded, one behind the other, from the start of `codes`, which has room for BGR_MAX_BLOCK_BYTES
 * for each; their sizes, in bytes, and the CRC-32 of their values.  values: the stripe's rows, from `row` on, of the
 * table as it is when it is not packed: n_rows x n x BGR_N_PLANES.  size, crc: as many as there are blocks side by
 * side. BGR_ERR_SIZE if the numbers don't fit together, BGR_ERR_ARGUMENT if the path can't be taken, BGR_ERR_MEMORY. */
bgr_status bgr_pack_stripe(const bgr_factors *factors, const int16_t *values, int64_t row, int n_rows, int n_threads,
                           bgr_path path, int32_t *size, uint32_t *crc, unsigned char *codes);

/* By how much the products of the factors miss the values of one plane, n_rows x n: products are rounded, and cut off
 * at -most and most, up to INT16_MAX.  The same statuses, and BGR_ERR_ARGUMENT if there is no such plane. */
bgr_status bgr_miss_stripe(const bgr_factors *factors, int plane, const int16_t *values, int64_t row, int n_rows,
                           int most, int n_threads, bgr_path path, uint16_t *missed);

/* A stripe decoded into values.  start: of its blocks in codes, which are n_bytes long; crc: what the blocks should
 * have.  *damaged counts those that do not, *first is the number of the first.  The same statuses. */
bgr_status bgr_unpack_stripe(const bgr_factors *factors, const unsigned char *codes, int64_t n_bytes,
                             const int64_t *start, const uint32_t *crc, int64_t row, int n_rows, int n_threads,
                             bgr_path path, int16_t *values, int64_t *damaged, int64_t *first);

#endif
