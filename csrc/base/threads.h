/* Loops whose pieces go to several threads: those of a caller, as bgrace.h has them, or some of our own.
 *
 *     static int square(void *of, int64_t first, int64_t past, int worker) ... elements first .. past - 1; return 0
 *
 *     bgr_parallel threads;
 *     const bgr_parallel *parallel = bgr_threads_begin(&threads, n_threads);
 *     int returned = bgr_loop(parallel, 0, n, 64, square, &what_square_needs);
 *     bgr_threads_end(&threads);
 *
 * Our own threads end with the call that begins them, so a process may fork whenever it likes and calls of several
 * threads have nothing in common.  They start with the first loop that has a piece for them, some 20 microseconds each;
 * between loops they look for the next one a little, and sleep.  A loop ends when its pieces are done, and doesn't wait
 * for threads that have not yet woken up.
 *
 * There are some of our own if BGR_THREADS is defined, as setup.py does.  Without it, as in the library for engines and
 * in WebAssembly, threads are the caller's, or there is one. */
#pragma once

#include "bgrace.h"

#include <stddef.h>

#ifdef _MSC_VER
#include <intrin.h>
#endif

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

/* ------------------------------------------------------------------ loops */

static inline int bgr_n_workers(const bgr_parallel *parallel) { return parallel ? parallel->n_workers : 1; }

/* The work on elements first .. past - 1; 0, or what the loop is to return.  No two pieces run as the same worker, a
 * number below bgr_n_workers, at once: memory for one of them alone is kept by worker. */
typedef int (*bgr_piece)(void *of, int64_t first, int64_t past, int worker);

typedef struct bgr_pieces {
    bgr_piece body;
    void *of;
    int64_t first, past, size;
    int64_t returned; /* what one of the pieces returned, if it was not 0 */
} bgr_pieces;

static inline void bgr_run_piece(void *of, int64_t k, int worker)
{
    bgr_pieces *pieces = of;
    int64_t first = pieces->first + k * pieces->size, left = pieces->past - first;
    int returned = pieces->body(pieces->of, first, first + (left < pieces->size ? left : pieces->size), worker);
    if (returned)
        bgr_write(&pieces->returned, returned);
}

/* Call body for elements first .. past - 1, `size` of them (at least 1) to a piece, in any order, and return when all
 * is done: 0, or what one of the pieces returned that was not 0.  parallel: NULL works on this thread, as a loop of one
 * piece does.  Not from within a loop of the same workers. */
static inline int bgr_loop(const bgr_parallel *parallel, int64_t first, int64_t past, int64_t size, bgr_piece body,
                           void *of)
{
    if (first >= past)
        return 0;
    if (!parallel || past - first <= size)
        return body(of, first, past, 0);
    bgr_pieces pieces = {body, of, first, past, size, 0};
    parallel->run(parallel->context, (past - first - 1) / size + 1, bgr_run_piece, &pieces);
    return (int)bgr_read(&pieces.returned);
}

/* The work on an element that needs no memory of its own. */
typedef void (*bgr_element)(void *of, int64_t k);

typedef struct bgr_elements {
    bgr_element one;
    void *of;
} bgr_elements;

static inline int bgr_each_of_piece(void *of, int64_t first, int64_t past, int worker)
{
    const bgr_elements *elements = of;
    (void)worker;
    for (int64_t k = first; k < past; k++)
        elements->one(elements->of, k);
    return 0;
}

/* bgr_loop for such work. */
static inline void bgr_each(const bgr_parallel *parallel, int64_t first, int64_t past, int64_t size, bgr_element one,
                            void *of)
{
    bgr_elements elements = {one, of};
    (void)bgr_loop(parallel, first, past, size, bgr_each_of_piece, &elements);
}

/* ------------------------------------------------------------------ threads of our own */

#ifdef BGR_THREADS

/* Workers for loops until bgr_threads_end, which must be called in any case.  n_threads: at least 1, the calling
 * thread, which is worker 0, included.  NULL, which works alone, if that is 1 or if there is no memory; if the system
 * refuses threads, there are fewer. */
const bgr_parallel *bgr_threads_begin(bgr_parallel *threads, int n_threads);
void bgr_threads_end(bgr_parallel *threads);

#else

static inline const bgr_parallel *bgr_threads_begin(bgr_parallel *threads, int n_threads)
{
    (void)threads, (void)n_threads;
    return NULL;
}

static inline void bgr_threads_end(bgr_parallel *threads) { (void)threads; }

#endif

/* A loop of bgr_each over elements 0 .. n - 1 by threads for it alone. */
static inline void bgr_run(int n_threads, int64_t n, int64_t size, bgr_element one, void *of)
{
    bgr_parallel threads;
    bgr_each(bgr_threads_begin(&threads, n_threads), 0, n, size, one, of);
    bgr_threads_end(&threads);
}
