/* Pairs at a match score: which cube states there are, and where a file has them. */
#ifndef BGR_MATCH_H
#define BGR_MATCH_H

#include "probe/directory.h"

/* Points that a side may need, for which BGR_MAX_CUBES suffices: 1 in two places, and 2, 4, ... 256 in three each. */
enum { BGR_MAX_NEEDS = 256 };

/* Work out the states of the score from the match equity table of the file, and find each one's plane.  Free it with
 * free().  BGR_ERR_DAMAGED if the file has no such plane, BGR_ERR_MEMORY, BGR_ERR_READ, BGR_ERR_CHANGED. */
bgr_status bgr_cube_states_new(const bgr_tables *tables, bgr_cube_states **states);

int bgr_cube_states_count(const bgr_cube_states *states);

/* Values of all states of a pair of indices below n_match, not both 0: match.n_states of them. */
bgr_status bgr_tables_match(const bgr_tables *tables, int first_on_roll, int64_t on_roll, int64_t opponent,
                            bgr_match_value *values);

/* Chance to win the game, without a cube. */
bgr_status bgr_tables_match_win(const bgr_tables *tables, int64_t on_roll, int64_t opponent, double *win_probability);

#endif
