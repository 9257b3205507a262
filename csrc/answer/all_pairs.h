/* A race solved with all that it can come to. */
#pragma once

#include "answer/sides.h"

/* Values of every pair that two sides can come to.  Opaque; several answers may hold it. */
typedef struct bgr_all_pairs bgr_all_pairs;

/* How to solve the planes of a plan. */
static inline bgr_exact_options bgr_exactly(const bgr_plan *plan, const bgr_resources *resources)
{
    return (bgr_exact_options){.planes = plan->solved,
                               .n_planes = plan->n_solved,
                               .exchanged = plan->exchanged,
                               .gammon_checkers = BGR_MAX_CHECKERS,
                               .work = resources->work};
}

/* Solve a plan in double precision.  Let go of it with bgr_all_pairs_release.
 * BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_all_pairs_new(const bgr_sides *sides, const bgr_plan *plan, const bgr_resources *resources,
                             bgr_all_pairs **pairs);

void bgr_all_pairs_hold(bgr_all_pairs *pairs);
void bgr_all_pairs_release(bgr_all_pairs *pairs); /* NULL is allowed */

/* Values by plane of rolling now.  side: who is on roll, 0 for the one who was on roll when the race was solved.
 * on_roll, opponent: BGR_MAX_POINTS counts.  values [out] as many as the plan has planes.  BGR_ERR_COVERAGE if the race
 * cannot come to that pair. */
bgr_status bgr_all_pairs_values(const bgr_all_pairs *pairs, int side, const int8_t *on_roll, const int8_t *opponent,
                                double *values);
