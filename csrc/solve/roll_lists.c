/* The results of all rolls, in the order in which tiles take them. */

#include "solve/roll_lists.h"

#include "base/memory.h"

#include <string.h>

static int n_results_of(const bgr_graph *graph, int64_t slot, int compared)
{
    return (int)(compared ? graph->n_kept[slot] : graph->start[slot + 1] - graph->start[slot]);
}

/* Sort the rolls of a rank into the order of the lists, as indices into the graph's `start`. */
static void order_rolls(const bgr_graph *graph, int64_t rank, int compared, int64_t *slot)
{
    int order[BGR_N_ROLLS], n = 0;
    for (int doubles = 0; compared && doubles < 2; doubles++)
        n += bgr_sort_rolls(graph->n_kept + rank * BGR_N_ROLLS, doubles, order + n);
    for (int k = 0; k < BGR_N_ROLLS; k++)
        slot[k] = rank * BGR_N_ROLLS + (compared ? order[k] : bgr_rolls_by_pips[k]);
}

static void list_block(bgr_roll_lists *lists, const bgr_graph *graph, int compared, const int32_t *row, int64_t block,
                       uint16_t **n_results, int32_t **offset)
{
    const bgr_roll_groups *groups = lists->groups;
    int64_t slot[16][BGR_N_ROLLS];
    int n_ranks = lists->blocks->n_ranks[block];
    for (int i = 0; i < n_ranks; i++)
        order_rolls(graph, lists->blocks->rank[block] + i, compared, slot[i]);
    for (int group = 0; group < groups->n_groups; group++)
        for (int i = 0; i < n_ranks; i++)
            for (int k = groups->start[group]; k < groups->start[group + 1]; k++) {
                const int32_t *result = (compared ? graph->kept : graph->result) + graph->start[slot[i][k]];
                int n = n_results_of(graph, slot[i][k], compared);
                *(*n_results)++ = (uint16_t)n;
                for (int e = 0; e < n; e++)
                    *(*offset)++ = row[result[e]] * BGR_ROW;
            }
}

bgr_status bgr_roll_lists_new(const bgr_pair_blocks *blocks, int compared, bgr_roll_lists *lists)
{
    const bgr_graph *graph = blocks->graph;
    int64_t n_slots = graph->n * BGR_N_ROLLS, n_results = 0, n_rows = blocks->n * 16;
    memset(lists, 0, sizeof *lists);
    if (n_rows * BGR_ROW > INT32_MAX)
        return BGR_ERR_SIZE;
    for (int64_t slot = 0; slot < n_slots; slot++)
        n_results += n_results_of(graph, slot, compared);
    lists->blocks = blocks;
    lists->groups =
        compared ? &bgr_few_of_each_roll : bgr_choose_roll_groups(n_rows * BGR_ROW * (int64_t)sizeof(int16_t));
    lists->start = malloc(((size_t)blocks->n + 1) * sizeof *lists->start);
    lists->n_results = malloc((size_t)n_slots * sizeof *lists->n_results);
    lists->offset = calloc((size_t)n_results + BGR_ROWS_AHEAD, sizeof *lists->offset);
    int32_t *row = malloc((size_t)graph->n * sizeof *row);
    bgr_status status = lists->start && lists->n_results && lists->offset && row ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        uint16_t *n_of_roll = lists->n_results;
        int32_t *offset = lists->offset;
        for (int64_t block = 0; block < blocks->n; block++)
            for (int i = 0; i < blocks->n_ranks[block]; i++)
                row[blocks->rank[block] + i] = (int32_t)(block * 16 + i);
        for (int64_t block = 0; block < blocks->n; block++) {
            lists->start[block] = offset - lists->offset;
            list_block(lists, graph, compared, row, block, &n_of_roll, &offset);
        }
        lists->start[blocks->n] = n_results;
    }
    free(row);
    return status;
}

void bgr_roll_lists_free(bgr_roll_lists *lists)
{
    BGR_FREE(lists->start, lists->n_results, lists->offset, lists->in_window);
}

bgr_status bgr_roll_lists_add_window(bgr_roll_lists *lists, int n_bands)
{
    int64_t most = 1;
    for (int band = 0; band < n_bands; band++) {
        int64_t n = lists->start[lists->blocks->band[band + 1]] - lists->start[lists->blocks->band[band]];
        most = n > most ? n : most;
    }
    lists->in_window = calloc((size_t)most + BGR_ROWS_AHEAD, sizeof *lists->in_window);
    return lists->in_window ? BGR_OK : BGR_ERR_MEMORY;
}

void bgr_roll_lists_set_window(bgr_roll_lists *lists, int64_t first, int64_t past, int64_t n_rows)
{
    const int32_t *offset = lists->offset + lists->start[first];
    int64_t n = lists->start[past] - lists->start[first];
    for (int64_t e = 0; e < n; e++)
        lists->in_window[e] = offset[e] % (int32_t)(n_rows * BGR_ROW);
    lists->first_in_window = first;
}
