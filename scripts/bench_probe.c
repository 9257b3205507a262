/* Probes a second of the C library: bench_probe FILE map|load|read CHECKERS QUESTIONS REPEATS [SEED].
 *
 * Prints one line for each kind of question: its name, and the best of the repeats in probes a second.  Positions of
 * pairs are drawn uniformly from all of at most CHECKERS checkers (0: no pairs), others from all of the file, and
 * handed over as counts; they are made before the clock starts, and the tables have been touched.  Beside each stands
 * "bare": the same elements of the same positions read from memory by their places, and nothing else, if 1 GiB holds
 * all of them; and "bare from counts": the same where the places are found first, by adding up the terms of the index,
 * which is what the question is about.  Lines "... times ..." are medians of how much longer the batch takes than a
 * bare loop beside it.  One core, processor time; the clock's for opening.  With 0 REPEATS each pair is asked about
 * once, from wherever the file is by then. */
#define _POSIX_C_SOURCE 200809L
#include "bgrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_REPEATS = 99, ROWS = 1000, MOST_BARE = 1 << 27 /* pairs, 1 GiB of memory */ };

static double seconds_on(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void) { return seconds_on(CLOCK_MONOTONIC); }

/* What this process has been given of the processor: other programs that run meanwhile do not count, as far as they
 * leave it its caches. */
static double processor(void) { return seconds_on(CLOCK_PROCESS_CPUTIME_ID); }

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

/* The shortest time, or the highest rate: what the machine does when nothing else keeps it busy. */
static double least(const double *values, int n)
{
    double found = values[0];
    for (int k = 1; k < n; k++)
        found = values[k] < found ? values[k] : found;
    return found;
}

static double best(const double *values, int n)
{
    double found = values[0];
    for (int k = 1; k < n; k++)
        found = values[k] > found ? values[k] : found;
    return found;
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

/* Memory of its own, not the page of zeros. */
static double *new_table(int64_t n)
{
    double *table = malloc((size_t)n * sizeof *table);
    if (!table)
        fail("memory", BGR_ERR_MEMORY);
    for (int64_t k = 0; k < n; k++)
        table[k] = 1;
    return table;
}

/* One kind of question, asked about everything that was drawn; gives how many were answered. */
typedef struct {
    const bgr_db *db;
    const bgr_space *space, *pair_space;
    int points, width;
    int64_t n;
    int8_t *on_roll, *opponent, *alone; /* counts */
    uint64_t *pair_place;               /* the same as places in a table, for bare reading */
    int64_t *place;
    const double *pairs, *column, *other, *wide; /* tables as large as the file's */
    bgr_equities *equities;
    double *first, *second, *rows;
} bench;

static int64_t equities_alone(bench *b)
{
    int64_t i = 0;
    for (; i < b->n; i++)
        if (bgr_probe_equities(b->db, b->points, b->on_roll + i * b->points, b->opponent + i * b->points,
                               b->equities + i))
            break;
    return i;
}

static int64_t equities_in_batches(bench *b)
{
    int64_t n_done = 0;
    (void)bgr_probe_equities_batch(b->db, b->points, b->on_roll, b->opponent, b->n, b->equities, &n_done);
    return n_done;
}

static int64_t win_alone(bench *b)
{
    int64_t i = 0;
    for (; i < b->n; i++)
        if (bgr_probe_win_probability(b->db, b->points, b->on_roll + i * b->points, b->opponent + i * b->points,
                                      b->first + i, NULL))
            break;
    return i;
}

static int64_t win_in_batches(bench *b)
{
    int64_t n_done = 0;
    (void)bgr_probe_win_probability_batch(b->db, b->points, b->on_roll, b->opponent, b->n, b->first, NULL, &n_done);
    return n_done;
}

static int64_t bare_pairs(bench *b)
{
    for (int64_t i = 0; i < b->n; i++)
        b->first[i] = b->pairs[b->pair_place[i]];
    return b->n;
}

static int64_t epc_in_batches(bench *b)
{
    int64_t n_done = 0;
    (void)bgr_probe_epc_batch(b->db, b->points, b->alone, b->n, b->first, &n_done);
    return n_done;
}

static int64_t bare_epc(bench *b)
{
    for (int64_t i = 0; i < b->n; i++)
        b->first[i] = b->column[b->place[i]];
    return b->n;
}

static int64_t rolls_in_batches(bench *b)
{
    int64_t n_done = 0;
    (void)bgr_probe_rolls_batch(b->db, b->points, b->alone, b->n, b->first, b->second, &n_done);
    return n_done;
}

static int64_t bare_rolls(bench *b)
{
    for (int64_t i = 0; i < b->n; i++) {
        b->first[i] = b->column[b->place[i]];
        b->second[i] = b->other[b->place[i]];
    }
    return b->n;
}

static int64_t distributions_in_batches(bench *b)
{
    int64_t i = 0, n_done = 0;
    for (; i + ROWS <= b->n; i += ROWS)
        if (bgr_probe_roll_distribution_batch(b->db, b->points, b->alone + i * b->points, ROWS, b->width, b->rows,
                                              &n_done))
            return 0;
    return i;
}

static int64_t bare_distributions(bench *b)
{
    int64_t i = 0;
    for (; i + ROWS <= b->n; i += ROWS)
        for (int64_t k = 0; k < ROWS; k++)
            memcpy(b->rows + k * b->width, b->wide + b->place[i + k] * b->width, (size_t)b->width * sizeof *b->rows);
    return i;
}

/* Where a position is, by the shortest code and without any check. */
static inline int64_t rank(const bgr_space *space, const int8_t *counts)
{
    int64_t place = 0;
    for (int j = space->points - 1, sum = 0; j >= 0; j--) {
        sum += counts[j];
        place += space->term[j][sum];
    }
    return place;
}

static int64_t pairs_from_counts(bench *b)
{
    for (int64_t i = 0; i < b->n; i++)
        b->first[i] = b->pairs[rank(b->pair_space, b->on_roll + i * b->points) * b->pair_space->size +
                               rank(b->pair_space, b->opponent + i * b->points)];
    return b->n;
}

static int64_t epc_from_counts(bench *b)
{
    for (int64_t i = 0; i < b->n; i++)
        b->first[i] = b->column[rank(b->space, b->alone + i * b->points)];
    return b->n;
}

static int64_t rolls_from_counts(bench *b)
{
    for (int64_t i = 0; i < b->n; i++) {
        int64_t place = rank(b->space, b->alone + i * b->points);
        b->first[i] = b->column[place];
        b->second[i] = b->other[place];
    }
    return b->n;
}

static int64_t distributions_from_counts(bench *b)
{
    int64_t i = 0;
    for (; i + ROWS <= b->n; i += ROWS)
        for (int64_t k = 0; k < ROWS; k++)
            memcpy(b->rows + k * b->width, b->wide + rank(b->space, b->alone + (i + k) * b->points) * b->width,
                   (size_t)b->width * sizeof *b->rows);
    return i;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double seconds_of(int64_t (*ask)(bench *), bench *b)
{
    double start = processor();
    (void)ask(b);
    return processor() - start;
}

/* How many times as long a batch takes as each of two bare loops, one after the other, medians of the repeats. */
static void compare(const char *name, int64_t (*ask)(bench *), int64_t (*bare)(bench *), int64_t (*ranking)(bench *),
                    bench *b, int repeats)
{
    double by_place[MOST_REPEATS], by_counts[MOST_REPEATS];
    for (int r = 0; r < repeats; r++) {
        double batch = seconds_of(ask, b);
        by_place[r] = batch / seconds_of(bare, b);
        by_counts[r] = batch / seconds_of(ranking, b);
    }
    qsort(by_place, (size_t)repeats, sizeof *by_place, by_size);
    qsort(by_counts, (size_t)repeats, sizeof *by_counts, by_size);
    printf("%s_times_bare %.2f\n", name, by_place[repeats / 2]);
    printf("%s_times_bare_from_counts %.2f\n", name, by_counts[repeats / 2]);
    fflush(stdout);
}

static void measure(const char *name, int64_t (*ask)(bench *), bench *b, int repeats)
{
    double rates[MOST_REPEATS] = {0};
    if (!ask(b)) /* once, for pages and caches */
        fail(name, BGR_ERR_COVERAGE);
    for (int r = 0; r < repeats; r++) {
        double start = processor();
        int64_t n = ask(b);
        rates[r] = (double)n / (processor() - start);
    }
    printf("%s %.0f\n", name, best(rates, repeats));
    fflush(stdout);
}

/* Each of n pairs once, from wherever the file is by now: microseconds a question. */
static void ask_once(bench *b)
{
    double start = now();
    int64_t n = equities_alone(b);
    if (n < b->n)
        fail("equities", BGR_ERR_COVERAGE);
    printf("once_microseconds %g\n", 1e6 * (now() - start) / (double)n);
}

static void *room(int64_t n, size_t size)
{
    void *memory = malloc((size_t)n * size);
    if (!memory)
        fail("memory", BGR_ERR_MEMORY);
    memset(memory, 0, (size_t)n * size);
    return memory;
}

static void draw(bench *b, const bgr_space *space, int8_t *counts, int64_t i, uint64_t *state, uint64_t *place)
{
    uint64_t index = 1 + next_random(state) % (uint64_t)(space->size - 1); /* index 0 is the empty board */
    (void)bgr_position(space, (int64_t)index, counts + i * b->points);
    *place = index;
}

int main(int argc, char **argv)
{
    if (argc != 6 && argc != 7) {
        fprintf(stderr, "usage: bench_probe FILE map|load|read CHECKERS QUESTIONS REPEATS [SEED]\n");
        return 2;
    }
    const char *path = argv[1];
    bgr_access access = argv[2][0] == 'm' ? BGR_MAP : argv[2][0] == 'l' ? BGR_LOAD : BGR_READ;
    int checkers = atoi(argv[3]), repeats = atoi(argv[5]), opened = repeats ? repeats : 1;
    int64_t n = atoll(argv[4]);
    double times[MOST_REPEATS] = {0}, start;
    bgr_db *db = NULL;
    bgr_status status;
    if (repeats < 0 || repeats > MOST_REPEATS || n < ROWS) {
        fprintf(stderr, "REPEATS must be 0 (ask once) to %d, QUESTIONS at least %d\n", MOST_REPEATS, ROWS);
        return 2;
    }

    long before = private_bytes();
    for (int r = 0; r < opened; r++) {
        start = now();
        status = bgr_open(path, access, &db);
        times[r] = now() - start;
        if (status != BGR_OK)
            fail(path, status);
        if (r < opened - 1)
            bgr_close(db);
    }
    long held = private_bytes() - before;
    printf("open_seconds %g\n", least(times, opened));
    printf("private_bytes %ld\n", held);

    bgr_info info;
    bgr_space pairs = {0}, all;
    status = bgr_file_info(db, 0, &info);
    if (status == BGR_OK)
        status = bgr_space_init(info.points, info.checkers, &all);
    if (status == BGR_OK && checkers)
        status = bgr_space_init(info.points, checkers, &pairs);
    if (status != BGR_OK)
        fail("CHECKERS", status);
    uint64_t state = argc == 7 ? (uint64_t)atoll(argv[6]) : 1, mine, theirs;
    bench b = {.db = db, .space = &all, .pair_space = &pairs, .points = info.points, .width = info.n_rolls + 1, .n = n};
    b.on_roll = room(n * b.points, 1);
    b.opponent = room(n * b.points, 1);
    b.alone = room(n * b.points, 1);
    b.pair_place = room(n, sizeof *b.pair_place);
    b.place = room(n, sizeof *b.place);
    b.equities = room(n, sizeof *b.equities);
    b.first = room(n, sizeof *b.first);
    b.second = room(n, sizeof *b.second);
    b.rows = room((int64_t)ROWS * b.width, sizeof *b.rows);
    for (int64_t i = 0; checkers && i < n; i++) {
        draw(&b, &pairs, b.on_roll, i, &state, &mine);
        draw(&b, &pairs, b.opponent, i, &state, &theirs);
        b.pair_place[i] = mine * (uint64_t)pairs.size + theirs;
    }
    for (int64_t i = 0; i < n; i++) {
        draw(&b, &all, b.alone, i, &state, &mine);
        b.place[i] = (int64_t)mine;
    }

    if (!repeats) {
        ask_once(&b);
        bgr_close(db);
        return 0; /* and the system has the rest back */
    }
    if (checkers) {
        measure("equities_one_by_one", equities_alone, &b, repeats);
        measure("equities_in_batches", equities_in_batches, &b, repeats);
        measure("win_probability_one_by_one", win_alone, &b, repeats);
        measure("win_probability_in_batches", win_in_batches, &b, repeats);
    }
    if (checkers && access != BGR_READ && pairs.size * pairs.size <= MOST_BARE) {
        b.pairs = new_table(pairs.size * pairs.size);
        measure("bare_pairs", bare_pairs, &b, repeats);
        compare("equities_in_batches", equities_in_batches, bare_pairs, pairs_from_counts, &b, repeats);
        compare("win_probability_in_batches", win_in_batches, bare_pairs, pairs_from_counts, &b, repeats);
        free((void *)(uintptr_t)b.pairs);
    }
    measure("epc_in_batches", epc_in_batches, &b, repeats);
    measure("rolls_in_batches", rolls_in_batches, &b, repeats);
    measure("distributions_in_batches", distributions_in_batches, &b, repeats);
    if (access != BGR_READ) {
        b.column = new_table(all.size);
        b.other = new_table(all.size);
        b.wide = new_table(all.size * b.width);
        measure("bare_epc", bare_epc, &b, repeats);
        measure("bare_rolls", bare_rolls, &b, repeats);
        measure("bare_distributions", bare_distributions, &b, repeats);
        compare("epc_in_batches", epc_in_batches, bare_epc, epc_from_counts, &b, repeats);
        compare("rolls_in_batches", rolls_in_batches, bare_rolls, rolls_from_counts, &b, repeats);
        compare("distributions_in_batches", distributions_in_batches, bare_distributions, distributions_from_counts, &b,
                repeats);
        free((void *)(uintptr_t)b.column);
        free((void *)(uintptr_t)b.other);
        free((void *)(uintptr_t)b.wide);
    }
    bgr_close(db);
    free(b.on_roll);
    free(b.opponent);
    free(b.alone);
    free(b.pair_place);
    free(b.place);
    free(b.equities);
    free(b.first);
    free(b.second);
    free(b.rows);
    return 0;
}
