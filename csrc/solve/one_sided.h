/* One player who saves rolls. */
#ifndef BGR_ONE_SIDED_H
#define BGR_ONE_SIDED_H

#include "bgrace.h"

#include "solve/play_choices.h"

/* Least mean number of rolls until fewer than `stop` checkers are on the board, for every position of the space;
 * stop = 1 means until the last checker is off.
 *
 * Ross, Benjamin and Munson, section 3: E = 1 + (1/36) sum over rolls of weight * min over results of E.  Results
 * whose means differ by less than 1e-10 are equal, and the one with the smaller index is chosen.
 *
 * mean_rolls [out] size; best [out] size x BGR_N_ROLLS, the index of the chosen result (a finished position leads to
 * itself); longest [out] size, the greatest number of rolls that these choices can take.
 * n_threads: at least 1.  BGR_ERR_CHECKERS if stop is not in 1 .. checkers, BGR_ERR_SIZE beyond 2^31 positions,
 * BGR_ERR_MEMORY. */
bgr_status bgr_one_sided_means(const bgr_space *space, int stop, int n_threads, double *mean_rolls, int32_t *best,
                               uint8_t *longest);

/* bgr_one_sided_means, and chains [out] size x BGR_N_CHAINS: the index of the best position that 1, 2 or 3 dice of one
 * size can make, [bgr_chain(dice, size)]. */
bgr_status bgr_one_sided_chains(const bgr_space *space, int stop, int n_threads, double *mean_rolls, int32_t *best,
                                uint8_t *longest, int32_t *chains);

/* Distribution of the number of rolls when every roll is played as `best` says.
 *
 * distribution [out] size x width: chance of being done in exactly k rolls, k = 0 .. width - 1; width must exceed
 * every entry of longest.  variance_rolls [out] size.  Same errors as above. */
bgr_status bgr_one_sided_distributions(const bgr_space *space, int stop, int n_threads, const int32_t *best,
                                       const uint8_t *longest, int width, double *distribution, double *variance_rolls);

#endif
