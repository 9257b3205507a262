/* The inner loop of the solver in 16 bits: one tile, its rounding and its transposition. */
#pragma once

#include "base/dice.h"
#include "base/planes.h"

#include <math.h>

/* 16 columns of four planes, plane after plane. */
#define BGR_ROW (16 * BGR_N_PLANES)

/* The order of rolls in a tile.  Rolls of equal pips lead positions of a block to similar results, so a tile goes
 * through its rows once for each group of such rolls: results that one row has loaded into the first cache serve the
 * next rows.  If a stripe fits into that cache, one group, row by row, is faster.  So it is if beaten results are left
 * out, since rows then have little in common; rolls are then sorted by their number of results, for better branch
 * prediction. */
enum { BGR_MAX_ROLL_GROUPS = 6 };

typedef struct {
    int n_groups;
    uint8_t start[BGR_MAX_ROLL_GROUPS + 1]; /* places in the order */
    uint8_t weight[BGR_N_ROLLS];            /* of the roll in each place */
} bgr_roll_groups;

extern const uint8_t bgr_rolls_by_pips[BGR_N_ROLLS]; /* numbers of rolls */
extern const bgr_roll_groups bgr_few_of_each_roll;   /* one group, doubles last */

const bgr_roll_groups *bgr_choose_roll_groups(int64_t stripe_bytes); /* of rolls by pips */

/* A row is prefetched this many results ahead. */
enum { BGR_ROWS_AHEAD = 128 };

/* One block's results of every roll, in the order in which a tile takes them: group by group, row by row, roll by roll.
 */
typedef struct {
    const bgr_roll_groups *groups;
    int n_rows;                /* 1 .. 16 */
    const uint16_t *n_results; /* of each roll, at least one */
    const int32_t *offset;     /* of each result in a stripe, and of BGR_ROWS_AHEAD more, which are only prefetched */
} bgr_block_rolls;

/* out[i][e] = (1/36) sum over the 21 rolls of weight * max over the results of row i of stripe[offset + e], rounded to
 * nearest, halves to even, or toward zero if `cut` is 1.  out: n_rows rows. */
typedef void (*bgr_tile_function)(const int16_t *stripe, const bgr_block_rolls *rolls, int cut,
                                  int16_t (*out)[BGR_ROW]);

/* To nearest, halves to even.  The sum is exact in a float, and IEEE division rounds k + 1/2 to itself. */
static inline int16_t bgr_round_36(int32_t sum) { return (int16_t)lrintf((float)sum / 36.0f); }

/* Toward zero.  The vectors divide floats here too: floats up to 32768 are at most 1/256 apart, so no quotient that is
 * 1/36 or more below an integer rounds up to it. */
static inline int16_t bgr_cut_36(int32_t sum) { return (int16_t)(sum / 36); }

#if defined(__GNUC__)
#define BGR_ASK_FOR(p) __builtin_prefetch(p)
#else
#define BGR_ASK_FOR(p) ((void)(p))
#endif

#if defined(__GNUC__)

typedef int16_t bgr_8x16 __attribute__((vector_size(16), aligned(2), may_alias));

/* GCC has __builtin_shufflevector since version 12 only. */
#ifdef __clang__
#define BGR_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define BGR_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (bgr_8x16){__VA_ARGS__})
#endif
#define BGR_LOW16(a, b) BGR_SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define BGR_HIGH16(a, b) BGR_SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define BGR_LOW32(a, b) BGR_SHUFFLE(a, b, 0, 1, 8, 9, 2, 3, 10, 11)
#define BGR_HIGH32(a, b) BGR_SHUFFLE(a, b, 4, 5, 12, 13, 6, 7, 14, 15)
#define BGR_LOW64(a, b) BGR_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define BGR_HIGH64(a, b) BGR_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

/* Transpose an 8 x 8 block.  in, out: corners in arrays with rows of this length. */
static inline void bgr_transpose_8x8(const int16_t *in, int length, int16_t *out)
{
    bgr_8x16 a[8], b[8];
    for (int k = 0; k < 8; k++)
        a[k] = *(const bgr_8x16 *)(in + k * length);
    for (int k = 0; k < 4; k++) {
        b[2 * k] = BGR_LOW16(a[2 * k], a[2 * k + 1]);
        b[2 * k + 1] = BGR_HIGH16(a[2 * k], a[2 * k + 1]);
    }
    for (int k = 0; k < 8; k += 4)
        for (int h = 0; h < 2; h++) {
            a[k + 2 * h] = BGR_LOW32(b[k + h], b[k + h + 2]);
            a[k + 2 * h + 1] = BGR_HIGH32(b[k + h], b[k + h + 2]);
        }
    for (int k = 0; k < 4; k++) {
        *(bgr_8x16 *)(out + 2 * k * length) = BGR_LOW64(a[k], a[k + 4]);
        *(bgr_8x16 *)(out + (2 * k + 1) * length) = BGR_HIGH64(a[k], a[k + 4]);
    }
}

/* row: [plane][16 columns] -> pairs: [16 columns][plane] */
static inline void bgr_interleave(const int16_t *row, int16_t *pairs)
{
    for (int half = 0; half < 16; half += 8) {
        bgr_8x16 p0 = *(const bgr_8x16 *)(row + half), p1 = *(const bgr_8x16 *)(row + 16 + half),
                 p2 = *(const bgr_8x16 *)(row + 32 + half), p3 = *(const bgr_8x16 *)(row + 48 + half);
        bgr_8x16 low01 = BGR_LOW16(p0, p1), high01 = BGR_HIGH16(p0, p1), low23 = BGR_LOW16(p2, p3),
                 high23 = BGR_HIGH16(p2, p3);
        bgr_8x16 *out = (bgr_8x16 *)(pairs + half * BGR_N_PLANES);
        out[0] = BGR_LOW32(low01, low23);
        out[1] = BGR_HIGH32(low01, low23);
        out[2] = BGR_LOW32(high01, high23);
        out[3] = BGR_HIGH32(high01, high23);
    }
}

/* The inverse. */
static inline void bgr_part(const int16_t *pairs, int16_t *row)
{
    for (int half = 0; half < 16; half += 8) {
        const bgr_8x16 *in = (const bgr_8x16 *)(pairs + half * BGR_N_PLANES);
        bgr_8x16 p04 = BGR_LOW16(in[0], in[2]), p15 = BGR_HIGH16(in[0], in[2]), p26 = BGR_LOW16(in[1], in[3]),
                 p37 = BGR_HIGH16(in[1], in[3]);
        bgr_8x16 even01 = BGR_LOW16(p04, p26), even23 = BGR_HIGH16(p04, p26), odd01 = BGR_LOW16(p15, p37),
                 odd23 = BGR_HIGH16(p15, p37);
        *(bgr_8x16 *)(row + half) = BGR_LOW16(even01, odd01);
        *(bgr_8x16 *)(row + 16 + half) = BGR_HIGH16(even01, odd01);
        *(bgr_8x16 *)(row + 32 + half) = BGR_LOW16(even23, odd23);
        *(bgr_8x16 *)(row + 48 + half) = BGR_HIGH16(even23, odd23);
    }
}

#else

static inline void bgr_transpose_8x8(const int16_t *in, int length, int16_t *out)
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            out[j * length + i] = in[i * length + j];
}

static inline void bgr_interleave(const int16_t *row, int16_t *pairs)
{
    for (int l = 0; l < 16; l++)
        for (int plane = 0; plane < BGR_N_PLANES; plane++)
            pairs[l * BGR_N_PLANES + plane] = row[plane * 16 + l];
}

static inline void bgr_part(const int16_t *pairs, int16_t *row)
{
    for (int l = 0; l < 16; l++)
        for (int plane = 0; plane < BGR_N_PLANES; plane++)
            row[plane * 16 + l] = pairs[l * BGR_N_PLANES + plane];
}

#endif
