/* The methods that answer a race. */
#pragma once

#include "turns/question.h"

/* ---- turn by turn */

/* Answer turn by turn, or by an estimate if the budget does not suffice. */
bgr_status bgr_answer_by_turns(bgr_question *question, bgr_answer **answer);

/* ---- by all pairs that its sides can reach */

/* Solve all pairs, if that is asked for or they are few enough for the budget; else *answer stays NULL. */
bgr_status bgr_answer_by_pairs(bgr_question *question, bgr_answer **answer);

/* ---- looked up in a table of the solver, or in a file that is read by ranges */

/* Look a question up, with every play of every roll, if the solver has a table with all its pairs; else *answer stays
 * NULL. */
bgr_status bgr_answer_by_table(bgr_question *question, bgr_answer **answer);

/* Look a question up in the database, if that is read by ranges, with the plays of the rolls that are asked for; else
 * *answer stays NULL. */
bgr_status bgr_answer_by_file(bgr_question *question, bgr_answer **answer);

/* ---- estimated */

/* Estimate a question whose options were read.  Free *answer with bgr_answer_free.  BGR_ERR_STAKES, BGR_ERR_MEMORY. */
bgr_status bgr_answer_by_estimate(bgr_question *question, bgr_answer **answer);

/* ---- errors: 99 of 100 answers err by less, for any position of the cube, in units of the present cube */

double bgr_error_of_estimate(const bgr_asked *asked, const bgr_planes *planes, const bgr_chances *chances);

/* Find the error of an answer by turns, which is complete except for it.  error [out].  BGR_ERR_MEMORY. */
bgr_status bgr_error_of_turns(bgr_question *question, const bgr_answer *turns, double *error);
