/* V, the values of having moved, as much of it as memory allows.
 *
 * Solving a level reads V only in the rows of the 24 levels below it, the most that a roll can go down, and only
 * against blocks of the level and above.  So unless a table is small, the stripes of those blocks keep a window, a
 * circular buffer of the rows of those levels and of the one being solved.  The stripes of the level itself also need
 * all rows above it; they are opened in memory of their own, and closed after the level.
 *
 * Windows grow towards the middle levels, as stripes become fewer.  They lie in one piece of memory, the last one at
 * its end, and whenever they have to be wider, a few times in all, they move apart into the space that stripes of lower
 * levels have left.  If memory is short, only the windows of the highest levels are kept; the others are made from the
 * table whenever they are needed. */

#include "solve/two_sided_windows.h"

#include "base/memory.h"
#include "base/threads.h"
#include "base/try.h"
#include "solve/two_sided_files.h"
#include "solve/two_sided_tiles.h"

#include <string.h>

enum {
    WINDOW = 24,           /* levels that one roll can reach down */
    EASE = 8,              /* windows get 1/8 more room than they need, so that they move rarely */
    SMALL_TABLE = 32 << 20 /* bytes of V up to which all of it is kept */
};

static int16_t *singles_of(const pair_solver *s, int64_t block)
{
    return s->windows.singles ? s->windows.singles + block * s->n_slots * BGR_SINGLE_ROW : NULL;
}

/* The address of a kept stripe, if windows have n_rows rows. */
static int16_t *place_of(const pair_solver *s, int64_t block, int64_t n_rows)
{
    return s->windows.values + (s->windows.n_all_rows - (s->blocks->n - block) * n_rows) * BGR_ROW;
}

/* A kept stripe. */
static pair_stripe stripe_of(const pair_solver *s, int64_t block)
{
    return (pair_stripe){place_of(s, block, s->windows.n_rows), singles_of(s, block), s->windows.n_rows};
}

/* The lowest level that a roll can reach from a level. */
static int lowest_level(int level) { return level > WINDOW ? level - WINDOW : 0; }

/* The stripe of a block of the level that is being solved: all rows from the lowest level that it reads. */
static pair_stripe new_stripe(const pair_solver *s, int64_t block)
{
    if (!s->windows.newest)
        return stripe_of(s, block);
    int64_t k = block - s->blocks->band[s->level], first = s->blocks->band[lowest_level(s->level)] * 16;
    int64_t n_rows = s->n_slots - first;
    /* The address is that of row 0, which the stripe does not have; lower rows are never touched. */
    return (pair_stripe){s->windows.newest + (s->n_slots + k * n_rows - first) * BGR_ROW, singles_of(s, block),
                         s->n_slots};
}

/* The 16 rows of a stripe for moves to one block. */
static pair_stripe rows_of(pair_stripe whole, int64_t block)
{
    return (pair_stripe){whole.planes + block * 16 % whole.n_rows * BGR_ROW,
                         whole.singles ? whole.singles + block * 16 * BGR_SINGLE_ROW : NULL, 16};
}

/* Make the window below a level of a stripe from the table.  pairs: room for the pairs of a window, if the table is in
 * a file. */
static void load_stripe(pair_solver *s, int64_t block, int level, pair_stripe whole, int16_t *pairs)
{
    int lowest = lowest_level(level);
    int64_t first = bgr_ranks_up_to(s->graph, lowest - 1), last = bgr_ranks_up_to(s->graph, level - 1);
    bgr_rectangle rectangle = {s->blocks->rank[block], s->blocks->n_ranks[block], first, last - first};
    if (lowest == 0)
        bgr_two_sided_set_won(s, block, whole);
    if (level == 1)
        return;
    pair_target solved = bgr_two_sided_solved(s, &rectangle, pairs);
    for (int64_t bx = s->blocks->band[lowest]; bx < s->blocks->band[level]; bx++)
        if (bx > 0)
            bgr_two_sided_load_tile(s, block, bx, &solved, rows_of(whole, bx));
}

/* ------------------------------------------------------------------ room */

/* Reserve V of the single planes, which is touched only by tiles with listed pairs. */
static bgr_status make_singles(pair_solver *s)
{
    pair_windows *w = &s->windows;
    BGR_TRY(bgr_gammon_blocks_new(s->options->gammon_pairs, s->blocks, &s->gammons));
    w->singles_bytes = (size_t)(s->blocks->n * s->n_slots) * BGR_SINGLE_ROW * sizeof *w->singles;
    w->singles = bgr_reserve(w->singles_bytes, BGR_ANY_PAGES);
    return w->singles ? BGR_OK : BGR_ERR_MEMORY;
}

/* Find the bytes of it in use at the level that uses most, in whole pages.  BGR_ERR_MEMORY. */
static bgr_status most_singles(const pair_solver *s, int64_t *most)
{
    enum { PAGE = 4096 };
    const int64_t *band = s->blocks->band;
    int64_t *in_use = calloc((size_t)s->pairs.n_bands + 1, sizeof *in_use);
    if (!in_use)
        return BGR_ERR_MEMORY;
    for (int own = 0; own < s->pairs.n_bands; own++)
        for (int64_t bj = band[own]; bj < band[own + 1]; bj++) {
            int64_t last_page = -1;
            for (int of_row = 0; of_row < s->pairs.n_bands; of_row++)
                for (int64_t bx = band[of_row]; bx < band[of_row + 1]; bx++) {
                    int64_t page = bx * 16 * BGR_SINGLE_ROW * (int64_t)sizeof *s->windows.singles / PAGE;
                    if (page == last_page || !bgr_has_gammon_pairs(&s->gammons, bj, bx))
                        continue;
                    last_page = page;
                    /* In use from the level that makes it until it leaves the window or the stripe is closed. */
                    int first = of_row < own ? of_row : own, past = of_row + WINDOW + 1;
                    in_use[first] += PAGE;
                    in_use[of_row >= own || past > own + 1 ? own + 1 : past] -= PAGE;
                }
        }
    *most = 0;
    for (int64_t level = 0, now = 0; level < s->pairs.n_bands; level++) {
        now += in_use[level];
        *most = now > *most ? now : *most;
    }
    free(in_use);
    return BGR_OK;
}

static inline int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }

/* The number of blocks on a level or above. */
static int64_t blocks_from(const pair_solver *s, int level) { return s->blocks->n - s->blocks->band[level]; }

/* Find how many rows all windows may have together: the memory limit less what is always needed. */
static bgr_status count_rows(pair_solver *s)
{
    pair_windows *w = &s->windows;
    const int64_t row = BGR_ROW * (int64_t)sizeof *w->values;
    int64_t wanted = 0, widest = 0, most = 0;
    for (int level = 1; level < s->pairs.n_bands; level++) {
        wanted = greater(wanted, w->n_needed[level] * blocks_from(s, level));
        widest = greater(widest, w->n_needed[level]);
    }
    w->room_rows = widest;
    w->n_all_rows = wanted + wanted / EASE;
    if (!s->options->memory_bytes)
        return BGR_OK;
    BGR_TRY(w->singles ? most_singles(s, &most) : BGR_OK);
    int64_t fixed =
        w->newest_rows * row + most + 2 * (int64_t)s->output.buffer_bytes +
        bgr_n_workers(s->options->work.parallel) *
            (widest * row * 2 + (w->singles ? s->n_slots * BGR_SINGLE_ROW * (int64_t)sizeof *w->singles : 0));
    int64_t allowed = s->options->memory_bytes > fixed ? (s->options->memory_bytes - fixed) / row : 0;
    w->n_all_rows = w->n_all_rows < allowed ? w->n_all_rows : allowed;
    return BGR_OK;
}

/* Allocate windows, and stripes for the level that has most. */
static bgr_status make_windows(pair_solver *s)
{
    pair_windows *w = &s->windows;
    const int64_t *band = s->blocks->band;
    int n_bands = s->pairs.n_bands;
    w->n_needed = calloc((size_t)n_bands, sizeof *w->n_needed);
    if (!w->n_needed)
        return BGR_ERR_MEMORY;
    for (int level = 0; level < n_bands; level++) {
        int64_t below = band[level] - band[lowest_level(level)];
        int64_t after = level + 1 < n_bands ? band[level + 1] - band[lowest_level(level + 1)] : 0;
        w->n_needed[level] = 16 * greater(below, after);
        w->newest_rows =
            greater(w->newest_rows, (band[level + 1] - band[level]) * (s->n_slots - band[lowest_level(level)] * 16));
    }
    BGR_TRY(count_rows(s));
    w->newest_bytes = (size_t)(s->n_slots + w->newest_rows) * BGR_ROW * sizeof *w->newest;
    w->newest = bgr_reserve(w->newest_bytes, BGR_LARGE_PAGES);
    if (!w->newest)
        return BGR_ERR_MEMORY;
    BGR_TRY(bgr_roll_lists_add_window(&s->lists, n_bands));
    return s->all.start ? bgr_roll_lists_add_window(&s->all, n_bands) : BGR_OK;
}

bgr_status bgr_two_sided_prepare_windows(pair_solver *s)
{
    pair_windows *w = &s->windows;
    int64_t row = BGR_ROW * (int64_t)sizeof *w->values, n_blocks = s->blocks->n;
    int64_t whole = n_blocks * s->n_slots * row, memory = s->options->memory_bytes;
    w->keep_all = whole <= SMALL_TABLE && (!memory || whole <= memory);
    BGR_TRY(s->options->gammon_pairs ? make_singles(s) : BGR_OK);
    if (w->keep_all) {
        w->n_rows = s->n_slots;
        w->n_all_rows = n_blocks * s->n_slots;
    } else {
        BGR_TRY(make_windows(s));
    }
    w->values_bytes = (size_t)greater(w->n_all_rows * row, 1);
    w->values = bgr_reserve(w->values_bytes, BGR_LARGE_PAGES);
    w->held = calloc((size_t)n_blocks, sizeof *w->held);
    if (!w->values || !w->held)
        return BGR_ERR_MEMORY;
    for (int64_t block = 0; block < n_blocks && w->keep_all; block++) {
        bgr_two_sided_set_won(s, block, stripe_of(s, block));
        w->held[block] = BGR_HELD;
    }
    return BGR_OK;
}

void bgr_two_sided_free_windows(pair_solver *s)
{
    pair_windows *w = &s->windows;
    BGR_FREE(w->held, w->n_needed);
    bgr_unreserve(w->values, w->values_bytes);
    bgr_unreserve(w->newest, w->newest_bytes);
    bgr_unreserve(w->singles, w->singles_bytes);
    bgr_gammon_blocks_free(&s->gammons);
}

void bgr_two_sided_free_room(const pair_solver *s, thread_room *room)
{
    bgr_unreserve(room->spare.planes, room->n_rows * BGR_ROW * sizeof *room->spare.planes);
    bgr_unreserve(room->spare.singles, (size_t)s->n_slots * BGR_SINGLE_ROW * sizeof *room->spare.singles);
    bgr_unreserve(room->pairs, room->n_rows * BGR_ROW * sizeof *room->pairs);
    BGR_FREE(room->listed, room);
}

thread_room *bgr_two_sided_new_room(const pair_solver *s)
{
    int with_singles = s->options->gammon_pairs != NULL, with_pairs = s->options->file != NULL;
    thread_room *room = calloc(1, sizeof *room);
    if (!room)
        return NULL;
    room->n_rows = (size_t)(s->windows.keep_all ? s->n_slots : s->windows.room_rows);
    room->spare.planes = bgr_reserve(room->n_rows * BGR_ROW * sizeof *room->spare.planes, BGR_LARGE_PAGES);
    if (with_singles) {
        room->spare.singles =
            bgr_reserve((size_t)s->n_slots * BGR_SINGLE_ROW * sizeof *room->spare.singles, BGR_ANY_PAGES);
        room->listed = malloc((size_t)s->blocks->n);
    }
    if (with_pairs)
        room->pairs = bgr_reserve(room->n_rows * BGR_ROW * sizeof *room->pairs, BGR_LARGE_PAGES);
    if (!room->spare.planes || (with_singles && (!room->spare.singles || !room->listed)) ||
        (with_pairs && !room->pairs)) {
        bgr_two_sided_free_room(s, room);
        return NULL;
    }
    return room;
}

/* ------------------------------------------------------------------ kept stripes */

static void give_back_singles(int16_t *singles, int64_t first, int64_t past)
{
    if (singles && first < past)
        bgr_give_back(singles + first * BGR_SINGLE_ROW, (size_t)((past - first) * BGR_SINGLE_ROW) * sizeof *singles);
}

/* Copy the rows that a level reads from one stripe to another. */
static void copy_window(const pair_solver *s, int level, pair_stripe from, pair_stripe to)
{
    const int64_t *band = s->blocks->band;
    for (int64_t block = band[lowest_level(level)]; block < band[level]; block++)
        memcpy(rows_of(to, block).planes, rows_of(from, block).planes, 16 * BGR_ROW * sizeof *to.planes);
}

/* Get the stripe of a block above the level that is being solved, with its window: kept, or made in the room. */
static pair_stripe fetch_window(pair_solver *s, int64_t block, const thread_room *room)
{
    int kept = block >= s->windows.first_kept;
    pair_stripe whole =
        kept ? stripe_of(s, block) : (pair_stripe){room->spare.planes, room->spare.singles, s->windows.n_rows};
    if (!s->windows.held[block])
        load_stripe(s, block, s->level, whole, room->pairs);
    s->windows.held[block] = kept ? BGR_HELD : BGR_ABSENT;
    return whole;
}

/* Get the stripe of a block of the level; the first call fills its window. */
static pair_stripe open_stripe(pair_solver *s, int64_t block, const thread_room *room)
{
    pair_stripe whole = new_stripe(s, block);
    stripe_state held = s->windows.held[block];
    /* All threads read open stripes. */
    if (held == BGR_OPEN || (held == BGR_HELD && !s->windows.newest))
        return whole;
    if (held == BGR_ABSENT)
        load_stripe(s, block, s->level, whole, room->pairs);
    else
        copy_window(s, s->level, stripe_of(s, block), whole);
    s->windows.held[block] = BGR_OPEN;
    return whole;
}

pair_stripe bgr_two_sided_fetch(pair_solver *s, int64_t block, const thread_room *room)
{
    return block < s->blocks->band[s->level + 1] ? open_stripe(s, block, room) : fetch_window(s, block, room);
}

pair_stripe bgr_two_sided_meeting(pair_solver *s, int64_t bi, int64_t bj)
{
    if (bi < s->blocks->band[s->level + 1])
        return rows_of(new_stripe(s, bi), bj);
    return s->windows.held[bi] ? rows_of(stripe_of(s, bi), bj) : (pair_stripe){NULL, NULL, 0};
}

static void forget_stripe(const pair_solver *s, int64_t block)
{
    give_back_singles(singles_of(s, block), 0, s->n_slots);
    s->windows.held[block] = BGR_ABSENT;
}

/* A move of windows, with the rows that a level reads. */
typedef struct {
    const pair_solver *solver;
    int level;
    int64_t n_rows; /* of a stripe after the move */
} moving_windows;

static void move_window(void *of, int64_t block)
{
    const moving_windows *moving = of;
    const pair_solver *s = moving->solver;
    if (s->windows.held[block])
        copy_window(s, moving->level, stripe_of(s, block),
                    (pair_stripe){place_of(s, block, moving->n_rows), NULL, moving->n_rows});
}

/* Choose the width of windows from a level on: as wide as there is room for, so that they need not move again soon. */
static int64_t choose_rows(const pair_solver *s, int level)
{
    int64_t n_rows = s->windows.n_needed[level], enough = n_rows + n_rows / EASE;
    for (int later = level + 1; later < s->pairs.n_bands; later++) {
        int64_t needed = greater(n_rows, s->windows.n_needed[later]);
        if (needed > enough && needed * blocks_from(s, level) > s->windows.n_all_rows)
            break;
        n_rows = needed;
    }
    return n_rows;
}

void bgr_two_sided_widen_windows(pair_solver *s, int level)
{
    pair_windows *w = &s->windows;
    int64_t n = s->blocks->n, before = w->n_rows, first = s->blocks->band[level];
    if (before >= w->n_needed[level])
        return;
    int64_t n_rows = choose_rows(s, level), n_fit = w->n_all_rows / n_rows;
    w->first_kept = n_fit < n ? n - n_fit : 0;
    for (int64_t block = 0; block < w->first_kept; block++)
        if (w->held[block])
            forget_stripe(s, block);
    first = greater(first, w->first_kept);
    /* Memory below the first window that has not moved may be overwritten.  Many windows can move in parallel; the last
     * ones, which would overlap themselves, are dropped. */
    for (int64_t past; first < n; first = past) {
        moving_windows moving = {s, level, n_rows};
        past = n - ((n - first) * before + n_rows - 1) / n_rows;
        if (past > first) {
            bgr_each(s->options->work.parallel, first, past, 1, move_window, &moving);
        } else {
            forget_stripe(s, first);
            past = first + 1;
        }
    }
    w->n_rows = n_rows;
}

int bgr_two_sided_lacks_windows(const pair_solver *s, int level)
{
    int64_t block = s->blocks->band[level];
    while (block < s->blocks->n && s->windows.held[block] != BGR_ABSENT)
        block++;
    return block < s->blocks->n;
}

void bgr_two_sided_enter_level(pair_solver *s, int level)
{
    s->level = level;
    const int64_t *band = s->blocks->band;
    if (s->windows.newest)
        bgr_roll_lists_set_window(&s->lists, band[level], band[level + 1], s->windows.n_rows);
    if (s->windows.newest && s->all.start)
        bgr_roll_lists_set_window(&s->all, band[level], band[level + 1], s->windows.n_rows);
}

/* Only whole pages are freed; the rest of one, at most four blocks, is freed with the next. */
void bgr_two_sided_leave_level(pair_solver *s)
{
    int level = s->level;
    const int64_t *band = s->blocks->band;
    if (s->windows.keep_all)
        return;
    for (int64_t block = band[level]; block < band[level + 1]; block++)
        forget_stripe(s, block);
    if (!s->windows.singles || level + 1 == s->pairs.n_bands)
        return;
    int64_t rest = band[lowest_level(level)] > 4 ? band[lowest_level(level)] - 4 : 0;
    for (int64_t block = band[level + 1]; block < band[s->pairs.n_bands]; block++)
        give_back_singles(singles_of(s, block), rest * 16, band[lowest_level(level + 1)] * 16);
}
