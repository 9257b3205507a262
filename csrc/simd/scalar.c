/* The inner loops without vectors: the reference for all others. */

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

#define KERNEL(name) scalar_##name
#define TARGET
#define LINES_AT_A_TIME 1
#define LOAD(p) *(p)
#define STORE(p, v) (*(p) = (v))
#define SET(x) (x)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define ADD(a, b) ((a) + (b))
#define SUBTRACT(a, b) ((a) - (b))
#define MULTIPLY(a, b) ((a) * (b))
#define DIVIDE(a, b) ((a) / (b))
#define GREATER(a, b) ((a) > (b))
#define SELECT(mask, a, b) ((mask) ? (a) : (b))

#define ROW(name) scalar_double_##name
#define REAL double
#define VECTOR double
#define MASK int
#define TRANSPOSE(v) ((void)(v))
#include "simd/row.inc"

#define ROW(name) scalar_float_##name
#define REAL float
#define VECTOR float
#define MASK int
#define TRANSPOSE(v) ((void)(v))
#include "simd/row.inc"
#include "simd/undefine.inc"

BGR_KERNELS(scalar);
