/* What to compare to answer a question: every play, those that gain something, or whatever delta says; and what the
 * answer may be wrong by. */
#ifndef BGR_TURNS_CHOOSE_H
#define BGR_TURNS_CHOOSE_H

#include "turns/question.h"

/* Carry both sides forward, as far as the budget and the options go.  What does not happen is left out of the planes.
 * BGR_ERR_STAKES, BGR_ERR_MEMORY. */
bgr_status bgr_choose(bgr_question *question);

/* For 99 of 100 answers, in any place of the cube: once it is chosen what to compare, and solved.  win: the chance of
 * the player on roll to win. */
double bgr_error_of(const bgr_question *question, double win);

#endif
