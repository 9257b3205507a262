/* A lock for a few instructions at a time, whether or not there are threads of ours: others may call from theirs. */
#ifndef BGR_LOCK_H
#define BGR_LOCK_H

#if defined(_MSC_VER)
#include <intrin.h>
#endif

/* 0: free. */
typedef struct bgr_lock {
    volatile long taken;
} bgr_lock;

/* Take it if nobody has it; whether it is taken by this call. */
static inline int bgr_lock_try(bgr_lock *lock)
{
#if defined(_MSC_VER)
    return _InterlockedExchange(&lock->taken, 1) == 0;
#else
    return __atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE) == 0;
#endif
}

static inline void bgr_lock_take(bgr_lock *lock)
{
    while (!bgr_lock_try(lock)) {
    }
}

static inline void bgr_lock_release(bgr_lock *lock)
{
#if defined(_MSC_VER)
    _InterlockedExchange(&lock->taken, 0);
#else
    __atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
#endif
}

#endif
