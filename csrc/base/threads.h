/* Loops whose pieces are shared out to threads: of the caller, see bgr_parallel of bgrace.h, or of the library.
 *
 *     static int square(void *of, int64_t first, int64_t past, int worker) ... elements first .. past - 1; return 0
 *
 *     bgr_parallel threads;
 *     const bgr_parallel *parallel = bgr_threads_begin(&threads, n_threads);
 *     int returned = bgr_loop(parallel, 0, n, 64, square, &what_square_needs);
 *     bgr_threads_end(&threads);
 *
 * Threads of the library end with the call that starts them, so a process may fork between calls, and calls from
 * several threads share nothing.  They start with the first loop that has a piece for them, some 20 microseconds each;
 * between loops they spin a little, and then sleep.  A loop ends when its pieces are done, and doesn't wait for threads
 * that have not yet woken up.
 *
 * The library has threads if BGR_THREADS is defined, as by setup.py.  Without it, as in the library for engines and in
 * WebAssembly, threads are the caller's, or there is only one. */
#pragma once

#include "bgrace.h"

#include <stddef.h>

#ifdef _MSC_VER
#include <intrin.h>
#endif

/* Add to a number atomically; returns the old value. */
static inline int64_t bgr_add(int64_t *number, int64_t by)
{
#ifdef _MSC_VER
    return _InterlockedExchangeAdd64(number, by);
#else
    return __atomic_fetch_add(number, by, __ATOMIC_RELAXED);
#endif
}

/* Read, and write, a number atomically. */
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

/* Work on elements first .. past - 1; returns 0, or the value that the loop is to return.  worker: below bgr_n_workers;
 * two pieces never run at once with the same number, so working memory may be kept by worker. */
typedef int (*bgr_piece)(void *of, int64_t first, int64_t past, int worker);

typedef struct bgr_pieces {
    bgr_piece body;
    void *of;
    int64_t first, past, size;
    int64_t returned; /* a result of a piece other than 0, if any */
} bgr_pieces;

static inline void bgr_run_piece(void *of, int64_t k, int worker)
{
    bgr_pieces *pieces = of;
    int64_t first = pieces->first + k * pieces->size, left = pieces->past - first;
    int returned = pieces->body(pieces->of, first, first + (left < pieces->size ? left : pieces->size), worker);
    if (returned)
        bgr_write(&pieces->returned, returned);
}

/* Call body for elements first .. past - 1, `size` of them (at least 1) to a piece, in any order; returns when all are
 * done, 0 or a result of a piece other than 0.  parallel: NULL for this thread alone, which also runs loops of one
 * piece.  Not from within a loop of the same workers. */
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

/* Work on one element, without working memory. */
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

/* Run bgr_loop for such work. */
static inline void bgr_each(const bgr_parallel *parallel, int64_t first, int64_t past, int64_t size, bgr_element one,
                            void *of)
{
    bgr_elements elements = {one, of};
    (void)bgr_loop(parallel, first, past, size, bgr_each_of_piece, &elements);
}

/* ------------------------------------------------------------------ threads of the library */

#ifdef BGR_THREADS

/* Make workers for loops until bgr_threads_end, which must be called in any case.  n_threads: at least 1, with the
 * calling thread, which is worker 0.  Returns NULL, for this thread alone, if n_threads is 1 or memory is out; if the
 * system refuses threads, there are fewer. */
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

/* Run bgr_each over elements 0 .. n - 1 with threads for this loop alone. */
static inline void bgr_run(int n_threads, int64_t n, int64_t size, bgr_element one, void *of)
{
    bgr_parallel threads;
    bgr_each(bgr_threads_begin(&threads, n_threads), 0, n, size, one, of);
    bgr_threads_end(&threads);
}
