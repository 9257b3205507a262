/* The ways in which a race is answered. */
#ifndef BGR_ANSWER_WAYS_H
#define BGR_ANSWER_WAYS_H

#include "turns/question.h"

/* ---- turn by turn */

/* Answer a question that has been read; what was found on the way stays with it.  answer [out]: NULL after an error. */
bgr_status bgr_answer_question(bgr_question *question, bgr_answer **answer);

/* Put results into the order in which they are looked up. */
void bgr_sort_results(bgr_answer *answer);

/* How soon a side is off by itself, from its chances to be off within 0, 1, .. n - 1 rolls.  Where these do not go to
 * the end, as the other side is off before, the rest is put where it gives the mean.  off [out] as in bgr_answer. */
bgr_status bgr_keep_off(const double *within, int n, double mean, double **off);

/* Chances of the player on roll now, from what a row has by plane and the followers: side 0 is that player on roll, 1
 * the opponent. */
void bgr_chances_of_row(const bgr_answer *answer, int side, const double *row, bgr_chances *chances);

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

/* Numbers that an estimate keeps to value plays by.  Opaque; owned by the answer; holds the solver. */
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

/* ---- errors: 99 of 100 answers are within them in any place of the cube, in units of the cube now */

double bgr_error_of_estimate(const bgr_question *question, const bgr_planes *planes, const bgr_chances *chances);

/* turns: an answer turn by turn, complete but for its error.  error [out].  BGR_ERR_MEMORY. */
bgr_status bgr_error_of_turns(bgr_question *question, const bgr_answer *turns, double *error);

#endif
