/* Chances to win, and values under the Jacoby rule, of pairs in which gammons matter.
 *
 * If gammons count, the cubeless plane does not give the chance to win, nor the centered plane the value under the
 * Jacoby rule, by which gammons count once while the cube is centered.  Both have recurrences of their own, with 1 for
 * every win:
 *
 *     V cubeless = - N cubeless          V centered = - max(N centered, min(2 N theirs, 1))          N theirs as before
 *
 * They differ from the planes with gammons only if one side has all of its checkers and the other nearly none, in a few
 * per cent of pairs.  So they are kept for pairs that the caller lists; for all others the planes with gammons are used
 * instead.  The error is at most the difference there, since each value is a mean of greatest values. */

#include "solve/gammon_pairs.h"

#include "base/memory.h"
#include "base/path.h"

#include <string.h>

bgr_status bgr_gammon_blocks_new(const bgr_gammon_pairs *pairs, const bgr_pair_blocks *ranks, bgr_gammon_blocks *blocks)
{
    size_t n = (size_t)ranks->n;
    blocks->pairs = pairs;
    blocks->least_column = malloc(n * sizeof *blocks->least_column);
    blocks->most_winning = calloc(n, sizeof *blocks->most_winning);
    blocks->most_losing = calloc(n, sizeof *blocks->most_losing);
    if (!blocks->least_column || !blocks->most_winning || !blocks->most_losing)
        return BGR_ERR_MEMORY;
    for (int64_t b = 0; b < ranks->n; b++) {
        blocks->least_column[b] = INT32_MAX;
        for (int64_t r = ranks->rank[b]; r < ranks->rank[b] + ranks->n_ranks[b]; r++) {
            int64_t winning = pairs->winning_start[r + 1] - pairs->winning_start[r];
            int64_t losing = pairs->losing_start[r + 1] - pairs->losing_start[r];
            if (pairs->column[r] >= 0 && pairs->column[r] < blocks->least_column[b])
                blocks->least_column[b] = pairs->column[r];
            if (winning > blocks->most_winning[b])
                blocks->most_winning[b] = winning;
            if (losing > blocks->most_losing[b])
                blocks->most_losing[b] = losing;
        }
    }
    return BGR_OK;
}

void bgr_gammon_blocks_free(bgr_gammon_blocks *blocks)
{
    BGR_FREE(blocks->least_column, blocks->most_winning, blocks->most_losing);
}

int16_t *bgr_gammon_values(const bgr_gammon_pairs *pairs, int64_t on_roll, int64_t opponent)
{
    int64_t column = pairs->column[opponent], start = pairs->winning_start[on_roll];
    if (column >= 0 && column < pairs->winning_start[on_roll + 1] - start)
        return pairs->winning + (start + column) * BGR_N_SINGLE;
    column = pairs->column[on_roll], start = pairs->losing_start[opponent];
    if (column >= 0 && column < pairs->losing_start[opponent + 1] - start)
        return pairs->losing + (start + column) * BGR_N_SINGLE;
    return NULL;
}

void bgr_list_blocks(const bgr_gammon_blocks *blocks, int64_t bj, int64_t n, uint8_t *listed)
{
    int64_t column = blocks->least_column[bj], winning = blocks->most_winning[bj];
    for (int64_t b = 0; b < n; b++)
        listed[b] = blocks->least_column[b] < winning || column < blocks->most_losing[b];
    listed[0] = 1;
}

/* The two planes of one result: its single planes if it has them, else those with gammons. */
typedef struct {
    const int16_t *cubeless, *centered;
} two_planes;

static inline two_planes planes_of(const uint8_t *listed, const int16_t *planes, const int16_t *singles,
                                   uint32_t in_planes, uint32_t in_whole)
{
    int own = listed[in_whole / (16 * BGR_ROW)];
    const int16_t *row = own ? singles + in_whole / (BGR_ROW / BGR_SINGLE_ROW) : planes + in_planes;
    return (two_planes){row + (own ? BGR_SINGLE_CUBELESS : BGR_CUBELESS) * 16,
                        row + (own ? BGR_SINGLE_CENTERED : BGR_CENTERED) * 16};
}

/* Not unrolled, so that GCC vectorizes. */
static inline void raise_to(int16_t *restrict best, const int16_t *restrict values)
{
#pragma GCC unroll 1
    for (int l = 0; l < 16; l++)
        best[l] = best[l] > values[l] ? best[l] : values[l];
}

static inline void add_times(int32_t *restrict sums, int weight, const int16_t *restrict values)
{
#pragma GCC unroll 1
    for (int l = 0; l < 16; l++)
        sums[l] += weight * values[l];
}

BGR_EVERY_WIDTH
void bgr_single_tile(const uint8_t *listed, const int16_t *planes, const int16_t *singles, const bgr_block_rolls *rolls,
                     const int32_t *offset, unsigned rows, int16_t (*out)[BGR_SINGLE_ROW])
{
    int32_t sums[16][BGR_SINGLE_ROW] = {{0}};
    const uint16_t *n_results = rolls->n_results;
    const int32_t *in_planes = rolls->offset;
    for (int group = 0; group < rolls->groups->n_groups; group++)
        for (int i = 0; i < rolls->n_rows; i++)
            for (int k = rolls->groups->start[group]; k < rolls->groups->start[group + 1]; k++) {
                int n = *n_results++, weight = rolls->groups->weight[k];
                if (rows >> i & 1) {
                    int16_t cubeless[16], centered[16];
                    two_planes result = planes_of(listed, planes, singles, (uint32_t)in_planes[0], (uint32_t)offset[0]);
                    memcpy(cubeless, result.cubeless, sizeof cubeless);
                    memcpy(centered, result.centered, sizeof centered);
                    for (int e = 1; e < n; e++) {
                        result = planes_of(listed, planes, singles, (uint32_t)in_planes[e], (uint32_t)offset[e]);
                        raise_to(cubeless, result.cubeless);
                        raise_to(centered, result.centered);
                    }
                    add_times(sums[i] + BGR_SINGLE_CUBELESS * 16, weight, cubeless);
                    add_times(sums[i] + BGR_SINGLE_CENTERED * 16, weight, centered);
                }
                in_planes += n;
                offset += n;
            }
    for (int i = 0; i < rolls->n_rows; i++)
        for (int e = 0; e < BGR_SINGLE_ROW && rows >> i & 1; e++)
            out[i][e] = bgr_round_36(sums[i][e]);
}
