/* Every solver that has loops for threads, on one thread and on four; exit status 1 if any of the bytes differ. */
#include "base/dice.h"
#include "base/threads.h"
#include "money.h"
#include "rollout/rollout.h"
#include "solve/gnubg_one_sided.h"
#include "solve/graph.h"
#include "solve/one_sided.h"
#include "solve/two_sided.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 2, THREADS = 4 };

/* Fill bytes with all results; how many there are if bytes is NULL. */
static size_t solve(int n_threads, unsigned char *bytes)
{
    enum { CHECKERS = 4, WIDTH = 32 };
    bgr_space space, race;
    bgr_graph *graph;
    bgr_exact *exact;
    bgr_space_init(6, CHECKERS, &space);
    bgr_space_init(6, 15, &race);
    size_t n = (size_t)space.size, n_race = (size_t)race.size, n_values = n * n * BGR_N_PLANES;
    size_t sizes[] = {n_values * sizeof(int16_t),      n_values * sizeof(double), n_race * sizeof(double),
                      n_race * WIDTH * sizeof(double), n_race * sizeof(double),   sizeof(bgr_rollout_sums),
                      n_race * 32 * sizeof(uint16_t)};
    size_t total = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        total += sizes[k];
    if (!bytes)
        return total;
    void *part[7];
    for (size_t k = 0; k < 7; bytes += sizes[k], k++)
        part[k] = bytes;
    int64_t *indices = malloc(n * sizeof *indices);
    int32_t *best = malloc(n_race * BGR_N_ROLLS * sizeof *best),
            *chains = malloc(n_race * BGR_N_CHAINS * sizeof *chains);
    uint8_t *longest = malloc(n_race);
    for (size_t k = 0; k < n; k++)
        indices[k] = (int64_t)k;
    bgr_threads threads;
    const bgr_parallel *parallel = bgr_threads_begin(&threads, n_threads);
    bgr_two_sided_options options = {.scale = 32760, .parallel = parallel};
    bgr_exact_options exactly = {
        .planes = money, .n_planes = BGR_N_PLANES, .exchanged = exchanged, .parallel = parallel};
    const bgr_one_sided alone = {.space = &race,
                                 .stop = 1,
                                 .n_threads = n_threads,
                                 .mean_rolls = part[2],
                                 .best = best,
                                 .longest = longest,
                                 .chains = chains,
                                 .width = WIDTH,
                                 .distribution = part[3],
                                 .variance_rolls = part[4]};
    int failed = bgr_graph_new(&space, indices, space.size, parallel, NULL, NULL, &graph) ||
                 bgr_two_sided(graph, &options, part[0]) || bgr_graph_compare(graph, 0, parallel, NULL, NULL) ||
                 bgr_exact_new(graph, NULL, &exactly, part[1], NULL, &exact) || bgr_one_sided_means(&alone) ||
                 bgr_one_sided_distributions(&alone) ||
                 bgr_gnubg_one_sided(&race, n_threads, NULL, NULL, part[6], NULL);
    const bgr_games games = {
        .sides = {{{&race, best, chains}, {2, 2, 2, 3, 3, 3}, 100}}, .n_sides = 1, .seed = 7, .n = 20000};
    failed = failed || bgr_rollout(&games, n_threads, part[5]);
    if (!failed) {
        bgr_exact_free(exact);
        bgr_graph_free(graph);
    }
    free(indices);
    bgr_threads_end(&threads);
    free(best);
    free(chains);
    free(longest);
    return failed ? 0 : total;
}

int main(void)
{
    size_t size = solve(1, NULL);
    unsigned char *bytes[RUNS];
    for (int run = 0; run < RUNS; run++) {
        bytes[run] = calloc(size, 1);
        if (!bytes[run] || solve(run ? THREADS : 1, bytes[run]) != size)
            return puts("failed"), 1;
    }
    int differ = memcmp(bytes[0], bytes[1], size) != 0;
    puts(differ ? "the bytes differ" : "the same bytes");
    for (int run = 0; run < RUNS; run++)
        free(bytes[run]);
    return differ;
}
