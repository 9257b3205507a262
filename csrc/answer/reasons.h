/* Why a decision is right, from what an answer has. */
#ifndef BGR_REASONS_H
#define BGR_REASONS_H

#include "answer/reasons_question.h"

/* BGR_ERR_MEMORY. */
bgr_status bgr_reasons_of(const bgr_reasons_question *question, bgr_reasons *reasons);

/* Whether the opponent had better have passed, after a roll that was played so.  after: values by plane for the
 * opponent on roll then. */
int bgr_market_is_lost(const bgr_planes *planes, const bgr_place *place, const double *after);

/* The chart of the cube that a solver has. */
const bgr_cube_chart *bgr_solver_chart(const bgr_solver *solver);

#endif
