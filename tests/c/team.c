/* Run bgr_loop on 1 to 9 threads, also in a forked process: every element must be done once, no worker may do two
 * pieces at the same time, and the loop must return the bits of its pieces.  The exit status is 1 if something is
 * wrong. */
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 5000, MOST = 9 };

typedef struct {
    unsigned char times[N];
    int64_t busy[MOST];
    int64_t before; /* written by the caller, read by all workers */
    int n_threads;
    int64_t wrong;
} work;

static int piece(void *of, int64_t first, int64_t past, int worker)
{
    work *w = of;
    int wrong = worker < 0 || worker >= w->n_threads || bgr_add(&w->busy[worker], 1) != 0 || w->before != N;
    for (int64_t k = first; k < past; k++)
        w->times[k]++;
    bgr_add(&w->busy[worker], -1);
    if (wrong)
        bgr_write(&w->wrong, 1);
    return first <= 17 && 17 < past ? 8 : 0;
}

static int loops(void)
{
    static const int64_t sizes[] = {1, 7, 64, N, 2 * N};
    for (int n_threads = 1; n_threads <= MOST; n_threads++) {
        bgr_parallel threads;
        const bgr_parallel *parallel = bgr_threads_begin(&threads, n_threads);
        for (int round = 0; round < 10; round++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                work w = {.before = N, .n_threads = n_threads};
                int found = bgr_loop(parallel, 0, N, sizes[s], piece, &w);
                if (found != 8 || w.wrong || bgr_loop(parallel, 0, 0, 1, piece, &w) != 0)
                    return 0;
                for (int k = 0; k < N; k++)
                    if (w.times[k] != 1)
                        return 0;
            }
        bgr_threads_end(&threads);
    }
    return 1;
}

int main(void)
{
    int status;
    if (!loops())
        return 1;
    pid_t child = fork();
    if (child == 0)
        _exit(!loops());
    return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}
