/* Two players: cubeless and cubeful equities of every pair of positions.
 *
 * Let V[x][j] be the value to a player who has just moved to x while the opponent stands at j and is on roll.
 * The value of being on roll at i against j is the mean over the 36 throws of the greatest V[x][j] over the results x
 * of the roll.  Only the column depends on j, so it is one operator on rows: for each roll the element-wise maximum of
 * a few rows, then the weighted mean of 21 maxima.  The four values of a pair (planes) take their maxima separately,
 * because the play that is best with a cube need not be best without.
 *
 * Each plane of V is the negative of the opponent's value on roll, with the right to double:
 *
 *     V cubeless = - N cubeless          V centered = - max(N centered, min(2 N theirs, 1))
 *     V mine     = - N theirs            V theirs   = - max(N mine,     min(2 N theirs, 1))
 *
 * with N the values of rolling without doubling, which are in the table.
 *
 * Order.  Every play lowers the pips, so all pairs can be solved level by level: see pairs.h.
 *
 * Shape.  Ranks are padded to blocks of 16 within a level.  A stripe of V holds the columns of one block for all rows:
 * 16 columns of four planes, 128 bytes a row.  A tile, 16 rows of one block against the columns of another, is solved
 * from one stripe; transposed, it becomes 16 rows of the stripe of its own block.  simd/tile.h explains the order of
 * rolls in a tile.
 *
 * Sixteen bits.  Sums are exact in 32 bits, one division a value, rounded to nearest: no drift.  The same float
 * operations in the same order on every path give the same bytes.
 *
 * This file has the steps.  two_sided_tiles.c solves tiles, two_sided_windows.c holds the part of V that fits into
 * memory, and two_sided_files.c writes the pairs to their table. */

#include "solve/two_sided.h"

#include "base/try.h"
#include "simd/kernels.h"
#include "solve/two_sided_files.h"
#include "solve/two_sided_tiles.h"
#include "solve/two_sided_windows.h"

enum { TASK_BLOCKS = 32, FEW_TILES = 64 };

static void begin_level(void *of, int level) { bgr_two_sided_enter_level(of, level); }

static void *new_room(const void *of) { return bgr_two_sided_new_room(of); }

static void free_room(const void *of, void *room) { bgr_two_sided_free_room(of, room); }

static void solve_task(void *of, const bgr_pair_task *task, void *working)
{
    pair_solver *s = of;
    const thread_room *room = working;
    int64_t bj = task->against;
    pair_stripe from = bgr_two_sided_fetch(s, bj, room);
    if (room->listed)
        bgr_list_blocks(&s->gammons, bj, task->last, room->listed);
    for (int64_t bi = task->first; bi < task->last; bi++)
        bgr_two_sided_solve_tile(s, bi, bj, from, bgr_two_sided_meeting(s, bi, bj), room->listed);
}

static bgr_status end_level(void *of, int level)
{
    pair_solver *s = of;
    bgr_two_sided_leave_level(s);
    if (!s->windows.keep_all && level + 1 < s->pairs.n_bands)
        bgr_two_sided_widen_windows(s, level + 1);
    if (s->output.n_unread)
        return BGR_ERR_READ;
    /* Windows that are made again are read from the file, which must have the level just solved. */
    return s->options->file && bgr_two_sided_lacks_windows(s, level + 1) ? bgr_two_sided_save(s, 1) : BGR_OK;
}

/* ------------------------------------------------------------------ functions of two_sided.h */

static int options_make_sense(const bgr_two_sided_options *o)
{
    int limit = o->gammon_checkers ? 16382 : 32766;
    if (o->arithmetic == BGR_GNUBG && o->gammon_checkers)
        return 0;
    if (o->file && o->file->pairs_at_once < 1)
        return 0;
    if (o->gammon_pairs && (!o->gammon_checkers || o->single_planes))
        return 0;
    return o->scale >= 2 && o->scale <= limit && o->scale % 2 == 0;
}

static bgr_status solve(pair_solver *s)
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
        steps.begin_rectangle = bgr_two_sided_begin_rectangle;
        steps.save = bgr_two_sided_save;
    }
    BGR_TRY(bgr_two_sided_make_lists(s));
    BGR_TRY(bgr_two_sided_prepare_target(s));
    BGR_TRY(bgr_two_sided_prepare_windows(s));
    if (!s->windows.keep_all && s->pairs.n_bands > 1)
        bgr_two_sided_widen_windows(s, 1);
    return bgr_solve_pairs(&s->pairs, &steps, s, &o->work);
}

bgr_status bgr_two_sided(const bgr_graph *graph, const bgr_two_sided_options *options, int16_t *table)
{
    const bgr_kernels *kernels = bgr_choose_kernels(options->path);
    if (!kernels || !options_make_sense(options))
        return BGR_ERR_SIZE;
    pair_solver s = {.options = options, .tile = kernels->tile, .turn_round = bgr_two_sided_turn(options->arithmetic)};
    bgr_status status = bgr_pairs_init(&s.pairs, graph, NULL, 16, 1);
    s.blocks = &s.pairs.sides[0];
    s.graph = graph;
    s.output.table = table;
    if (status == BGR_OK)
        status = solve(&s);
    bgr_two_sided_free_target(&s);
    bgr_two_sided_free_windows(&s);
    bgr_two_sided_free_lists(&s);
    bgr_pairs_free(&s.pairs);
    return status;
}
