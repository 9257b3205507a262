/* V, what it is worth to have moved, as much of it as memory allows.
 *
 * Solving a level reads V only in the rows of the 24 levels below it, the most that a roll can bring.  So if all of V
 * is more than is allowed, a stripe keeps a window: as many rows as those levels and the new one ever have, in which
 * new rows take the places of old ones.  The stripes of the level that is being solved need all rows, and have them in
 * memory of their own, from which their window is taken in the end.  When fewer rows will do for all levels to come,
 * the stripes move together.  If the windows are still too much, some stripes are not kept: whenever they are needed,
 * they are made again from the table.  That is also how work goes on that was interrupted after some level. */

#include "solve/two_sided_windows.h"

#include "base/memory.h"
#include "base/threads.h"
#include "solve/two_sided_files.h"
#include "solve/two_sided_tiles.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 24 }; /* levels that one roll can reach down */

static int16_t *singles_of(const pair_side *mover, int64_t block)
{
    return mover->singles ? mover->singles + block * mover->n_slots * BGR_SINGLE_ROW : NULL;
}

/* A stripe that is kept. */
static stripe stripe_of(const pair_side *mover, int64_t block)
{
    return (stripe){mover->values + block * mover->n_rows * BGR_ROW, singles_of(mover, block), mover->n_rows};
}

/* The stripe of a block of the other side that is in the level that is being solved. */
static stripe new_stripe(const pair_solver *s, const pair_side *mover, const pair_side *opponent, int64_t block)
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

/* The lowest that a roll can reach from a level. */
static int lowest_level(int level) { return level > WINDOW ? level - WINDOW : 0; }

/* Make the window below a level of a stripe of the mover's values from the table.  pairs: room for a window's, where
 * the table is in a file. */
static void load_stripe(pair_solver *s, pair_side *mover, int64_t block, int level, stripe whole, int16_t *pairs)
{
    pair_side *opponent = other_side(s, mover);
    int lowest = lowest_level(level);
    int64_t first = bgr_ranks_up_to(mover->graph, lowest - 1), last = bgr_ranks_up_to(mover->graph, level - 1);
    bgr_rectangle rectangle = {opponent->blocks->rank[block], opponent->blocks->n_ranks[block], first, last - first};
    pair_target solved = bgr_two_sided_solved(s, opponent, &rectangle, pairs);
    if (lowest == 0)
        bgr_two_sided_set_won(s, opponent, block, whole);
    for (int64_t bx = mover->blocks->band[lowest]; bx < mover->blocks->band[level]; bx++)
        if (bx > 0)
            bgr_two_sided_load_tile(s, opponent, block, bx, &solved, rows_of(whole, bx));
}

/* ------------------------------------------------------------------ room */

/* Room for V of the single planes, which is only touched where a tile has pairs that are listed; and how much of it is
 * in use at each level, in whole pages, by all stripes in the window and by the new ones in full. */
static bgr_status make_singles(pair_solver *s, pair_side *mine)
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
static bgr_status make_windows(pair_solver *s, pair_side *mine)
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

bgr_status bgr_two_sided_prepare_windows(pair_solver *s, pair_side *mine)
{
    const pair_side *theirs = other_side(s, mine);
    size_t row = BGR_ROW * sizeof *mine->values;
    size_t whole = (size_t)(theirs->blocks->n * mine->n_slots) * row;
    s->keep_all = s->pairs.n_sides == 2 || !s->options->memory_bytes || (int64_t)whole <= s->options->memory_bytes;
    mine->n_rows = mine->n_slots;
    if (!s->keep_all) {
        bgr_status status = make_windows(s, mine);
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

void bgr_two_sided_free_windows(pair_solver *s)
{
    for (int k = 0; k < s->pairs.n_sides; k++) {
        pair_side *mine = &s->sides[k];
        free(mine->kept);
        free(mine->n_needed);
        bgr_unreserve(mine->values, mine->values_bytes);
        bgr_unreserve(mine->newest, mine->newest_bytes);
        bgr_unreserve(mine->singles, mine->singles_bytes);
    }
    bgr_gammon_blocks_free(&s->gammons);
    free(s->singles_window);
}

/* Room for a stripe of either side. */
static size_t room_rows(const pair_solver *s) { return (size_t)greater(s->sides[0].n_rows, s->sides[1].n_rows); }

void bgr_two_sided_free_room(const pair_solver *s, thread_room *room)
{
    bgr_unreserve(room->spare.planes, room->n_rows * BGR_ROW * sizeof *room->spare.planes);
    bgr_unreserve(room->spare.singles, (size_t)s->sides[0].n_slots * BGR_SINGLE_ROW * sizeof *room->spare.singles);
    bgr_unreserve(room->pairs, room->n_rows * BGR_ROW * sizeof *room->pairs);
    free(room->listed);
    free(room);
}

thread_room *bgr_two_sided_new_room(const pair_solver *s)
{
    int with_singles = s->options->gammon_pairs != NULL, with_pairs = s->options->file != NULL;
    thread_room *room = calloc(1, sizeof *room);
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
        bgr_two_sided_free_room(s, room);
        return NULL;
    }
    return room;
}

/* ------------------------------------------------------------------ which stripes are kept */

static int threads_at_most(const pair_solver *s) { return s->options->n_threads + (s->options->file != NULL); }

/* How many stripes may be kept while a level is solved.  What can't be given up: the new level's own stripes, which
 * reach all the way down, and one stripe for each thread. */
static int64_t stripes_allowed(const pair_solver *s, const pair_side *mine, int level)
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

static void forget_stripe(pair_solver *s, pair_side *mover, int64_t block)
{
    stripe whole = stripe_of(mover, block);
    bgr_give_back(whole.planes, (size_t)(whole.n_rows * BGR_ROW) * sizeof *whole.planes);
    give_back_singles(whole.singles, 0, mover->n_slots);
    mover->kept[block] = 0;
    s->n_kept--;
}

/* Stripe of a block below the level that is being solved, its window in memory: kept, kept from now on, or made in
 * the room. */
static stripe fetch_stripe(pair_solver *s, pair_side *mover, int64_t block, int level, const thread_room *room)
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

stripe bgr_two_sided_fetch(pair_solver *s, pair_side *roller, int64_t block, const thread_room *room)
{
    pair_side *opponent = other_side(s, roller);
    return block < opponent->blocks->band[s->level] ? fetch_stripe(s, roller, block, s->level, room)
                                                    : new_stripe(s, roller, opponent, block);
}

stripe bgr_two_sided_meeting(pair_solver *s, pair_side *roller, int64_t bi, int64_t bj)
{
    pair_side *opponent = other_side(s, roller);
    if (bi >= roller->blocks->band[s->level])
        return rows_of(new_stripe(s, opponent, roller, bi), bj);
    if (opponent->kept[bi])
        return rows_of(stripe_of(opponent, bi), bj);
    return (stripe){NULL, NULL, 0};
}

void bgr_two_sided_open_stripes(pair_solver *s, int level)
{
    s->level = level;
    for (int k = 0; k < s->pairs.n_sides; k++) {
        pair_side *mover = &s->sides[k], *opponent = other_side(s, mover);
        const int64_t *own = mover->blocks->band;
        for (int64_t bj = opponent->blocks->band[level]; bj < opponent->blocks->band[level + 1]; bj++)
            bgr_two_sided_set_won(s, opponent, bj, new_stripe(s, mover, opponent, bj));
        if (mover->newest)
            bgr_roll_lists_set_window(&mover->lists, own[level], own[level + 1], mover->n_rows);
        if (mover->newest && mover->all.start)
            bgr_roll_lists_set_window(&mover->all, own[level], own[level + 1], mover->n_rows);
    }
}

/* The rows that a level reads, from one stripe to another. */
static void copy_window(const pair_side *mover, int level, stripe from, stripe to)
{
    const int64_t *band = mover->blocks->band;
    for (int64_t block = band[lowest_level(level)]; block < band[level]; block++)
        memcpy(rows_of(to, block).planes, rows_of(from, block).planes, 16 * BGR_ROW * sizeof *to.planes);
}

/* Windows that move: those against blocks from `first` on, with the rows that a level reads. */
typedef struct {
    pair_side *mover;
    int level;
    int64_t first;
    int64_t n_rows; /* of a stripe where they go */
} moving_windows;

static int move_windows(void *of, int64_t first, int64_t past, int worker)
{
    const moving_windows *moving = of;
    pair_side *mover = moving->mover;
    (void)worker;
    for (int64_t block = moving->first + first; block < moving->first + past; block++)
        if (mover->kept[block])
            copy_window(mover, moving->level, stripe_of(mover, block),
                        (stripe){mover->values + block * moving->n_rows * BGR_ROW, NULL, moving->n_rows});
    return 0;
}

/* Let stripes move together, because from a level on their windows need fewer rows.  Many can move at once if where
 * they go nothing is left; the first ones, which would be in their own way, are forgotten. */
static void move_together(pair_solver *s, pair_side *mover, int level, bgr_team *team)
{
    int64_t before = mover->n_rows, n_rows = mover->n_needed[level], n = other_side(s, mover)->blocks->band[level];
    int64_t first = 1;
    for (; first < n && (first + 1) * n_rows > first * before; first++)
        if (mover->kept[first])
            forget_stripe(s, mover, first);
    while (first < n) {
        int64_t past = first * before / n_rows;
        moving_windows moving = {mover, level, first, n_rows};
        past = past < n ? past : n;
        (void)bgr_team_run(team, past - first, 1, move_windows, &moving);
        first = past;
    }
    bgr_give_back(mover->values + n * n_rows * BGR_ROW,
                  (size_t)(n * (before - n_rows) * BGR_ROW) * sizeof *mover->values);
    mover->n_rows = n_rows;
}

/* Forget stripes, and let the others move together, until those of the level just solved have room beside them. */
static void make_room_for_new(pair_solver *s, pair_side *mover, int level, bgr_team *team)
{
    const int64_t *level_of = other_side(s, mover)->blocks->band;
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

void bgr_two_sided_first_windows(pair_solver *s, int level) { s->most_kept = stripes_allowed(s, s->sides, level); }

void bgr_two_sided_choose_windows(pair_solver *s, pair_side *mover, bgr_team *team)
{
    int level = s->level, last = level + 1 == s->pairs.n_bands;
    const int64_t *level_of = other_side(s, mover)->blocks->band;
    if (!s->keep_all && !last)
        make_room_for_new(s, mover, level + 1, team);
    for (int64_t bj = level_of[level]; bj < level_of[level + 1]; bj++)
        if (s->keep_all || s->n_kept < s->most_kept) {
            mover->kept[bj] = 1;
            s->n_kept++;
        }
}

void bgr_two_sided_keep_window(pair_solver *s, pair_side *mover, int64_t block)
{
    if (mover->newest && mover->kept[block])
        copy_window(mover, s->level + 1, new_stripe(s, mover, other_side(s, mover), block), stripe_of(mover, block));
}

/* Whole pages only are given back: what was left of one, four blocks at most, goes with the next. */
void bgr_two_sided_leave_singles(pair_solver *s, pair_side *mover)
{
    int level = s->level;
    const int64_t *level_of = other_side(s, mover)->blocks->band, *own = mover->blocks->band;
    if (!mover->singles || s->keep_all || level + 1 == s->pairs.n_bands)
        return;
    int64_t rest = own[lowest_level(level)] > 4 ? own[lowest_level(level)] - 4 : 0;
    for (int64_t bj = 1; bj < level_of[level + 1]; bj++)
        give_back_singles(singles_of(mover, bj), (bj < level_of[level] ? rest : 0) * 16,
                          own[lowest_level(level + 1)] * 16);
}
