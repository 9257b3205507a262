/* Loops whose pieces go to several threads.
 *
 * A team is made by a solver for one call, runs as many loops as the call has, and ends with it:
 *
 *     static int square(void *of, int64_t first, int64_t past, int worker) ... elements first .. past - 1; return 0
 *
 *     bgr_team *team = bgr_team_new(n_threads);
 *     int found = bgr_team_run(team, n, 64, square, &what_square_needs);
 *     bgr_team_free(team);
 *
 * Nothing outlives the call, so a process may fork whenever it likes and calls of several threads have nothing in
 * common.  Threads start with the first loop that has a piece for them, some 20 microseconds each; between loops they
 * look for the next one a little, and sleep.  A loop ends when its pieces are done, and doesn't wait for threads that
 * have not yet woken up.
 *
 * Threads are there if BGR_THREADS is defined, as setup.py does.  Without it, as in the library for engines and in
 * WebAssembly, the same calls work on the thread that makes them, and need no other file. */
#ifndef BGR_THREADS_H
#define BGR_THREADS_H

#include <stddef.h>
#include <stdint.h>

/* The work on elements first .. past - 1.  No two pieces run as the same worker, a number from 0 to n_threads - 1, at
 * once: memory for one of them alone is kept by worker.  The loop returns the | of the values of all pieces. */
typedef int (*bgr_piece)(void *of, int64_t first, int64_t past, int worker);

typedef struct bgr_team bgr_team;

#ifdef BGR_THREADS

#ifdef _MSC_VER
#include <intrin.h>
#endif

/* n_threads: at least 1, the calling thread, which is worker 0, included.  NULL, which works alone, if that is 1 or if
 * there is no memory; if the system refuses threads, the team has fewer. */
bgr_team *bgr_team_new(int n_threads);
void bgr_team_free(bgr_team *team); /* NULL is allowed */

/* Call body for elements first .. past - 1, `size` of them (at least 1) to a piece, in any order, and return when all
 * is done. team: NULL works alone.  A loop of one piece wakes nobody.  Not from within a loop of the same team. */
int bgr_team_range(bgr_team *team, int64_t first, int64_t past, int64_t size, bgr_piece body, void *of);

/* Add to a number that others add to as well, and give what it was. */
static inline int64_t bgr_add(int64_t *number, int64_t by)
{
#ifdef _MSC_VER
    return _InterlockedExchangeAdd64(number, by);
#else
    return __atomic_fetch_add(number, by, __ATOMIC_RELAXED);
#endif
}

/* A number that others read and write as well, each time as a whole. */
static inline int64_t bgr_read(int64_t *number)
{
#ifdef _MSC_VER
    return _InterlockedCompareExchange64(number, 0, 0);
#else
    return __atomic_load_n(number, __ATOMIC_RELAXED);
#endif
}

static inline void bgr_write(int64_t *number, int64_t value)
{
#ifdef _MSC_VER
    _InterlockedExchange64(number, value);
#else
    __atomic_store_n(number, value, __ATOMIC_RELAXED);
#endif
}

#else

static inline bgr_team *bgr_team_new(int n_threads)
{
    (void)n_threads;
    return NULL;
}

static inline void bgr_team_free(bgr_team *team) { (void)team; }

static inline int bgr_team_range(bgr_team *team, int64_t first, int64_t past, int64_t size, bgr_piece body, void *of)
{
    (void)team;
    (void)size;
    return first < past ? body(of, first, past, 0) : 0;
}

static inline int64_t bgr_add(int64_t *number, int64_t by)
{
    int64_t before = *number;
    *number += by;
    return before;
}

static inline int64_t bgr_read(const int64_t *number) { return *number; }

static inline void bgr_write(int64_t *number, int64_t value) { *number = value; }

#endif

/* Elements 0 .. n - 1. */
static inline int bgr_team_run(bgr_team *team, int64_t n, int64_t size, bgr_piece body, void *of)
{
    return bgr_team_range(team, 0, n, size, body, of);
}

/* The same by a team for this loop alone. */
static inline int bgr_run(int n_threads, int64_t n, int64_t size, bgr_piece body, void *of)
{
    bgr_team *team = bgr_team_new(n_threads);
    int bits = bgr_team_run(team, n, size, body, of);
    bgr_team_free(team);
    return bits;
}

#endif
