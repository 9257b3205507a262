/* Locks, which sleep while they wait, and counts of holders: whether or not there are threads of ours, others may call
 * from theirs. */
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
    char unused; /* there is one thread */
} bgr_lock;
#else
#include <pthread.h>
typedef struct bgr_lock {
    pthread_mutex_t mutex;
} bgr_lock;
#endif

/* 0: the system has no memory for it. */
int bgr_lock_init(bgr_lock *lock);
void bgr_lock_free(bgr_lock *lock);
void bgr_lock_take(bgr_lock *lock);
void bgr_lock_release(bgr_lock *lock);

/* How many hold an object.  It begins with 1, and goes with the last one. */
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

/* Whether it was the last one. */
static inline int bgr_let_go(bgr_holders *holders)
{
#if defined(_MSC_VER)
    return _InterlockedDecrement(&holders->n) == 0;
#else
    return __atomic_sub_fetch(&holders->n, 1, __ATOMIC_ACQ_REL) == 0;
#endif
}
