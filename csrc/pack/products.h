/* Products of factors, a block at a time. */
#pragma once

#include "base/path.h"
#include "probe/block.h"

/* The number of int16 that bgr_turn_factors() makes from 32 positions. */
enum { BGR_TURNED = 2 * BGR_BLOCK_SIDE }; /* for two factors */
static inline size_t bgr_turned_size(int count) { return (size_t)(count + 1) / 2 * BGR_TURNED; }

/* Transpose the first `count` factors of up to 32 positions, `stride` apart: factors 0 and 1 of each of the 32
 * positions, then factors 2 and 3, and so on.  Missing ones are 0. */
void bgr_turn_factors(const int16_t *factors, int64_t stride, int n_positions, int count, int16_t *turned);

/* Compute sums[32 column + row]: of the products of `count` factors of a row, transposed, and of a column, `stride`
 * apart; modulo 2^32, so the same on every path. */
typedef void (*bgr_multiply)(const int16_t *turned, const int16_t *columns, int64_t stride, int n_columns, int count,
                             uint32_t sums[BGR_BLOCK_PLACES]);

/* The function of a path, or of the next best if the path has none of its own; BGR_PATH_BEST: the fastest on this
 * machine.  NULL if the machine does not support the path. */
bgr_multiply bgr_choose_multiply(bgr_path path);
