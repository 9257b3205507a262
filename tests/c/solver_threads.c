/* Run every solver with parallel loops on four threads.  For ThreadSanitizer. */
#include "base/dice.h"
#include "base/threads.h"
#include "money.h"
#include "rollout/rollout.h"
#include "solve/gnubg_one_sided.h"
#include "solve/graph.h"
#include "solve/one_sided.h"
#include "solve/two_sided.h"

#include <stdlib.h>

enum { CHECKERS = 4, WIDTH = 32, THREADS = 4 };

int main(void)
{
    bgr_space space, race;
    bgr_graph *graph;
    bgr_exact *exact;
    bgr_rollout_sums sums;
    bgr_space_init(6, CHECKERS, &space);
    bgr_space_init(6, 15, &race);
    size_t n = (size_t)space.size, n_race = (size_t)race.size, n_values = n * n * BGR_N_PLANES;
    int64_t *indices = malloc(n * sizeof *indices);
    for (size_t k = 0; k < n; k++)
        indices[k] = (int64_t)k;
    bgr_parallel threads;
    const bgr_work work = {.parallel = bgr_threads_begin(&threads, THREADS)};
    bgr_two_sided_options options = {.scale = 32760, .work = work};
    bgr_exact_options exactly = {.planes = money, .n_planes = BGR_N_PLANES, .exchanged = exchanged, .work = work};
    int16_t *rounded = malloc(n_values * sizeof *rounded);
    double *values = malloc(n_values * sizeof *values);
    int failed = bgr_graph_new(&space, indices, space.size, &work, &graph) || bgr_two_sided(graph, &options, rounded) ||
                 bgr_graph_compare(graph, 0, &work) || bgr_exact_new(graph, NULL, &exactly, values, &exact);
    bgr_threads_end(&threads);
    const bgr_one_sided alone = {.space = &race,
                                 .stop = 1,
                                 .n_threads = THREADS,
                                 .mean_rolls = malloc(n_race * sizeof(double)),
                                 .best = malloc(n_race * BGR_N_ROLLS * sizeof(int32_t)),
                                 .longest = malloc(n_race),
                                 .chains = malloc(n_race * BGR_N_CHAINS * sizeof(int32_t)),
                                 .width = WIDTH,
                                 .distribution = malloc(n_race * WIDTH * sizeof(double)),
                                 .variance_rolls = malloc(n_race * sizeof(double))};
    uint16_t *stored = malloc(n_race * WIDTH * sizeof *stored);
    failed = failed || bgr_one_sided_means(&alone) || bgr_one_sided_distributions(&alone) ||
             bgr_gnubg_one_sided(&race, THREADS, NULL, NULL, stored, NULL);
    const bgr_games games = {
        .sides = {{{&race, alone.best, alone.chains}, {2, 2, 2, 3, 3, 3}, 100}}, .n_sides = 1, .seed = 7, .n = 20000};
    return failed || bgr_rollout(&games, THREADS, &sums);
}
