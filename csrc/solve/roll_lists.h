/* The results of all rolls, block by block of 16 ranks, in the order in which tiles take them. */
#pragma once

#include "simd/tile.h"
#include "solve/pairs.h"

typedef struct {
    const bgr_pair_blocks *blocks;
    const bgr_roll_groups *groups;
    int64_t *start;      /* n + 1: where the results of each block begin */
    uint16_t *n_results; /* of each roll */
    int32_t *offset;     /* of each result, in a whole stripe, where the rows of block b begin at 16 b */
    int32_t *in_window;  /* of each result of some blocks, from first_in_window on, in a window */
    int64_t first_in_window;
} bgr_roll_lists;

/* Make lists.  compared: 1 to list only results kept by bgr_graph_compare.  Free them with bgr_roll_lists_free, also if
 * this fails.  BGR_ERR_MEMORY, BGR_ERR_SIZE. */
bgr_status bgr_roll_lists_new(const bgr_pair_blocks *blocks, int compared, bgr_roll_lists *lists);
void bgr_roll_lists_free(bgr_roll_lists *lists);

/* Make room for lists in windows, for the blocks of the largest band.  BGR_ERR_MEMORY. */
bgr_status bgr_roll_lists_add_window(bgr_roll_lists *lists, int n_bands);

/* Set the lists in windows to those of blocks first .. past - 1, with row r of a stripe in row r modulo n_rows. */
void bgr_roll_lists_set_window(bgr_roll_lists *lists, int64_t first, int64_t past, int64_t n_rows);

/* The results of a block, in a whole stripe or in a window. */
static inline bgr_block_rolls bgr_rolls_of_block(const bgr_roll_lists *lists, int64_t block, int in_window)
{
    int64_t rank = lists->blocks->rank[block], start = lists->start[block];
    const int32_t *offset =
        in_window ? lists->in_window + (start - lists->start[lists->first_in_window]) : lists->offset + start;
    return (bgr_block_rolls){lists->groups, lists->blocks->n_ranks[block], lists->n_results + rank * BGR_N_ROLLS,
                             offset};
}
