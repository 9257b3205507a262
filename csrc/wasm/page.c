/* Functions for bgrace/embed/js/engine.js alone, beside those of the public headers, which it calls directly
 * (page_interface of scripts/kernel_interfaces.py).  malloc and free are exported, too.  Positions are BGR_MAX_POINTS
 * int8_t counts. */

#if defined(__wasm__)

#include "answer/answer.h"
#include "answer/counts.h"
#include "base/plays.h"
#include "turns/race_solver.h"

#include <math.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

void *EXPORT(page_malloc)(size_t n) { return malloc(n); }
void EXPORT(page_free)(void *memory) { free(memory); }

/* The index of a position; -1 if it is not one. */
double EXPORT(page_index)(int points, int checkers, const int8_t *counts)
{
    bgr_space space;
    int64_t index;
    if (bgr_space_init(points, checkers, &space) != BGR_OK || bgr_index(&space, counts, &index) != BGR_OK)
        return -1;
    return (double)index;
}

int EXPORT(page_solver_new)(bgr_solver **solver) { return bgr_solver_begin(solver); }

/* ------------------------------------------------------------------ a pair */

/* Report progress, 0 to 1, to the page; a result other than 0 stops the work. */
__attribute__((import_module("page"), import_name("progress"))) int page_progress(double done);

static int tell(void *context, double done)
{
    (void)context;
    return page_progress(done);
}

int EXPORT(page_ask)(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                     bgr_solve_options *options, bgr_answer **answer)
{
    options->progress = tell;
    return bgr_ask(solver, BGR_MAX_POINTS, on_roll, opponent, stakes, options, answer);
}

/* A value in points per unit of the cube; if winning and losing are worth the same at this score, the value itself,
 * which still ranks plays. */
double EXPORT(page_rank)(const bgr_answer *answer, double value)
{
    const bgr_planes *planes = bgr_answer_planes(answer);
    double equity = bgr_answer_normalised(answer, value);
    return isnan(equity) ? (2 * value - planes->won - planes->lost) / 2 : equity;
}

int EXPORT(page_max_plays)(void) { return BGR_MAX_PLAYS; }

/* ------------------------------------------------------------------ players' counts */

int EXPORT(page_n_counts)(void) { return BGR_N_COUNTS; }
const char *EXPORT(page_count_name)(int count) { return bgr_count_name(count); }
const char *EXPORT(page_count_problem)(int count) { return bgr_count_problem(count); }
const char *EXPORT(page_culprit_name)(int term) { return bgr_culprit_name(term); }

/* truth: the numbers of a bgr_count_truth; out [out] 43 for each count: the numbers of a bgr_judged_count. */
void EXPORT(page_counts)(const int8_t *on_roll, const int8_t *opponent, const double *truth, double *out)
{
    _Static_assert(sizeof(bgr_judged_count) == 43 * sizeof *out, "as the page reads it");
    bgr_judge_counts(on_roll, opponent, (const bgr_count_truth *)truth, (bgr_judged_count *)out);
}

/* ------------------------------------------------------------------ databases */

/* Ask the page for ranges: it copies those that it has and notes the others; a result other than 0: some are missing.
 */
__attribute__((import_module("page"), import_name("read"))) int page_read(const bgr_range *ranges, int n);

static int read_ranges(void *context, const bgr_range *ranges, int n)
{
    (void)context;
    return page_read(ranges, n);
}

/* Open a file whose ranges the page reads. */
int EXPORT(page_open_ranges)(double file_size, bgr_db **db)
{
    const bgr_reader reader = {sizeof reader, (uint64_t)file_size, read_ranges, NULL, 4 << 20};
    return bgr_open_reader(&reader, db);
}

#else
typedef int bgr_no_page_asks; /* ISO C forbids an empty file */
#endif
