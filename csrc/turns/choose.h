/* Which plays of a question are compared. */
#pragma once

#include "turns/question.h"

/* Carry both sides forward, as far as the budget and the options go.  Outcomes that cannot happen are left out of the
 * planes. BGR_ERR_STAKES, BGR_ERR_MEMORY. */
bgr_status bgr_choose(bgr_question *question);
