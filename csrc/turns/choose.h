/* What to compare to answer a question: every play, those that gain something, or whatever delta says. */
#ifndef BGR_CHOOSE_H
#define BGR_CHOOSE_H

#include "turns/question.h"

/* Carry both sides forward, as far as the budget and the options go.  What does not happen is left out of the planes.
 * BGR_ERR_STAKES, BGR_ERR_MEMORY. */
bgr_status bgr_choose(bgr_question *question);

/* Chance that a side, 0 or 1, loses a gammon if both sides play to save rolls. */
double bgr_gammon_chance(const bgr_question *question, int loser);

#endif
