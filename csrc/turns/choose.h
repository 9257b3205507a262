/* What to compare to answer a question: every play, those that gain something, or whatever delta says. */
#ifndef BGR_CHOOSE_H
#define BGR_CHOOSE_H

#include "turns/question.h"

enum { BGR_LOOKED_AT_ONE, BGR_LOOKED_LEAST, BGR_LOOKED_LESS, BGR_LOOKED_ENOUGH };

/* Results whose mean is within this of the least are weighed, in rolls. */
#define BGR_LOOK_AT 0.12

/* Carry both sides forward, as far as the budget and the options go.  What does not happen is left out of the planes.
 * BGR_ERR_STAKES, BGR_ERR_MEMORY. */
bgr_status bgr_choose(bgr_question *question);

/* Chance that a side, 0 or 1, loses a gammon if both sides play to save rolls. */
double bgr_gammon_chance(const bgr_question *question, int loser);

#endif
