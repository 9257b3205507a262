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

#include "base/memory.h"
#include "base/threads.h"
#include "simd/kernels.h"
#include "solve/gnubg_turn.h"
#include "solve/pairs.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 24, /* levels that one roll can reach down */
    TASK_BLOCKS = 32,
    FEW_TILES = 64
};

/* One side: its positions in blocks of 16, and what it is worth to have moved there. */
typedef struct {
    const bgr_pair_blocks *blocks;
    const bgr_graph *graph;
    int64_t n_slots;
    int32_t *slot;         /* graph->n: the row of each rank in a stripe */
    int64_t *block_offset; /* by block: where the offsets of each begin */
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
    void (*turn_round)(const int16_t *n, int16_t half, int16_t *v);
    bgr_pairs pairs;
    side sides[2];
    int level;                 /* that is being solved */
    int keep_all;              /* memory is no concern: nothing is given back */
    int64_t n_kept, most_kept; /* stripes */
    bgr_gammon_blocks gammons;
    int64_t *singles_window; /* by level: bytes of single planes that are in use while it is solved */
} solver;

static side *other(solver *s, side *mover) { return &s->sides[bgr_other_side(&s->pairs, (int)(mover - s->sides))]; }

static stripe stripe_of(const side *mover, int64_t block)
{
    return (stripe){mover->values + block * mover->n_slots * BGR_ROW,
                    mover->singles ? mover->singles + block * mover->n_slots * BGR_SINGLE_ROW : NULL};
}

static bgr_block_rolls rolls_of(const side *roller, int64_t block)
{
    return (bgr_block_rolls){roller->groups, roller->blocks->n_ranks[block],
                             roller->n_results + roller->blocks->rank[block] * BGR_N_ROLLS,
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
        if (l < opponent->blocks->n_ranks[bj])
            values = bgr_gammon_values(s->gammons.pairs, rank, opponent->blocks->rank[bj] + l);
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
    int n_rows = roller->blocks->n_ranks[bi], n_columns = opponent->blocks->n_ranks[bj];
    int has_pairs = bgr_has_gammon_pairs(&s->gammons, bi, bj);
    bgr_block_rolls rolls = rolls_of(roller, bi);
    s->tile(from.planes, &rolls, s->options->arithmetic == BGR_GNUBG, rows);
    for (int i = 0; i < n_rows; i++) {
        int64_t rank = roller->blocks->rank[bi] + i;
        int16_t *out = roller->table + (rank * n + opponent->blocks->rank[bj]) * BGR_N_PLANES;
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
    int n_rows = roller->blocks->n_ranks[bi], n_columns = opponent->blocks->n_ranks[bj];
    int has_pairs = bgr_has_gammon_pairs(&s->gammons, bi, bj);
    memset(turned, 0, sizeof turned);
    for (int i = 0; i < n_rows; i++) {
        int64_t rank = roller->blocks->rank[bi] + i;
        const int16_t *pairs = roller->table + (rank * n + opponent->blocks->rank[bj]) * BGR_N_PLANES;
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
            int64_t rank = loser->blocks->rank[block] + (l < loser->blocks->n_ranks[block] ? l : 0);
            row[plane * 16 + l] = won(s, loser, rank, plane);
        }
}

/* Make the window below a level of a stripe of the mover's values from the table. */
static void load_stripe(solver *s, side *mover, int64_t block, int level, stripe whole)
{
    side *opponent = other(s, mover);
    int lowest = level > WINDOW ? level - WINDOW : 0;
    int64_t first = bgr_ranks_up_to(mover->graph, lowest - 1), last = bgr_ranks_up_to(mover->graph, level - 1);
    /* The rows of the table may have to come from a disk, which takes long strips better than single pages. */
    for (int i = 0; i < opponent->blocks->n_ranks[block]; i++)
        bgr_will_read(opponent->table + ((opponent->blocks->rank[block] + i) * mover->graph->n + first) * BGR_N_PLANES,
                      (size_t)((last - first) * BGR_N_PLANES) * sizeof *opponent->table);
    set_won(s, opponent, block, whole.planes);
    for (int64_t bx = mover->blocks->band[lowest]; bx < mover->blocks->band[level]; bx++)
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
    for (int64_t block = 0; block < mine->blocks->n; block++) {
        mine->block_offset[block] = n;
        for (int group = 0; group < mine->groups->n_groups; group++)
            for (int i = 0; i < mine->blocks->n_ranks[block]; i++)
                for (int k = mine->groups->start[group]; k < mine->groups->start[group + 1]; k++) {
                    const int64_t *start =
                        graph->start + (mine->blocks->rank[block] + i) * BGR_N_ROLLS + bgr_roll_order[k];
                    *n_results++ = (uint16_t)(start[1] - start[0]);
                    for (int64_t result = start[0]; result < start[1]; result++)
                        mine->offset[n++] = mine->slot[graph->result[result]] * BGR_ROW;
                }
    }
}

/* The results of every roll, as tiles want them. */
static bgr_status make_rolls(side *mine)
{
    const bgr_pair_blocks *blocks = mine->blocks;
    mine->n_slots = blocks->n * 16;
    if (mine->n_slots * BGR_ROW > INT32_MAX)
        return BGR_ERR_SIZE;
    int64_t n_results = mine->graph->start[mine->graph->n * BGR_N_ROLLS];
    mine->slot = malloc((size_t)mine->graph->n * sizeof *mine->slot);
    mine->block_offset = malloc((size_t)blocks->n * sizeof *mine->block_offset);
    mine->offset = malloc((size_t)n_results * sizeof *mine->offset);
    mine->n_results = malloc((size_t)(mine->graph->n * BGR_N_ROLLS) * sizeof *mine->n_results);
    if (!mine->slot || !mine->block_offset || !mine->offset || !mine->n_results)
        return BGR_ERR_MEMORY;
    for (int64_t block = 0; block < blocks->n; block++)
        for (int i = 0; i < blocks->n_ranks[block]; i++)
            mine->slot[blocks->rank[block] + i] = (int32_t)(block * 16 + i);
    order_rolls(mine);
    return BGR_OK;
}

/* Against nobody the positions of a level have lost. */
static void set_lost(solver *s, side *mine, int level)
{
    int64_t width = other(s, mine)->graph->n * BGR_N_PLANES;
    for (int64_t block = mine->blocks->band[level]; block < mine->blocks->band[level + 1]; block++)
        for (int i = 0; i < mine->blocks->n_ranks[block]; i++) {
            int64_t rank = mine->blocks->rank[block] + i;
            for (int plane = 0; plane < BGR_N_PLANES; plane++)
                mine->table[rank * width + plane] = lost(s, mine, rank, plane);
        }
}

/* Room for V of the single planes, which is only touched where a tile has pairs that are listed; and how much of it is
 * in use at each level, in whole pages, by all stripes in the window and by the new ones in full. */
static bgr_status make_singles(solver *s, side *mine)
{
    enum { PAGE = 4096 };
    bgr_status status = bgr_gammon_blocks_new(s->options->gammon_pairs, mine->blocks, &s->gammons);
    if (status != BGR_OK)
        return status;
    mine->singles_bytes = (size_t)(mine->blocks->n * mine->n_slots) * BGR_SINGLE_ROW * sizeof *mine->singles;
    mine->singles = bgr_reserve(mine->singles_bytes, 0);
    s->singles_window = calloc((size_t)s->pairs.n_bands, sizeof *s->singles_window);
    if (!mine->singles || !s->singles_window)
        return BGR_ERR_MEMORY;
    for (int own = 0; own < s->pairs.n_bands; own++)
        for (int64_t bj = mine->blocks->band[own]; bj < mine->blocks->band[own + 1]; bj++) {
            int64_t last_page = -1;
            for (int of_row = 0; of_row < s->pairs.n_bands; of_row++)
                for (int64_t bx = mine->blocks->band[of_row]; bx < mine->blocks->band[of_row + 1]; bx++) {
                    int64_t page = bx * 16 * BGR_SINGLE_ROW * (int64_t)sizeof *mine->singles / PAGE;
                    if (page == last_page || !bgr_has_gammon_pairs(&s->gammons, bj, bx))
                        continue;
                    last_page = page;
                    /* From the level that makes it on, until it leaves the window. */
                    int made = own > of_row ? own : of_row;
                    s->singles_window[made] += PAGE;
                    for (int level = made + 1; level < s->pairs.n_bands && level <= of_row + WINDOW; level++)
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
    mine->values_bytes = (size_t)(theirs->blocks->n * mine->n_slots) * BGR_ROW * sizeof *mine->values;
    s->keep_all =
        s->pairs.n_sides == 2 || !s->options->memory_bytes || (int64_t)mine->values_bytes <= s->options->memory_bytes;
    mine->values = bgr_reserve(mine->values_bytes, s->keep_all);
    if (s->options->gammon_pairs) {
        bgr_status status = make_singles(s, mine);
        if (status != BGR_OK)
            return status;
    }
    mine->kept = calloc((size_t)theirs->blocks->n, 1);
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
    int64_t window = (mine->blocks->band[level + 1] - mine->blocks->band[lowest]) * row;
    int64_t fixed = (mine->blocks->band[level + 1] - mine->blocks->band[level]) * mine->blocks->band[level + 1] * row +
                    s->options->n_threads * mine->blocks->n * row;
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
    if (bgr_add(&s->n_kept, 1) < s->most_kept) {
        mover->kept[block] = 1;
        spare = stripe_of(mover, block);
    } else {
        bgr_add(&s->n_kept, -1);
    }
    load_stripe(s, mover, block, level, spare);
    return spare;
}

/* ------------------------------------------------------------------ steps */

static void begin_level(void *of, int level)
{
    solver *s = of;
    s->level = level;
    for (int k = 0; k < s->pairs.n_sides; k++) {
        side *mover = &s->sides[k], *opponent = other(s, mover);
        set_lost(s, mover, level);
        for (int64_t bj = opponent->blocks->band[level]; bj < opponent->blocks->band[level + 1]; bj++)
            set_won(s, opponent, bj, stripe_of(mover, bj).planes);
    }
}

/* Room for a stripe of either side. */
static size_t room_rows(const solver *s)
{
    int64_t a = s->sides[0].n_slots, b = s->sides[1].n_slots;
    return (size_t)(a > b ? a : b);
}

static void free_room(const void *of, void *room)
{
    const solver *s = of;
    stripe *spare = room;
    bgr_unreserve(spare->planes, room_rows(s) * BGR_ROW * sizeof *spare->planes);
    bgr_unreserve(spare->singles, room_rows(s) * BGR_SINGLE_ROW * sizeof *spare->singles);
    free(spare);
}

static void *new_room(const void *of)
{
    const solver *s = of;
    int with_singles = s->options->gammon_pairs != NULL;
    stripe *spare = calloc(1, sizeof *spare);
    if (!spare)
        return NULL;
    spare->planes = bgr_reserve(room_rows(s) * BGR_ROW * sizeof *spare->planes, 0);
    if (with_singles)
        spare->singles = bgr_reserve(room_rows(s) * BGR_SINGLE_ROW * sizeof *spare->singles, 0);
    if (!spare->planes || (with_singles && !spare->singles)) {
        free_room(s, spare);
        return NULL;
    }
    return spare;
}

/* The stripe of a block at the level is in memory, and so are the rows for moves to one. */
static void solve_task(void *of, const bgr_pair_task *task, void *room)
{
    solver *s = of;
    side *roller = &s->sides[task->roller], *opponent = other(s, roller);
    int64_t bj = task->against, own_first = roller->blocks->band[s->level];
    stripe from = bj < opponent->blocks->band[s->level] ? fetch_stripe(s, roller, bj, s->level, *(stripe *)room)
                                                        : stripe_of(roller, bj);
    for (int64_t bi = task->first; bi < task->last; bi++) {
        int kept = bi >= own_first || opponent->kept[bi];
        solve_tile(s, roller, bi, bj, from, kept ? rows_of(stripe_of(opponent, bi), bj) : (stripe){NULL, NULL});
    }
}

/* Keep the window that the next level reads, and as many stripes as may be kept. */
static void tidy_up(solver *s, side *mover, int level)
{
    const side *opponent = other(s, mover);
    int64_t first = opponent->blocks->band[level], last = opponent->blocks->band[level + 1];
    int64_t old = level >= WINDOW ? mover->blocks->band[level - WINDOW] : 0;
    int64_t keep_from = level >= WINDOW ? mover->blocks->band[level - WINDOW + 1] : 0;
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
    if (level + 1 < s->pairs.n_bands) {
        s->most_kept = stripes_allowed(s, mover, level + 1);
        for (int64_t bj = 1; bj < last && s->n_kept > s->most_kept; bj++)
            if (mover->kept[bj])
                forget_stripe(s, mover, bj);
    }
}

static void end_level(void *of, int level)
{
    solver *s = of;
    for (int k = 0; k < s->pairs.n_sides; k++)
        tidy_up(s, &s->sides[k], level);
}

/* ------------------------------------------------------------------ from outside */

static int options_make_sense(const bgr_two_sided_options *o, int n_sides)
{
    int limit = o->gammon_checkers ? 16382 : 32766;
    if (o->arithmetic == BGR_GNUBG && o->gammon_checkers)
        return 0;
    if (o->gammon_pairs && (!o->gammon_checkers || o->single_planes || n_sides == 2))
        return 0;
    return o->scale >= 2 && o->scale <= limit && o->scale % 2 == 0 && o->n_threads >= 1 && o->first_level >= 0;
}

static bgr_status solve(solver *s)
{
    static const bgr_pair_steps steps = {.begin_band = begin_level,
                                         .end_band = end_level,
                                         .new_room = new_room,
                                         .free_room = free_room,
                                         .solve = solve_task,
                                         .task_blocks = TASK_BLOCKS,
                                         .few_tiles = FEW_TILES};
    const bgr_two_sided_options *o = s->options;
    bgr_status status = BGR_OK;
    for (int k = 0; k < s->pairs.n_sides && status == BGR_OK; k++)
        status = make_rolls(&s->sides[k]);
    for (int k = 0; k < s->pairs.n_sides && status == BGR_OK; k++)
        status = prepare(s, &s->sides[k]);
    if (status != BGR_OK)
        return status;
    int first = o->first_level > 1 ? o->first_level : 1;
    if (first < s->pairs.n_bands)
        s->most_kept = stripes_allowed(s, s->sides, first);
    return bgr_solve_pairs(&s->pairs, &steps, s, first, o->n_threads, o->progress, o->context);
}

bgr_status bgr_two_sided(const bgr_graph *a, const bgr_graph *b, const bgr_two_sided_options *options, int16_t *table_a,
                         int16_t *table_b)
{
    const bgr_kernels *kernels = bgr_choose_kernels(options->path);
    if (!kernels || !options_make_sense(options, b ? 2 : 1))
        return BGR_ERR_SIZE;
    solver s = {.options = options,
                .tile = kernels->tile,
                .turn_round = options->arithmetic == BGR_GNUBG ? bgr_gnubg_turn : turn_round};
    bgr_status status = bgr_pairs_init(&s.pairs, a, b, 16, 1);
    for (int k = 0; k < s.pairs.n_sides; k++) {
        s.sides[k].blocks = &s.pairs.sides[k];
        s.sides[k].graph = s.pairs.sides[k].graph;
        s.sides[k].table = k ? table_b : table_a;
    }
    if (status == BGR_OK)
        status = solve(&s);
    for (int k = 0; k < s.pairs.n_sides; k++) {
        side *mine = &s.sides[k];
        free(mine->slot);
        free(mine->block_offset);
        free(mine->offset);
        free(mine->n_results);
        free(mine->kept);
        bgr_unreserve(mine->values, mine->values_bytes);
        bgr_unreserve(mine->singles, mine->singles_bytes);
    }
    bgr_pairs_free(&s.pairs);
    bgr_gammon_blocks_free(&s.gammons);
    free(s.singles_window);
    return status;
}
