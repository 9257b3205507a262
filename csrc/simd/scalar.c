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
                    sum[i][e] += rolls->groups->weight[k] * best[e];
            }
    for (int i = 0; i < rolls->n_rows; i++)
        for (int e = 0; e < BGR_ROW; e++)
            out[i][e] = cut ? bgr_cut_36(sum[i][e]) : bgr_round_36(sum[i][e]);
}

static const int32_t *scalar_roll(const double *stripe, int length, const int32_t *result, int n_results, double *sum)
{
    double best[BGR_LINE];
    memcpy(best, stripe + (int64_t)result[0] * length, sizeof best);
    for (int k = 1; k < n_results; k++) {
        const double *from = stripe + (int64_t)result[k] * length;
        for (int e = 0; e < BGR_LINE; e++)
            best[e] = from[e] > best[e] ? from[e] : best[e];
    }
    for (int e = 0; e < BGR_LINE; e++)
        sum[e] += best[e];
    return result + n_results;
}

static void scalar_row(const double *stripe, int length, bgr_row_rolls rolls, double *out)
{
    for (int at = 0; at < length; at += BGR_LINE) {
        double sum[BGR_LINE] = {0};
        const int32_t *result = rolls.result;
        const uint16_t *shape = rolls.shape;
        for (int doubles = 0; doubles < 2; doubles++) {
            const uint16_t *more = shape + BGR_ROW_SIZES + 1;
            for (int e = 0; e < BGR_LINE; e++)
                sum[e] += doubles ? sum[e] : 0;
            for (int size = 1; size <= BGR_ROW_SIZES; size++)
                for (int left = shape[size - 1]; left > 0; left--)
                    result = scalar_roll(stripe + at, length, result, size, sum);
            for (int left = shape[BGR_ROW_SIZES]; left > 0; left--)
                result = scalar_roll(stripe + at, length, result, *more++, sum);
            shape = more;
        }
        for (int e = 0; e < BGR_LINE; e++)
            out[at + e] = sum[e] / 36;
    }
}

static void scalar_meet(const double *now, const double *turned, int64_t step, const bgr_meeting *meeting,
                        int n_columns, double *out, int64_t out_step)
{
    for (int i = 0; i < BGR_LINE; i++)
        for (int j = 0; j < n_columns; j++) {
            double best = now[i * step + j];
            if (turned) {
                double taken = meeting->factor * turned[i * step + j] + meeting->offset;
                double doubled = taken < meeting->pass ? taken : meeting->pass;
                best = doubled > best ? doubled : best;
            }
            out[j * out_step + i] = meeting->total - best;
        }
}

const bgr_kernels bgr_scalar = {scalar_tile, scalar_row, scalar_meet};
