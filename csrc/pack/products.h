/* Products of factors, a block at a time. */
#pragma once

#include "base/path.h"
#include "probe/block.h"

/* The number of int16 that bgr_turn_factors() makes of the factors of a position. */
enum { BGR_TURNED = 2 * BGR_BLOCK_SIDE }; /* of two factors */
static inline size_t bgr_turned_size(int count) { return (size_t)(count + 1) / 2 * BGR_TURNED; }

/* The first `count` factors of up to 32 positions, `stride` apart, side by side: factors 0 and 1 of the first position,
 * of the second, and so on to the 32nd, then factors 2 and 3 of all.  Missing ones are 0. */
void bgr_turn_factors(const int16_t *factors, int64_t stride, int n_positions, int count, int16_t *turned);

/* sums[32 column + row]: of the products of `count` factors of a row, turned, and of a column, `stride` apart; modulo
 * 2^32, so the same on every path. */
typedef void (*bgr_multiply)(const int16_t *turned, const int16_t *columns, int64_t stride, int n_columns, int count,
                             uint32_t sums[BGR_BLOCK_PLACES]);

/* The fastest that this machine has, or that of a path, or the next best of a path that has none of its own; NULL if it
 * can't be taken. */
bgr_multiply bgr_choose_multiply(bgr_path path);
