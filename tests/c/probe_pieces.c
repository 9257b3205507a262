/* Compare batches with single questions: probe_pieces FILE SEED.
 *
 * Batches have many lengths.  Some have a position in their midst that is invalid, or beyond the file.  The memory of a
 * batch ends where the batch does, which sanitizers watch.  At the end every byte is a count on every point.
 * Prints the number of batches, and the number of those that stopped at a position; fails if an answer differs. */
#include "bgrace.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2100 };

static int width; /* of distributions */
static long n_batches, n_stopped;

static int below(int n) { return (int)(next_random() % (uint64_t)n); }

static void hold(const char *what, int right)
{
    if (right)
        return;
    fprintf(stderr, "%s: another answer in a batch than alone, batch %ld\n", what, n_batches);
    exit(1);
}

static void random_position(int8_t *counts, int points, int n_checkers)
{
    memset(counts, 0, (size_t)points);
    for (int k = 0; k < n_checkers; k++)
        counts[below(points)]++;
}

/* Bytes that are hardly ever a position. */
static void random_bytes(int8_t *counts, int points, int checkers)
{
    switch (below(3)) {
    case 0:
        for (int j = 0; j < points; j++)
            counts[j] = (int8_t)(next_random() & 0xFF);
        return;
    case 1:
        for (int j = 0; j < points; j++)
            counts[j] = (int8_t)below(16);
        return;
    default:
        random_position(counts, points, checkers);
        counts[below(points)]++;
        counts[below(points)] ^= (int8_t)below(2);
    }
}

/* Answers of a batch or of single questions, up to the first that is refused, and its status. */
typedef struct {
    int64_t n_done;
    bgr_status status;
    double first[MOST], second[MOST];
} answers;

static answers alone, together;

static void compare(const char *what, int64_t n, int n_columns)
{
    hold(what, alone.status == together.status && alone.n_done == together.n_done);
    hold(what, (together.status == BGR_OK) == (together.n_done == n));
    size_t n_bytes = (size_t)together.n_done * sizeof *alone.first;
    hold(what, n_columns < 1 || memcmp(alone.first, together.first, n_bytes) == 0);
    hold(what, n_columns < 2 || memcmp(alone.second, together.second, n_bytes) == 0);
    n_batches++;
    n_stopped += together.status != BGR_OK;
}

static void start(void) { alone.n_done = 0, alone.status = BGR_OK; }

static int goes_on(int64_t n, bgr_status status)
{
    alone.status = status;
    alone.n_done += status == BGR_OK;
    return status == BGR_OK && alone.n_done < n;
}

#define ONE_BY_ONE(n, question)                                                                                        \
    for (start(); (n) > 0 && goes_on(n, question);)                                                                    \
    continue

static void ask(const bgr_db *db, int points, const int8_t *mine, const int8_t *theirs, int64_t n)
{
    const int64_t *i = &alone.n_done;
    ONE_BY_ONE(n, bgr_probe_epc(db, points, mine + *i * points, alone.first + *i));
    together.status = bgr_probe_epc_batch(db, points, mine, n, together.first, &together.n_done);
    compare("EPC", n, 1);
    ONE_BY_ONE(n, bgr_probe_rolls(db, points, mine + *i * points, alone.first + *i, alone.second + *i));
    together.status = bgr_probe_rolls_batch(db, points, mine, n, together.first, together.second, &together.n_done);
    compare("rolls", n, 2);
    ONE_BY_ONE(n,
               bgr_probe_win_probability(db, points, mine + *i * points, theirs + *i * points, alone.first + *i, NULL));
    together.status = bgr_probe_win_probability_batch(db, points, mine, theirs, n, together.first, &together.n_done);
    compare("win probability", n, 1);
    static double row[MOST * BGR_MAX_WIDTH], rows[MOST * BGR_MAX_WIDTH];
    ONE_BY_ONE(n, bgr_probe_roll_distribution(db, points, mine + *i * points, width, row + *i * width));
    together.status = bgr_probe_roll_distribution_batch(db, points, mine, n, width, rows, &together.n_done);
    hold("distributions", memcmp(row, rows, (size_t)(together.n_done * width) * sizeof *row) == 0);
    compare("distributions", n, 0);
    static bgr_equities one[MOST], many[MOST];
    ONE_BY_ONE(n, bgr_probe_equities(db, points, mine + *i * points, theirs + *i * points, one + *i));
    together.status = bgr_probe_equities_batch(db, points, mine, theirs, n, many, &together.n_done);
    hold("equities", memcmp(one, many, (size_t)together.n_done * sizeof *one) == 0);
    compare("equities", n, 0);
}

static int8_t *copy_of(const int8_t *counts, int64_t n)
{
    int8_t *copy = malloc((size_t)n + !n);
    hold("memory", copy != NULL);
    memcpy(copy, counts, (size_t)n);
    return copy;
}

static void ask_all(const bgr_db *db, int points, const int8_t *mine, const int8_t *theirs, int64_t n)
{
    int8_t *a = copy_of(mine, n * points), *b = copy_of(theirs, n * points);
    ask(db, points, a, b, n);
    ask(db, points, b, a, n);
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    static const int LENGTHS[] = {0, 1, 2, 3, 255, 256, 257, 511, 512, 513, 1025, MOST};
    static int8_t mine[MOST * 8], theirs[MOST * 8];
    enum { N_LENGTHS = sizeof LENGTHS / sizeof *LENGTHS };
    bgr_db *db;
    bgr_info info = {.size = sizeof info};
    if (argc != 3 || bgr_open(argv[1], BGR_LOAD, &db) != BGR_OK || bgr_file_info(db, 0, &info) != BGR_OK)
        return 2;
    state = strtoull(argv[2], NULL, 10);
    width = info.n_rolls + 1;
    for (int round = 0; round < 6 * N_LENGTHS; round++) {
        int points = round % 3 ? info.points : 1 + below(8), n = LENGTHS[round / 6];
        int pairs = info.two_sided_checkers, most = round % 2 && pairs ? pairs : info.checkers;
        for (int i = 0; i < n; i++) {
            random_position(mine + i * points, points, below(most + 1));
            random_position(theirs + i * points, points, 1 + below(most));
        }
        ask_all(db, points, mine, theirs, n);
        for (int k = 0; n && k < 3; k++) {
            int8_t kept[8], *place = mine + below(n) * points;
            memcpy(kept, place, (size_t)points);
            random_bytes(place, points, most);
            ask_all(db, points, mine, theirs, n);
            memcpy(place, kept, (size_t)points);
        }
        if (n) { /* both sides have borne off everything */
            int at = below(n) * points;
            memset(mine + at, 0, (size_t)points);
            memset(theirs + at, 0, (size_t)points);
            ask_all(db, points, mine, theirs, n);
        }
    }
    for (int points = info.points, place = 0; place < points; place++)
        for (int byte = 0; byte < 256; byte++) {
            memset(mine, 0, sizeof mine);
            memset(theirs, 1, 1);
            for (int i = 0; i < 3; i++) {
                mine[i * points + (place + 1) % points] = 1;
                theirs[i * points] = 1;
            }
            mine[points + place] = (int8_t)byte;
            ask_all(db, points, mine, theirs, 3);
        }
    bgr_close(db);
    printf("%ld %ld\n", n_batches, n_stopped);
    return 0;
}
