/* Shared by all solvers: a status of their own, and how they report progress. */
#pragma once

#include "bgrace.h"

/* Statuses that only solvers return; they follow those of bgrace.h. */
#define BGR_ERR_CLOSED ((bgr_status)BGR_N_STATUS)      /* a play leaves the set of positions */
#define BGR_ERR_WRITE ((bgr_status)(BGR_N_STATUS + 1)) /* the system failed to write */

/* As bgr_strerror, and for these statuses, too. */
const char *bgr_solver_strerror(bgr_status status);

/* Called by the thread that called a solver whenever a `level` is done; done, total: the work that is done, and all
 * work.  A result other than 0 stops the work. */
typedef int (*bgr_progress)(void *context, int level, int64_t done, int64_t total);

/* The threads of a solver, and its progress function.  All zeros: this thread alone, and none. */
typedef struct bgr_work {
    const bgr_parallel *parallel; /* or NULL; results do not depend on it */
    bgr_progress progress;        /* or NULL */
    void *context;                /* for progress */
} bgr_work;

/* Call progress, if there is one; returns whether to stop. */
static inline int bgr_tell(const bgr_work *work, int level, int64_t done, int64_t total)
{
    return work->progress && work->progress(work->context, level, done, total);
}
