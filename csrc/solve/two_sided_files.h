/* The output of the two-sided solver: a table in memory, or through two buffers a file. */
#pragma once

#include "solve/two_sided_state.h"

/* Prepare the output; finished games are set at once.  BGR_ERR_MEMORY, BGR_ERR_WRITE. */
bgr_status bgr_two_sided_prepare_target(pair_solver *s);
void bgr_two_sided_free_target(pair_solver *s);

/* Steps of bgr_solve_pairs, for a table in a file; `of` is the solver. */
void bgr_two_sided_begin_rectangle(void *of, const bgr_rectangle *pairs);
bgr_status bgr_two_sided_save(void *of, int last);

/* Get the pairs of a rectangle that was solved before.  Those in a file are read into `pairs`; failures are counted in
 * n_unread. */
pair_target bgr_two_sided_solved(pair_solver *s, const bgr_rectangle *rectangle, int16_t *pairs);
