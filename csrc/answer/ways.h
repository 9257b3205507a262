/* The ways in which a race is answered. */
#pragma once

#include "turns/question.h"

/* ---- turn by turn */

/* Or estimated, where the budget does not suffice. */
bgr_status bgr_answer_by_turns(bgr_question *question, bgr_answer **answer);

/* ---- by all pairs that its sides can come to */

/* Solve all pairs, where they are asked for, or few enough for the budget: *answer stays NULL where they are not. */
bgr_status bgr_answer_by_pairs(bgr_question *question, bgr_answer **answer);

/* ---- looked up in a table: of the solver's, or of a file that is read by ranges */

/* Look a question up, with every play of every roll, if the solver has a table of all its pairs: *answer stays NULL
 * where it has none. */
bgr_status bgr_answer_by_table(bgr_question *question, bgr_answer **answer);

/* The same in the database, if that is read by ranges, with the plays of the rolls that are asked for. */
bgr_status bgr_answer_by_file(bgr_question *question, bgr_answer **answer);

/* ---- estimated */

/* A question whose options were read.  Free *answer with bgr_answer_free.  BGR_ERR_STAKES, BGR_ERR_MEMORY. */
bgr_status bgr_answer_by_estimate(bgr_question *question, bgr_answer **answer);

/* ---- errors: 99 of 100 answers are within them in any place of the cube, in units of the cube now */

double bgr_error_of_estimate(const bgr_asked *asked, const bgr_planes *planes, const bgr_chances *chances);

/* turns: an answer turn by turn, complete but for its error.  error [out].  BGR_ERR_MEMORY. */
bgr_status bgr_error_of_turns(bgr_question *question, const bgr_answer *turns, double *error);
