/* Questions, read, and the solvers and tables that they are answered with. */

#include "turns/question.h"

#include "base/memory.h"
#include "base/position.h"
#include "base/sized.h"
#include "base/try.h"
#include "base/tuning.h"
#include "probe/open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_seconds = 1;
static const int64_t default_memory = (int64_t)1 << 30;

bgr_status bgr_question_position(int points, const int8_t *from, int8_t *counts)
{
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    if (bgr_checked_checkers(points, from) < 0)
        return BGR_ERR_POSITION;
    memset(counts, 0, BGR_MAX_POINTS);
    memcpy(counts, from, (size_t)points);
    return BGR_OK;
}

static bgr_status read_options(const bgr_solve_options *options, bgr_solve_options *read)
{
    memset(read, 0, sizeof *read);
    if (options)
        BGR_TRY(bgr_take_sized(options, read, sizeof *read));
    if (!(read->seconds >= 0) || isinf(read->seconds) || read->memory_bytes < 0 ||
        !(read->exactness >= 0 || read->exactness == BGR_BEST_BY_MEAN) ||
        (read->parallel && (!read->parallel->run || read->parallel->n_workers < 1)))
        return BGR_ERR_SIZE;
    if (read->seconds == 0)
        read->seconds = default_seconds;
    if (read->memory_bytes == 0)
        read->memory_bytes = default_memory;
    return BGR_OK;
}

/* Listens for another thread, and for the engine's own progress. */
static int tell_or_stop(void *context, double done)
{
    const bgr_question *q = context;
#ifdef __GNUC__
    int stop = __atomic_load_n(q->options.stop, __ATOMIC_RELAXED);
#else
    int stop = *q->options.stop;
#endif
    return stop || (q->asked_progress && q->asked_progress(q->asked_context, done));
}

bgr_status bgr_question_planes(bgr_question *q)
{
    static const unsigned to_lose[2][BGR_N_LOSSES] = {
        {0, 1u << BGR_GAMMON_SECOND, 1u << BGR_GAMMON_SECOND | 1u << BGR_BACKGAMMON_SECOND},
        {0, 1u << BGR_GAMMON_FIRST, 1u << BGR_GAMMON_FIRST | 1u << BGR_BACKGAMMON_FIRST}};
    q->pairs.followers = to_lose[0][q->loses[0]] | to_lose[1][q->loses[1]];
    return bgr_planes_of_stakes(&q->stakes, bgr_worst_loss(q), &q->planes);
}

bgr_status bgr_question_read(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                             const bgr_solve_options *options, bgr_question *q)
{
    BGR_TRY(read_options(options, &q->options));
    BGR_TRY(bgr_stakes_read(stakes, &q->stakes));
    if (q->options.stop) {
        q->asked_progress = q->options.progress;
        q->asked_context = q->options.progress_context;
        q->options.progress = tell_or_stop;
        q->options.progress_context = q;
        if (tell_or_stop(q, 0))
            return BGR_ERR_STOPPED;
    }
    BGR_TRY(bgr_question_position(points, on_roll, q->counts[0]));
    BGR_TRY(bgr_question_position(points, opponent, q->counts[1]));
    int mine = bgr_question_highest(q->counts[0]), theirs = bgr_question_highest(q->counts[1]);
    if (q->may_be_over ? !mine && !theirs : !mine || !theirs)
        return BGR_ERR_POSITION;
    if (mine + theirs > BGR_MAX_POINTS)
        return BGR_ERR_CONTACT;
    for (int side = 0; side < 2; side++)
        q->loses[side] = bgr_loss_of(q->counts[side]);
    q->pairs.planes = &q->planes;
    q->pairs.parallel = q->options.parallel;
    q->pairs.progress = q->options.progress;
    q->pairs.context = q->options.progress_context;
    return BGR_OK;
}

void bgr_question_forget(bgr_question *q)
{
    bgr_stored_close(&q->stored);
    for (int side = 0; side < 2; side++) {
        bgr_reach_free(q->reach[side]);
        bgr_candidates_free(q->candidates[side]);
        q->reach[side] = NULL;
        q->candidates[side] = NULL;
    }
    bgr_pair_table_free(q->own_table);
    q->own_table = NULL;
}

/* ------------------------------------------------------------------ solvers */

bgr_status bgr_solver_begin(bgr_solver **solver)
{
    *solver = NULL;
    bgr_solver *fresh = calloc(1, sizeof *fresh);
    if (!fresh || !bgr_lock_init(&fresh->lock)) {
        free(fresh);
        return BGR_ERR_MEMORY;
    }
    fresh->holders.n = 1;
    bgr_status status = bgr_cube_chart_new(&fresh->chart);
    BGR_HAND_OVER(status, fresh, solver, bgr_solver_free);
}

bgr_status bgr_solver_new(bgr_solver **solver)
{
    bgr_solver *fresh;
    *solver = NULL;
    BGR_TRY(bgr_solver_begin(&fresh));
    bgr_status status = bgr_solver_ready(fresh);
    BGR_HAND_OVER(status, fresh, solver, bgr_solver_free);
}

int bgr_solver_is_ready(const bgr_solver *of)
{
    bgr_solver *solver = (bgr_solver *)of;
    bgr_lock_take(&solver->lock);
    int is_ready = solver->home != NULL;
    bgr_lock_release(&solver->lock);
    return is_ready;
}

bgr_status bgr_solver_ready(const bgr_solver *of)
{
    bgr_solver *solver = (bgr_solver *)of; /* no answer depends on when it is made */
    bgr_home_board *fresh = NULL;
    if (bgr_solver_is_ready(solver))
        return BGR_OK;
    BGR_TRY(bgr_home_board_new(&fresh));
    bgr_lock_take(&solver->lock);
    if (!solver->home) {
        solver->home = fresh;
        fresh = NULL;
    }
    bgr_lock_release(&solver->lock);
    bgr_home_board_free(fresh);
    return BGR_OK;
}

const bgr_cube_chart *bgr_solver_chart(const bgr_solver *solver) { return solver->chart; }

bgr_solver *bgr_solver_hold(const bgr_solver *of)
{
    bgr_solver *solver = (bgr_solver *)of;
    bgr_hold(&solver->holders);
    return solver;
}

void bgr_solver_free(bgr_solver *solver)
{
    if (!solver || !bgr_let_go(&solver->holders))
        return;
    bgr_home_board_free(solver->home);
    bgr_cube_chart_free(solver->chart);
    for (int64_t k = 0; k < solver->n_tables; k++)
        bgr_pair_table_free(solver->tables[k]);
    bgr_lock_free(&solver->lock);
    BGR_FREE(solver->tables, solver);
}

bgr_status bgr_solver_prepare(bgr_solver *solver, const bgr_stakes *stakes, int checkers)
{
    bgr_planes planes;
    bgr_pair_lookup lookup;
    bgr_pair_table *table;
    if (checkers < 1 || checkers > BGR_TABLE_CHECKERS)
        return BGR_ERR_CHECKERS;
    BGR_TRY(bgr_planes_of_stakes(stakes, BGR_LOST_SINGLE, &planes));
    int64_t at = 0;
    while (at < solver->n_tables && !bgr_pair_table_find(solver->tables[at], &planes, 0, &lookup))
        at++;
    if (at < solver->n_tables && bgr_pair_table_checkers(solver->tables[at]) >= checkers)
        return BGR_OK;
    if (!bgr_make_room((void **)&solver->tables, &solver->room, at + 1, sizeof *solver->tables))
        return BGR_ERR_MEMORY;
    BGR_TRY(bgr_pair_table_new(&planes, checkers, &table));
    if (at == solver->n_tables)
        solver->n_tables++;
    else
        bgr_pair_table_free(solver->tables[at]);
    solver->tables[at] = table;
    return BGR_OK;
}

/* ------------------------------------------------------------------ for a question */

static int use_table(bgr_question *q, const bgr_pair_table *table, int checkers)
{
    int n_followers = 0;
    for (int k = 0; k < BGR_N_FOLLOWERS; k++)
        n_followers += (int)(q->pairs.followers >> k & 1);
    if (!bgr_pair_table_find(table, q->pairs.planes, n_followers, &q->lookup))
        return 0;
    q->pairs.boundary = (bgr_boundary){bgr_pair_table_values, &q->lookup, checkers, 0};
    return 1;
}

/* One with the same values that was kept. */
static int use_kept(bgr_question *q, int checkers)
{
    if (!q->kept)
        return 0;
    bgr_lock_take(q->kept->lock);
    for (int k = 0; k < BGR_KEPT_TABLES && !q->own_table; k++) {
        bgr_pair_table *table = q->kept->table[k];
        if (table && bgr_pair_table_checkers(table) >= checkers && bgr_pair_table_is_of(table, q->pairs.planes))
            q->own_table = bgr_pair_table_hold(table);
    }
    bgr_lock_release(q->kept->lock);
    return q->own_table && use_table(q, q->own_table, checkers);
}

/* Keep a table in place of the oldest one. */
static void keep_table(bgr_kept_tables *kept, bgr_pair_table *table)
{
    bgr_lock_take(kept->lock);
    bgr_pair_table **slot = &kept->table[kept->oldest], *before = *slot;
    kept->oldest = (kept->oldest + 1) % BGR_KEPT_TABLES;
    *slot = bgr_pair_table_hold(table);
    bgr_lock_release(kept->lock);
    bgr_pair_table_free(before);
}

static void use_file(bgr_question *q, int checkers)
{
    q->pairs.boundary = (bgr_boundary){bgr_stored_values, &q->stored, checkers, bgr_stored_work(&q->stored)};
}

void bgr_find_table(bgr_question *q)
{
    int in_file = bgr_stored_find(&q->stored, q->pairs.planes, q->pairs.followers);
    int at_once = q->stored.in_place ? in_file : 0;
    for (int64_t k = 0; k < q->solver->n_tables; k++)
        if (bgr_pair_table_checkers(q->solver->tables[k]) >= at_once &&
            use_table(q, q->solver->tables[k], bgr_pair_table_checkers(q->solver->tables[k])))
            return;
    if (at_once)
        use_file(q, in_file);
}

/* Look pairs up where that takes a while, if there are few of them. */
static bgr_status try_file(bgr_question *q)
{
    const bgr_boundary none = q->pairs.boundary;
    int in_file = bgr_stored_find(&q->stored, q->pairs.planes, q->pairs.followers);
    int64_t before = q->size.operations;
    if (!in_file || none.checkers || bgr_tables_of(q->stored.db, q->stored.file)->file.ranges)
        return BGR_OK;
    use_file(q, in_file);
    bgr_status status = bgr_pairs_measure(q->reach[0], q->reach[1], &q->pairs, &q->size);
    if (status == BGR_OK && q->size.operations <= before)
        return BGR_OK;
    q->pairs.boundary = none;
    return status == BGR_OK ? bgr_pairs_measure(q->reach[0], q->reach[1], &q->pairs, &q->size) : status;
}

bgr_status bgr_make_table(bgr_question *q)
{
    /* Row operations that are spent on a table however small the race: a part of what there is time for. */
    double few =
        fmin((double)tuned_few_operations, tuned_share_of_table * q->options.seconds * tuned_operations_a_second);
    int64_t bytes, operations, spent_anyway = isinf(q->delta) ? 0 : (int64_t)few;
    BGR_TRY(try_file(q));
    for (int checkers = BGR_TABLE_CHECKERS; checkers >= TUNED_FEWEST_IN_TABLE && !q->pairs.boundary.checkers;
         checkers--) {
        bgr_pair_table_measure(q->pairs.planes, checkers, &bytes, &operations);
        if ((operations > q->size.operations / 6 && operations > spent_anyway) ||
            2 * bytes > q->options.memory_bytes / 2)
            continue;
        if (use_kept(q, checkers))
            return BGR_OK;
        BGR_TRY(bgr_pair_table_new(q->pairs.planes, checkers, &q->own_table));
        use_table(q, q->own_table, checkers);
        if (q->kept && bytes <= tuned_most_kept)
            keep_table(q->kept, q->own_table);
    }
    return BGR_OK;
}
