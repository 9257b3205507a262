/* What an answer by turns may be wrong by. */
#ifndef BGR_TURNS_ERROR_H
#define BGR_TURNS_ERROR_H

#include "turns/question.h"

/* For 99 of 100 answers, in any place of the cube: once it is chosen what to compare, and solved.  win: the chance of
 * the player on roll to win. */
double bgr_error_of(const bgr_question *question, double win);

#endif
