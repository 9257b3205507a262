/* Solve five checkers a side on every vector path of this processor, and print a hash of the results of each path. */
#include "money.h"
#include "solve/graph.h"
#include "solve/two_sided.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const names[BGR_N_PATHS] = {"best", "scalar", "sse2", "avx2", "avx512", "neon"};

static unsigned long long hash(const void *table, size_t n_bytes, unsigned long long h)
{
    const unsigned char *bytes = table;
    for (size_t k = 0; k < n_bytes; k++)
        h = (h ^ bytes[k]) * 1099511628211ULL;
    return h;
}

int main(void)
{
    bgr_space space;
    bgr_graph *graph, *compared;
    const bgr_work work = {0};
    bgr_space_init(6, 5, &space);
    size_t n = (size_t)space.size, n_values = n * n * BGR_N_PLANES;
    int64_t *indices = malloc(n * sizeof *indices);
    int16_t *table = malloc(n_values * sizeof *table);
    double *values = malloc(n_values * sizeof *values);
    for (size_t k = 0; k < n; k++)
        indices[k] = (int64_t)k;
    if (bgr_graph_new(&space, indices, space.size, &work, &graph) != BGR_OK ||
        bgr_graph_new(&space, indices, space.size, &work, &compared) != BGR_OK ||
        bgr_graph_compare(compared, 0, &work) != BGR_OK)
        return 1;
    for (int path = BGR_PATH_BEST; path < BGR_N_PATHS; path++) {
        bgr_two_sided_options options = {.scale = 32760, .path = (bgr_path)path};
        if (!bgr_path_available((bgr_path)path))
            continue;
        unsigned long long h = 1469598103934665603ULL;
        for (int arithmetic = BGR_NEAREST; arithmetic <= BGR_GNUBG; arithmetic++) {
            options.arithmetic = (bgr_arithmetic)arithmetic;
            if (bgr_two_sided(graph, &options, table) != BGR_OK)
                return 1;
            h = hash(table, n_values * sizeof *table, h);
        }
        bgr_exact_options exactly = {
            .planes = money, .n_planes = BGR_N_PLANES, .exchanged = exchanged, .path = (bgr_path)path};
        for (int k = 0; k < 2; k++) { /* with every play, and without dominated plays */
            bgr_exact *exact;
            if (bgr_exact_new(k ? compared : graph, NULL, &exactly, values, &exact) != BGR_OK)
                return 1;
            bgr_exact_free(exact);
            h = hash(values, n_values * sizeof *values, h);
        }
        printf("%s %016llx\n", names[path], h);
    }
    bgr_graph_free(graph);
    bgr_graph_free(compared);
    free(indices);
    free(table);
    free(values);
    return 0;
}
