/* Functions of answers and proofs for bgrace's own modules, beside those of the public headers. */
#pragma once

#include "base/stakes.h"
#include "bgrace_prove.h"

/* The solved planes, with the plane of each position of the cube; and the value of rolling by plane.  Owned by the
 * answer. */
const bgr_planes *bgr_answer_planes(const bgr_answer *answer);
const double *bgr_answer_now(const bgr_answer *answer);

/* Get the opponent's values of rolling, by plane, after the player on roll has moved.  counts: n results of the roll,
 * BGR_MAX_POINTS counts each.  values [out] n x planes; those of a position without checkers are not set.
 * BGR_ERR_POSITION, BGR_ERR_COVERAGE as for bgr_answer_move. */
bgr_status bgr_answer_after(const bgr_answer *answer, const int8_t *counts, int64_t n, double *values);

/* Get the chances of the player on roll after a move.  counts: the position after it, 24 counts.  The errors of
 * bgr_answer_move. */
bgr_status bgr_chances_after(const bgr_answer *answer, const int8_t *counts, bgr_chances *chances);

/* ---- proofs */

/* Drop the bounds by clocks and keep those by pairs, which follow from the shortlists. */
void bgr_proof_keep_pairs(bgr_proof *proof);

/* ---- for the makers of an answer */

/* Sort results for binary search. */
void bgr_sort_results(bgr_answer *answer);

/* Find a side's distribution of rolls from its chances to be off within 0, 1, .. n - 1 rolls.  If these end before 1,
 * since the other side is off before, the rest is put on later rolls so that the mean is `mean`.  off [out] as in
 * bgr_answer. */
bgr_status bgr_keep_off(const double *within, int n, double mean, double **off);

/* Find the chances of the player on roll now from a row of values by plane and of followers.  side: who is on roll in
 * the row, 0 that player, 1 the opponent. */
void bgr_chances_of_row(const bgr_answer *answer, int side, const double *row, bgr_chances *chances);

/* Chances of the player on roll after the end of the game.  loser: 0 if that player has lost. */
bgr_chances bgr_chances_of_end(int loser, int loss);

/* Set chances of gammons to 0 where they do not count. */
void bgr_leave_out_gammons(const bgr_answer *answer, bgr_chances *chances);

/* Chances as the other player sees them. */
bgr_chances bgr_chances_of_other(const bgr_chances *chances);
