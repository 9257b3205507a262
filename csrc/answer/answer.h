/* Questions of bgrace's own modules to an answer, beside those of bgrace.h. */
#ifndef BGR_ANSWER_H
#define BGR_ANSWER_H

#include "base/path.h"
#include "base/stakes.h"

/* The solved planes, with where the places of the cube stand in them; and the value of rolling by plane.  They belong
 * to the answer. */
const bgr_planes *bgr_answer_planes(const bgr_answer *answer);
const double *bgr_answer_now(const bgr_answer *answer);

/* The value of rolling, by plane, to the opponent after the player on roll has moved to a result of the roll, n
 * positions of BGR_MAX_POINTS counts one after another; values [out] n x planes.  A position without checkers has none.
 * BGR_ERR_POSITION, BGR_ERR_COVERAGE as for bgr_answer_move. */
bgr_status bgr_answer_after(const bgr_answer *answer, const int8_t *counts, int64_t n, double *values);

/* bgr_ask by turns on one path of the processor and in one precision (0 double, 1 single, negative: as it is chosen):
 * for tests. */
bgr_status bgr_solve_on_path(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent,
                             const bgr_stakes *stakes, const bgr_solve_options *options, bgr_path path, int precision,
                             bgr_answer **answer);

#endif
