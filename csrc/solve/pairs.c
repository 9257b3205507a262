/* What the solvers of pairs share: two sides in blocks, and the order in which their pairs are solved. */

#include "solve/pairs.h"

#include "base/dice.h"
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ blocks */

/* highest [out] by level: the highest level that one of its positions leads to, if that is higher than it was. */
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

/* The first rank of a band, in a graph that may not reach so far. */
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
    bgr_status status = make_bands(pairs, n_levels, band_levels);
    for (int k = 0; k < pairs->n_sides && status == BGR_OK; k++)
        status = make_blocks(pairs, &pairs->sides[k]);
    return status;
}

void bgr_pairs_free(bgr_pairs *pairs)
{
    free(pairs->level);
    for (int k = 0; k < pairs->n_sides; k++) {
        free(pairs->sides[k].band);
        free(pairs->sides[k].rank);
        free(pairs->sides[k].n_ranks);
    }
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

/* What one side has to do in one half of a band; gives the number of tasks.  tasks: NULL only counts them. */
static int64_t list_side(const bgr_pairs *pairs, int roller, int task_blocks, int band, half which,
                         bgr_pair_task *tasks)
{
    const bgr_pair_blocks *mine = &pairs->sides[roller], *theirs = &pairs->sides[bgr_other_side(pairs, roller)];
    int from_band = which == FROM_BAND;
    /* Block 0 is the empty board, where the game is over. */
    int64_t own_first = from_band ? mine->band[band] : 1, own_last = mine->band[band + 1];
    int64_t against = from_band ? 1 : theirs->band[band], last = theirs->band[from_band ? band : band + 1];
    int64_t step = from_band ? own_last - own_first : task_blocks, n = 0;
    for (; against < last; against++)
        for (int64_t first = own_first; first < own_last; first += step, n++)
            if (tasks)
                tasks[n] = (bgr_pair_task){roller, first, first + step < own_last ? first + step : own_last, against};
    return n;
}

static int64_t list_tasks(const bgr_pairs *pairs, int task_blocks, int band, half which, bgr_pair_task *tasks)
{
    int64_t n = 0;
    for (int roller = 0; roller < pairs->n_sides; roller++)
        n += list_side(pairs, roller, task_blocks, band, which, tasks ? tasks + n : NULL);
    return n;
}

typedef struct {
    const bgr_pair_steps *steps;
    void *solver;
    const bgr_pair_task *tasks;
    void **rooms; /* one for each worker, made when it first needs it */
} pair_work;

/* Whether memory ran out. */
static int solve_tasks(void *of, int64_t first, int64_t past, int worker)
{
    const pair_work *work = of;
    void **room = &work->rooms[worker];
    if (!*room)
        *room = work->steps->new_room(work->solver);
    if (!*room)
        return 1;
    for (int64_t k = first; k < past; k++)
        work->steps->solve(work->solver, &work->tasks[k], *room);
    return 0;
}

static bgr_status run(pair_work *work, int64_t n_tasks, bgr_team *team)
{
    int64_t n_tiles = 0;
    for (int64_t k = 0; k < n_tasks; k++)
        n_tiles += work->tasks[k].last - work->tasks[k].first;
    if (n_tiles < work->steps->few_tiles)
        team = NULL;
    return bgr_team_run(team, n_tasks, 1, solve_tasks, work) ? BGR_ERR_MEMORY : BGR_OK;
}

bgr_status bgr_solve_pairs(const bgr_pairs *pairs, const bgr_pair_steps *steps, void *solver, int first_band,
                           int n_threads, bgr_progress progress, void *context)
{
    const bgr_graph *a = pairs->sides[0].graph, *b = pairs->sides[bgr_other_side(pairs, 0)].graph;
    int64_t total = a->n * b->n * pairs->n_sides, most = 1;
    for (int band = first_band; band < pairs->n_bands; band++)
        for (half which = FROM_BAND; which < N_HALVES; which++) {
            int64_t n = list_tasks(pairs, steps->task_blocks, band, which, NULL);
            most = n > most ? n : most;
        }
    bgr_pair_task *tasks = malloc((size_t)most * sizeof *tasks);
    pair_work work = {steps, solver, tasks, calloc((size_t)n_threads, sizeof *work.rooms)};
    bgr_team *team = bgr_team_new(n_threads);
    bgr_status status = tasks && work.rooms ? BGR_OK : BGR_ERR_MEMORY;
    for (int band = first_band; band < pairs->n_bands && status == BGR_OK; band++) {
        if (steps->begin_band)
            steps->begin_band(solver, band);
        for (half which = FROM_BAND; which < N_HALVES && status == BGR_OK; which++) {
            int64_t n = list_tasks(pairs, steps->task_blocks, band, which, tasks);
            status = run(&work, n, team);
        }
        if (steps->end_band && status == BGR_OK)
            steps->end_band(solver, band);
        for (int level = pairs->level[band]; level < pairs->level[band + 1] && progress && status == BGR_OK; level++) {
            int64_t done = bgr_ranks_up_to(a, level) * bgr_ranks_up_to(b, level) * pairs->n_sides;
            if (progress(context, level, done, total))
                status = BGR_ERR_STOPPED;
        }
    }
    bgr_team_free(team);
    for (int k = 0; work.rooms && k < n_threads; k++)
        if (work.rooms[k])
            steps->free_room(solver, work.rooms[k]);
    free(work.rooms);
    free(tasks);
    return status;
}
