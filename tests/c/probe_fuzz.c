/* Damaged files and hostile arguments: probe_fuzz FILE ROUNDS SEED SCRATCH.
 *
 * Each round damages the file in one of several ways, some of which mend the checksum of the directory afterwards, so
 * that the deeper checks are reached.  Whatever is opened is asked everything.  What has to hold: no crash (run this
 * with sanitizers), every answer is a possible value, and a file that was not forged and passes bgr_verify answers as
 * the undamaged one.  Every tenth round the bytes go through a file in SCRATCH too, which must be opened, or refused,
 * alike. */
#include "bgrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTORY = 4096, HEADER = 56, ENTRY = 104, N_QUERIES = 24, POINTS = 24 };

static uint64_t state;

static uint64_t next_random(void) /* splitmix64 */
{
    uint64_t z = state += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

static size_t below(size_t n) { return (size_t)(next_random() % n); }

/* ------------------------------------------------------------------ questions */

typedef struct {
    int points;
    int8_t mine[POINTS], theirs[POINTS];
} query;

typedef struct {
    bgr_status status[6];
    double epc, mean, variance, win, row[BGR_MAX_WIDTH], first[BGR_MAX_WIDTH];
    bgr_method method;
    bgr_equities equities;
} answer;

static query queries[N_QUERIES];
static long n_probes;

static void random_position(int8_t *counts, int points)
{
    memset(counts, 0, POINTS);
    for (size_t k = below(9); k > 0; k--)
        counts[below((size_t)points)]++;
    if (below(6) == 0)
        counts[below(POINTS)] = (int8_t)next_random(); /* hostile, most likely */
    if (below(4) == 0)
        memset(counts, 0, POINTS), counts[below((size_t)points)] = 15;
}

static void make_queries(void)
{
    for (int q = 0; q < N_QUERIES; q++) {
        queries[q].points = below(6) ? 6 : below(6) ? (int)below(25) : (int)next_random();
        int points = queries[q].points;
        random_position(queries[q].mine, points > 0 && points <= POINTS ? points : POINTS);
        random_position(queries[q].theirs, points > 0 && points <= POINTS ? points : POINTS);
    }
}

static void ask(const bgr_db *db, const query *q, answer *a)
{
    memset(a, 0, sizeof *a);
    a->status[0] = bgr_probe_epc(db, q->points, q->mine, &a->epc);
    a->status[1] = bgr_probe_rolls(db, q->points, q->mine, &a->mean, &a->variance);
    a->status[2] = bgr_probe_roll_distribution(db, q->points, q->mine, BGR_MAX_WIDTH, a->row);
    a->status[3] = bgr_probe_first_checker_distribution(db, q->points, q->mine, BGR_MAX_WIDTH, a->first);
    a->status[4] = bgr_probe_win_probability(db, q->points, q->mine, q->theirs, &a->win, &a->method);
    a->status[5] = bgr_probe_equities(db, q->points, q->mine, q->theirs, &a->equities);
    n_probes += 6;
    bgr_equities alone = {0};
    int64_t n_done;
    bgr_status status = bgr_probe_equities_batch(db, q->points, q->mine, q->theirs, 1, &alone, &n_done);
    if (status != a->status[5] || n_done != (status == BGR_OK) || memcmp(&alone, &a->equities, sizeof alone) != 0) {
        puts("another answer in a batch than alone");
        exit(1);
    }
}

static int in_range(double value, double least, double most) { return value >= least && value <= most; }

static int is_possible(const answer *a)
{
    const double *e = &a->equities.cubeless;
    for (int k = 0; k < 8; k++)
        if (!in_range(e[k], -2, 2))
            return 0;
    for (int k = 0; k < BGR_MAX_WIDTH; k++)
        if (!in_range(a->row[k], 0, 1) || !in_range(a->first[k], 0, 1))
            return 0;
    return in_range(a->epc, 0, BGR_MAX_WIDTH * 49 / 6.0) && in_range(a->mean, 0, BGR_MAX_WIDTH) &&
           in_range(a->variance, 0, (double)BGR_MAX_WIDTH * BGR_MAX_WIDTH) && in_range(a->win, 0, 1);
}

/* ------------------------------------------------------------------ damages */

static void put(unsigned char *p, uint64_t value, int n_bytes)
{
    for (int k = 0; k < n_bytes; k++)
        p[k] = (unsigned char)(value >> 8 * k);
}

static uint32_t crc32(const unsigned char *bytes, size_t n) /* bit by bit: not the library's own */
{
    uint32_t c = 0xFFFFFFFFU;
    for (size_t k = 0; k < n; k++) {
        c ^= bytes[k];
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? c >> 1 ^ 0xEDB88320U : c >> 1;
    }
    return ~c;
}

static uint64_t hostile_number(size_t size)
{
    const uint64_t numbers[] = {0,
                                1,
                                2,
                                5,
                                15,
                                16,
                                24,
                                25,
                                255,
                                256,
                                4095,
                                4096,
                                65535,
                                INT32_MAX,
                                UINT32_MAX,
                                INT64_MAX,
                                UINT64_MAX,
                                UINT64_MAX / 8,
                                (uint64_t)1 << 61,
                                size - 1,
                                size,
                                size + 1,
                                size / 2};
    return below(4) ? numbers[below(sizeof numbers / sizeof *numbers)] : next_random();
}

/* Change the bytes, of which there is room for size + 64, and their number.  Whether the directory was forged. */
static int damage(unsigned char *bytes, size_t *size)
{
    size_t n = *size;
    int forge = 0, n_entries = bytes[40];
    switch (below(10)) {
    case 0:
        for (size_t k = 1 + below(8); k > 0; k--)
            bytes[below(n)] ^= (unsigned char)(1U << below(8));
        break;
    case 9: /* no damage at all */
        break;
    case 1: /* cut short */
        *size = below(4) ? below(n) : below(200);
        break;
    case 2: /* or too long */
        *size = n + 1 + below(64);
        memset(bytes + n, (int)below(256), *size - n);
        break;
    case 3: { /* a piece of something else */
        size_t length = 1 + below(n / 4), from = below(n - length), to = below(n - length);
        memmove(bytes + to, bytes + from, length);
        break;
    }
    case 4: { /* values that no table has */
        const uint64_t values[] = {0x7FF8000000000000U, 0x7FF0000000000000U, 0xBFF0000000000000U,
                                   0x4090000000000000U, 0x8000800080008000U, 0x7FFF7FFF7FFF7FFFU};
        for (size_t k = 1 + below(40); k > 0; k--)
            put(bytes + DIRECTORY + below((n - DIRECTORY) / 8 - 1) * 8, values[below(6)], 8);
        break;
    }
    case 5: { /* a number at the head */
        const int places[] = {8, 12, 24, 28, 32, 36, 40};
        put(bytes + places[below(7)], hostile_number(n), 4);
        forge = 1;
        break;
    }
    case 6: { /* a number of an entry */
        const int places[] = {40, 44, 48, 56, 64, 72, 80, 88, 96};
        int place = places[below(9)];
        put(bytes + HEADER + ENTRY * below((size_t)n_entries) + place, hostile_number(n),
            place < 48 || place > 95 ? 4 : 8);
        forge = 1;
        break;
    }
    case 7: { /* entries of another table, or twice the same */
        unsigned char *to = bytes + HEADER + ENTRY * below((size_t)n_entries);
        memcpy(to, bytes + HEADER + ENTRY * below((size_t)n_entries), below(3) ? ENTRY : 40);
        forge = 1;
        break;
    }
    default: /* anything in the directory, mended */
        for (size_t k = 1 + below(4); k > 0; k--)
            bytes[below(HEADER + ENTRY * (size_t)n_entries)] = (unsigned char)next_random();
        forge = 1;
    }
    if (forge && below(8)) {
        put(bytes + 48, 0, 4);
        put(bytes + 48, crc32(bytes, DIRECTORY), 4);
    }
    return forge;
}

/* ------------------------------------------------------------------ rounds */

static int through_a_file(const char *path, const unsigned char *bytes, size_t size, bgr_status wanted)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        return 0;
    for (int access = BGR_MAP; access <= BGR_READ; access++) {
        bgr_db *db;
        answer a;
        if (bgr_open(path, (bgr_access)access, &db) != wanted || (wanted == BGR_OK) != (db != NULL))
            return 0;
        for (int q = 0; db && q < N_QUERIES; q += 5)
            ask(db, &queries[q], &a);
        bgr_close(db);
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    state = strtoull(argv[3], NULL, 10);
    long rounds = atol(argv[2]), n_opened = 0, n_sound = 0;
    FILE *file = fopen(argv[1], "rb");
    static unsigned char whole[1 << 22];
    size_t size = file ? fread(whole, 1, sizeof whole, file) : 0;
    if (!file || size < DIRECTORY || size == sizeof whole)
        return 2;
    fclose(file);
    answer expected[N_QUERIES], found;
    bgr_db *db;
    for (long round = 0; round < rounds; round++) {
        if (round % 1000 == 0) {
            make_queries();
            if (bgr_open_memory(whole, size, &db) != BGR_OK || bgr_verify(db) != BGR_OK)
                return 2;
            for (int q = 0; q < N_QUERIES; q++)
                ask(db, &queries[q], &expected[q]);
            bgr_close(db);
        }
        unsigned char *room = malloc(size + 64);
        if (!room)
            return 2;
        memcpy(room, whole, size);
        size_t length = size;
        int forged = damage(room, &length);
        unsigned char *bytes = malloc(length ? length : 1); /* no byte more, so that reading beyond is caught */
        if (!bytes)
            return 2;
        memcpy(bytes, room, length);
        free(room);
        bgr_status status = bgr_open_memory(bytes, length, &db);
        if (status <= BGR_OK ? status < BGR_OK : status >= BGR_N_STATUS || db != NULL) {
            printf("round %ld: status %d\n", round, (int)status);
            return 1;
        }
        if (status == BGR_OK) {
            n_opened++;
            int sound = !forged && bgr_verify(db) == BGR_OK;
            n_sound += sound;
            for (int q = 0; q < N_QUERIES; q++) {
                ask(db, &queries[q], &found);
                if (!is_possible(&found) || (sound && memcmp(&found, &expected[q], sizeof found) != 0)) {
                    printf("round %ld, query %d: a wrong answer\n", round, q);
                    return 1;
                }
            }
            bgr_close(db);
        }
        if (round % 10 == 0 && !through_a_file(argv[4], bytes, length, status)) {
            printf("round %ld: another answer through a file than through memory\n", round);
            return 1;
        }
        free(bytes);
    }
    printf("%ld rounds, %ld opened, %ld of them sound, %ld probes\n", rounds, n_opened, n_sound, n_probes);
    return 0;
}
