/* Questions of bgrace's own modules to an answer, and to a proof, beside those of the public headers. */
#pragma once

#include "base/stakes.h"
#include "bgrace_prove.h"

/* The solved planes, with where the places of the cube stand in them; and the value of rolling by plane.  They belong
 * to the answer. */
const bgr_planes *bgr_answer_planes(const bgr_answer *answer);
const double *bgr_answer_now(const bgr_answer *answer);

/* The value of rolling, by plane, to the opponent after the player on roll has moved to a result of the roll, n
 * positions of BGR_MAX_POINTS counts one after another; values [out] n x planes.  A position without checkers has none.
 * BGR_ERR_POSITION, BGR_ERR_COVERAGE as for bgr_answer_move. */
bgr_status bgr_answer_after(const bgr_answer *answer, const int8_t *counts, int64_t n, double *values);

/* Chances of the player on roll after a move to 24 counts.  The errors of bgr_answer_move. */
bgr_status bgr_chances_after(const bgr_answer *answer, const int8_t *counts, bgr_chances *chances);

/* ---- to a proof */

/* Forget what clocks say beside pairs: what is left follows from the shortlists. */
void bgr_proof_keep_pairs(bgr_proof *proof);

/* ---- for the makers of an answer */

/* Put results into the order in which they are looked up. */
void bgr_sort_results(bgr_answer *answer);

/* How soon a side is off by itself, from its chances to be off within 0, 1, .. n - 1 rolls.  Where these do not go to
 * the end, as the other side is off before, the rest is put where it gives the mean.  off [out] as in bgr_answer. */
bgr_status bgr_keep_off(const double *within, int n, double mean, double **off);

/* Chances of the player on roll now, from what a row has by plane and the followers: side 0 is that player on roll, 1
 * the opponent. */
void bgr_chances_of_row(const bgr_answer *answer, int side, const double *row, bgr_chances *chances);

/* Chances of the player on roll once a side, 0 the one on roll, has lost so much. */
bgr_chances bgr_chances_of_end(int loser, int loss);

/* Set chances of gammons to 0 where they do not count. */
void bgr_leave_out_gammons(const bgr_answer *answer, bgr_chances *chances);

/* The other player's. */
bgr_chances bgr_chances_of_other(const bgr_chances *chances);
