/* Tables of pairs packed and unpacked, stripe by stripe: 32 rows at a time. */
#ifndef BGR_PACK_BLOCKS_H
#define BGR_PACK_BLOCKS_H

#include "probe/block.h"

/* Factors of n positions, `n_factors` each: on roll and as the opponent.  Plane k has `count` of them from `first` on;
 * their products are divided by 2^shift. */
typedef struct bgr_factors {
    const int16_t *on_roll, *opponent;
    int64_t n;
    int n_factors;
    int first[BGR_N_PLANES], count[BGR_N_PLANES], shift[BGR_N_PLANES];
} bgr_factors;

/* Sizes, in bytes, and CRC-32 of the blocks of a stripe.  values: the stripe's rows, from `row` on, of the table as it
 * is when it is not packed: n_rows x n x BGR_N_PLANES.  size, crc: as many as there are blocks side by side.
 * BGR_ERR_SIZE if the numbers don't fit together. */
bgr_status bgr_measure_stripe(const bgr_factors *factors, const int16_t *values, int64_t row, int n_rows, int n_threads,
                              int32_t *size, uint32_t *crc);

/* The same blocks coded: block k into the bytes from start[k] to start[k + 1], of codes.  BGR_ERR_CHANGED if that is
 * not the room that one needs. */
bgr_status bgr_pack_stripe(const bgr_factors *factors, const int16_t *values, int64_t row, int n_rows, int n_threads,
                           const int64_t *start, unsigned char *codes);

/* A stripe decoded into values.  start: of its blocks in codes, which are n_bytes long; crc: what the blocks should
 * have.  *damaged counts those that do not, *first is the number of the first. */
bgr_status bgr_unpack_stripe(const bgr_factors *factors, const unsigned char *codes, int64_t n_bytes,
                             const int64_t *start, const uint32_t *crc, int64_t row, int n_rows, int n_threads,
                             int16_t *values, int64_t *damaged, int64_t *first);

#endif
