/* Shared by the solvers of pairs: two sides in blocks, and the order in which their pairs are solved. */

#include "solve/pairs.h"

#include "base/dice.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/try.h"

#include <string.h>

/* ------------------------------------------------------------------ blocks */

/* Raise highest[level] to the highest level that a position of the level leads to. */
static void find_highest(const bgr_graph *graph, int *highest)
{
    const bgr_levels *levels = &graph->levels;
    for (int level = 1; level < levels->n_levels; level++) {
        int32_t last = 0; /* ranks run in order of levels */
        for (int64_t k = graph->start[levels->start[level] * BGR_N_ROLLS];
             k < graph->start[levels->start[level + 1] * BGR_N_ROLLS]; k++)
            last = graph->result[k] > last ? graph->result[k] : last;
        int to = 0;
        while (levels->start[to + 1] <= last)
            to++;
        highest[level] = to > highest[level] ? to : highest[level];
    }
}

/* The empty board is a band of its own. */
static bgr_status make_bands(bgr_pairs *pairs, int n_levels, int band_levels)
{
    int *highest = calloc((size_t)n_levels, sizeof *highest);
    pairs->level = malloc(((size_t)n_levels + 1) * sizeof *pairs->level);
    if (!highest || !pairs->level) {
        free(highest);
        return BGR_ERR_MEMORY;
    }
    for (int k = 0; k < pairs->n_sides && band_levels > 1; k++)
        find_highest(pairs->sides[k].graph, highest);
    for (int level = 0; level < n_levels; level++) {
        int first = pairs->n_bands ? pairs->level[pairs->n_bands - 1] : 0;
        if (level < 2 || level - first >= band_levels || highest[level] >= first)
            pairs->level[pairs->n_bands++] = level;
    }
    pairs->level[pairs->n_bands] = n_levels;
    free(highest);
    return BGR_OK;
}

/* The first rank of a band; the size of the graph if it ends before. */
static int64_t band_rank(const bgr_pairs *pairs, const bgr_graph *graph, int band)
{
    return pairs->level[band] < graph->levels.n_levels ? graph->levels.start[pairs->level[band]] : graph->n;
}

static bgr_status make_blocks(const bgr_pairs *pairs, bgr_pair_blocks *blocks)
{
    size_t most = (size_t)(blocks->graph->n / pairs->block_size + pairs->n_bands);
    blocks->band = malloc(((size_t)pairs->n_bands + 1) * sizeof *blocks->band);
    blocks->rank = malloc(most * sizeof *blocks->rank);
    blocks->n_ranks = malloc(most * sizeof *blocks->n_ranks);
    if (!blocks->band || !blocks->rank || !blocks->n_ranks)
        return BGR_ERR_MEMORY;
    for (int band = 0; band < pairs->n_bands; band++) {
        int64_t past = band_rank(pairs, blocks->graph, band + 1);
        blocks->band[band] = blocks->n;
        for (int64_t rank = band_rank(pairs, blocks->graph, band); rank < past; rank += pairs->block_size) {
            blocks->rank[blocks->n] = rank;
            blocks->n_ranks[blocks->n++] = (uint8_t)(past - rank < pairs->block_size ? past - rank : pairs->block_size);
        }
    }
    blocks->band[pairs->n_bands] = blocks->n;
    return BGR_OK;
}

bgr_status bgr_pairs_init(bgr_pairs *pairs, const bgr_graph *a, const bgr_graph *b, int block_size, int band_levels)
{
    const bgr_graph *graphs[2] = {a, b};
    int n_levels = 0;
    memset(pairs, 0, sizeof *pairs);
    pairs->n_sides = b ? 2 : 1;
    pairs->block_size = block_size;
    for (int k = 0; k < pairs->n_sides; k++) {
        pairs->sides[k].graph = graphs[k];
        if (graphs[k]->levels.n_levels > n_levels)
            n_levels = graphs[k]->levels.n_levels;
    }
    BGR_TRY(make_bands(pairs, n_levels, band_levels));
    for (int k = 0; k < pairs->n_sides; k++)
        BGR_TRY(make_blocks(pairs, &pairs->sides[k]));
    return BGR_OK;
}

void bgr_pairs_free(bgr_pairs *pairs)
{
    free(pairs->level);
    for (int k = 0; k < pairs->n_sides; k++)
        BGR_FREE(pairs->sides[k].band, pairs->sides[k].rank, pairs->sides[k].n_ranks);
}

int64_t bgr_ranks_up_to(const bgr_graph *graph, int level)
{
    return level < graph->levels.n_levels ? graph->levels.start[level + 1] : graph->n;
}

int64_t bgr_block_of(const bgr_pairs *pairs, int side, int64_t rank)
{
    const bgr_pair_blocks *blocks = &pairs->sides[side];
    int band = 0;
    while (band_rank(pairs, blocks->graph, band + 1) <= rank)
        band++;
    return blocks->band[band] + (rank - band_rank(pairs, blocks->graph, band)) / pairs->block_size;
}

/* ------------------------------------------------------------------ work */

typedef enum { FROM_BAND, AGAINST_BAND, N_HALVES } half;

/* A part of a half: blocks first .. last - 1 of the band's opponents, or of the positions on roll against the band. */
typedef struct {
    half which;
    int64_t first, last;
} band_part;

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }

/* List the tasks of one side in a part of a band, or if tasks is NULL, count them.  Returns their number. */
static int64_t list_side(const bgr_pairs *pairs, int roller, int task_blocks, int band, band_part some,
                         bgr_pair_task *tasks)
{
    const bgr_pair_blocks *mine = &pairs->sides[roller], *theirs = &pairs->sides[bgr_other_side(pairs, roller)];
    int from_band = some.which == FROM_BAND;
    int64_t own_first = from_band ? mine->band[band] : greatest(some.first, mine->band[band + 1]);
    int64_t own_last = from_band ? mine->band[band + 1] : least(some.last, mine->n);
    int64_t against = from_band ? greatest(some.first, theirs->band[band]) : theirs->band[band];
    int64_t last = from_band ? least(some.last, theirs->n) : theirs->band[band + 1];
    int64_t step = from_band ? own_last - own_first : task_blocks, n = 0;
    for (; against < last; against++)
        for (int64_t first = own_first; first < own_last; first += step, n++)
            if (tasks)
                tasks[n] = (bgr_pair_task){roller, first, least(first + step, own_last), against};
    return n;
}

static int64_t list_tasks(const bgr_pairs *pairs, int task_blocks, int band, band_part some, bgr_pair_task *tasks)
{
    int64_t n = 0;
    for (int roller = 0; roller < pairs->n_sides; roller++)
        n += list_side(pairs, roller, task_blocks, band, some, tasks ? tasks + n : NULL);
    return n;
}

/* The number of ranks in blocks first .. past - 1. */
static int64_t ranks_between(const bgr_pair_blocks *blocks, int64_t first, int64_t past)
{
    return (past < blocks->n ? blocks->rank[past] : blocks->graph->n) - blocks->rank[first];
}

/* The first block that is solved with a band; with the first band also the empty board, whose games are over. */
static int64_t first_of_band(const bgr_pair_blocks *blocks, int band) { return band > 1 ? blocks->band[band] : 0; }

/* The part of a half that begins with a block, and its pairs. */
static band_part next_part(const bgr_pairs *pairs, int64_t most_pairs, int band, half which, int64_t first,
                           bgr_rectangle *rectangle)
{
    const bgr_pair_blocks *blocks = &pairs->sides[0];
    if (!most_pairs)
        return (band_part){which, 0, INT64_MAX};
    int64_t own = first_of_band(blocks, band), past_own = blocks->band[band + 1];
    int64_t n_own = ranks_between(blocks, own, past_own), width = n_own * pairs->block_size;
    int64_t most = most_pairs > width ? most_pairs / width : 1, left = blocks->n - first;
    /* Parts of equal size, so that none waits for a larger one to be saved. */
    int64_t n_parts = (left + most - 1) / most, n_blocks = (left + n_parts - 1) / n_parts;
    band_part some = {which, first, least(first + n_blocks, blocks->n)};
    int64_t rank = blocks->rank[first], n = ranks_between(blocks, first, some.last);
    *rectangle = which == FROM_BAND ? (bgr_rectangle){blocks->rank[own], n_own, rank, n}
                                    : (bgr_rectangle){rank, n, blocks->rank[own], n_own};
    return some;
}

/* Pairs of blocks that the calling thread solves between checks whether to stop: 1.5 milliseconds, but where all of
 * them write to pages that the system has to clear first, up to a hundred times as long. */
enum { TILES_BETWEEN_CALLS = 1 << 8 };

/* The state of progress reports. */
typedef struct {
    const bgr_work *work;
    int waits; /* 1: waiting for the last pairs of `band` to be saved */
    int band;
    int level; /* reported last, with these numbers of pairs */
    int64_t done, total;
} pair_report;

typedef struct {
    const bgr_pair_steps *steps;
    void *solver;
    const bgr_pair_task *tasks;
    void **rooms; /* one for each worker, made on first use */
    bgr_status saved;
    const pair_report *to;
    int64_t n_tiles; /* solved by the calling thread since its last check */
    int64_t stopped;
} pair_work;

/* Whether to stop; the calling thread, worker 0, calls progress regularly. */
static int is_stopped(pair_work *work, const bgr_pair_task *task, int worker)
{
    const pair_report *to = work->to;
    if (worker == 0 && (work->n_tiles += task->last - task->first) >= TILES_BETWEEN_CALLS) {
        work->n_tiles = 0;
        if (bgr_tell(to->work, to->level, to->done, to->total))
            bgr_write(&work->stopped, 1);
    }
    return bgr_read(&work->stopped) != 0;
}

/* Solve tasks first .. past - 1.  Returns BGR_OK, BGR_ERR_MEMORY or BGR_ERR_STOPPED. */
static int solve_tasks(void *of, int64_t first, int64_t past, int worker)
{
    pair_work *work = of;
    int saves = work->steps->save != NULL;
    if (saves && first == 0) {
        work->saved = work->steps->save(work->solver, 0);
        first++;
    }
    void **room = &work->rooms[worker];
    if (first < past && !*room)
        *room = work->steps->new_room(work->solver);
    if (first < past && !*room)
        return BGR_ERR_MEMORY;
    for (int64_t k = first; k < past; k++) {
        if (is_stopped(work, &work->tasks[k - saves], worker))
            return BGR_ERR_STOPPED;
        work->steps->solve(work->solver, &work->tasks[k - saves], *room);
    }
    return BGR_OK;
}

static bgr_status run(pair_work *work, int64_t n_tasks, const bgr_parallel *parallel)
{
    int64_t n_tiles = 0;
    for (int64_t k = 0; k < n_tasks; k++)
        n_tiles += work->tasks[k].last - work->tasks[k].first;
    if (n_tiles < work->steps->few_tiles)
        parallel = NULL;
    int saves = work->steps->save != NULL;
    bgr_status status = (bgr_status)bgr_loop(parallel, 0, n_tasks + saves, 1, solve_tasks, work);
    return status == BGR_OK ? work->saved : status;
}

/* Report a band, level by level. */
static bgr_status report_band(const bgr_pairs *pairs, pair_report *to)
{
    const bgr_graph *a = pairs->sides[0].graph, *b = pairs->sides[bgr_other_side(pairs, 0)].graph;
    int waits = to->waits;
    to->waits = 0;
    for (int level = pairs->level[to->band]; waits && level < pairs->level[to->band + 1]; level++) {
        int64_t left = (a->n - bgr_ranks_up_to(a, level)) * (b->n - bgr_ranks_up_to(b, level));
        to->level = level;
        to->done = (a->n * b->n - left) * pairs->n_sides;
        if (bgr_tell(to->work, level, to->done, to->total))
            return BGR_ERR_STOPPED;
    }
    return BGR_OK;
}

static bgr_status solve_half(const bgr_pairs *pairs, pair_work *work, bgr_pair_task *tasks, int band, half which,
                             pair_report *to)
{
    const bgr_pair_steps *steps = work->steps;
    int64_t first = which == FROM_BAND ? first_of_band(&pairs->sides[0], band) : pairs->sides[0].band[band + 1];
    int64_t past = steps->save_pairs ? pairs->sides[0].n : INT64_MAX;
    bgr_status status = BGR_OK;
    while (status == BGR_OK && first < past) {
        bgr_rectangle rectangle;
        band_part some = next_part(pairs, steps->save_pairs, band, which, first, &rectangle);
        if (steps->begin_rectangle)
            steps->begin_rectangle(work->solver, &rectangle);
        status = run(work, list_tasks(pairs, steps->task_blocks, band, some, tasks), to->work->parallel);
        if (status == BGR_OK)
            status = report_band(pairs, to);
        first = some.last;
    }
    return status;
}

bgr_status bgr_solve_pairs(const bgr_pairs *pairs, const bgr_pair_steps *steps, void *solver, const bgr_work *by)
{
    int64_t most = 1;
    for (int band = 1; band < pairs->n_bands; band++)
        for (half which = FROM_BAND; which < N_HALVES; which++)
            most = greatest(most, list_tasks(pairs, steps->task_blocks, band, (band_part){which, 0, INT64_MAX}, NULL));
    int n_workers = bgr_n_workers(by->parallel);
    bgr_pair_task *tasks = malloc((size_t)most * sizeof *tasks);
    const bgr_graph *a = pairs->sides[0].graph, *b = pairs->sides[bgr_other_side(pairs, 0)].graph;
    pair_report to = {by, 0, 0, 0, 0, a->n * b->n * pairs->n_sides};
    void **rooms = calloc((size_t)n_workers, sizeof *rooms);
    pair_work work = {steps, solver, tasks, rooms, BGR_OK, &to, 0, 0};
    bgr_status status = tasks && rooms ? BGR_OK : BGR_ERR_MEMORY;
    for (int band = 1; band < pairs->n_bands && status == BGR_OK; band++) {
        if (steps->begin_band)
            steps->begin_band(solver, band);
        for (half which = FROM_BAND; which < N_HALVES && status == BGR_OK; which++)
            status = solve_half(pairs, &work, tasks, band, which, &to);
        if (steps->end_band && status == BGR_OK)
            status = steps->end_band(solver, band);
        to.waits = 1;
        to.band = band;
        if (!steps->save && status == BGR_OK)
            status = report_band(pairs, &to);
    }
    if (to.waits && status == BGR_OK)
        status = steps->save ? steps->save(solver, 1) : BGR_OK;
    if (status == BGR_OK)
        status = report_band(pairs, &to);
    for (int k = 0; rooms && k < n_workers; k++)
        if (rooms[k] && steps->free_room)
            steps->free_room(solver, rooms[k]);
        else
            free(rooms[k]);
    BGR_FREE(rooms, tasks);
    return status;
}
