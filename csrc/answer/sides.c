/* Count and list the positions that two sides can reach, and look them up. */

#include "answer/sides.h"

#include "base/memory.h"
#include "base/try.h"
#include "base/tuning.h"

#include <math.h>
#include <string.h>

enum { MAX_SIDE_INDEX = 1 << 28, SIDE_COLUMNS = 8 };

static int board_of_side(const int8_t *counts)
{
    int highest = bgr_highest(BGR_MAX_POINTS, counts);
    return highest > BGR_HOME_POINTS ? highest : BGR_HOME_POINTS;
}

static bgr_status number_side(int points, const int8_t *counts, bgr_closed_set *set)
{
    set->from[1] = -1;
    BGR_TRY(bgr_space_init(points, bgr_n_checkers(points, counts), &set->space));
    BGR_TRY(bgr_index(&set->space, counts, &set->from[0]));
    return set->from[0] >= MAX_SIDE_INDEX ? BGR_ERR_SIZE : BGR_OK;
}

/* ------------------------------------------------------------------ counting */

/* The number of columns of positions in the solver: numbers of positions of equal pips are rounded up to multiples
 * of 8. */
static double columns_of(const double *at_pips, double *n)
{
    double columns = 0;
    *n = 0;
    for (int p = 0; p <= BGR_MAX_BOARD_PIPS; p++) {
        *n += at_pips[p];
        columns += ceil(at_pips[p] / SIDE_COLUMNS) * SIDE_COLUMNS;
    }
    return columns;
}

static void measure_sides(const int8_t (*counts)[BGR_MAX_POINTS], bgr_sides *sides)
{
    double at_pips[BGR_MAX_BOARD_PIPS + 1] = {0}, of_both[BGR_MAX_BOARD_PIPS + 1] = {0};
    int most[2][BGR_MAX_POINTS], common[BGR_MAX_POINTS];
    for (int k = 0; k < 2; k++) {
        bgr_closed_set *set = &sides->side[k];
        bgr_suffix_sums(BGR_MAX_POINTS, counts[k], most[k]);
        memset(at_pips, 0, sizeof at_pips);
        int pips = bgr_pips(BGR_MAX_POINTS, counts[k]);
        bgr_count_by_pips(set->space.points, most[k], pips, 1, at_pips);
        bgr_count_by_pips(set->space.points, most[k], pips, 1, of_both);
        sides->size.columns[k] = columns_of(at_pips, &sides->size.positions[k]);
        set->n = (int64_t)sides->size.positions[k];
        int64_t span = set->from[0] + 1; /* the greatest index of the set, plus 1 */
        int sparse = bgr_is_sparse(span, (double)set->n);
        sides->graph_bytes += tuned_graph_bytes * (double)set->n + (sparse ? 0 : tuned_index_bytes * (double)span);
    }
    sides->size.both = -1;
    if (sides->side[0].space.points != sides->side[1].space.points)
        return;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        common[j] = most[0][j] < most[1][j] ? most[0][j] : most[1][j];
    int points = most[0][0] == most[1][0] ? sides->side[0].space.points : BGR_HOME_POINTS;
    bgr_count_by_pips(points, common, bgr_pips(BGR_MAX_POINTS, counts[0]), -1, of_both);
    sides->size.columns_of_both = columns_of(of_both, &sides->size.both);
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
    if (status == BGR_OK)
        measure_sides(counts, sides);
    return status;
}

/* ------------------------------------------------------------------ listing */

static bgr_status unite_sides(const bgr_closed_set *a, const bgr_closed_set *b, bgr_closed_set *both)
{
    both->space = a->space.size >= b->space.size ? a->space : b->space;
    int first = a->from[0] > b->from[0];
    both->from[first] = a->from[0];
    both->from[!first] = b->from[0];
    int64_t *all = both->indices = malloc((size_t)(a->n + b->n) * sizeof *all), i = 0, j = 0;
    if (!all)
        return BGR_ERR_MEMORY;
    while (i < a->n || j < b->n) {
        int64_t x = i < a->n ? a->indices[i] : INT64_MAX, y = j < b->n ? b->indices[j] : INT64_MAX;
        all[both->n++] = x < y ? x : y;
        i += x <= y;
        j += y <= x;
    }
    return BGR_OK;
}

bgr_status bgr_sides_list(bgr_sides *sides)
{
    for (int k = 0; k < 2; k++) {
        bgr_closed_set *set = &sides->side[k];
        if (!(set->indices = malloc((size_t)set->n * sizeof *set->indices)))
            return BGR_ERR_MEMORY;
        bgr_list_reachable(&set->space, set->from[0], set->indices);
    }
    return sides->size.both >= 0 ? unite_sides(&sides->side[0], &sides->side[1], &sides->both) : BGR_OK;
}

void bgr_sides_free(bgr_sides *sides)
{
    BGR_FREE(sides->side[0].indices, sides->side[1].indices, sides->both.indices);
    memset(sides, 0, sizeof *sides);
}

int64_t bgr_closed_set_rank(const bgr_closed_set *set, const bgr_graph *graph, const int8_t *counts)
{
    int64_t index;
    int points = set->space.points;
    if (bgr_highest(BGR_MAX_POINTS, counts) > points || bgr_index(&set->space, counts, &index) != BGR_OK)
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
