/* Solvers of races: making, holding and preparing them. */

#include "turns/race_solver.h"

#include "base/memory.h"
#include "base/try.h"

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
    bgr_solver *solver = (bgr_solver *)of; /* no answer depends on when the home board is made */
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
    while (at < solver->n_tables && !bgr_pair_table_find(solver->tables[at], &planes, &lookup))
        at++;
    if (at < solver->n_tables && bgr_pair_table_checkers(solver->tables[at]) >= checkers)
        return BGR_OK;
    if (!bgr_make_room((void **)&solver->tables, &solver->room, at + 1, sizeof *solver->tables))
        return BGR_ERR_MEMORY;
    const bgr_work alone = {NULL, NULL, NULL};
    BGR_TRY(bgr_pair_table_new(&planes, checkers, &alone, &table));
    if (at == solver->n_tables)
        solver->n_tables++;
    else
        bgr_pair_table_free(solver->tables[at]);
    solver->tables[at] = table;
    return BGR_OK;
}
