/* Probes a second of the C library: bench_probe FILE map|load|read CHECKERS QUESTIONS REPEATS.
 *
 * Prints the time of opening, and one line for each kind of question: its name, and the best of the repeats in probes a
 * second.  Pairs are drawn uniformly from all of at most CHECKERS checkers and handed over as counts; they are made
 * before the clock starts, and the table has been touched.  One core, processor time; the clock's for opening. */
#define _POSIX_C_SOURCE 200809L
#include "bgrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds_on(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

static void demand(const char *what, bgr_status status)
{
    if (status != BGR_OK) {
        fprintf(stderr, "%s: %s\n", what, bgr_strerror(status));
        exit(1);
    }
}

/* The pairs that were drawn, and room for answers. */
typedef struct {
    const bgr_db *db;
    int points;
    int64_t n;
    int8_t *on_roll, *opponent;
    bgr_equities *equities;
    double *win;
} bench;

typedef bgr_status kind(bench *b);

#define ONE_BY_ONE(name, CALL)                                                                                         \
    static bgr_status name(bench *b)                                                                                   \
    {                                                                                                                  \
        bgr_status status = BGR_OK;                                                                                    \
        for (int64_t i = 0; i < b->n && status == BGR_OK; i++) {                                                       \
            const int8_t *mine = b->on_roll + i * b->points, *theirs = b->opponent + i * b->points;                    \
            status = CALL;                                                                                             \
        }                                                                                                              \
        return status;                                                                                                 \
    }
ONE_BY_ONE(equities_alone, bgr_probe_equities(b->db, b->points, mine, theirs, b->equities + i))
ONE_BY_ONE(win_alone, bgr_probe_win_probability(b->db, b->points, mine, theirs, b->win + i, NULL))

static bgr_status equities(bench *b)
{
    int64_t n_done;
    return bgr_probe_equities_batch(b->db, b->points, b->on_roll, b->opponent, b->n, b->equities, &n_done);
}

static bgr_status win(bench *b)
{
    int64_t n_done;
    return bgr_probe_win_probability_batch(b->db, b->points, b->on_roll, b->opponent, b->n, b->win, NULL, &n_done);
}

static const struct {
    const char *name;
    kind *ask;
} KINDS[] = {{"equities_one_by_one", equities_alone},
             {"equities_in_batches", equities},
             {"win_probability_one_by_one", win_alone},
             {"win_probability_in_batches", win}};

/* The least of several times; the first run, for pages and caches, does not count. */
static double best_of(int repeats, kind *ask, bench *b)
{
    double best = 1e9;
    for (int r = 0; r <= repeats; r++) {
        double start = seconds_on(CLOCK_PROCESS_CPUTIME_ID);
        demand("question", ask(b));
        double taken = seconds_on(CLOCK_PROCESS_CPUTIME_ID) - start;
        best = r && taken < best ? taken : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    bgr_info info;
    bgr_space pairs;
    bgr_db *db = NULL;
    uint64_t state = 1;
    if (argc != 6) {
        fprintf(stderr, "usage: bench_probe FILE map|load|read CHECKERS QUESTIONS REPEATS\n");
        return 2;
    }
    bgr_access access = argv[2][0] == 'm' ? BGR_MAP : argv[2][0] == 'l' ? BGR_LOAD : BGR_READ;
    double start = seconds_on(CLOCK_MONOTONIC);
    demand(argv[1], bgr_open(argv[1], access, &db));
    printf("open_seconds %g\n", seconds_on(CLOCK_MONOTONIC) - start);
    demand("FILE", bgr_file_info(db, 0, &info));
    demand("CHECKERS", bgr_space_init(info.points, atoi(argv[3]), &pairs));
    bench b = {.db = db, .points = info.points, .n = atoll(argv[4])};
    size_t n = (size_t)b.n;
    b.on_roll = malloc(n * (size_t)b.points);
    b.opponent = malloc(n * (size_t)b.points);
    b.equities = malloc(n * sizeof *b.equities);
    b.win = malloc(n * sizeof *b.win);
    demand("memory", b.on_roll && b.opponent && b.equities && b.win ? BGR_OK : BGR_ERR_MEMORY);
    for (int64_t i = 0; i < 2 * b.n; i++) /* index 0 is the empty board */
        (void)bgr_position(&pairs, (int64_t)(1 + next_random(&state) % (uint64_t)(pairs.size - 1)),
                           (i % 2 ? b.opponent : b.on_roll) + i / 2 * b.points);
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        printf("%s %.0f\n", KINDS[k].name, (double)b.n / best_of(atoi(argv[5]), KINDS[k].ask, &b));
    bgr_close(db);
    return 0;
}
