/* Chances to win, and values under the Jacoby rule, of pairs in which gammons matter. */
#pragma once

#include "simd/tile.h"
#include "solve/pairs.h"

/* Pairs whose single values, in which every win counts once, are kept: some of those in which a side has all of its
 * checkers and may lose a gammon.  A rank with all checkers has a column, and each rank has two rows of pairs, against
 * the first few columns:
 *
 *     winning[winning_start[r] + column[s]]   r on roll, s has all checkers; r may win a gammon
 *     losing[losing_start[r] + column[s]]     s on roll with all checkers, r the opponent; s may lose one
 *
 * if that is in the row, which ends at the next rank's start.  A pair that fits both is in `winning`. */
typedef struct bgr_gammon_pairs {
    const int32_t *column;        /* by rank; -1 if it has not all checkers */
    const int64_t *winning_start; /* by rank, and one for the end; from 0 on, never falling */
    const int64_t *losing_start;
    int16_t *winning, *losing; /* [out] [pair][BGR_N_SINGLE], equity times scale */
} bgr_gammon_pairs;

/* 16 columns of the two single planes, plane after plane. */
#define BGR_SINGLE_ROW (16 * BGR_N_SINGLE)

/* Which tiles have listed pairs, by the solver's blocks of 16 ranks. */
typedef struct {
    const bgr_gammon_pairs *pairs; /* NULL: none, and the other members are not set */
    int32_t *least_column;         /* by block: the least of its ranks, INT32_MAX if none has all checkers */
    int64_t *most_winning;         /* by block: the longest row of its ranks */
    int64_t *most_losing;
} bgr_gammon_blocks;

/* BGR_ERR_MEMORY. */
bgr_status bgr_gammon_blocks_new(const bgr_gammon_pairs *pairs, const bgr_pair_blocks *ranks,
                                 bgr_gammon_blocks *blocks);
void bgr_gammon_blocks_free(bgr_gammon_blocks *blocks);

/* Whether a pair of a rank on roll in one block against a rank in another is listed. */
static inline int bgr_has_gammon_pairs(const bgr_gammon_blocks *b, int64_t on_roll, int64_t opponent)
{
    return b->pairs && (b->least_column[opponent] < b->most_winning[on_roll] ||
                        b->least_column[on_roll] < b->most_losing[opponent]);
}

/* The same for one rank on roll. */
static inline int bgr_row_has_gammon_pairs(const bgr_gammon_blocks *b, int64_t on_roll, int64_t opponent)
{
    const bgr_gammon_pairs *p = b->pairs;
    return b->least_column[opponent] < p->winning_start[on_roll + 1] - p->winning_start[on_roll] ||
           (p->column[on_roll] >= 0 && p->column[on_roll] < b->most_losing[opponent]);
}

/* The two values of a pair of ranks, or NULL if it is not listed. */
int16_t *bgr_gammon_values(const bgr_gammon_pairs *pairs, int64_t on_roll, int64_t opponent);

/* Find the blocks, 0 .. n - 1, that have values of the single planes in a stripe against block bj: those with a rank
 * that has a listed pair with a rank of bj on roll.  listed[0], of the empty board, is 1, too. */
void bgr_list_blocks(const bgr_gammon_blocks *blocks, int64_t bj, int64_t n, uint8_t *listed);

/* Apply the operator of a tile to the two single planes, for the rows of a block whose bits are set.
 *
 * planes: a stripe of the four planes, with the offsets that `rolls` has in it; singles: a whole stripe of the single
 * planes, for blocks that are listed; offset: of the same results in a whole stripe of the four.  out: the rows. */
void bgr_single_tile(const uint8_t *listed, const int16_t *planes, const int16_t *singles, const bgr_block_rolls *rolls,
                     const int32_t *offset, unsigned rows, int16_t (*out)[BGR_SINGLE_ROW]);
