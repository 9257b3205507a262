/* Threads that ask one database at the same time must get the answers of a single thread: probe_threads FILE.  While a
 * reader fails or lies now and then, they may get a status instead. */
#include "bgrace.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 6, N_QUERIES = 512, N_THREADS = 8, BY_READER = BGR_READ + 1 };

typedef struct {
    double epc, win, row[BGR_MAX_WIDTH];
    bgr_equities equities;
    bgr_status status[4];
} answer;

static const bgr_db *db;
static int8_t mine[N_QUERIES * POINTS], theirs[N_QUERIES * POINTS];
static answer expected[N_QUERIES];
static int lies;
static long n_reads;

static void ask(int i, answer *a)
{
    const int8_t *x = mine + i * POINTS, *y = theirs + i * POINTS;
    memset(a, 0, sizeof *a);
    a->status[0] = bgr_probe_epc(db, POINTS, x, &a->epc);
    a->status[1] = bgr_probe_win_probability(db, POINTS, x, y, &a->win, NULL);
    a->status[2] = bgr_probe_roll_distribution(db, POINTS, x, BGR_MAX_WIDTH, a->row);
    a->status[3] = bgr_probe_equities(db, POINTS, x, y, &a->equities);
}

static void *work(void *argument)
{
    int start = *(int *)argument;
    intptr_t wrong = 0;
    for (int k = 0; k < N_QUERIES; k++) {
        answer a;
        int i = (start + k) % N_QUERIES;
        ask(i, &a);
        int refused = 0;
        for (int s = 0; s < 4; s++)
            refused |= a.status[s] == BGR_ERR_READ || a.status[s] == BGR_ERR_DAMAGED;
        wrong += refused ? !lies : memcmp(&a, &expected[i], sizeof a) != 0;
    }
    return (void *)wrong;
}

static int read_ranges(void *context, const bgr_range *ranges, int n)
{
    for (int k = 0; k < n; k++)
        memcpy(ranges[k].bytes, (const char *)context + ranges[k].offset, ranges[k].size);
    long call = __atomic_add_fetch(&n_reads, lies, __ATOMIC_RELAXED);
    *(char *)ranges[n - 1].bytes ^= call % 5 == 4;
    return call % 7 == 6;
}

/* Open a packed file with a reader of memory. */
static bgr_status open_by_reader(const char *path, bgr_db **opened)
{
    enum { MOST = 1 << 26 };
    static char bytes[MOST];
    FILE *file = fopen(path, "rb");
    if (!file)
        return BGR_ERR_OPEN;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    const bgr_reader reader = {sizeof reader, size, read_ranges, bytes, 1 << 18};
    return bgr_open_reader(&reader, opened);
}

int main(int argc, char **argv)
{
    bgr_space space;
    intptr_t wrong = 0;
    bgr_db *opened;
    if (argc != 2 || bgr_space_init(POINTS, BGR_MAX_CHECKERS, &space) != BGR_OK)
        return 2;
    for (int i = 0; i < N_QUERIES; i++) {
        bgr_position(&space, i * 7919 % 2000 + i % 2 * (i * 104729 % (int)space.size / 2), mine + i * POINTS);
        bgr_position(&space, i * 6007 % 900, theirs + i * POINTS);
    }
    for (int access = BGR_MAP; access <= BY_READER; access++) {
        bgr_status status =
            access == BY_READER ? open_by_reader(argv[1], &opened) : bgr_open(argv[1], (bgr_access)access, &opened);
        if (access == BY_READER && status == BGR_ERR_VERSION) /* the file is plain */
            break;
        if (status != BGR_OK)
            return 2;
        db = opened;
        for (int i = 0; i < N_QUERIES; i++)
            ask(i, &expected[i]);
        lies = access == BY_READER;
        pthread_t threads[N_THREADS];
        int start[N_THREADS];
        for (int t = 0; t < N_THREADS; t++) {
            start[t] = t * N_QUERIES / N_THREADS;
            if (pthread_create(&threads[t], NULL, work, &start[t]) != 0)
                return 2;
        }
        for (int t = 0; t < N_THREADS; t++) {
            void *found;
            pthread_join(threads[t], &found);
            wrong += (intptr_t)found;
        }
        bgr_close(opened);
    }
    printf("%ld wrong\n", (long)wrong);
    return wrong != 0;
}
