/* Shared by all solvers: a status of their own, and how they report progress. */
#pragma once

#include "bgrace.h"

/* Statuses that only solvers return; they follow those of bgrace.h. */
#define BGR_ERR_CLOSED ((bgr_status)BGR_N_STATUS)      /* a set of positions that some play leaves */
#define BGR_ERR_WRITE ((bgr_status)(BGR_N_STATUS + 1)) /* the system refused to write */

/* bgr_strerror for these too. */
const char *bgr_solver_strerror(bgr_status status);

/* Called from the thread that called a solver whenever a `level` of the work is done, with how much has been done and
 * how much there is; a return value other than 0 stops the work. */
typedef int (*bgr_progress)(void *context, int level, int64_t done, int64_t total);

/* Who does the work of a solver, and who listens to it.  All zeros: this thread alone, and nobody. */
typedef struct bgr_work {
    const bgr_parallel *parallel; /* or NULL; no result depends on it */
    bgr_progress progress;        /* or NULL */
    void *context;                /* for progress */
} bgr_work;

/* Tell the one who listens; whether to stop. */
static inline int bgr_tell(const bgr_work *work, int level, int64_t done, int64_t total)
{
    return work->progress && work->progress(work->context, level, done, total);
}
