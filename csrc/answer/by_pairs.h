/* A race answered by all pairs that its sides can come to. */
#ifndef BGR_BY_PAIRS_H
#define BGR_BY_PAIRS_H

#include "turns/question.h"

/* Solve all pairs, where they are asked for, or few enough for the budget: *answer stays NULL where they are not. */
bgr_status bgr_answer_by_pairs(bgr_question *question, bgr_answer **answer);

#endif
