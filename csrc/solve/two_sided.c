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
 * Memory.  Solving a level reads V only in the rows of the 24 levels below it, the most that a roll can bring.  So if
 * all of V is more than is allowed, a stripe keeps a window: as many rows as those levels and the new one ever have, in
 * which new rows take the places of old ones.  The stripes of the level that is being solved need all rows, and have
 * them in memory of their own, from which their window is taken in the end.  When fewer rows will do for all levels to
 * come, the stripes move together.  If the windows are still too much, some stripes are not kept: whenever they are
 * needed, they are made again from the table.  That is also how work goes on that was interrupted after some level.
 *
 * Single planes.  For pairs that the caller lists, two more values are kept beside the four, in which gammons count
 * once: gammon_pairs.c says what for.  They have a V of their own, laid out alike, of which only the tiles with such
 * pairs are ever touched.
 *
 * Files.  A table that is to be in a file is solved in rectangles of some megabytes: while one is solved into one of
 * two buffers, the other goes to the file.  What is solved is read again only if stripes have to be made again.
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
#include "solve/roll_lists.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 24, /* levels that one roll can reach down */
    TASK_BLOCKS = 32,
    FEW_TILES = 64
};

/* Where solved pairs go: those of a rank and of ranks against it in a row. */
typedef struct {
    int16_t *pairs;
    int64_t width, first_rank, first_against;
} target;

static inline int16_t *pairs_at(const target *where, int64_t rank, int64_t against)
{
    return where->pairs + ((rank - where->first_rank) * where->width + against - where->first_against) * BGR_N_PLANES;
}

/* One side: its positions in blocks of 16, and what it is worth to have moved there. */
typedef struct {
    const bgr_pair_blocks *blocks;
    const bgr_graph *graph;
    int64_t n_slots;
    bgr_roll_lists lists; /* results of every roll; of the graph's, if it was compared, those that are left */
    bgr_roll_lists all;   /* for single planes, of which comparing knows nothing */
    int16_t *table;       /* this side on roll */
    target solved;        /* where its pairs go now: that table, or a rectangle of a file */
    int16_t *values;      /* V of this side's moves: a stripe for each block of the other side */
    size_t values_bytes;
    int64_t n_rows;    /* of a stripe: n_slots, or the window's */
    int64_t *n_needed; /* by level: rows that a window needs from there on */
    int16_t *newest;   /* whole stripes for the blocks of the level that is being solved; or NULL */
    size_t newest_bytes;
    int16_t *singles; /* V of the single planes, all rows; NULL if there are none */
    size_t singles_bytes;
    uint8_t *kept; /* for each block of the other side: whether the window of its stripe is in memory */
} side;

/* What it is worth to have moved, against one block: rows of the four planes, slot r in row r modulo n_rows, and of the
 * single planes or NULL. */
typedef struct {
    int16_t *planes, *singles;
    int64_t n_rows;
} stripe;

/* A rectangle of a table in a file. */
typedef struct {
    int16_t *pairs;
    bgr_rectangle rectangle;
    int waits; /* to be written */
} buffer;

typedef struct {
    const bgr_two_sided_options *options;
    bgr_tile_function tile;
    void (*turn_round)(const int16_t *n, int16_t half, int16_t *v);
    bgr_pairs pairs;
    side sides[2];
    int level;                 /* that is being solved */
    int keep_all;              /* memory is no concern: stripes have all of their rows */
    int64_t n_kept, most_kept; /* stripes */
    bgr_gammon_blocks gammons;
    int64_t *singles_window; /* by level: bytes of single planes that are in use while it is solved */
    buffer buffers[2];
    size_t buffer_bytes;
    int filling;      /* the one that tiles go to */
    int64_t n_unread; /* stripes that could not be made again, because the file could not be read */
    bgr_crc32 crc;
} solver;

static side *other(solver *s, side *mover) { return &s->sides[bgr_other_side(&s->pairs, (int)(mover - s->sides))]; }

static int16_t *singles_of(const side *mover, int64_t block)
{
    return mover->singles ? mover->singles + block * mover->n_slots * BGR_SINGLE_ROW : NULL;
}

/* A stripe that is kept. */
static stripe stripe_of(const side *mover, int64_t block)
{
    return (stripe){mover->values + block * mover->n_rows * BGR_ROW, singles_of(mover, block), mover->n_rows};
}

/* The stripe of a block of the other side that is in the level that is being solved. */
static stripe new_stripe(const solver *s, const side *mover, const side *opponent, int64_t block)
{
    if (!mover->newest)
        return stripe_of(mover, block);
    int64_t k = block - opponent->blocks->band[s->level], n_rows = mover->blocks->band[s->level + 1] * 16;
    return (stripe){mover->newest + k * n_rows * BGR_ROW, singles_of(mover, block), mover->n_slots};
}

/* The 16 rows of a stripe for the moves to one block. */
static stripe rows_of(stripe whole, int64_t block)
{
    return (stripe){whole.planes + block * 16 % whole.n_rows * BGR_ROW,
                    whole.singles ? whole.singles + block * 16 * BGR_SINGLE_ROW : NULL, 16};
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
 * makes of the other side's moves into `meeting`, 16 rows of a stripe, unless that is empty.  listed: see
 * bgr_list_blocks. */
static void solve_tile(solver *s, side *roller, int64_t bi, int64_t bj, stripe from, stripe meeting,
                       const uint8_t *listed)
{
    int16_t rows[16][BGR_ROW], turned[16][BGR_ROW], singles[16][BGR_SINGLE_ROW];
    unsigned with_singles = 0;
    const side *opponent = other(s, roller);
    int n_rows = roller->blocks->n_ranks[bi], n_columns = opponent->blocks->n_ranks[bj];
    int has_pairs = bgr_has_gammon_pairs(&s->gammons, bi, bj);
    int in_window = from.n_rows < roller->n_slots;
    bgr_block_rolls rolls = bgr_rolls_of_block(&roller->lists, bi, in_window);
    s->tile(from.planes, &rolls, s->options->arithmetic == BGR_GNUBG, rows);
    for (int i = 0; has_pairs && i < n_rows; i++)
        with_singles |= (unsigned)bgr_row_has_gammon_pairs(&s->gammons, roller->blocks->rank[bi] + i, bj) << i;
    if (with_singles) {
        bgr_block_rolls all = bgr_rolls_of_block(&roller->all, bi, in_window);
        bgr_single_tile(listed, from.planes, from.singles, &all, roller->all.offset + roller->all.start[bi],
                        with_singles, singles);
    }
    for (int i = 0; i < n_rows; i++) {
        int64_t rank = roller->blocks->rank[bi] + i;
        int16_t *out = pairs_at(&roller->solved, rank, opponent->blocks->rank[bj]);
        s->turn_round(rows[i], (int16_t)(s->options->scale / 2), turned[i]);
        if (n_columns == 16) {
            bgr_interleave(rows[i], out);
        } else {
            int16_t pairs[BGR_ROW];
            bgr_interleave(rows[i], pairs);
            memcpy(out, pairs, (size_t)n_columns * BGR_N_PLANES * sizeof *out);
        }
        if (has_pairs)
            finish_singles(s, roller, rank, i, bj, rows[i], with_singles >> i & 1 ? singles[i] : NULL, meeting.singles);
    }
    if (!meeting.planes)
        return;
    for (int i = n_rows; i < 16; i++)
        memset(turned[i], 0, sizeof turned[i]);
    turn_over((const int16_t (*)[BGR_ROW])turned, meeting.planes);
}

/* The same 16 rows from the table, where the pairs have been solved before. */
static void load_tile(solver *s, side *roller, int64_t bi, int64_t bj, const target *solved, stripe meeting)
{
    int16_t rows[BGR_ROW], turned[16][BGR_ROW];
    const side *opponent = other(s, roller);
    int n_rows = roller->blocks->n_ranks[bi], n_columns = opponent->blocks->n_ranks[bj];
    int has_pairs = bgr_has_gammon_pairs(&s->gammons, bi, bj);
    memset(turned, 0, sizeof turned);
    for (int i = 0; i < n_rows; i++) {
        int64_t rank = roller->blocks->rank[bi] + i;
        const int16_t *pairs = pairs_at(solved, rank, opponent->blocks->rank[bj]);
        if (n_columns == 16) {
            bgr_part(pairs, rows);
        } else {
            int16_t all[BGR_ROW] = {0};
            memcpy(all, pairs, (size_t)n_columns * BGR_N_PLANES * sizeof *all);
            bgr_part(all, rows);
        }
        s->turn_round(rows, (int16_t)(s->options->scale / 2), turned[i]);
        if (has_pairs)
            finish_singles(s, roller, rank, i, bj, rows, NULL, meeting.singles);
    }
    turn_over((const int16_t (*)[BGR_ROW])turned, meeting.planes);
}

/* The row of a mover who has borne off his last checker. */
static void set_won(const solver *s, const side *loser, int64_t block, stripe whole)
{
    int16_t *row = whole.planes;
    for (int e = 0; whole.singles && e < BGR_SINGLE_ROW; e++)
        whole.singles[e] = (int16_t)s->options->scale;
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        for (int l = 0; l < 16; l++) {
            int64_t rank = loser->blocks->rank[block] + (l < loser->blocks->n_ranks[block] ? l : 0);
            row[plane * 16 + l] = won(s, loser, rank, plane);
        }
}

/* The lowest that a roll can reach from a level. */
static int lowest_level(int level) { return level > WINDOW ? level - WINDOW : 0; }

/* Make the window below a level of a stripe of the mover's values from the table.  pairs: room for a window's, where
 * the table is in a file. */
static void load_stripe(solver *s, side *mover, int64_t block, int level, stripe whole, int16_t *pairs)
{
    side *opponent = other(s, mover);
    int lowest = lowest_level(level);
    int64_t first = bgr_ranks_up_to(mover->graph, lowest - 1), last = bgr_ranks_up_to(mover->graph, level - 1);
    target solved = {opponent->table, mover->graph->n, 0, 0};
    if (s->options->file) {
        bgr_rectangle rectangle = {opponent->blocks->rank[block], opponent->blocks->n_ranks[block], first,
                                   last - first};
        if (bgr_pair_file_read(s->options->file, mover->graph->n, &rectangle, pairs) != BGR_OK)
            bgr_add(&s->n_unread, 1);
        solved = (target){pairs, rectangle.n_against, rectangle.first_rank, rectangle.first_against};
    }
    if (lowest == 0)
        set_won(s, opponent, block, whole);
    for (int64_t bx = mover->blocks->band[lowest]; bx < mover->blocks->band[level]; bx++)
        if (bx > 0)
            load_tile(s, opponent, block, bx, &solved, rows_of(whole, bx));
}

/* Comparing is by what winning and losing pay, and of GNU Backgammon's arithmetic nobody has shown that it keeps order.
 */
static bgr_status make_lists(const solver *s, side *mine)
{
    const bgr_graph *graph = mine->graph;
    int gammons = s->options->gammon_checkers;
    int compared =
        graph->kept && s->options->arithmetic == BGR_NEAREST && (!gammons || gammons == graph->gammon_checkers);
    bgr_status status = bgr_roll_lists_new(mine->blocks, compared, &mine->lists);
    mine->n_slots = mine->blocks->n * 16;
    if (status == BGR_OK && s->options->gammon_pairs)
        status = bgr_roll_lists_new(mine->blocks, 0, &mine->all);
    return status;
}

/* Against nobody these positions have lost. */
static void set_lost(const solver *s, side *mine, int64_t first, int64_t n)
{
    for (int64_t rank = first; rank < first + n; rank++)
        for (int plane = 0; plane < BGR_N_PLANES; plane++)
            pairs_at(&mine->solved, rank, 0)[plane] = lost(s, mine, rank, plane);
}

/* Whoever has no checkers left has won against these. */
static void set_won_against(solver *s, side *mine, int64_t first, int64_t n)
{
    for (int64_t rank = first; rank < first + n; rank++)
        for (int plane = 0; plane < BGR_N_PLANES; plane++)
            pairs_at(&mine->solved, 0, rank)[plane] = won(s, other(s, mine), rank, plane);
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

static inline int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }

/* How many rows windows need, and room for the level that needs most. */
static bgr_status prepare_windows(solver *s, side *mine)
{
    const int64_t *level = mine->blocks->band;
    int64_t most_new = 1, needed = 0;
    mine->n_needed = malloc((size_t)s->pairs.n_bands * sizeof *mine->n_needed);
    if (!mine->n_needed)
        return BGR_ERR_MEMORY;
    for (int l = s->pairs.n_bands - 1; l >= 0; l--) {
        needed = greater(needed, level[l + 1] - level[lowest_level(l)]);
        mine->n_needed[l] = needed * 16;
        most_new = greater(most_new, (level[l + 1] - level[l]) * level[l + 1]);
    }
    int first = s->options->first_level;
    mine->n_rows = mine->n_needed[first < s->pairs.n_bands ? first : s->pairs.n_bands - 1];
    mine->newest_bytes = (size_t)(most_new * 16) * BGR_ROW * sizeof *mine->newest;
    mine->newest = bgr_reserve(mine->newest_bytes, 1);
    bgr_status status = mine->newest ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = bgr_roll_lists_add_window(&mine->lists, s->pairs.n_bands);
    if (status == BGR_OK && mine->all.start)
        status = bgr_roll_lists_add_window(&mine->all, s->pairs.n_bands);
    return status;
}

/* Room for V. */
static bgr_status prepare(solver *s, side *mine)
{
    const side *theirs = other(s, mine);
    size_t row = BGR_ROW * sizeof *mine->values;
    size_t whole = (size_t)(theirs->blocks->n * mine->n_slots) * row;
    s->keep_all = s->pairs.n_sides == 2 || !s->options->memory_bytes || (int64_t)whole <= s->options->memory_bytes;
    mine->n_rows = mine->n_slots;
    if (!s->keep_all) {
        bgr_status status = prepare_windows(s, mine);
        if (status != BGR_OK)
            return status;
    }
    mine->values_bytes = (size_t)(theirs->blocks->n * mine->n_rows) * row;
    mine->values = bgr_reserve(mine->values_bytes, 1);
    if (s->options->gammon_pairs) {
        bgr_status status = make_singles(s, mine);
        if (status != BGR_OK)
            return status;
    }
    mine->kept = calloc((size_t)theirs->blocks->n, 1);
    return mine->values && mine->kept ? BGR_OK : BGR_ERR_MEMORY;
}

/* ------------------------------------------------------------------ tables in memory, and in files */

static bgr_status save(solver *s, buffer *full)
{
    if (!full->waits)
        return BGR_OK;
    full->waits = 0;
    return bgr_pair_file_write(s->options->file, &s->crc, s->sides[0].graph->n, &full->rectangle, full->pairs);
}

/* From now on pairs go to the buffer that has been written. */
static void begin_rectangle(void *of, const bgr_rectangle *pairs)
{
    solver *s = of;
    side *mine = &s->sides[0];
    s->filling = !s->filling;
    buffer *empty = &s->buffers[s->filling];
    empty->rectangle = *pairs;
    empty->waits = 1;
    mine->solved = (target){empty->pairs, pairs->n_against, pairs->first_rank, pairs->first_against};
    if (pairs->first_against == 0)
        set_lost(s, mine, pairs->first_rank, pairs->n_ranks);
    if (pairs->first_rank == 0)
        set_won_against(s, mine, pairs->first_against, pairs->n_against);
}

static bgr_status save_rectangle(void *of)
{
    solver *s = of;
    return save(s, &s->buffers[!s->filling]);
}

/* Room for two rectangles. */
static bgr_status prepare_buffers(solver *s)
{
    const bgr_levels *levels = &s->sides[0].graph->levels;
    int64_t n = s->sides[0].graph->n, most = s->options->file->pairs_at_once;
    for (int level = 0; level < levels->n_levels; level++) {
        int64_t least = 16 * (levels->start[level + 1] - levels->start[level]);
        most = most > least ? most : least;
    }
    s->buffer_bytes = (size_t)(most / n < n ? most : n * n) * BGR_N_PLANES * sizeof(int16_t);
    bgr_crc32_init(&s->crc);
    for (int k = 0; k < 2; k++) {
        s->buffers[k].pairs = bgr_reserve(s->buffer_bytes, 1);
        if (!s->buffers[k].pairs)
            return BGR_ERR_MEMORY;
    }
    if (s->options->first_level > 0)
        return BGR_OK;
    begin_rectangle(s, &(bgr_rectangle){0, 1, 0, 1});
    return save(s, &s->buffers[s->filling]);
}

/* The rows and columns of tables in memory where the game is over. */
static bgr_status prepare_tables(solver *s)
{
    for (int k = 0; k < s->pairs.n_sides; k++) {
        side *mine = &s->sides[k];
        mine->solved = (target){mine->table, other(s, mine)->graph->n, 0, 0};
        set_lost(s, mine, 0, mine->graph->n);
        set_won_against(s, mine, 0, other(s, mine)->graph->n);
    }
    return BGR_OK;
}

static int threads_at_most(const solver *s) { return s->options->n_threads + (s->options->file != NULL); }

/* ------------------------------------------------------------------ memory */

/* How many stripes may be kept while a level is solved.  What can't be given up: the new level's own stripes, which
 * reach all the way down, and one stripe for each thread. */
static int64_t stripes_allowed(const solver *s, const side *mine, int level)
{
    int64_t row = BGR_ROW * (int64_t)sizeof *mine->values;
    int64_t fixed =
        (int64_t)mine->newest_bytes + threads_at_most(s) * mine->n_rows * row * 2 + 2 * (int64_t)s->buffer_bytes;
    if (mine->singles)
        fixed += s->singles_window[level] +
                 threads_at_most(s) * mine->n_slots * BGR_SINGLE_ROW * (int64_t)sizeof *mine->singles;
    if (s->keep_all)
        return INT64_MAX;
    return s->options->memory_bytes > fixed ? (s->options->memory_bytes - fixed) / (mine->n_rows * row) : 0;
}

static void give_back_singles(int16_t *singles, int64_t first, int64_t past)
{
    if (singles && first < past)
        bgr_give_back(singles + first * BGR_SINGLE_ROW, (size_t)((past - first) * BGR_SINGLE_ROW) * sizeof *singles);
}

static void forget_stripe(solver *s, side *mover, int64_t block)
{
    stripe whole = stripe_of(mover, block);
    bgr_give_back(whole.planes, (size_t)(whole.n_rows * BGR_ROW) * sizeof *whole.planes);
    give_back_singles(whole.singles, 0, mover->n_slots);
    mover->kept[block] = 0;
    s->n_kept--;
}

/* What one thread works in: a stripe, and the pairs of a window of it. */
typedef struct {
    stripe spare;
    int16_t *pairs;
    uint8_t *listed; /* blocks with single planes in the stripe at hand */
    size_t n_rows;   /* there is room for */
} workroom;

/* Stripe of a block below the level that is being solved, its window in memory: kept, kept from now on, or made in
 * the room. */
static stripe fetch_stripe(solver *s, side *mover, int64_t block, int level, const workroom *room)
{
    if (mover->kept[block])
        return stripe_of(mover, block);
    stripe whole = {room->spare.planes, room->spare.singles, mover->n_rows};
    if (bgr_add(&s->n_kept, 1) < s->most_kept) {
        mover->kept[block] = 1;
        whole = stripe_of(mover, block);
    } else {
        bgr_add(&s->n_kept, -1);
    }
    load_stripe(s, mover, block, level, whole, room->pairs);
    return whole;
}

/* Windows that go elsewhere: those against blocks from `first` on, with the rows that a level reads. */
typedef struct {
    solver *s;
    side *mover;
    int level;
    int64_t first;
    int64_t n_rows; /* of a stripe where they go */
} journey;

static void copy_window(const journey *way, stripe from, stripe to)
{
    const int64_t *level = way->mover->blocks->band;
    for (int64_t block = level[lowest_level(way->level)]; block < level[way->level]; block++)
        memcpy(rows_of(to, block).planes, rows_of(from, block).planes, 16 * BGR_ROW * sizeof *to.planes);
}

static int move_windows(void *of, int64_t first, int64_t past, int worker)
{
    const journey *way = of;
    side *mover = way->mover;
    (void)worker;
    for (int64_t block = way->first + first; block < way->first + past; block++)
        if (mover->kept[block])
            copy_window(way, stripe_of(mover, block),
                        (stripe){mover->values + block * way->n_rows * BGR_ROW, NULL, way->n_rows});
    return 0;
}

/* Let stripes move together, because from a level on their windows need fewer rows.  Many can move at once if where
 * they go nothing is left; the first ones, which would be in their own way, are forgotten. */
static void move_together(solver *s, side *mover, int level, bgr_team *team)
{
    int64_t before = mover->n_rows, n_rows = mover->n_needed[level], n = other(s, mover)->blocks->band[level];
    int64_t first = 1;
    for (; first < n && (first + 1) * n_rows > first * before; first++)
        if (mover->kept[first])
            forget_stripe(s, mover, first);
    while (first < n) {
        int64_t past = first * before / n_rows;
        journey way = {s, mover, level, first, n_rows};
        past = past < n ? past : n;
        (void)bgr_team_run(team, past - first, 1, move_windows, &way);
        first = past;
    }
    bgr_give_back(mover->values + n * n_rows * BGR_ROW,
                  (size_t)(n * (before - n_rows) * BGR_ROW) * sizeof *mover->values);
    mover->n_rows = n_rows;
}

/* ------------------------------------------------------------------ steps */

static void begin_level(void *of, int level)
{
    solver *s = of;
    s->level = level;
    for (int k = 0; k < s->pairs.n_sides; k++) {
        side *mover = &s->sides[k], *opponent = other(s, mover);
        const int64_t *own = mover->blocks->band;
        for (int64_t bj = opponent->blocks->band[level]; bj < opponent->blocks->band[level + 1]; bj++)
            set_won(s, opponent, bj, new_stripe(s, mover, opponent, bj));
        if (mover->newest)
            bgr_roll_lists_set_window(&mover->lists, own[level], own[level + 1], mover->n_rows);
        if (mover->newest && mover->all.start)
            bgr_roll_lists_set_window(&mover->all, own[level], own[level + 1], mover->n_rows);
    }
}

/* Room for a stripe of either side. */
static size_t room_rows(const solver *s) { return (size_t)greater(s->sides[0].n_rows, s->sides[1].n_rows); }

static void free_room(const void *of, void *room)
{
    const solver *s = of;
    workroom *mine = room;
    bgr_unreserve(mine->spare.planes, mine->n_rows * BGR_ROW * sizeof *mine->spare.planes);
    bgr_unreserve(mine->spare.singles, (size_t)s->sides[0].n_slots * BGR_SINGLE_ROW * sizeof *mine->spare.singles);
    bgr_unreserve(mine->pairs, mine->n_rows * BGR_ROW * sizeof *mine->pairs);
    free(mine->listed);
    free(mine);
}

static void *new_room(const void *of)
{
    const solver *s = of;
    int with_singles = s->options->gammon_pairs != NULL, with_pairs = s->options->file != NULL;
    workroom *room = calloc(1, sizeof *room);
    if (!room)
        return NULL;
    room->n_rows = room_rows(s);
    room->spare.planes = bgr_reserve(room->n_rows * BGR_ROW * sizeof *room->spare.planes, 1);
    if (with_singles) {
        room->spare.singles =
            bgr_reserve((size_t)s->sides[0].n_slots * BGR_SINGLE_ROW * sizeof *room->spare.singles, 0);
        room->listed = malloc((size_t)s->sides[0].blocks->n);
    }
    if (with_pairs)
        room->pairs = bgr_reserve(room->n_rows * BGR_ROW * sizeof *room->pairs, 1);
    if (!room->spare.planes || (with_singles && (!room->spare.singles || !room->listed)) ||
        (with_pairs && !room->pairs)) {
        free_room(s, room);
        return NULL;
    }
    return room;
}

/* The stripe of a block at the level is in memory, and so are the rows for moves to one. */
static void solve_task(void *of, const bgr_pair_task *task, void *working)
{
    solver *s = of;
    const workroom *room = working;
    side *roller = &s->sides[task->roller], *opponent = other(s, roller);
    int64_t bj = task->against, own_first = roller->blocks->band[s->level];
    stripe from = bj < opponent->blocks->band[s->level] ? fetch_stripe(s, roller, bj, s->level, room)
                                                        : new_stripe(s, roller, opponent, bj);
    if (room->listed)
        bgr_list_blocks(&s->gammons, bj, roller->blocks->band[s->level], room->listed);
    for (int64_t bi = task->first; bi < task->last; bi++) {
        stripe meeting = {NULL, NULL, 0};
        if (bi >= own_first)
            meeting = rows_of(new_stripe(s, opponent, roller, bi), bj);
        else if (opponent->kept[bi])
            meeting = rows_of(stripe_of(opponent, bi), bj);
        solve_tile(s, roller, bi, bj, from, meeting, room->listed);
    }
}

/* Which stripes are kept while the next level is solved, and how wide. */
static void choose_stripes(solver *s, side *mover, int level, bgr_team *team)
{
    const int64_t *level_of = other(s, mover)->blocks->band;
    int64_t n_new = level_of[level] - level_of[level - 1];
    s->most_kept = stripes_allowed(s, mover, level);
    if (s->n_kept + n_new > s->most_kept && mover->n_needed[level] < mover->n_rows * 9 / 10) {
        move_together(s, mover, level, team);
        s->most_kept = stripes_allowed(s, mover, level);
    }
    for (int64_t bj = 1; bj < level_of[level - 1] && s->n_kept + n_new > s->most_kept; bj++)
        if (mover->kept[bj])
            forget_stripe(s, mover, bj);
}

/* The business of the end of a level: piece 0 saves the last rectangle, the others take the windows of new stripes. */
static int finish_level(void *of, int64_t first, int64_t past, int worker)
{
    const journey *way = of;
    solver *s = way->s;
    side *mover = way->mover;
    int failed = 0;
    (void)worker;
    for (int64_t k = first; k < past; k++) {
        int64_t block = way->first + k - 1;
        if (k == 0)
            failed = save(s, &s->buffers[s->filling]) != BGR_OK;
        else if (mover->newest && mover->kept[block])
            copy_window(way, new_stripe(s, mover, other(s, mover), block), stripe_of(mover, block));
    }
    return failed;
}

/* Keep the windows that the next level reads, of as many stripes as may be kept. */
static bgr_status end_level(void *of, int level, bgr_team *team)
{
    solver *s = of;
    int failed = 0;
    for (int k = 0; k < s->pairs.n_sides; k++) {
        side *mover = &s->sides[k];
        const int64_t *level_of = other(s, mover)->blocks->band;
        int last = level + 1 == s->pairs.n_bands;
        if (!s->keep_all && !last)
            choose_stripes(s, mover, level + 1, team);
        for (int64_t bj = level_of[level]; bj < level_of[level + 1]; bj++)
            if (s->keep_all || s->n_kept < s->most_kept) {
                mover->kept[bj] = 1;
                s->n_kept++;
            }
        journey way = {s, mover, level + 1, level_of[level], mover->n_rows};
        failed |= bgr_team_run(team, last ? 1 : 1 + level_of[level + 1] - level_of[level], 1, finish_level, &way);
        /* Whole pages only are given back: what was left of one, four blocks at most, goes with the next. */
        if (mover->singles && !s->keep_all && !last) {
            const int64_t *own = mover->blocks->band;
            int64_t rest = own[lowest_level(level)] > 4 ? own[lowest_level(level)] - 4 : 0;
            for (int64_t bj = 1; bj < level_of[level + 1]; bj++)
                give_back_singles(singles_of(mover, bj), (bj < level_of[level] ? rest : 0) * 16,
                                  own[lowest_level(level + 1)] * 16);
        }
    }
    if (failed)
        return BGR_ERR_WRITE;
    return s->n_unread ? BGR_ERR_READ : BGR_OK;
}

/* ------------------------------------------------------------------ from outside */

static int options_make_sense(const bgr_two_sided_options *o, int n_sides)
{
    int limit = o->gammon_checkers ? 16382 : 32766;
    if (o->arithmetic == BGR_GNUBG && o->gammon_checkers)
        return 0;
    if (o->file && (n_sides == 2 || o->file->pairs_at_once < 1))
        return 0;
    if (o->gammon_pairs && (!o->gammon_checkers || o->single_planes || n_sides == 2))
        return 0;
    return o->scale >= 2 && o->scale <= limit && o->scale % 2 == 0 && o->n_threads >= 1 && o->first_level >= 0;
}

static bgr_status solve(solver *s)
{
    const bgr_two_sided_options *o = s->options;
    bgr_pair_steps steps = {.begin_band = begin_level,
                            .end_band = end_level,
                            .new_room = new_room,
                            .free_room = free_room,
                            .solve = solve_task,
                            .task_blocks = TASK_BLOCKS,
                            .few_tiles = FEW_TILES};
    if (o->file) {
        steps.save_pairs = o->file->pairs_at_once;
        steps.begin_rectangle = begin_rectangle;
        steps.save_rectangle = save_rectangle;
    }
    bgr_status status = BGR_OK;
    for (int k = 0; k < s->pairs.n_sides && status == BGR_OK; k++)
        status = make_lists(s, &s->sides[k]);
    for (int k = 0; k < s->pairs.n_sides && status == BGR_OK; k++)
        status = prepare(s, &s->sides[k]);
    if (status == BGR_OK)
        status = o->file ? prepare_buffers(s) : prepare_tables(s);
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
        bgr_roll_lists_free(&mine->lists);
        bgr_roll_lists_free(&mine->all);
        free(mine->kept);
        free(mine->n_needed);
        bgr_unreserve(mine->values, mine->values_bytes);
        bgr_unreserve(mine->newest, mine->newest_bytes);
        bgr_unreserve(mine->singles, mine->singles_bytes);
    }
    for (int k = 0; k < 2; k++)
        bgr_unreserve(s.buffers[k].pairs, s.buffer_bytes);
    bgr_pairs_free(&s.pairs);
    bgr_gammon_blocks_free(&s.gammons);
    free(s.singles_window);
    return status;
}
