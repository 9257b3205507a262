/* Tiles of 16 by 16 pairs: solved from the rows of one stripe of V, or loaded from the table; and the other side's V
 * that follows.  The recursion is in two_sided.c.
 *
 * Single planes.  For pairs that the caller lists, two more values are kept beside the four, in which gammons count
 * once: see gammon_pairs.c.  They have a V of their own with the same layout, in which only the tiles with listed pairs
 * are used. */

#include "solve/two_sided_tiles.h"

#include "base/try.h"

#include <string.h>

/* The points won by bearing off the last checker against a rank. */
static int payoff(const pair_solver *s, int64_t rank, int plane)
{
    int gammon = s->options->gammon_checkers && s->graph->checkers[rank] == s->options->gammon_checkers &&
                 !(s->options->single_planes >> plane & 1);
    return gammon ? 2 : 1;
}

int16_t bgr_two_sided_won(const pair_solver *s, int64_t rank, int plane)
{
    if (s->options->arithmetic == BGR_GNUBG)
        return INT16_MAX;
    return (int16_t)(s->options->scale * payoff(s, rank, plane));
}

int16_t bgr_two_sided_lost(const pair_solver *s, int64_t rank, int plane)
{
    return s->options->arithmetic == BGR_GNUBG ? INT16_MIN : (int16_t)-bgr_two_sided_won(s, rank, plane);
}

/* min(2 N theirs, 1), clamped from below, where it cannot be the maximum anyway */
static inline int16_t doubled(int16_t theirs, int16_t half)
{
    int16_t take = theirs < half ? theirs : half;
    return (int16_t)(2 * (take > -16384 ? take : -16384));
}

static void turn(const int16_t *n, int16_t half, int16_t *v)
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

/* The arithmetic of GNU Backgammon's generator, makebearoff, so that its files can be made byte by byte.
 *
 * Its values are unsigned, equity = u / 32767.5 - 1.  Here they are signed, s = u - 32768, so that winning is 32767,
 * losing -32768, and the other side's value is the bitwise complement -s - 1.  A mean over the rolls is cut toward
 * zero (the `cut` of a row).  The values of a player with the right to double come from integer halves cut toward
 * zero, and doubling is worth at most a pass. */

/* nd: without doubling; dt: after double/take, in units of the doubled cube. */
static inline int16_t with_double(int16_t nd, int16_t dt)
{
    int16_t twice = (int16_t)(dt >= INT16_MAX / 2 ? INT16_MAX : 2 * dt);
    return dt >= nd / 2 ? twice : nd;
}

BGR_EVERY_WIDTH
static void turn_as_gnubg(const int16_t *n, int16_t half, int16_t *v)
{
    const int16_t *cubeless = n, *mine = n + 16, *centered = n + 32, *theirs = n + 48;
    (void)half;
    for (int l = 0; l < 16; l++) {
        v[l] = (int16_t)~cubeless[l];
        v[16 + l] = (int16_t)~theirs[l];
        v[32 + l] = (int16_t)~with_double(centered[l], theirs[l]);
        v[48 + l] = (int16_t)~with_double(mine[l], theirs[l]);
    }
}

turn_function bgr_two_sided_turn(bgr_arithmetic arithmetic) { return arithmetic == BGR_GNUBG ? turn_as_gnubg : turn; }

/* ------------------------------------------------------------------ tiles */

/* rows[i][plane][j] -> columns[j][plane][i], of rows of BGR_ROW or BGR_SINGLE_ROW */
static inline void turn_over(const int16_t *rows, int length, int16_t *columns)
{
    for (int plane = 0; plane < length; plane += 16)
        for (int bi = 0; bi < 16; bi += 8)
            for (int bj = 0; bj < 16; bj += 8)
                bgr_transpose_8x8(rows + bi * length + plane + bj, length, columns + bj * length + plane + bi);
}

/* Complete the single planes of one row of a tile.  Listed pairs come from `single`, 16 values of each plane, or if
 * that is NULL are already set; others come from the four planes.  turned [out]: the values of V. */
static void finish_singles(pair_solver *s, int64_t rank, int64_t bj, const int16_t *row, const int16_t *single,
                           int16_t *turned)
{
    int16_t cubeless[16], centered[16], take[16];
    int n_columns = bgr_row_has_gammon_pairs(&s->gammons, rank, bj) ? s->blocks->n_ranks[bj] : 0;
    memcpy(cubeless, row + BGR_CUBELESS * 16, sizeof cubeless);
    memcpy(centered, row + BGR_CENTERED * 16, sizeof centered);
    for (int l = 0; l < n_columns; l++) {
        int16_t *values = bgr_gammon_values(s->gammons.pairs, rank, s->blocks->rank[bj] + l);
        if (values && single) {
            values[BGR_SINGLE_CUBELESS] = single[BGR_SINGLE_CUBELESS * 16 + l];
            values[BGR_SINGLE_CENTERED] = single[BGR_SINGLE_CENTERED * 16 + l];
        }
        if (values) {
            cubeless[l] = values[BGR_SINGLE_CUBELESS];
            centered[l] = values[BGR_SINGLE_CENTERED];
        }
    }
    for (int l = 0; l < 16; l++) {
        take[l] = doubled(row[BGR_THEIRS * 16 + l], (int16_t)(s->options->scale / 2));
        turned[BGR_SINGLE_CUBELESS * 16 + l] = (int16_t)-cubeless[l];
        turned[BGR_SINGLE_CENTERED * 16 + l] = (int16_t)-(centered[l] > take[l] ? centered[l] : take[l]);
    }
}

/* Store the transposed values of V of a tile, if their stripe is kept. */
static void put_turned(const int16_t *turned, const int16_t *singles, pair_stripe meeting)
{
    if (meeting.planes)
        turn_over(turned, BGR_ROW, meeting.planes);
    if (meeting.singles && singles)
        turn_over(singles, BGR_SINGLE_ROW, meeting.singles);
}

/* Prefetch cache lines that will be written. */
static inline void ask_for_lines(const int16_t *values, int n)
{
    enum { LINE = 32 };
    for (int k = 0; k < n; k += LINE)
        BGR_ASK_FOR(values + k);
    BGR_ASK_FOR(values + n - 1);
}

void bgr_two_sided_solve_tile(pair_solver *s, int64_t bi, int64_t bj, pair_stripe from, pair_stripe meeting,
                              const uint8_t *listed)
{
    int16_t rows[16][BGR_ROW], turned[16][BGR_ROW], singles[16][BGR_SINGLE_ROW], turned_singles[16][BGR_SINGLE_ROW];
    unsigned with_singles = 0;
    int n_rows = s->blocks->n_ranks[bi], n_columns = s->blocks->n_ranks[bj];
    int has_pairs = bgr_has_gammon_pairs(&s->gammons, bi, bj);
    int in_window = from.n_rows < s->n_slots;
    bgr_block_rolls rolls = bgr_rolls_of_block(&s->lists, bi, in_window);
    for (int i = 0; i < n_rows; i++)
        ask_for_lines(pairs_at(&s->output.now, s->blocks->rank[bi] + i, s->blocks->rank[bj]), n_columns * BGR_N_PLANES);
    if (meeting.planes)
        ask_for_lines(meeting.planes, 16 * BGR_ROW);
    s->tile(from.planes, &rolls, s->options->arithmetic == BGR_GNUBG, rows);
    for (int i = 0; has_pairs && i < n_rows; i++)
        with_singles |= (unsigned)bgr_row_has_gammon_pairs(&s->gammons, s->blocks->rank[bi] + i, bj) << i;
    if (with_singles) {
        bgr_block_rolls all = bgr_rolls_of_block(&s->all, bi, in_window);
        bgr_single_tile(listed, from.planes, from.singles, &all, s->all.offset + s->all.start[bi], with_singles,
                        singles);
    }
    for (int i = 0; i < n_rows; i++) {
        int64_t rank = s->blocks->rank[bi] + i;
        int16_t *out = pairs_at(&s->output.now, rank, s->blocks->rank[bj]);
        s->turn_round(rows[i], (int16_t)(s->options->scale / 2), turned[i]);
        if (n_columns == 16) {
            bgr_interleave(rows[i], out);
        } else {
            int16_t pairs[BGR_ROW];
            bgr_interleave(rows[i], pairs);
            memcpy(out, pairs, (size_t)n_columns * BGR_N_PLANES * sizeof *out);
        }
        if (has_pairs)
            finish_singles(s, rank, bj, rows[i], with_singles >> i & 1 ? singles[i] : NULL, turned_singles[i]);
    }
    for (int i = n_rows; i < 16; i++) {
        memset(turned[i], 0, sizeof turned[i]);
        memset(turned_singles[i], 0, sizeof turned_singles[i]);
    }
    put_turned(turned[0], has_pairs ? turned_singles[0] : NULL, meeting);
}

void bgr_two_sided_load_tile(pair_solver *s, int64_t bi, int64_t bj, const pair_target *solved, pair_stripe meeting)
{
    int16_t rows[BGR_ROW], turned[16][BGR_ROW], turned_singles[16][BGR_SINGLE_ROW];
    int n_rows = s->blocks->n_ranks[bi], n_columns = s->blocks->n_ranks[bj];
    int has_pairs = bgr_has_gammon_pairs(&s->gammons, bi, bj);
    memset(turned, 0, sizeof turned);
    memset(turned_singles, 0, sizeof turned_singles);
    for (int i = 0; i < n_rows; i++) {
        int64_t rank = s->blocks->rank[bi] + i;
        const int16_t *pairs = pairs_at(solved, rank, s->blocks->rank[bj]);
        if (n_columns == 16) {
            bgr_part(pairs, rows);
        } else {
            int16_t all[BGR_ROW] = {0};
            memcpy(all, pairs, (size_t)n_columns * BGR_N_PLANES * sizeof *all);
            bgr_part(all, rows);
        }
        s->turn_round(rows, (int16_t)(s->options->scale / 2), turned[i]);
        if (has_pairs)
            finish_singles(s, rank, bj, rows, NULL, turned_singles[i]);
    }
    put_turned(turned[0], has_pairs ? turned_singles[0] : NULL, meeting);
}

void bgr_two_sided_set_won(const pair_solver *s, int64_t block, pair_stripe whole)
{
    int16_t *row = whole.planes;
    for (int e = 0; whole.singles && e < BGR_SINGLE_ROW; e++)
        whole.singles[e] = (int16_t)s->options->scale;
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        for (int l = 0; l < 16; l++) {
            int64_t rank = s->blocks->rank[block] + (l < s->blocks->n_ranks[block] ? l : 0);
            row[plane * 16 + l] = bgr_two_sided_won(s, rank, plane);
        }
}

/* Comparisons hold only for the same payoffs, and not for GNU Backgammon's arithmetic, which is not proved to preserve
 * order. */
bgr_status bgr_two_sided_make_lists(pair_solver *s)
{
    const bgr_graph *graph = s->graph;
    int gammons = s->options->gammon_checkers;
    int compared =
        graph->kept && s->options->arithmetic == BGR_NEAREST && (!gammons || gammons == graph->gammon_checkers);
    s->n_slots = s->blocks->n * 16;
    BGR_TRY(bgr_roll_lists_new(s->blocks, compared, &s->lists));
    return s->options->gammon_pairs ? bgr_roll_lists_new(s->blocks, 0, &s->all) : BGR_OK;
}

void bgr_two_sided_free_lists(pair_solver *s)
{
    bgr_roll_lists_free(&s->lists);
    bgr_roll_lists_free(&s->all);
}
