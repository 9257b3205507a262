/* A race solved with every pair that it can reach. */
#pragma once

#include "answer/sides.h"

/* Values of every pair that two sides can reach.  Opaque; shared by answers. */
typedef struct bgr_all_pairs bgr_all_pairs;

/* Options of the solver for the planes of a plan. */
static inline bgr_exact_options bgr_exactly(const bgr_plan *plan, const bgr_resources *resources)
{
    return (bgr_exact_options){.planes = plan->solved,
                               .n_planes = plan->n_solved,
                               .exchanged = plan->exchanged,
                               .gammon_checkers = BGR_MAX_CHECKERS,
                               .work = resources->work};
}

/* Solve a plan in double precision.  Release it with bgr_all_pairs_release.
 * BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_all_pairs_new(const bgr_sides *sides, const bgr_plan *plan, const bgr_resources *resources,
                             bgr_all_pairs **pairs);

void bgr_all_pairs_hold(bgr_all_pairs *pairs);
void bgr_all_pairs_release(bgr_all_pairs *pairs); /* NULL is allowed */

/* Get the values of rolling now, by plane.  side: the side on roll, 0 if it is the one that was on roll when the race
 * was solved.  on_roll, opponent: BGR_MAX_POINTS counts.  values [out] one for each plane of the plan. BGR_ERR_COVERAGE
 * if the race cannot reach the pair. */
bgr_status bgr_all_pairs_values(const bgr_all_pairs *pairs, int side, const int8_t *on_roll, const int8_t *opponent,
                                double *values);
