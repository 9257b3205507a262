/* Choose the plays of a question to compare. */
#pragma once

#include "turns/question.h"

/* Carry both sides forward, with as many plays as the budget and the options allow.  Losses that cannot happen are left
 * out of the planes.  BGR_ERR_STAKES, BGR_ERR_MEMORY. */
bgr_status bgr_choose(bgr_question *question);
