/* The inner loops without vectors: the twin of all the others. */

#include "simd/kernels.h"

#include <string.h>

static void scalar_tile(const int16_t *stripe, const bgr_block_rolls *rolls, int cut, int16_t (*out)[BGR_ROW])
{
    int32_t sum[16][BGR_ROW] = {{0}};
    const uint16_t *n_results = rolls->n_results;
    const int32_t *offset = rolls->offset;
    for (int group = 0; group < rolls->groups->n_groups; group++)
        for (int i = 0; i < rolls->n_rows; i++)
            for (int k = rolls->groups->start[group]; k < rolls->groups->start[group + 1]; k++) {
                const int32_t *end = offset + *n_results++;
                int16_t best[BGR_ROW];
                memcpy(best, stripe + *offset, sizeof best);
                while (++offset < end)
                    for (int e = 0; e < BGR_ROW; e++)
                        if (stripe[*offset + e] > best[e])
                            best[e] = stripe[*offset + e];
                for (int e = 0; e < BGR_ROW; e++)
                    sum[i][e] += bgr_rolls[bgr_roll_order[k]].weight * best[e];
            }
    for (int i = 0; i < rolls->n_rows; i++)
        for (int e = 0; e < BGR_ROW; e++)
            out[i][e] = cut ? bgr_cut_36(sum[i][e]) : bgr_round_36(sum[i][e]);
}

static void scalar_row(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out)
{
    for (int at = 0; at < length; at += BGR_LINE) {
        double sum[BGR_LINE] = {0};
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            double best[BGR_LINE];
            memcpy(best, stripe + (int64_t)result[start[roll]] * length + at, sizeof best);
            for (int64_t k = start[roll] + 1; k < start[roll + 1]; k++) {
                const double *from = stripe + (int64_t)result[k] * length + at;
                for (int e = 0; e < BGR_LINE; e++)
                    best[e] = from[e] > best[e] ? from[e] : best[e];
            }
            for (int e = 0; e < BGR_LINE; e++)
                sum[e] += bgr_rolls[roll].weight * best[e];
        }
        for (int e = 0; e < BGR_LINE; e++)
            out[at + e] = sum[e] / 36;
    }
}

const bgr_kernels bgr_scalar = {scalar_tile, scalar_row};
