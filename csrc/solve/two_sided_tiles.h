/* Tiles of the two-sided solver: 16 positions of one block on roll against 16 of another. */
#pragma once

#include "solve/two_sided_state.h"

/* The value of bearing off the last checker against a rank, on a plane of the table: to the winner; and to the loser.
 */
int16_t bgr_two_sided_won(const pair_solver *s, int64_t rank, int plane);
int16_t bgr_two_sided_lost(const pair_solver *s, int64_t rank, int plane);

/* Set the row of a mover who has borne off the last checker. */
void bgr_two_sided_set_won(const pair_solver *s, int64_t block, pair_stripe whole);

turn_function bgr_two_sided_turn(bgr_arithmetic arithmetic);

/* Make the lists of results of every roll.  BGR_ERR_MEMORY, BGR_ERR_SIZE. */
bgr_status bgr_two_sided_make_lists(pair_solver *s);
void bgr_two_sided_free_lists(pair_solver *s); /* also if that failed */

/* Solve block bi on roll against block bj, from stripe bj; store the values of having moved to bj, against bi, into
 * `meeting`, 16 rows of a stripe, unless that is empty.  listed: see bgr_list_blocks. */
void bgr_two_sided_solve_tile(pair_solver *s, int64_t bi, int64_t bj, pair_stripe from, pair_stripe meeting,
                              const uint8_t *listed);

/* Make the same 16 rows from pairs that were solved before. */
void bgr_two_sided_load_tile(pair_solver *s, int64_t bi, int64_t bj, const pair_target *solved, pair_stripe meeting);
