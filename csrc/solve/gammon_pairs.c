/* Winning alone, and the Jacoby rule, in pairs where a gammon is likely enough to matter.
 *
 * With gammons the cubeless plane says nothing of winning alone, nor the centered plane of play under the Jacoby rule,
 * where gammons count once while the cube is centered.  Both have recurrences of their own, with 1 for every win:
 *
 *     V cubeless = - N cubeless          V centered = - max(N centered, min(2 N theirs, 1))          N theirs as ever
 *
 * They differ from the planes with gammons only where one side has all of its checkers and the other nearly none, in a
 * few of a hundred pairs.  So they are kept for pairs that the caller lists; for every other pair the planes with
 * gammons stand in for them.  That adds no more than their difference there, because each value is a mean of greatest
 * values. */

#include "solve/gammon_pairs.h"

#include "base/path.h"
#include "simd/tile.h"

#include <stdlib.h>
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
    free(blocks->least_column);
    free(blocks->most_winning);
    free(blocks->most_losing);
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

static inline void raise_to(int16_t *best, const int16_t *values)
{
    for (int l = 0; l < 16; l++)
        best[l] = best[l] > values[l] ? best[l] : values[l];
}

BGR_EVERY_WIDTH
void bgr_single_row(const bgr_gammon_blocks *blocks, int64_t bj, const int16_t *stripe, const int16_t *singles,
                    const bgr_graph *graph, int64_t rank, const int32_t *slot, int64_t n_rows, int16_t won,
                    int16_t *out)
{
    int16_t won_row[16];
    int32_t sum[BGR_SINGLE_ROW] = {0};
    for (int l = 0; l < 16; l++)
        won_row[l] = won;
    const int64_t *start = graph->start + rank * BGR_N_ROLLS;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int16_t best[BGR_SINGLE_ROW];
        for (int e = 0; e < BGR_SINGLE_ROW; e++)
            best[e] = INT16_MIN;
        for (int64_t k = start[roll]; k < start[roll + 1]; k++) {
            int64_t row = slot[graph->result[k]];
            const int16_t *planes = stripe + row % n_rows * BGR_ROW;
            const int16_t *cubeless = planes + BGR_CUBELESS * 16;
            const int16_t *centered = planes + BGR_CENTERED * 16;
            if (row == 0) {
                cubeless = won_row;
                centered = won_row;
            } else if (bgr_has_gammon_pairs(blocks, bj, row / 16)) {
                cubeless = singles + row * BGR_SINGLE_ROW + BGR_SINGLE_CUBELESS * 16;
                centered = singles + row * BGR_SINGLE_ROW + BGR_SINGLE_CENTERED * 16;
            }
            raise_to(best + BGR_SINGLE_CUBELESS * 16, cubeless);
            raise_to(best + BGR_SINGLE_CENTERED * 16, centered);
        }
        for (int e = 0; e < BGR_SINGLE_ROW; e++)
            sum[e] += bgr_rolls[roll].weight * best[e];
    }
    for (int e = 0; e < BGR_SINGLE_ROW; e++)
        out[e] = bgr_round_36(sum[e]);
}
