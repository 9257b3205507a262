/* Tables of pairs of positions of few checkers at home, for planes as either side sees them. */

#include "turns/pair_table.h"

#include "base/memory.h"
#include "base/try.h"
#include "solve/exact.h"
#include "solve/views.h"

#include <string.h>

struct bgr_pair_table {
    bgr_holders holders;
    int checkers, n_planes;
    int64_t n;
    bgr_plane planes[BGR_MAX_PLANES]; /* without gammons */
    int exchanged[BGR_MAX_PLANES];    /* the number of each with the sides exchanged */
    double *values;                   /* n x n x n_planes, by rank */
    int32_t *rank;                    /* by index */
};

static void copy_planes(const bgr_planes *from, bgr_plane *planes)
{
    for (int k = 0; k < from->n; k++) {
        planes[k] = from->plane[k];
        for (int loss = BGR_LOST_GAMMON; loss < BGR_N_LOSSES; loss++)
            memcpy(planes[k].win[loss], planes[k].win[BGR_LOST_SINGLE], sizeof planes[k].win[loss]);
    }
}

/* List the planes that a table needs to have the values of the planes `of`.  Returns their number. */
static int list_planes(const bgr_planes *of, bgr_plane *planes, int *exchanged)
{
    bgr_plane all[BGR_MAX_PLANES];
    int class[2 * BGR_MAX_PLANES];
    copy_planes(of, all);
    int n = bgr_class_views(all, of->n, class);
    bgr_planes_of_classes(all, of->n, class, planes, exchanged);
    return n;
}

void bgr_pair_table_measure(const bgr_planes *planes, int checkers, int64_t *bytes, int64_t *operations)
{
    bgr_plane of_table[BGR_MAX_PLANES];
    int exchanged[BGR_MAX_PLANES];
    bgr_space space;
    (void)bgr_space_init(6, checkers, &space);
    int64_t n = space.size, n_planes = list_planes(planes, of_table, exchanged);
    *bytes = n * n * n_planes * (int64_t)sizeof(double);
    *operations = n * n * n_planes * (12 + 14 * checkers) / 8;
}

bgr_status bgr_pair_table_new(const bgr_planes *planes, int checkers, const bgr_work *work, bgr_pair_table **table)
{
    bgr_space space;
    bgr_graph *graph = NULL;
    bgr_exact *exact = NULL;
    *table = NULL;
    bgr_pair_table *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    fresh->holders.n = 1;
    fresh->checkers = checkers;
    fresh->n_planes = list_planes(planes, fresh->planes, fresh->exchanged);
    (void)bgr_space_init(6, checkers, &space);
    int64_t n = fresh->n = space.size, n_values = n * n * fresh->n_planes,
            *indices = malloc((size_t)n * sizeof *indices);
    fresh->rank = malloc((size_t)n * sizeof *fresh->rank);
    if ((uint64_t)n_values <= SIZE_MAX / 16) /* always true except on 32 bits */
        fresh->values = bgr_malloc_large((size_t)n_values * sizeof *fresh->values);
    bgr_status status = indices && fresh->rank && fresh->values ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        for (int64_t i = 0; i < n; i++)
            indices[i] = i;
        status = bgr_graph_new(&space, indices, n, work, &graph);
    }
    if (status == BGR_OK)
        status = bgr_graph_compare(graph, 0, work);
    if (status == BGR_OK) {
        bgr_exact_options options = {
            .planes = fresh->planes, .n_planes = fresh->n_planes, .exchanged = fresh->exchanged, .work = *work};
        bgr_graph_indices(graph, indices);
        for (int64_t r = 0; r < n; r++)
            fresh->rank[indices[r]] = (int32_t)r;
        status = bgr_exact_new(graph, NULL, &options, fresh->values, &exact);
    }
    bgr_exact_free(exact);
    bgr_graph_free(graph);
    free(indices);
    BGR_HAND_OVER(status, fresh, table, bgr_pair_table_free);
}

void bgr_pair_table_free(bgr_pair_table *table)
{
    if (!table || !bgr_let_go(&table->holders))
        return;
    BGR_FREE(table->values, table->rank, table);
}

bgr_pair_table *bgr_pair_table_hold(bgr_pair_table *table)
{
    bgr_hold(&table->holders);
    return table;
}

int bgr_pair_table_checkers(const bgr_pair_table *table) { return table->checkers; }

int bgr_pair_table_is_of(const bgr_pair_table *table, const bgr_planes *planes)
{
    bgr_plane of_table[BGR_MAX_PLANES];
    int exchanged[BGR_MAX_PLANES], n = list_planes(planes, of_table, exchanged), same = n == table->n_planes;
    for (int k = 0; same && k < n; k++)
        same = exchanged[k] == table->exchanged[k] && bgr_same_plane(&of_table[k], &table->planes[k]);
    return same;
}

int bgr_pair_table_find(const bgr_pair_table *table, const bgr_planes *planes, bgr_pair_lookup *lookup)
{
    bgr_plane all[BGR_VIEWED_PLANES];
    int class[BGR_MAX_VIEWS], plane_of_class[BGR_MAX_VIEWS], n = table->n_planes;
    memcpy(all, table->planes, (size_t)n * sizeof *all);
    copy_planes(planes, all + n);
    for (int k = n; k < n + planes->n; k++)
        for (int side = 0; side < 2; side++)
            all[k].turned[side] += all[k].turned[side] < 0 ? 0 : n;
    if (bgr_class_views(all, n + planes->n, class) != n)
        return 0; /* the table's own planes are distinct */
    for (int k = 0; k < n; k++)
        plane_of_class[class[2 * k]] = k;
    lookup->table = table;
    lookup->n_planes = planes->n;
    for (int k = 0; k < planes->n; k++)
        for (int side = 0; side < 2; side++)
            lookup->plane[side][k] = plane_of_class[class[2 * (n + k) + side]];
    return 1;
}

void bgr_pair_table_values(void *context, int first, int32_t on_roll, const int32_t *opponent, int m, double *values)
{
    const bgr_pair_lookup *lookup = context;
    const bgr_pair_table *table = lookup->table;
    for (int j = 0; j < m; j++) {
        const double *pair =
            table->values + (table->rank[on_roll] * table->n + table->rank[opponent[j]]) * table->n_planes;
        for (int k = 0; k < lookup->n_planes; k++)
            *values++ = pair[lookup->plane[first][k]];
    }
}
