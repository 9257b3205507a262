#include "turns/tables.h"

#include "base/try.h"
#include "turns/tuning.h"

#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ solvers */

bgr_status bgr_solver_new(bgr_solver **solver)
{
    *solver = NULL;
    bgr_solver *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    bgr_status status = bgr_reach_home_new(&fresh->home);
    if (status == BGR_OK)
        status = bgr_cube_chart_new(&fresh->chart);
    if (status == BGR_OK)
        *solver = fresh;
    else
        bgr_solver_free(fresh);
    return status;
}

void bgr_solver_free(bgr_solver *solver)
{
    if (!solver)
        return;
    bgr_reach_home_free(solver->home);
    bgr_cube_chart_free(solver->chart);
    for (int k = 0; k < solver->n_tables; k++)
        bgr_known_free(solver->tables[k]);
    free(solver);
}

bgr_status bgr_solver_prepare(bgr_solver *solver, const bgr_stakes *stakes, int checkers)
{
    bgr_planes planes;
    bgr_known_view view;
    bgr_known *known;
    if (checkers < 1 || checkers > BGR_KNOWN_CHECKERS)
        return BGR_ERR_CHECKERS;
    BGR_TRY(bgr_planes_of_stakes(stakes, 0, 0, &planes));
    int at = 0;
    while (at < solver->n_tables && !bgr_known_find(solver->tables[at], &planes, 0, &view))
        at++;
    if (at < solver->n_tables && bgr_known_checkers(solver->tables[at]) >= checkers)
        return BGR_OK;
    if (at == BGR_MAX_TABLES)
        return BGR_ERR_MEMORY;
    BGR_TRY(bgr_known_new(&planes, checkers, &known));
    if (at == solver->n_tables)
        solver->n_tables++;
    else
        bgr_known_free(solver->tables[at]);
    solver->tables[at] = known;
    return BGR_OK;
}

bgr_status bgr_kept_tables_new(bgr_kept_tables **kept)
{
    *kept = calloc(1, sizeof **kept);
    return *kept ? BGR_OK : BGR_ERR_MEMORY;
}

void bgr_kept_tables_free(bgr_kept_tables *kept)
{
    for (int k = 0; kept && k < BGR_KEPT_TABLES; k++)
        bgr_known_free(kept->table[k]);
    free(kept);
}

/* ------------------------------------------------------------------ for a question */

static int use_table(bgr_question *q, const bgr_known *known, int checkers)
{
    int n_followers = 0;
    for (int k = 0; k < BGR_N_FOLLOWERS; k++)
        n_followers += (int)(q->pairs.followers >> k & 1);
    if (!bgr_known_find(known, q->pairs.planes, n_followers, &q->view))
        return 0;
    q->pairs.boundary = (bgr_boundary){bgr_known_values, &q->view, checkers, 0};
    return 1;
}

/* One with the same values that was kept. */
static int use_kept(bgr_question *q, int checkers)
{
    for (int k = 0; q->kept && k < BGR_KEPT_TABLES; k++) {
        const bgr_known *known = q->kept->table[k];
        if (known && bgr_known_checkers(known) >= checkers && bgr_known_is_of(known, q->pairs.planes))
            return use_table(q, known, checkers);
    }
    return 0;
}

/* Keep a table in place of the oldest one. */
static void keep_table(bgr_kept_tables *kept, bgr_known *known)
{
    bgr_known **place = &kept->table[kept->oldest];
    kept->oldest = (kept->oldest + 1) % BGR_KEPT_TABLES;
    bgr_known_free(*place);
    *place = known;
}

static void use_file(bgr_question *q, int checkers)
{
    q->pairs.boundary = (bgr_boundary){bgr_stored_values, &q->stored, checkers, bgr_stored_work(&q->stored)};
}

void bgr_find_table(bgr_question *q)
{
    int in_file = bgr_stored_find(&q->stored, q->pairs.planes, q->pairs.followers);
    int at_once = q->stored.in_place ? in_file : 0;
    for (int k = 0; k < q->solver->n_tables; k++)
        if (bgr_known_checkers(q->solver->tables[k]) >= at_once &&
            use_table(q, q->solver->tables[k], bgr_known_checkers(q->solver->tables[k])))
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
    if (!in_file || none.checkers)
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
    int64_t bytes, operations, few = isinf(q->delta) ? 0 : q->pairs.held ? tuned_held_operations : tuned_few_operations;
    BGR_TRY(try_file(q));
    for (int checkers = BGR_KNOWN_CHECKERS; checkers >= TUNED_FEWEST_KNOWN && !q->pairs.boundary.checkers; checkers--) {
        bgr_known_measure(q->pairs.planes, checkers, &bytes, &operations);
        if ((operations > q->size.operations / 6 && operations > few) || 2 * bytes > q->options.memory_bytes / 2)
            continue;
        if (use_kept(q, checkers))
            return BGR_OK;
        BGR_TRY(bgr_known_new(q->pairs.planes, checkers, &q->own_table));
        use_table(q, q->own_table, checkers);
        if (q->kept && bytes <= tuned_most_kept) {
            keep_table(q->kept, q->own_table);
            q->own_table = NULL;
        }
    }
    return BGR_OK;
}
