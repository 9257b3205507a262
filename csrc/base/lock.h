/* Locks, which sleep while they wait, and counts of holders.  They are needed even without threads of the library,
 * since callers may have threads. */
#pragma once

#if defined(_MSC_VER)
#include <intrin.h>
#endif

#if defined(_WIN32)
typedef struct bgr_lock {
    void *word; /* an SRWLOCK */
} bgr_lock;
#elif defined(__wasm__)
typedef struct bgr_lock {
    char unused; /* there is only one thread */
} bgr_lock;
#else
#include <pthread.h>
typedef struct bgr_lock {
    pthread_mutex_t mutex;
} bgr_lock;
#endif

/* Returns 0 if the system is out of memory. */
int bgr_lock_init(bgr_lock *lock);
void bgr_lock_free(bgr_lock *lock);
void bgr_lock_take(bgr_lock *lock);
void bgr_lock_release(bgr_lock *lock);

/* The number of holders of an object: 1 at first; the last one frees the object. */
typedef struct bgr_holders {
    volatile long n;
} bgr_holders;

static inline void bgr_hold(bgr_holders *holders)
{
#if defined(_MSC_VER)
    _InterlockedIncrement(&holders->n);
#else
    __atomic_add_fetch(&holders->n, 1, __ATOMIC_RELAXED);
#endif
}

/* Remove a holder; returns 1 if it was the last one. */
static inline int bgr_let_go(bgr_holders *holders)
{
#if defined(_MSC_VER)
    return _InterlockedDecrement(&holders->n) == 0;
#else
    return __atomic_sub_fetch(&holders->n, 1, __ATOMIC_ACQ_REL) == 0;
#endif
}
