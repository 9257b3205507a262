/* Tasks of a caller's workers, each of which may fail. */
#ifndef BGR_WORKERS_H
#define BGR_WORKERS_H

#include "bgrace.h"

#include <stdlib.h>

/* Task k of a worker, a number below bgr_n_workers. */
typedef bgr_status (*bgr_task)(void *of, int64_t k, int worker);

typedef struct bgr_task_list {
    bgr_task task;
    void *of;
    bgr_status *statuses; /* by worker */
} bgr_task_list;

static inline int bgr_n_workers(const bgr_parallel *parallel) { return parallel ? parallel->n_workers : 1; }

static inline void bgr_run_task(void *list, int64_t k, int worker)
{
    const bgr_task_list *tasks = list;
    if (tasks->statuses[worker] == BGR_OK)
        tasks->statuses[worker] = tasks->task(tasks->of, k, worker);
}

/* Run tasks 0 .. n - 1, on the calling thread if `parallel` is NULL.  A worker whose task failed does no other; the
 * status is that of the first worker with such a task.  BGR_ERR_MEMORY. */
static inline bgr_status bgr_run_tasks(const bgr_parallel *parallel, int64_t n, bgr_task task, void *of)
{
    int n_workers = bgr_n_workers(parallel);
    bgr_task_list tasks = {task, of, calloc((size_t)n_workers, sizeof *tasks.statuses)};
    if (!tasks.statuses)
        return BGR_ERR_MEMORY;
    if (parallel)
        parallel->run(parallel->context, n, bgr_run_task, &tasks);
    for (int64_t k = 0; !parallel && k < n; k++)
        bgr_run_task(&tasks, k, 0);
    bgr_status status = BGR_OK;
    for (int worker = 0; worker < n_workers && status == BGR_OK; worker++)
        status = tasks.statuses[worker];
    free(tasks.statuses);
    return status;
}

#endif
