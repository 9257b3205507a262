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
 * from one stripe; turned over, it becomes 16 rows of the stripe of its own block.  In which order a tile takes its
 * rolls and why stands in two_sided.h.
 *
 * Memory.  Solving a level reads V only in the rows of the 24 levels below it, the most that a roll can bring, so pages
 * of older rows are given back.  If the rest is still more than allowed, some stripes are not kept: whenever they are
 * needed, they are made again from the table.  That is also how work goes on that was interrupted after some level.
 *
 * Single planes.  For pairs that the caller lists, two more values are kept beside the four, in which gammons count
 * once: gammon_pairs.c says what for.  They have a V of their own, laid out alike, of which only the tiles with such
 * pairs are ever touched.
 *
 * Two graphs.  If the sides come from different sets of positions, there are two tables and two V, and everything is
 * done for one side and then for the other.
 *
 * Sixteen bits.  Sums are exact in 32 bits, one division a value, rounded to nearest: no drift.  The same float
 * operations in the same order on every path give the same bytes. */

#include "solve/two_sided.h"

#include "solve/gammon_pairs.h"

#include <stdlib.h>
#include <string.h>

/* Levels that one roll can reach down; and tiles below which threads cost more than they bring. */
enum { WINDOW = 24, FEW_TILES = 64 };

/* One side: its positions in blocks of 16 within a level, and what it is worth to have moved there. */
typedef struct {
    const bgr_graph *graph;
    int64_t n_blocks, n_slots;
    int64_t *level_block;  /* past the greatest level of either side: the first block of each level */
    int64_t *block_rank;   /* n_blocks: the first rank of each block */
    uint8_t *block_ranks;  /* n_blocks: how many ranks it holds, 1 .. 16 */
    int32_t *slot;         /* graph->n: the row of each rank in a stripe */
    int64_t *block_offset; /* n_blocks: where the offsets of each block begin */
    int32_t *offset; /* of every result in a stripe, and how many each roll has: bgr_block_rolls, block by block */
    uint16_t *n_results;
    const bgr_roll_groups *groups;
    int16_t *table;  /* this side on roll */
    int16_t *values; /* V of this side's moves: a stripe of n_slots rows for each block of the other side */
    size_t values_bytes;
    int16_t *singles; /* the same of the single planes; NULL if there are none */
    size_t singles_bytes;
    uint8_t *kept; /* for each block of the other side: whether the window of its stripe is in memory */
} side;

/* What it is worth to have moved, against one block: n_slots rows of the four planes, and of the single planes or NULL.
 */
typedef struct {
    int16_t *planes, *singles;
} stripe;

typedef struct {
    const bgr_two_sided_options *options;
    bgr_tile_function tile;
    bgr_turn_function turn_round;
    side sides[2]; /* the second one unused if both players come from one graph */
    int n_sides;
    int n_levels;
    int keep_all;              /* memory is no concern: nothing is given back */
    int64_t n_kept, most_kept; /* stripes */
    bgr_gammon_blocks gammons;
    int64_t *singles_window; /* by level: bytes of single planes that are in use while it is solved */
} solver;

static side *other(solver *s, side *mover) { return s->n_sides == 2 ? &s->sides[mover == s->sides] : mover; }

static stripe stripe_of(const side *mover, int64_t block)
{
    return (stripe){mover->values + block * mover->n_slots * BGR_ROW,
                    mover->singles ? mover->singles + block * mover->n_slots * BGR_SINGLE_ROW : NULL};
}

static bgr_block_rolls rolls_of(const side *roller, int64_t block)
{
    return (bgr_block_rolls){roller->groups, roller->block_ranks[block],
                             roller->n_results + roller->block_rank[block] * BGR_N_ROLLS,
                             roller->offset + roller->block_offset[block]};
}

/* The 16 rows of a stripe for the moves to one block. */
static stripe rows_of(stripe whole, int64_t block)
{
    return (stripe){whole.planes + block * 16 * BGR_ROW,
                    whole.singles ? whole.singles + block * 16 * BGR_SINGLE_ROW : NULL};
}

/* Points won by bearing off the last checker against this rank. */
static int payoff(const solver *s, const side *loser, int64_t rank, int plane)
{
    int gammon = s->options->gammon_checkers && loser->graph->checkers[rank] == s->options->gammon_checkers &&
                 !(s->options->single_planes >> plane & 1);
    return gammon ? 2 : 1;
}

static int16_t won(const solver *s, const side *loser, int64_t rank, int plane)
{
    if (s->options->arithmetic == BGR_GNUBG)
        return INT16_MAX;
    return (int16_t)(s->options->scale * payoff(s, loser, rank, plane));
}

static int16_t lost(const solver *s, const side *loser, int64_t rank, int plane)
{
    return s->options->arithmetic == BGR_GNUBG ? INT16_MIN : (int16_t)-won(s, loser, rank, plane);
}

/* min(2 N theirs, 1), kept from overflowing below, where it can't be the maximum anyway */
static inline int16_t doubled(int16_t theirs, int16_t half)
{
    int16_t take = theirs < half ? theirs : half;
    return (int16_t)(2 * (take > -16384 ? take : -16384));
}

static void turn_round(const int16_t *n, int16_t half, int16_t *v)
{
    const int16_t *cubeless = n, *mine = n + 16, *centered = n + 32, *theirs = n + 48;
    for (int l = 0; l < 16; l++) {
        int16_t take = doubled(theirs[l], half);
        v[l] = (int16_t)-cubeless[l];
        v[16 + l] = (int16_t)-theirs[l];
        v[32 + l] = (int16_t)-(centered[l] > take ? centered[l] : take);
        v[48 + l] = (int16_t)-(mine[l] > take ? mine[l] : take);
    }
}

/* rows[i][plane][j] -> columns[j][plane][i] */
static void turn_over(const int16_t (*rows)[BGR_ROW], int16_t *columns)
{
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        for (int bi = 0; bi < 16; bi += 8)
            for (int bj = 0; bj < 16; bj += 8)
                bgr_transpose_8x8(&rows[bi][plane * 16 + bj], columns + bj * BGR_ROW + plane * 16 + bi);
}

/* The single planes of one row of a tile: the pairs that are listed from `single`, 16 values of each plane, the others
 * from the four planes.  Turned, they go to column i of `meeting`, unless that is NULL. */
static void finish_singles(solver *s, side *roller, int64_t rank, int i, int64_t bj, const int16_t *row,
                           const int16_t *single, int16_t *meeting)
{
    const side *opponent = other(s, roller);
    for (int l = 0; l < 16; l++) {
        int16_t cubeless = row[BGR_CUBELESS * 16 + l], centered = row[BGR_CENTERED * 16 + l];
        int16_t take = doubled(row[BGR_THEIRS * 16 + l], (int16_t)(s->options->scale / 2));
        int16_t *values = NULL;
        if (l < opponent->block_ranks[bj])
            values = bgr_gammon_values(s->gammons.pairs, rank, opponent->block_rank[bj] + l);
        if (values && single) {
            values[BGR_SINGLE_CUBELESS] = single[BGR_SINGLE_CUBELESS * 16 + l];
            values[BGR_SINGLE_CENTERED] = single[BGR_SINGLE_CENTERED * 16 + l];
        }
        if (values) {
            cubeless = values[BGR_SINGLE_CUBELESS];
            centered = values[BGR_SINGLE_CENTERED];
        }
        if (meeting) {
            int16_t *v = meeting + l * BGR_SINGLE_ROW + i;
            v[BGR_SINGLE_CUBELESS * 16] = (int16_t)-cubeless;
            v[BGR_SINGLE_CENTERED * 16] = (int16_t)-(centered > take ? centered : take);
        }
    }
}

/* Solve block bi of the side on roll against block bj of the other, from stripe bj of its moves; and put what that
 * makes of the other side's moves into `meeting`, 16 rows of a stripe, unless that is empty. */
static void solve_tile(solver *s, side *roller, int64_t bi, int64_t bj, stripe from, stripe meeting)
{
    int16_t rows[16][BGR_ROW], turned[16][BGR_ROW];
    const side *opponent = other(s, roller);
    int64_t n = opponent->graph->n;
    int n_rows = roller->block_ranks[bi], n_columns = opponent->block_ranks[bj];
    int has_pairs = bgr_has_gammon_pairs(&s->gammons, bi, bj);
    bgr_block_rolls rolls = rolls_of(roller, bi);
    s->tile(from.planes, &rolls, s->options->arithmetic == BGR_GNUBG, rows);
    for (int i = 0; i < n_rows; i++) {
        int64_t rank = roller->block_rank[bi] + i;
        int16_t *out = roller->table + (rank * n + opponent->block_rank[bj]) * BGR_N_PLANES;
        s->turn_round(rows[i], (int16_t)(s->options->scale / 2), turned[i]);
        if (n_columns == 16) {
            bgr_interleave(rows[i], out);
        } else {
            int16_t pairs[BGR_ROW];
            bgr_interleave(rows[i], pairs);
            memcpy(out, pairs, (size_t)n_columns * BGR_N_PLANES * sizeof *out);
        }
        if (has_pairs) {
            int16_t single[BGR_SINGLE_ROW];
            int wanted = bgr_row_has_gammon_pairs(&s->gammons, rank, bj);
            if (wanted)
                bgr_single_row(&s->gammons, bj, from.planes, from.singles, roller->graph, rank, roller->slot,
                               (int16_t)s->options->scale, single);
            finish_singles(s, roller, rank, i, bj, rows[i], wanted ? single : NULL, meeting.singles);
        }
    }
    if (!meeting.planes)
        return;
    for (int i = n_rows; i < 16; i++)
        memset(turned[i], 0, sizeof turned[i]);
    turn_over((const int16_t (*)[BGR_ROW])turned, meeting.planes);
}

/* The same 16 rows from the table, where the pairs have been solved before. */
static void load_tile(solver *s, side *roller, int64_t bi, int64_t bj, stripe meeting)
{
    int16_t rows[BGR_ROW], turned[16][BGR_ROW];
    const side *opponent = other(s, roller);
    int64_t n = opponent->graph->n;
    int n_rows = roller->block_ranks[bi], n_columns = opponent->block_ranks[bj];
    int has_pairs = bgr_has_gammon_pairs(&s->gammons, bi, bj);
    memset(turned, 0, sizeof turned);
    for (int i = 0; i < n_rows; i++) {
        int64_t rank = roller->block_rank[bi] + i;
        const int16_t *pairs = roller->table + (rank * n + opponent->block_rank[bj]) * BGR_N_PLANES;
        memset(rows, 0, sizeof rows);
        for (int j = 0; j < n_columns; j++)
            for (int plane = 0; plane < BGR_N_PLANES; plane++)
                rows[plane * 16 + j] = pairs[j * BGR_N_PLANES + plane];
        s->turn_round(rows, (int16_t)(s->options->scale / 2), turned[i]);
        if (has_pairs)
            finish_singles(s, roller, rank, i, bj, rows, NULL, meeting.singles);
    }
    turn_over((const int16_t (*)[BGR_ROW])turned, meeting.planes);
}

/* The row of a mover who has borne off his last checker. */
static void set_won(const solver *s, const side *loser, int64_t block, int16_t *row)
{
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        for (int l = 0; l < 16; l++) {
            int64_t rank = loser->block_rank[block] + (l < loser->block_ranks[block] ? l : 0);
            row[plane * 16 + l] = won(s, loser, rank, plane);
        }
}

static int64_t ranks_up_to(const side *mine, int level)
{
    const bgr_levels *levels = &mine->graph->levels;
    return level < levels->n_levels ? levels->start[level + 1] : mine->graph->n;
}

/* Make the window below a level of a stripe of the mover's values from the table. */
static void load_stripe(solver *s, side *mover, int64_t block, int level, stripe whole)
{
    side *opponent = other(s, mover);
    int lowest = level > WINDOW ? level - WINDOW : 0;
    int64_t first = ranks_up_to(mover, lowest - 1), last = ranks_up_to(mover, level - 1);
    /* The rows of the table may have to come from a disk, which takes long strips better than single pages. */
    for (int i = 0; i < opponent->block_ranks[block]; i++)
        bgr_will_read(opponent->table + ((opponent->block_rank[block] + i) * mover->graph->n + first) * BGR_N_PLANES,
                      (size_t)((last - first) * BGR_N_PLANES) * sizeof *opponent->table);
    set_won(s, opponent, block, whole.planes);
    for (int64_t bx = mover->level_block[lowest]; bx < mover->level_block[level]; bx++)
        if (bx > 0)
            load_tile(s, opponent, block, bx, rows_of(whole, bx));
}

/* The results of every block in the order in which tiles take them. */
static void order_rolls(side *mine)
{
    const bgr_graph *graph = mine->graph;
    uint16_t *n_results = mine->n_results;
    int64_t n = 0;
    mine->groups = bgr_choose_roll_groups(mine->n_slots * BGR_ROW * (int64_t)sizeof *mine->values);
    for (int64_t block = 0; block < mine->n_blocks; block++) {
        mine->block_offset[block] = n;
        for (int group = 0; group < mine->groups->n_groups; group++)
            for (int i = 0; i < mine->block_ranks[block]; i++)
                for (int k = mine->groups->start[group]; k < mine->groups->start[group + 1]; k++) {
                    const int64_t *start =
                        graph->start + (mine->block_rank[block] + i) * BGR_N_ROLLS + bgr_roll_order[k];
                    *n_results++ = (uint16_t)(start[1] - start[0]);
                    for (int64_t result = start[0]; result < start[1]; result++)
                        mine->offset[n++] = mine->slot[graph->result[result]] * BGR_ROW;
                }
    }
}

static bgr_status make_blocks(solver *s, side *mine)
{
    const bgr_levels *levels = &mine->graph->levels;
    mine->level_block = malloc(((size_t)s->n_levels + 1) * sizeof *mine->level_block);
    if (!mine->level_block)
        return BGR_ERR_MEMORY;
    int64_t n_blocks = 0;
    for (int l = 0; l <= s->n_levels; l++) {
        mine->level_block[l] = n_blocks;
        if (l < levels->n_levels)
            n_blocks += (levels->start[l + 1] - levels->start[l] + 15) / 16;
    }
    mine->n_blocks = n_blocks;
    mine->n_slots = n_blocks * 16;
    if (mine->n_slots * BGR_ROW > INT32_MAX)
        return BGR_ERR_SIZE;

    int64_t n_results = mine->graph->start[mine->graph->n * BGR_N_ROLLS];
    mine->slot = malloc((size_t)mine->graph->n * sizeof *mine->slot);
    mine->block_rank = malloc((size_t)n_blocks * sizeof *mine->block_rank);
    mine->block_ranks = malloc((size_t)n_blocks * sizeof *mine->block_ranks);
    mine->block_offset = malloc((size_t)n_blocks * sizeof *mine->block_offset);
    mine->offset = malloc((size_t)n_results * sizeof *mine->offset);
    mine->n_results = malloc((size_t)(mine->graph->n * BGR_N_ROLLS) * sizeof *mine->n_results);
    if (!mine->slot || !mine->block_rank || !mine->block_ranks || !mine->block_offset || !mine->offset ||
        !mine->n_results)
        return BGR_ERR_MEMORY;
    for (int l = 0; l < levels->n_levels; l++)
        for (int64_t r = levels->start[l]; r < levels->start[l + 1]; r++) {
            int64_t place = r - levels->start[l], block = mine->level_block[l] + place / 16;
            mine->slot[r] = (int32_t)(block * 16 + place % 16);
            mine->block_ranks[block] = (uint8_t)(place % 16 + 1);
            if (place % 16 == 0)
                mine->block_rank[block] = r;
        }
    order_rolls(mine);
    return BGR_OK;
}

/* Against nobody the positions of a level have lost. */
static void set_lost(solver *s, side *mine, int level)
{
    int64_t width = other(s, mine)->graph->n * BGR_N_PLANES;
    for (int64_t block = mine->level_block[level]; block < mine->level_block[level + 1]; block++)
        for (int i = 0; i < mine->block_ranks[block]; i++) {
            int64_t rank = mine->block_rank[block] + i;
            for (int plane = 0; plane < BGR_N_PLANES; plane++)
                mine->table[rank * width + plane] = lost(s, mine, rank, plane);
        }
}

/* Room for V of the single planes, which is only touched where a tile has pairs that are listed; and how much of it is
 * in use at each level, in whole pages, by all stripes in the window and by the new ones in full. */
static bgr_status make_singles(solver *s, side *mine)
{
    enum { PAGE = 4096 };
    bgr_status status = bgr_gammon_blocks_new(s->options->gammon_pairs, mine->n_blocks, mine->block_rank,
                                              mine->block_ranks, &s->gammons);
    if (status != BGR_OK)
        return status;
    mine->singles_bytes = (size_t)(mine->n_blocks * mine->n_slots) * BGR_SINGLE_ROW * sizeof *mine->singles;
    mine->singles = bgr_reserve(mine->singles_bytes, 0);
    s->singles_window = calloc((size_t)s->n_levels, sizeof *s->singles_window);
    if (!mine->singles || !s->singles_window)
        return BGR_ERR_MEMORY;
    for (int own = 0; own < s->n_levels; own++)
        for (int64_t bj = mine->level_block[own]; bj < mine->level_block[own + 1]; bj++) {
            int64_t last_page = -1;
            for (int of_row = 0; of_row < s->n_levels; of_row++)
                for (int64_t bx = mine->level_block[of_row]; bx < mine->level_block[of_row + 1]; bx++) {
                    int64_t page = bx * 16 * BGR_SINGLE_ROW * (int64_t)sizeof *mine->singles / PAGE;
                    if (page == last_page || !bgr_has_gammon_pairs(&s->gammons, bj, bx))
                        continue;
                    last_page = page;
                    /* From the level that makes it on, until it leaves the window. */
                    int made = own > of_row ? own : of_row;
                    s->singles_window[made] += PAGE;
                    for (int level = made + 1; level < s->n_levels && level <= of_row + WINDOW; level++)
                        s->singles_window[level] += PAGE;
                }
        }
    return BGR_OK;
}

/* Room for V, and the row of the table for those who have won. */
static bgr_status prepare(solver *s, side *mine)
{
    const side *theirs = other(s, mine);
    int64_t n = theirs->graph->n;
    mine->values_bytes = (size_t)(theirs->n_blocks * mine->n_slots) * BGR_ROW * sizeof *mine->values;
    s->keep_all =
        s->n_sides == 2 || !s->options->memory_bytes || (int64_t)mine->values_bytes <= s->options->memory_bytes;
    mine->values = bgr_reserve(mine->values_bytes, s->keep_all);
    if (s->options->gammon_pairs) {
        bgr_status status = make_singles(s, mine);
        if (status != BGR_OK)
            return status;
    }
    mine->kept = calloc((size_t)theirs->n_blocks, 1);
    if (!mine->values || !mine->kept)
        return BGR_ERR_MEMORY;
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        for (int64_t r = 0; r < n; r++)
            mine->table[r * BGR_N_PLANES + plane] = won(s, theirs, r, plane);
    return BGR_OK;
}

/* How many stripes may be kept while a level is solved.  What can't be given up: the new level's own stripes, which
 * reach all the way down, and one stripe for each thread. */
static int64_t stripes_allowed(const solver *s, const side *mine, int level)
{
    int lowest = level > WINDOW ? level - WINDOW : 0;
    int64_t row = BGR_ROW * (int64_t)sizeof *mine->values * 16;
    int64_t window = (mine->level_block[level + 1] - mine->level_block[lowest]) * row;
    int64_t fixed = (mine->level_block[level + 1] - mine->level_block[level]) * mine->level_block[level + 1] * row +
                    s->options->n_threads * mine->n_blocks * row;
    if (mine->singles)
        fixed += s->singles_window[level] +
                 s->options->n_threads * mine->n_slots * BGR_SINGLE_ROW * (int64_t)sizeof *mine->singles;
    if (s->keep_all)
        return INT64_MAX;
    return s->options->memory_bytes > fixed ? (s->options->memory_bytes - fixed) / window : 0;
}

/* The first rows of a stripe. */
static void give_back(stripe from, int64_t n_rows)
{
    bgr_give_back(from.planes, (size_t)(n_rows * BGR_ROW) * sizeof *from.planes);
    if (from.singles)
        bgr_give_back(from.singles, (size_t)(n_rows * BGR_SINGLE_ROW) * sizeof *from.singles);
}

static void forget_stripe(solver *s, side *mover, int64_t block)
{
    give_back(stripe_of(mover, block), mover->n_slots);
    mover->kept[block] = 0;
    s->n_kept--;
}

/* Stripe of a block below the level that is being solved, its window in memory: kept, kept from now on, or made in
 * `spare`. */
static stripe fetch_stripe(solver *s, side *mover, int64_t block, int level, stripe spare)
{
    if (mover->kept[block])
        return stripe_of(mover, block);
    int64_t n_kept;
#pragma omp atomic capture
    n_kept = ++s->n_kept;
    if (n_kept <= s->most_kept) {
        mover->kept[block] = 1;
        spare = stripe_of(mover, block);
    } else {
#pragma omp atomic
        s->n_kept--;
    }
    load_stripe(s, mover, block, level, spare);
    return spare;
}

/* Every position of the level on roll against all of the other side that have fewer pips. */
static bgr_status roll_from_level(solver *s, side *roller, int level)
{
    side *opponent = other(s, roller);
    int64_t first = roller->level_block[level], last = roller->level_block[level + 1];
    int64_t n_below = opponent->level_block[level];
    int failed = 0;
#pragma omp parallel num_threads(s->options->n_threads) reduction(| : failed) if ((last - first) * n_below >= FEW_TILES)
    {
        size_t planes_bytes = (size_t)roller->n_slots * BGR_ROW * sizeof(int16_t);
        size_t singles_bytes = roller->singles ? (size_t)roller->n_slots * BGR_SINGLE_ROW * sizeof(int16_t) : 0;
        stripe spare = {bgr_reserve(planes_bytes, 0), singles_bytes ? bgr_reserve(singles_bytes, 0) : NULL};
        failed = !spare.planes || (singles_bytes && !spare.singles);
        /* Block 0 is the empty board, where the game is over. */
#pragma omp for schedule(dynamic)
        for (int64_t bj = 1; bj < n_below; bj++) {
            if (failed)
                continue;
            stripe from = fetch_stripe(s, roller, bj, level, spare);
            for (int64_t bi = first; bi < last; bi++)
                solve_tile(s, roller, bi, bj, from, rows_of(stripe_of(opponent, bi), bj));
        }
        bgr_unreserve(spare.planes, planes_bytes);
        bgr_unreserve(spare.singles, singles_bytes);
    }
    return failed ? BGR_ERR_MEMORY : BGR_OK;
}

/* Every position up to the level on roll against those of the other side at the level. */
static void roll_against_level(solver *s, side *roller, int level)
{
    enum { GROUP = 32 };
    side *opponent = other(s, roller);
    int64_t first = opponent->level_block[level], last = opponent->level_block[level + 1];
    int64_t own_first = roller->level_block[level], own_last = roller->level_block[level + 1];
    int64_t n_groups = (own_last + GROUP - 1) / GROUP;
    for (int64_t bj = first; bj < last; bj++)
        set_won(s, opponent, bj, stripe_of(roller, bj).planes);
#pragma omp parallel for collapse(2) schedule(dynamic)                                                                 \
    num_threads(s->options->n_threads) if ((last - first) * own_last >= FEW_TILES)
    for (int64_t bj = first; bj < last; bj++)
        for (int64_t group = 0; group < n_groups; group++)
            for (int64_t bi = group ? group * GROUP : 1; bi < own_last && bi < (group + 1) * GROUP; bi++) {
                int kept = bi >= own_first || opponent->kept[bi];
                solve_tile(s, roller, bi, bj, stripe_of(roller, bj),
                           kept ? rows_of(stripe_of(opponent, bi), bj) : (stripe){NULL, NULL});
            }
}

/* Keep the window that the next level reads, and as many stripes as may be kept. */
static void tidy_up(solver *s, side *mover, int level)
{
    const side *opponent = other(s, mover);
    int64_t first = opponent->level_block[level], last = opponent->level_block[level + 1];
    int64_t old = level >= WINDOW ? mover->level_block[level - WINDOW] : 0;
    int64_t keep_from = level >= WINDOW ? mover->level_block[level - WINDOW + 1] : 0;
    for (int64_t bj = first; bj < last; bj++) {
        mover->kept[bj] = 1;
        s->n_kept++;
        if (!s->keep_all)
            give_back(stripe_of(mover, bj), keep_from * 16);
    }
    if (s->keep_all)
        return;
    /* Whole pages only are given back: what was left of one, four blocks at most, goes with the next. */
    int64_t rest = old > 4 ? old - 4 : 0;
    for (int64_t bj = 1; bj < first && keep_from > old; bj++)
        if (mover->kept[bj])
            give_back(rows_of(stripe_of(mover, bj), rest), (keep_from - rest) * 16);
    if (level + 1 < s->n_levels) {
        s->most_kept = stripes_allowed(s, mover, level + 1);
        for (int64_t bj = 1; bj < last && s->n_kept > s->most_kept; bj++)
            if (mover->kept[bj])
                forget_stripe(s, mover, bj);
    }
}

static bgr_status solve_level(solver *s, int level)
{
    bgr_status status = BGR_OK;
    for (int k = 0; k < s->n_sides && status == BGR_OK; k++) {
        set_lost(s, &s->sides[k], level);
        status = roll_from_level(s, &s->sides[k], level);
    }
    for (int k = 0; k < s->n_sides && status == BGR_OK; k++)
        roll_against_level(s, &s->sides[k], level);
    for (int k = 0; k < s->n_sides && status == BGR_OK; k++)
        tidy_up(s, &s->sides[k], level);
    return status;
}

static bgr_status solve(solver *s)
{
    const bgr_two_sided_options *o = s->options;
    bgr_status status = BGR_OK;
    int limit = o->gammon_checkers ? 16382 : 32766;
    if (o->arithmetic == BGR_GNUBG && o->gammon_checkers)
        return BGR_ERR_SIZE;
    if (o->gammon_pairs && (!o->gammon_checkers || o->single_planes || s->n_sides == 2))
        return BGR_ERR_SIZE;
    if (!s->tile || o->scale < 2 || o->scale > limit || o->scale % 2 || o->n_threads < 1 || o->first_level < 0)
        return BGR_ERR_SIZE;
    for (int k = 0; k < s->n_sides; k++)
        if (s->sides[k].graph->levels.n_levels > s->n_levels)
            s->n_levels = s->sides[k].graph->levels.n_levels;
    for (int k = 0; k < s->n_sides && status == BGR_OK; k++)
        status = make_blocks(s, &s->sides[k]);
    for (int k = 0; k < s->n_sides && status == BGR_OK; k++)
        status = prepare(s, &s->sides[k]);
    int first = o->first_level > 1 ? o->first_level : 1;
    if (status == BGR_OK && first < s->n_levels)
        s->most_kept = stripes_allowed(s, s->sides, first);
    for (int level = first; level < s->n_levels && status == BGR_OK; level++) {
        status = solve_level(s, level);
        int64_t done = ranks_up_to(&s->sides[0], level) * ranks_up_to(other(s, s->sides), level) * s->n_sides;
        int64_t total = s->sides[0].graph->n * other(s, s->sides)->graph->n * s->n_sides;
        if (status == BGR_OK && o->progress && o->progress(o->context, level, done, total))
            status = BGR_ERR_STOPPED;
    }
    return status;
}

bgr_status bgr_two_sided(const bgr_graph *a, const bgr_graph *b, const bgr_two_sided_options *options, int16_t *table_a,
                         int16_t *table_b)
{
    solver s = {.options = options,
                .tile = bgr_choose_tile(options->path),
                .turn_round = options->arithmetic == BGR_GNUBG ? bgr_gnubg_turn : turn_round,
                .n_sides = b ? 2 : 1};
    s.sides[0].graph = a;
    s.sides[0].table = table_a;
    s.sides[1].graph = b;
    s.sides[1].table = table_b;
    bgr_status status = solve(&s);
    for (int k = 0; k < s.n_sides; k++) {
        side *mine = &s.sides[k];
        free(mine->level_block);
        free(mine->block_rank);
        free(mine->block_ranks);
        free(mine->slot);
        free(mine->block_offset);
        free(mine->offset);
        free(mine->n_results);
        free(mine->kept);
        bgr_unreserve(mine->values, mine->values_bytes);
        bgr_unreserve(mine->singles, mine->singles_bytes);
    }
    bgr_gammon_blocks_free(&s.gammons);
    free(s.singles_window);
    return status;
}
