#include "answer/sides.h"

#include "base/memory.h"
#include "base/position.h"
#include "base/try.h"
#include "base/tuning.h"
#include "solve/graph.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE_INDEX = 1 << 28, SIDE_COLUMNS = 8, MAX_SIDE_PIPS = BGR_MAX_POINTS * BGR_MAX_CHECKERS };

static int board_of_side(const int8_t *counts)
{
    int highest = bgr_question_highest(counts);
    return highest > BGR_HOME_POINTS ? highest : BGR_HOME_POINTS;
}

static bgr_status number_side(int points, const int8_t *counts, bgr_closed_set *set)
{
    set->from[1] = -1;
    BGR_TRY(bgr_space_init(points, bgr_n_checkers(points, counts), &set->space));
    BGR_TRY(bgr_index(&set->space, counts, &set->from[0]));
    return set->from[0] >= MAX_SIDE_INDEX ? BGR_ERR_SIZE : BGR_OK;
}

static bgr_status list_closed_set(const int8_t *counts, bgr_closed_set *set)
{
    double n;
    BGR_TRY(bgr_count_reachable(BGR_MAX_POINTS, counts, &n));
    if (!(set->indices = malloc((size_t)n * sizeof *set->indices)))
        return BGR_ERR_MEMORY;
    set->n = (int64_t)n;
    return bgr_list_reachable(&set->space, set->from[0], set->indices);
}

static bgr_status unite_sides(const bgr_closed_set *a, const bgr_closed_set *b, bgr_closed_set *both)
{
    both->n = -1;
    if (a->space.points != b->space.points)
        return BGR_OK;
    both->space = a->space.size >= b->space.size ? a->space : b->space;
    int first = a->from[0] > b->from[0];
    both->from[first] = a->from[0];
    both->from[!first] = b->from[0];
    int64_t *all = both->indices = malloc((size_t)(a->n + b->n) * sizeof *all), i = 0, j = 0, n = 0;
    if (!all)
        return BGR_ERR_MEMORY;
    while (i < a->n || j < b->n) {
        int64_t x = i < a->n ? a->indices[i] : INT64_MAX, y = j < b->n ? b->indices[j] : INT64_MAX;
        all[n++] = x < y ? x : y;
        i += x <= y;
        j += y <= x;
    }
    both->n = n;
    return BGR_OK;
}

/* How many columns the solver makes of positions: those of equal pips rounded up to eights. */
static double columns_of_side(const bgr_closed_set *set)
{
    int64_t at_pips[MAX_SIDE_PIPS + 1] = {0}, columns = 0;
    for (int64_t k = 0; k < set->n; k++) {
        int8_t counts[BGR_MAX_POINTS];
        bgr_position(&set->space, set->indices[k], counts);
        at_pips[bgr_pips(set->space.points, counts)]++;
    }
    for (int k = 0; k <= MAX_SIDE_PIPS; k++)
        columns += (at_pips[k] + SIDE_COLUMNS - 1) / SIDE_COLUMNS * SIDE_COLUMNS;
    return (double)columns;
}

bgr_status bgr_sides_init(const int8_t (*counts)[BGR_MAX_POINTS], bgr_sides *sides)
{
    int own[2] = {board_of_side(counts[0]), board_of_side(counts[1])}, board = own[0] > own[1] ? own[0] : own[1];
    bgr_status status = BGR_ERR_SIZE;
    memset(sides, 0, sizeof *sides);
    for (int apart = 0; apart < 2 && status == BGR_ERR_SIZE; apart++) {
        status = number_side(apart ? own[0] : board, counts[0], &sides->side[0]);
        if (status == BGR_OK)
            status = number_side(apart ? own[1] : board, counts[1], &sides->side[1]);
    }
    for (int k = 0; k < 2 && status == BGR_OK; k++)
        status = list_closed_set(counts[k], &sides->side[k]);
    if (status == BGR_OK)
        status = unite_sides(&sides->side[0], &sides->side[1], &sides->both);
    for (int k = 0; k < 2 && status == BGR_OK; k++) {
        const bgr_closed_set *set = &sides->side[k];
        sides->size.positions[k] = (double)set->n;
        sides->size.columns[k] = columns_of_side(set);
        int64_t span = set->indices[set->n - 1] + 1;
        int sparse = bgr_is_sparse(span, (double)set->n);
        sides->graph_bytes += tuned_graph_bytes * (double)set->n + (sparse ? 0 : tuned_index_bytes * (double)span);
    }
    sides->size.both = (double)sides->both.n;
    sides->size.columns_of_both = status == BGR_OK && sides->both.n >= 0 ? columns_of_side(&sides->both) : 0;
    return status;
}

void bgr_sides_free(bgr_sides *sides)
{
    BGR_FREE(sides->side[0].indices, sides->side[1].indices, sides->both.indices);
    memset(sides, 0, sizeof *sides);
}

static int tell_share(void *context, int level, int64_t done, int64_t total)
{
    const bgr_solve_options *options = context;
    (void)level;
    return options->progress(options->progress_context, total ? (double)done / (double)total : 0);
}

bgr_pairs_work bgr_pairs_work_of(const bgr_solve_options *options)
{
    return (bgr_pairs_work){options->cache, options->parallel, options->progress ? tell_share : NULL, (void *)options};
}

int64_t bgr_closed_set_rank(const bgr_closed_set *set, const bgr_graph *graph, const int8_t *counts)
{
    int64_t index;
    int points = set->space.points;
    if (bgr_question_highest(counts) > points || bgr_index(&set->space, counts, &index) != BGR_OK)
        return -1;
    const bgr_levels *levels = &graph->levels;
    int pips = bgr_pips(points, counts);
    if (pips >= levels->n_levels)
        return -1;
    int64_t low = levels->start[pips], past = levels->start[pips + 1];
    while (low < past) {
        int64_t middle = low + (past - low) / 2;
        if (levels->index[middle] < index)
            low = middle + 1;
        else
            past = middle;
    }
    return low < levels->start[pips + 1] && levels->index[low] == index ? low : -1;
}
