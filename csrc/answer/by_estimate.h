/* A race estimated. */
#ifndef BGR_BY_ESTIMATE_H
#define BGR_BY_ESTIMATE_H

#include "turns/question.h"

/* Numbers that an estimate keeps to value plays by.  Opaque; owned by the answer; it reads the solver. */
typedef struct bgr_estimated bgr_estimated;

/* A question whose options were read.  Free *answer with bgr_answer_free.  BGR_ERR_STAKES, BGR_ERR_MEMORY. */
bgr_status bgr_answer_by_estimate(bgr_question *question, bgr_answer **answer);
bgr_estimated *bgr_estimated_copy(const bgr_estimated *estimated); /* NULL if there is no memory */
void bgr_estimated_free(bgr_estimated *estimated);                 /* NULL is allowed */

/* Values by plane for the opponent, on roll after a move to a position with a checker.  values [out] as many as there
 * are planes. */
void bgr_estimated_values(const bgr_estimated *estimated, const int8_t *counts, double *values);

/* Chances of the opponent, who has these checkers, likewise. */
bgr_status bgr_estimated_chances(const bgr_estimated *estimated, const int8_t *opponent, const int8_t *counts,
                                 bgr_chances *chances);

#endif
