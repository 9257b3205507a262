/* One player alone, with the results of GNU Backgammon's generator. */
#pragma once

#include "solve/solver.h"

#define BGR_GNUBG_WIDTH 32 /* chances in a row of its one-sided files */

/* Distributions of the number of rolls, in parts of 65535, to the bit as makebearoff makes them.
 *
 * last [out] size x BGR_GNUBG_WIDTH, by index: chance that all checkers are off after exactly k rolls.
 * first [out] 1 + (positions with 15 checkers) x BGR_GNUBG_WIDTH: row 0 for all positions with fewer than 15, then one
 * for each position with 15: chance that the first checker comes off on exactly roll k.  May be NULL; else
 * BGR_ERR_CHECKERS unless the space has 15 checkers.  progress: called after each level with the numbers of positions
 * done and of all; or NULL.  Uses up to some 300 bytes for each position of the seven largest levels, and 12 bytes for
 * every position.  BGR_ERR_SIZE beyond 2^31 positions, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_gnubg_one_sided(const bgr_space *space, int n_threads, bgr_progress progress, void *context,
                               uint16_t *last, uint16_t *first);
