/* Why a decision is right, from what an answer has. */
#ifndef BGR_REASONS_H
#define BGR_REASONS_H

#include "answer/reasons_question.h"

/* BGR_ERR_MEMORY. */
bgr_status bgr_reasons_of(const bgr_reasons_question *question, bgr_reasons *reasons);

/* Whether the opponent had better have passed, after a roll that was played so.  after: values by plane for the
 * opponent on roll then. */
int bgr_market_is_lost(const bgr_planes *planes, const bgr_place *place, const double *after);

/* The difference of a play from a better one; better, other: what they leave, BGR_MAX_POINTS counts each.
 * chances: after either, or NULL.  As bgr_answer_play_reason. */
bgr_status bgr_play_reason_of(const bgr_solver *solver, bgr_cache *cache, const int8_t *opponent, const int8_t *better,
                              const int8_t *other, const bgr_chances *chances, bgr_play_reason *reason);

/* The chart of the cube that a solver has. */
const bgr_cube_chart *bgr_solver_chart(const bgr_solver *solver);

#endif
