/* Where the two-sided solver puts its pairs: to tables in memory, or through two buffers to a file. */
#pragma once

#include "solve/two_sided_state.h"

/* Make ready for the pairs of a level; the table gets what is won and lost at once.  BGR_ERR_MEMORY, BGR_ERR_WRITE. */
bgr_status bgr_two_sided_prepare_target(pair_solver *s);
void bgr_two_sided_free_target(pair_solver *s);

/* Steps of bgr_solve_pairs, for a table in a file; `of` is the solver. */
void bgr_two_sided_begin_rectangle(void *of, const bgr_rectangle *pairs);
bgr_status bgr_two_sided_save_rectangle(void *of);
bgr_status bgr_two_sided_save_last(void *of);

/* Where the pairs of a rectangle are that were solved before.  Those of a file are read into `pairs`;
 * what cannot be read is counted in n_unread. */
pair_target bgr_two_sided_solved(pair_solver *s, const bgr_rectangle *rectangle, int16_t *pairs);
