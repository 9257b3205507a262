/* Eight threads ask one solver with one cache, follow the answers, and estimate.  Every answer must have the bits of
 * the same question asked alone.  For ThreadSanitizer. */

#include "match.h"

#include <pthread.h>
#include <string.h>

enum { N_THREADS = 8, N_RACES = 6, POINTS = 6 };

static const int8_t races[N_RACES][2][POINTS] = {
    {{1, 1, 1, 0, 0, 0}, {2, 1, 0, 0, 0, 0}}, {{2, 0, 1, 1, 0, 0}, {1, 1, 0, 0, 1, 0}},
    {{0, 1, 1, 0, 0, 1}, {1, 1, 1, 0, 0, 0}}, {{3, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 1}},
    {{1, 1, 1, 1, 0, 0}, {1, 1, 1, 1, 0, 0}}, {{0, 0, 0, 1, 1, 0}, {4, 0, 0, 0, 0, 0}}};

static bgr_solver *solver;
static bgr_cache *cache;
static double alone[N_RACES][3];

/* Compute three equities with the cube in the middle: solved, followed to the opponent's turn, and estimated. */
static int values(int race, bgr_cache *shared, double *out)
{
    const bgr_solve_options options = {.size = sizeof options, .cache = shared};
    const bgr_solve_options estimated = {.size = sizeof estimated, .way = BGR_ESTIMATE};
    const int8_t *mine = races[race][0], *theirs = races[race][1];
    bgr_answer *answers[3] = {NULL, NULL, NULL};
    bgr_cube_values cube;
    bgr_status status = bgr_ask(solver, POINTS, mine, theirs, &money, &options, &answers[0]);
    if (status == BGR_OK)
        status = bgr_answer_follow(answers[0], POINTS, theirs, mine, 1, &answers[1]);
    if (status == BGR_OK)
        status = bgr_ask(solver, POINTS, mine, theirs, &money, &estimated, &answers[2]);
    for (int k = 0; k < 3; k++) {
        if (status == BGR_OK)
            status = bgr_answer_cube(answers[k], BGR_CUBE_CENTERED, &cube);
        out[k] = status == BGR_OK ? cube.no_double : 0;
        bgr_answer_free(answers[k]);
    }
    return status != BGR_OK;
}

static void *work(void *argument)
{
    static int failed;
    int first = *(const int *)argument;
    for (int k = 0; k < 2 * N_RACES; k++) {
        double out[3];
        int race = (first + k) % N_RACES;
        if (values(race, cache, out) || memcmp(out, alone[race], sizeof out))
            return &failed;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N_THREADS];
    int first[N_THREADS], failures = bgr_solver_new(&solver) != BGR_OK || bgr_cache_new(&cache) != BGR_OK;
    for (int race = 0; race < N_RACES && !failures; race++)
        failures = values(race, NULL, alone[race]);
    for (int k = 0; k < N_THREADS && !failures; k++) {
        first[k] = k;
        if (pthread_create(&threads[k], NULL, work, &first[k]))
            return 2;
    }
    for (int k = 0; k < N_THREADS && !failures; k++) {
        void *failed;
        pthread_join(threads[k], &failed);
        failures += failed != NULL;
    }
    bgr_cache_free(cache);
    bgr_solver_free(solver);
    return failures != 0;
}
