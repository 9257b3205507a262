/* Probes a second of the C library: bench_probe FILE map|load|read CHECKERS QUESTIONS REPEATS [SEED].
 *
 * Prints one line for each kind of question: its name, and the best of the repeats in probes a second.  Positions of
 * pairs are drawn uniformly from all of at most CHECKERS checkers (0: no pairs), others from all of the file, and
 * handed over as counts; they are made before the clock starts, and the tables have been touched.  Beside each stands
 * "bare": the same elements of the same positions read from memory by their places, and nothing else, if 1 GiB holds
 * all of them.  Lines "... times ..." are medians of how much longer the batch takes than a loop beside it: a bare one,
 * and one "from counts", which finds the places first, by adding up the terms of the index.  One core, processor time;
 * the clock's for opening.  With 0 REPEATS each pair is asked about once, from wherever the file is by then. */
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

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double *sorted(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_size);
    return values;
}

static void demand(const char *what, bgr_status status)
{
    if (status != BGR_OK) {
        fprintf(stderr, "%s: %s\n", what, bgr_strerror(status));
        exit(1);
    }
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

/* Memory that has been touched, and is not the page of zeros; the system has it back at the end. */
static void *room(int64_t n, size_t size)
{
    void *memory = malloc((size_t)n * size);
    demand("memory", memory ? BGR_OK : BGR_ERR_MEMORY);
    return memset(memory, 1, (size_t)n * size);
}

/* Everything that was drawn, and where answers go. */
typedef struct {
    const bgr_db *db;
    bgr_space all, pairs;
    int points, width;
    int64_t n;
    int8_t *on_roll, *opponent, *alone;              /* counts */
    int64_t *pair_place, *place;                     /* the same as places in a table */
    double *pair_table, *column, *other, *row_table; /* as large as the file's */
    bgr_equities *equities;
    double *first, *second, *rows;
} bench;

/* Asks a kind of question about all of them; gives how many were answered. */
typedef int64_t kind(bench *b);

#define MINE(i) (b->on_roll + (i) * b->points)
#define THEIRS(i) (b->opponent + (i) * b->points)
#define ALONE(i) (b->alone + (i) * b->points)

#define ONE_BY_ONE(name, CALL)                                                                                         \
    static int64_t name(bench *b)                                                                                      \
    {                                                                                                                  \
        int64_t i = 0;                                                                                                 \
        while (i < b->n && (CALL) == BGR_OK)                                                                           \
            i++;                                                                                                       \
        return i;                                                                                                      \
    }
#define IN_BATCHES(name, CALL)                                                                                         \
    static int64_t name(bench *b)                                                                                      \
    {                                                                                                                  \
        int64_t n_done = 0;                                                                                            \
        (void)(CALL);                                                                                                  \
        return n_done;                                                                                                 \
    }
#define BARE(name, PLACE, READ)                                                                                        \
    static int64_t name(bench *b)                                                                                      \
    {                                                                                                                  \
        for (int64_t i = 0; i < b->n; i++) {                                                                           \
            int64_t place = PLACE;                                                                                     \
            READ;                                                                                                      \
        }                                                                                                              \
        return b->n;                                                                                                   \
    }

ONE_BY_ONE(equities_alone, bgr_probe_equities(b->db, b->points, MINE(i), THEIRS(i), b->equities + i))
ONE_BY_ONE(win_alone, bgr_probe_win_probability(b->db, b->points, MINE(i), THEIRS(i), b->first + i, NULL))
IN_BATCHES(equities, bgr_probe_equities_batch(b->db, b->points, MINE(0), THEIRS(0), b->n, b->equities, &n_done))
IN_BATCHES(win, bgr_probe_win_probability_batch(b->db, b->points, MINE(0), THEIRS(0), b->n, b->first, NULL, &n_done))
IN_BATCHES(epc, bgr_probe_epc_batch(b->db, b->points, ALONE(0), b->n, b->first, &n_done))
IN_BATCHES(rolls, bgr_probe_rolls_batch(b->db, b->points, ALONE(0), b->n, b->first, b->second, &n_done))

static int64_t distributions(bench *b)
{
    int64_t i = 0, n_done = 0;
    for (; i + ROWS <= b->n; i += ROWS)
        if (bgr_probe_roll_distribution_batch(b->db, b->points, ALONE(i), ROWS, b->width, b->rows, &n_done))
            return 0;
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

#define PAIR_RANK (rank(&b->pairs, MINE(i)) * b->pairs.size + rank(&b->pairs, THEIRS(i)))
#define READ_PAIR b->first[i] = b->pair_table[place]
#define READ_EPC b->first[i] = b->column[place]
#define READ_ROLLS READ_EPC, b->second[i] = b->other[place]
#define READ_ROW                                                                                                       \
    memcpy(b->rows + i % ROWS * b->width, b->row_table + place * b->width, (size_t)b->width * sizeof *b->rows)

BARE(bare_pairs, b->pair_place[i], READ_PAIR)
BARE(bare_epc, b->place[i], READ_EPC)
BARE(bare_rolls, b->place[i], READ_ROLLS)
BARE(bare_distributions, b->place[i], READ_ROW)
BARE(pairs_from_counts, PAIR_RANK, READ_PAIR)
BARE(epc_from_counts, rank(&b->all, ALONE(i)), READ_EPC)
BARE(rolls_from_counts, rank(&b->all, ALONE(i)), READ_ROLLS)
BARE(distributions_from_counts, rank(&b->all, ALONE(i)), READ_ROW)

static const struct {
    const char *name;
    kind *ask, *bare, *from_counts;
    int of_pairs;
} KINDS[] = {
    {"equities_one_by_one", equities_alone, NULL, NULL, 1},
    {"equities_in_batches", equities, bare_pairs, pairs_from_counts, 1},
    {"win_probability_one_by_one", win_alone, NULL, NULL, 1},
    {"win_probability_in_batches", win, bare_pairs, pairs_from_counts, 1},
    {"bare_pairs", bare_pairs, NULL, NULL, 1},
    {"epc_in_batches", epc, bare_epc, epc_from_counts, 0},
    {"rolls_in_batches", rolls, bare_rolls, rolls_from_counts, 0},
    {"distributions_in_batches", distributions, bare_distributions, distributions_from_counts, 0},
    {"bare_epc", bare_epc, NULL, NULL, 0},
    {"bare_rolls", bare_rolls, NULL, NULL, 0},
    {"bare_distributions", bare_distributions, NULL, NULL, 0},
};

/* Processor time: other programs that run meanwhile do not count, as far as they leave it its caches. */
static double seconds_of(kind *ask, bench *b)
{
    double start = seconds_on(CLOCK_PROCESS_CPUTIME_ID);
    (void)ask(b);
    return seconds_on(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static void measure(const char *name, kind *ask, bench *b, int repeats)
{
    double times[MOST_REPEATS] = {0};
    int64_t n = ask(b); /* once, for pages and caches */
    demand(name, n ? BGR_OK : BGR_ERR_COVERAGE);
    for (int r = 0; r < repeats; r++)
        times[r] = seconds_of(ask, b);
    printf("%s %.0f\n", name, (double)n / sorted(times, repeats)[0]);
    fflush(stdout);
}

/* How many times as long one takes as another, in turns: the median. */
static void compare(const char *name, const char *beside, kind *ask, kind *other, bench *b, int repeats)
{
    double ratios[MOST_REPEATS] = {0};
    for (int r = 0; r < repeats; r++)
        ratios[r] = seconds_of(ask, b) / seconds_of(other, b);
    printf("%s_times_%s %.2f\n", name, beside, sorted(ratios, repeats)[repeats / 2]);
}

static int64_t draw(const bgr_space *space, int8_t *counts, uint64_t *state)
{
    int64_t index = (int64_t)(1 + next_random(state) % (uint64_t)(space->size - 1)); /* index 0 is the empty board */
    (void)bgr_position(space, index, counts);
    return index;
}

int main(int argc, char **argv)
{
    if (argc != 6 && argc != 7) {
        fprintf(stderr, "usage: bench_probe FILE map|load|read CHECKERS QUESTIONS REPEATS [SEED]\n");
        return 2;
    }
    bgr_access access = argv[2][0] == 'm' ? BGR_MAP : argv[2][0] == 'l' ? BGR_LOAD : BGR_READ;
    int checkers = atoi(argv[3]), repeats = atoi(argv[5]), opened = repeats ? repeats : 1;
    int64_t n = atoll(argv[4]);
    double times[MOST_REPEATS] = {0};
    bgr_db *db = NULL;
    if (repeats < 0 || repeats > MOST_REPEATS || n < ROWS) {
        fprintf(stderr, "REPEATS must be 0 (ask once) to %d, QUESTIONS at least %d\n", MOST_REPEATS, ROWS);
        return 2;
    }

    long before = private_bytes();
    for (int r = 0; r < opened; r++) {
        bgr_close(db);
        double start = seconds_on(CLOCK_MONOTONIC);
        demand(argv[1], bgr_open(argv[1], access, &db));
        times[r] = seconds_on(CLOCK_MONOTONIC) - start;
    }
    long held = private_bytes() - before;
    printf("open_seconds %g\nprivate_bytes %ld\n", sorted(times, opened)[0], held);

    bgr_info info;
    demand("FILE", bgr_file_info(db, 0, &info));
    bench b = {.db = db, .points = info.points, .width = info.n_rolls + 1, .n = n};
    demand("FILE", bgr_space_init(info.points, info.checkers, &b.all));
    if (checkers)
        demand("CHECKERS", bgr_space_init(info.points, checkers, &b.pairs));
    uint64_t state = argc == 7 ? (uint64_t)atoll(argv[6]) : 1;
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
        int64_t mine = draw(&b.pairs, b.on_roll + i * b.points, &state);
        b.pair_place[i] = mine * b.pairs.size + draw(&b.pairs, b.opponent + i * b.points, &state);
    }
    for (int64_t i = 0; i < n; i++)
        b.place[i] = draw(&b.all, b.alone + i * b.points, &state);

    if (!repeats) {
        double start = seconds_on(CLOCK_MONOTONIC);
        demand("equities", equities_alone(&b) == n ? BGR_OK : BGR_ERR_COVERAGE);
        printf("once_microseconds %g\n", 1e6 * (seconds_on(CLOCK_MONOTONIC) - start) / (double)n);
        return 0;
    }
    int bare_pairs_fit = b.pairs.size * b.pairs.size <= MOST_BARE;
    if (access != BGR_READ) {
        if (checkers && bare_pairs_fit)
            b.pair_table = room(b.pairs.size * b.pairs.size, sizeof *b.pair_table);
        b.column = room(b.all.size, sizeof *b.column);
        b.other = room(b.all.size, sizeof *b.other);
        b.row_table = room(b.all.size * b.width, sizeof *b.row_table);
    }
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
        int has_tables = KINDS[k].of_pairs ? b.pair_table != NULL : b.column != NULL;
        if ((KINDS[k].of_pairs && !checkers) || (!has_tables && strncmp(KINDS[k].name, "bare", 4) == 0))
            continue;
        measure(KINDS[k].name, KINDS[k].ask, &b, repeats);
        if (KINDS[k].bare && has_tables) {
            compare(KINDS[k].name, "bare", KINDS[k].ask, KINDS[k].bare, &b, repeats);
            compare(KINDS[k].name, "bare_from_counts", KINDS[k].ask, KINDS[k].from_counts, &b, repeats);
        }
    }
    bgr_close(db);
    return 0;
}
