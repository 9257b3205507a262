/* Two players: cubeless and cubeful equities of every pair of positions.
 *
 * Let V[x][j] be worth what it is to a player who has just moved to x while the opponent stands at j and is on roll.
 * The value of being on roll at i against j is the mean over the 36 throws of the greatest V[x][j] over the results x
 * of the roll.  Nothing in that depends on j but the column, so it is one operator on rows: for each roll the
 * element-wise maximum of a few rows, then the weighted mean of 21 maxima.  The four values of a pair (planes) take
 * their maxima separately, because the play that is best with a cube need not be best without.
 *
 * Each plane of V is the negative of what the opponent, on roll and with the right to double, has there:
 *
 *     V cubeless = - N cubeless          V centered = - max(N centered, min(2 N theirs, 1))
 *     V mine     = - N theirs            V theirs   = - max(N mine,     min(2 N theirs, 1))
 *
 * with N the values of rolling without doubling, which is what the table holds.
 *
 * Order.  Every play lowers the pips, so all pairs can be solved level by level: first every position of a new level on
 * roll against all lower ones, then every position up to and including the new level on roll against it.
 *
 * Shape.  Ranks are padded to blocks of 16 within a level.  A stripe of V holds the columns of one block for all rows:
 * 16 columns of four planes, 128 bytes a row.  A tile, 16 rows of one block against the columns of another, is solved
 * from one stripe; turned over, it becomes 16 rows of the stripe of its own block.
 *
 * Sixteen bits.  Sums are exact in 32 bits, one division a value, rounded to nearest: no drift.  The same float
 * operations in the same order on every path give the same bytes. */

#include "two_sided.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const bgr_graph *graph;
    int64_t n_blocks, n_slots;
    int64_t *level_block;   /* n_levels + 1: the first block of each level */
    int64_t *block_rank;    /* n_blocks: the first rank of each block */
    uint8_t *block_ranks;   /* n_blocks: how many ranks it holds, 1 .. 16 */
    int32_t *offset;        /* graph->result as offsets into a stripe */
    int16_t *values;        /* V: n_blocks stripes of n_slots rows */
    int16_t scale;
    bgr_row_function row;
} solver;

static const struct {
    bgr_row_function row;
    int (*available)(void);
} paths[BGR_N_PATHS] = {
    [BGR_PATH_SCALAR] = {bgr_row_scalar, bgr_have_scalar}, [BGR_PATH_SSE2] = {bgr_row_sse2, bgr_have_sse2},
    [BGR_PATH_AVX2] = {bgr_row_avx2, bgr_have_avx2},       [BGR_PATH_AVX512] = {bgr_row_avx512, bgr_have_avx512},
    [BGR_PATH_NEON] = {bgr_row_neon, bgr_have_neon},
};

int bgr_path_available(bgr_path path)
{
    if (path == BGR_PATH_BEST)
        return 1;
    return path > BGR_PATH_BEST && path < BGR_N_PATHS && paths[path].available();
}

static bgr_row_function choose_row(bgr_path path)
{
    static const bgr_path order[] = {BGR_PATH_AVX512, BGR_PATH_AVX2, BGR_PATH_SSE2, BGR_PATH_NEON, BGR_PATH_SCALAR};
    if (path != BGR_PATH_BEST)
        return bgr_path_available(path) ? paths[path].row : NULL;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if (bgr_path_available(order[k]))
            return paths[order[k]].row;
    return NULL;
}

void bgr_row_scalar(const int16_t *stripe, const int64_t *start, const int32_t *offset, int16_t *out)
{
    int32_t sum[BGR_ROW] = {0};
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int16_t best[BGR_ROW];
        memcpy(best, stripe + offset[start[roll]], sizeof best);
        for (int64_t k = start[roll] + 1; k < start[roll + 1]; k++)
            for (int e = 0; e < BGR_ROW; e++)
                if (stripe[offset[k] + e] > best[e])
                    best[e] = stripe[offset[k] + e];
        for (int e = 0; e < BGR_ROW; e++)
            sum[e] += bgr_rolls[roll].weight * best[e];
    }
    for (int e = 0; e < BGR_ROW; e++)
        out[e] = bgr_round_36(sum[e]);
}

int bgr_have_scalar(void)
{
    return 1;
}

static int16_t *stripe_of(const solver *s, int64_t block)
{
    return s->values + block * s->n_slots * BGR_ROW;
}

/* Turn one row of N values into the row of V for the player who meets this one: see the head of the file. */
static void turn_round(const int16_t *n, int16_t half, int16_t *v)
{
    const int16_t *cubeless = n, *mine = n + 16, *centered = n + 32, *theirs = n + 48;
    for (int l = 0; l < 16; l++) {
        /* min(2 N theirs, 1), kept in range below, where it can't be the maximum anyway */
        int16_t take = theirs[l] < half ? theirs[l] : half;
        take = (int16_t)(2 * (take > -half ? take : (int16_t)-half));
        v[l] = (int16_t)-cubeless[l];
        v[16 + l] = (int16_t)-theirs[l];
        v[32 + l] = (int16_t) - (centered[l] > take ? centered[l] : take);
        v[48 + l] = (int16_t) - (mine[l] > take ? mine[l] : take);
    }
}

/* rows[i][plane][j] -> columns[j][plane][i] */
static void turn_over(const int16_t (*rows)[BGR_ROW], int16_t (*columns)[BGR_ROW])
{
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        for (int bi = 0; bi < 16; bi += 8)
            for (int bj = 0; bj < 16; bj += 8)
                bgr_transpose_8x8(&rows[bi][plane * 16 + bj], &columns[bj][plane * 16 + bi]);
}

/* Solve the positions of block bi on roll against those of block bj. */
static void solve_tile(const solver *s, int64_t bi, int64_t bj, int16_t *table)
{
    int16_t rows[16][BGR_ROW], turned[16][BGR_ROW];
    int64_t n = s->graph->n;
    int n_rows = s->block_ranks[bi], n_columns = s->block_ranks[bj];
    const int16_t *stripe = stripe_of(s, bj);
    for (int i = 0; i < n_rows; i++) {
        int64_t rank = s->block_rank[bi] + i;
        int16_t *out = table + (rank * n + s->block_rank[bj]) * BGR_N_PLANES;
        s->row(stripe, s->graph->start + rank * BGR_N_ROLLS, s->offset, rows[i]);
        turn_round(rows[i], s->scale / 2, turned[i]);
        if (n_columns == 16) {
            bgr_interleave(rows[i], out);
        } else {
            int16_t pairs[BGR_ROW];
            bgr_interleave(rows[i], pairs);
            memcpy(out, pairs, (size_t)n_columns * BGR_N_PLANES * sizeof *out);
        }
    }
    for (int i = n_rows; i < 16; i++)
        memset(turned[i], 0, sizeof turned[i]);
    turn_over((const int16_t(*)[BGR_ROW])turned, (int16_t(*)[BGR_ROW])(stripe_of(s, bi) + bj * 16 * BGR_ROW));
}

static bgr_status make_blocks(solver *s)
{
    const bgr_levels *levels = &s->graph->levels;
    s->level_block = malloc(((size_t)levels->n_levels + 1) * sizeof *s->level_block);
    if (!s->level_block)
        return BGR_ERR_MEMORY;
    int64_t n_blocks = 0;
    for (int l = 0; l < levels->n_levels; l++) {
        s->level_block[l] = n_blocks;
        n_blocks += (levels->start[l + 1] - levels->start[l] + 15) / 16;
    }
    s->level_block[levels->n_levels] = n_blocks;
    s->n_blocks = n_blocks;
    s->n_slots = n_blocks * 16;
    if (s->n_slots * BGR_ROW > INT32_MAX)
        return BGR_ERR_SIZE;

    int64_t n_results = s->graph->start[s->graph->n * BGR_N_ROLLS];
    int32_t *slot = malloc((size_t)s->graph->n * sizeof *slot);
    s->block_rank = malloc((size_t)n_blocks * sizeof *s->block_rank);
    s->block_ranks = malloc((size_t)n_blocks * sizeof *s->block_ranks);
    s->offset = malloc((size_t)n_results * sizeof *s->offset);
    /* Padding rows are never read; padding columns are computed like others, from whatever stands there. */
    s->values = calloc((size_t)(n_blocks * s->n_slots), BGR_ROW * sizeof *s->values);
    if (!slot || !s->block_rank || !s->block_ranks || !s->offset || !s->values) {
        free(slot);
        return BGR_ERR_MEMORY;
    }
    for (int l = 0; l < levels->n_levels; l++)
        for (int64_t r = levels->start[l]; r < levels->start[l + 1]; r++) {
            int64_t place = r - levels->start[l], block = s->level_block[l] + place / 16;
            slot[r] = (int32_t)(block * 16 + place % 16);
            s->block_ranks[block] = (uint8_t)(place % 16 + 1);
            if (place % 16 == 0)
                s->block_rank[block] = r;
        }
    for (int64_t k = 0; k < n_results; k++)
        s->offset[k] = slot[s->graph->result[k]] * BGR_ROW;
    free(slot);
    return BGR_OK;
}

/* Games that are over: the row of the empty position, in V as in the table, and the column against it. */
static void set_finished(const solver *s, int16_t *table)
{
    int64_t n = s->graph->n;
    for (int64_t block = 0; block < s->n_blocks; block++)
        for (int e = 0; e < BGR_ROW; e++)
            stripe_of(s, block)[e] = s->scale;
    for (int64_t r = 0; r < n; r++)
        for (int plane = 0; plane < BGR_N_PLANES; plane++) {
            table[r * n * BGR_N_PLANES + plane] = (int16_t)-s->scale;
            table[r * BGR_N_PLANES + plane] = s->scale;
        }
}

static void solve_level(const solver *s, int level, int n_threads, int16_t *table)
{
    enum { GROUP = 32 };
    int64_t first = s->level_block[level], last = s->level_block[level + 1], n_groups = (last + GROUP - 1) / GROUP;
    (void)n_threads;
#pragma omp parallel num_threads(n_threads)
    {
        /* Block 0 is the empty board, where the game is over. */
#pragma omp for schedule(dynamic)
        for (int64_t bj = 1; bj < first; bj++)
            for (int64_t bi = first; bi < last; bi++)
                solve_tile(s, bi, bj, table);
#pragma omp for collapse(2) schedule(dynamic)
        for (int64_t bj = first; bj < last; bj++)
            for (int64_t group = 0; group < n_groups; group++)
                for (int64_t bi = group ? group * GROUP : 1; bi < last && bi < (group + 1) * GROUP; bi++)
                    solve_tile(s, bi, bj, table);
    }
}

bgr_status bgr_two_sided(const bgr_graph *graph, int scale, bgr_path path, int n_threads, bgr_progress progress,
                         void *context, int16_t *table)
{
    solver s = {.graph = graph, .scale = (int16_t)scale, .row = choose_row(path)};
    if (!s.row || scale < 2 || scale > 32767 || scale % 2)
        return BGR_ERR_SIZE;
    bgr_status status = make_blocks(&s);
    if (status == BGR_OK) {
        set_finished(&s, table);
        for (int level = 1; level < graph->levels.n_levels && status == BGR_OK; level++) {
            solve_level(&s, level, n_threads, table);
            int64_t ranks = graph->levels.start[level + 1];
            if (progress && progress(context, ranks * ranks, graph->n * graph->n))
                status = BGR_ERR_STOPPED;
        }
    }
    free(s.level_block);
    free(s.block_rank);
    free(s.block_ranks);
    free(s.offset);
    free(s.values);
    return status;
}
