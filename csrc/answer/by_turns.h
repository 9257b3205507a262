/* A race answered turn by turn. */
#ifndef BGR_BY_TURNS_H
#define BGR_BY_TURNS_H

#include "turns/question.h"

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

/* The home board of one player, which belongs to the solver. */
const bgr_reach_home *bgr_solver_home(const bgr_solver *solver);

#endif
