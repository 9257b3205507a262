/* The results of a roll. */
#pragma once

#include "bgrace.h"

/* No roll of any position has more distinct results: each die lowers a run of at most six of the 24 suffix sums, and a
 * double picks four of them, C(24 + 3, 4). */
#define BGR_MAX_PLAYS 17550

/* The same on at most six points: C(6 + 3, 4). */
#define BGR_MAX_HOME_PLAYS 126

/* List every distinct position that a roll leads to, in rising index.  A roll is played in full, in either order of its
 * dice, a double four times; checkers come off only once all are home, from the highest point if the die is larger.
 * results: room for BGR_MAX_PLAYS indices, on six points for BGR_MAX_HOME_PLAYS.  The empty board has one result,
 * itself.  BGR_ERR_INDEX, BGR_ERR_ROLL. */
bgr_status bgr_plays(const bgr_space *space, int64_t index, int die1, int die2, int64_t *results, int *n_results);

/* List the results as counts, from BGR_MAX_POINTS counts; free *results, also if this fails.  BGR_ERR_POSITION,
 * BGR_ERR_ROLL, BGR_ERR_MEMORY. */
bgr_status bgr_results_of_roll(const int8_t *counts, int die1, int die2, int8_t (**results)[BGR_MAX_POINTS], int *n);

/* The values by which plays are ranked, and their numbers in the order of results. */
typedef struct {
    double value, cubeless;
    int pips, number;
} bgr_weighed_play;

/* Sort plays, best first; ties by the value without a cube, then by fewer pips, then by number. */
void bgr_rank_plays(bgr_weighed_play *plays, int64_t n);

/* List the results of one die from a position that is not empty, as indices; at most one for each point.  The lowest
 * source point comes first, on which callers may rely. */
int bgr_single_die(const bgr_space *space, const int8_t *counts, int64_t index, int die, int64_t *results);
