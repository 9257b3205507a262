/* Locks of the system. */

#include "base/system.h"

#ifdef _WIN32
#include <windows.h>
#endif

#include "base/lock.h"

#if defined(_WIN32)

int bgr_lock_init(bgr_lock *lock) { return InitializeSRWLock((SRWLOCK *)&lock->word), 1; }
void bgr_lock_free(bgr_lock *lock) { (void)lock; }
void bgr_lock_take(bgr_lock *lock) { AcquireSRWLockExclusive((SRWLOCK *)&lock->word); }
void bgr_lock_release(bgr_lock *lock) { ReleaseSRWLockExclusive((SRWLOCK *)&lock->word); }

#elif defined(__wasm__)

int bgr_lock_init(bgr_lock *lock) { return (void)lock, 1; }
void bgr_lock_free(bgr_lock *lock) { (void)lock; }
void bgr_lock_take(bgr_lock *lock) { (void)lock; }
void bgr_lock_release(bgr_lock *lock) { (void)lock; }

#else

int bgr_lock_init(bgr_lock *lock) { return pthread_mutex_init(&lock->mutex, NULL) == 0; }
void bgr_lock_free(bgr_lock *lock) { pthread_mutex_destroy(&lock->mutex); }
void bgr_lock_take(bgr_lock *lock) { pthread_mutex_lock(&lock->mutex); }
void bgr_lock_release(bgr_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

#endif
