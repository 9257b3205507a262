/* A thread that waits for a lock must sleep, and so take hardly any processor time.  The exit status is 1 if it does
 * not. */
#include "base/lock.h"

#include <pthread.h>
#include <time.h>

static bgr_lock lock;

static void *wait_for_it(void *seconds)
{
    struct timespec took;
    bgr_lock_take(&lock);
    bgr_lock_release(&lock);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &took);
    *(double *)seconds = (double)took.tv_sec + 1e-9 * (double)took.tv_nsec;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    double seconds = 1;
    if (!bgr_lock_init(&lock))
        return 1;
    bgr_lock_take(&lock);
    if (pthread_create(&thread, NULL, wait_for_it, &seconds))
        return 1;
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    bgr_lock_release(&lock);
    pthread_join(thread, NULL);
    bgr_lock_free(&lock);
    return seconds > 0.05;
}
