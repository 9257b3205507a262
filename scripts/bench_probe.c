/* Probes a second of the C library: bench_probe FILE map|load|read CHECKERS PAIRS REPEATS.
 *
 * Prints one line for each kind of question: its name, and the median of the repeats in probes a second.  Positions are
 * drawn uniformly from all of at most CHECKERS checkers and handed over as counts; the pairs are made before the clock
 * starts, and the table has been touched.  One core. */
#define _POSIX_C_SOURCE 200809L
#include "bgrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POINTS = 6, MOST_REPEATS = 99, ROWS = 1000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return values[n / 2];
}

static void fail(const char *what, bgr_status status)
{
    fprintf(stderr, "%s: %s\n", what, bgr_strerror(status));
    exit(1);
}

/* What the process holds for itself, in bytes; 0 where /proc does not say. */
static long private_bytes(void)
{
    char line[256];
    long total = 0, kib;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Private_Clean: %ld", &kib) == 1 || sscanf(line, "Private_Dirty: %ld", &kib) == 1)
            total += 1024 * kib;
    if (file)
        fclose(file);
    return total;
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: bench_probe FILE map|load|read CHECKERS PAIRS REPEATS\n");
        return 2;
    }
    const char *path = argv[1];
    bgr_access access = argv[2][0] == 'm' ? BGR_MAP : argv[2][0] == 'l' ? BGR_LOAD : BGR_READ;
    int checkers = atoi(argv[3]), repeats = atoi(argv[5]);
    int64_t n = atoll(argv[4]), n_done;
    double times[MOST_REPEATS], start;
    bgr_db *db = NULL;
    bgr_status status;
    if (repeats < 1 || repeats > MOST_REPEATS || n < 2) {
        fprintf(stderr, "REPEATS must be 1 to %d, PAIRS at least 2\n", MOST_REPEATS);
        return 2;
    }

    long before = private_bytes();
    for (int r = 0; r < repeats; r++) {
        start = now();
        status = bgr_open(path, access, &db);
        times[r] = now() - start;
        if (status != BGR_OK)
            fail(path, status);
        if (r < repeats - 1)
            bgr_close(db);
    }
    long held = private_bytes() - before;
    printf("open_seconds %g\n", median(times, repeats));
    printf("private_bytes %ld\n", held);

    bgr_space space;
    status = bgr_space_init(POINTS, checkers, &space);
    if (status != BGR_OK)
        fail("CHECKERS", status);
    int8_t *on_roll = malloc((size_t)(n * POINTS)), *opponent = malloc((size_t)(n * POINTS));
    bgr_equities *equities = malloc((size_t)n * sizeof *equities);
    double *epc = malloc((size_t)n * sizeof *epc), *variance = malloc((size_t)n * sizeof *variance);
    double *rows = malloc(ROWS * BGR_MAX_WIDTH * sizeof *rows);
    if (!on_roll || !opponent || !equities || !epc || !variance || !rows)
        fail("pairs", BGR_ERR_MEMORY);
    memset(equities, 0, (size_t)n * sizeof *equities);
    memset(epc, 0, (size_t)n * sizeof *epc);
    uint64_t state = 1;
    for (int64_t i = 0; i < n; i++) { /* index 0 is the empty board */
        int64_t a = 1 + (int64_t)(next_random(&state) % (uint64_t)(space.size - 1));
        int64_t b = 1 + (int64_t)(next_random(&state) % (uint64_t)(space.size - 1));
        bgr_position(&space, a, on_roll + i * POINTS);
        bgr_position(&space, b, opponent + i * POINTS);
    }
    status = bgr_probe_equities_batch(db, POINTS, on_roll, opponent, n, equities, &n_done); /* touches the table */
    if (status != BGR_OK)
        fail("equities", status);

    double sum = 0;
    for (int r = 0; r < repeats; r++) {
        start = now();
        for (int64_t i = 0; i < n; i++) {
            bgr_equities e;
            if (bgr_probe_equities(db, POINTS, on_roll + i * POINTS, opponent + i * POINTS, &e) != BGR_OK)
                return 1;
            sum += e.centered;
        }
        times[r] = (double)n / (now() - start);
    }
    printf("equities_one_by_one %.0f\n", median(times, repeats));

    for (int r = 0; r < repeats; r++) {
        start = now();
        if (bgr_probe_equities_batch(db, POINTS, on_roll, opponent, n, equities, &n_done) != BGR_OK)
            return 1;
        times[r] = (double)n / (now() - start);
    }
    printf("equities_in_batches %.0f\n", median(times, repeats));

    for (int r = 0; r < repeats; r++) {
        double win;
        start = now();
        for (int64_t i = 0; i < n; i++) {
            if (bgr_probe_win_probability(db, POINTS, on_roll + i * POINTS, opponent + i * POINTS, &win, NULL))
                return 1;
            sum += win;
        }
        times[r] = (double)n / (now() - start);
    }
    printf("win_probability_one_by_one %.0f\n", median(times, repeats));

    for (int r = 0; r < repeats; r++) {
        start = now();
        if (bgr_probe_win_probability_batch(db, POINTS, on_roll, opponent, n, epc, NULL, &n_done) != BGR_OK)
            return 1;
        times[r] = (double)n / (now() - start);
    }
    printf("win_probability_in_batches %.0f\n", median(times, repeats));

    /* What no question can be faster than: the same eight bytes of the same pairs, by their places, and nothing else.
     */
    if (access != BGR_READ) {
        uint64_t *place = malloc((size_t)n * sizeof *place), seen = 0;
        int64_t size = space.size, a, b;
        const uint64_t *table = calloc((size_t)(size * size), sizeof *table);
        if (!place || !table)
            fail("bare reading", BGR_ERR_MEMORY);
        for (int64_t k = 0; k < size * size; k += 512)
            ((volatile uint64_t *)(uintptr_t)table)[k] = 1; /* memory of its own, not the page of zeros */
        for (int64_t i = 0; i < n; i++) {
            bgr_index(&space, on_roll + i * POINTS, &a);
            bgr_index(&space, opponent + i * POINTS, &b);
            place[i] = (uint64_t)(a * size + b);
        }
        for (int r = 0; r < repeats; r++) {
            start = now();
            for (int64_t i = 0; i < n; i++)
                seen += table[place[i]];
            times[r] = (double)n / (now() - start);
        }
        printf("bare_reading_in_batches %.0f\n", median(times, repeats));
        sum += (double)seen;
        free(place);
        free((void *)(uintptr_t)table);
    }

    for (int r = 0; r < repeats; r++) {
        start = now();
        if (bgr_probe_rolls_batch(db, POINTS, on_roll, n, epc, variance, &n_done) != BGR_OK)
            return 1;
        times[r] = (double)n / (now() - start);
    }
    printf("rolls_in_batches %.0f\n", median(times, repeats));

    for (int r = 0; r < repeats; r++) {
        start = now();
        for (int64_t i = 0; i + ROWS <= n; i += ROWS)
            if (bgr_probe_roll_distribution_batch(db, POINTS, on_roll + i * POINTS, ROWS, BGR_MAX_WIDTH, rows,
                                                  &n_done) != BGR_OK)
                return 1;
        times[r] = (double)(n / ROWS * ROWS) / (now() - start);
    }
    printf("distributions_in_batches %.0f\n", median(times, repeats));

    for (int r = 0; r < repeats; r++) {
        start = now();
        if (bgr_probe_epc_batch(db, POINTS, on_roll, n, epc, &n_done) != BGR_OK)
            return 1;
        times[r] = (double)n / (now() - start);
    }
    printf("epc_in_batches %.0f\n", median(times, repeats));
    printf("sum %g\n", sum); /* so that nothing of it is optimised away */
    bgr_close(db);
    free(on_roll);
    free(opponent);
    free(equities);
    free(epc);
    free(variance);
    free(rows);
    return 0;
}
