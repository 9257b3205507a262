/* A race answered turn by turn. */
#ifndef BGR_BY_TURNS_H
#define BGR_BY_TURNS_H

#include "turns/question.h"

/* Answer a question that has been read; what was found on the way stays with it.  answer [out]: NULL after an error. */
bgr_status bgr_answer_question(bgr_question *question, bgr_answer **answer);

/* The home board of one player, which belongs to the solver. */
const bgr_reach_home *bgr_solver_home(const bgr_solver *solver);

#endif
