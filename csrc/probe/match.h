/* Pairs at a match score: which cube states there are, and where a file has them. */
#ifndef BGR_MATCH_H
#define BGR_MATCH_H

#include "probe/directory.h"

/* Work out the states of the score of an open file from its match equity table, and find each one's plane.
 * BGR_ERR_DAMAGED if the file has no such plane, BGR_ERR_MEMORY, BGR_ERR_READ, BGR_ERR_CHANGED. */
bgr_status bgr_tables_add_states(bgr_tables *tables);

int bgr_cube_states_count(const bgr_cube_states *states);

/* Values of all states of a pair of indices below n_match, not both 0: match.n_states of them. */
bgr_status bgr_tables_match(const bgr_tables *tables, int first_on_roll, int64_t on_roll, int64_t opponent,
                            bgr_match_value *values);

/* Chance to win the game, without a cube. */
bgr_status bgr_tables_match_win(const bgr_tables *tables, int64_t on_roll, int64_t opponent, double *win_probability);

#endif
