/* The home board solved for one side, and the coefficients of the estimates beyond it. */
#ifndef BGR_TURNS_HOME_BOARD_H
#define BGR_TURNS_HOME_BOARD_H

#include "turns/estimate.h"
#include "turns/position128.h"

/* What sums and counts add at each number of pips: levels[point - 1][checkers]. */
typedef struct {
    float sums[BGR_ESTIMATE_POINTS][BGR_MAX_CHECKERS + 1], counts[BGR_ESTIMATE_POINTS][BGR_MAX_CHECKERS + 1];
} bgr_pip_levels;

/* An estimate (see estimate.h): pairs[j - 1][t_j][t_{j+1}], with t_j checkers on point j or beyond, and levels. */
typedef struct {
    float pairs[BGR_MAX_POINTS][BGR_MAX_CHECKERS + 1][BGR_MAX_CHECKERS + 1];
    bgr_pip_levels levels[BGR_ESTIMATE_MAX_PIPS + 1]; /* by pips, and for more */
} bgr_worth;

/* Chances to be off within 0, 1, .. rolls, from the home board: hardly anybody takes more. */
enum { BGR_HOME_ROLLS = 32 };
typedef float bgr_home_chances[BGR_HOME_ROLLS];

/* The home board solved for one player, 15 checkers: what every question about a side stands on.  Made once, read only,
 * for any number of threads at once; opaque to all but this room. */
typedef struct bgr_reach_home {
    bgr_space space;
    double *mean, *variance; /* of the rolls to the last checker */
    double *first;           /* mean rolls to the first of 15 */
    int32_t *best;           /* size x BGR_N_ROLLS */
    bgr_packed *packed;
    bgr_worth last_worth, first_worth, variance_worth;
    bgr_home_chances *chances;                /* size */
    double to_bring_home[BGR_MAX_POINTS + 1]; /* rolls that a checker on a point outside adds to the first one off */
    /* An index is the sum of what points 4 to 6 say and what points 1 to 3 say with that number of checkers beyond. */
    int32_t upper[4096], lower[BGR_MAX_CHECKERS + 1][4096];
    uint8_t n_upper[4096];
} bgr_reach_home;

static inline int32_t bgr_packed_index(const bgr_reach_home *h, bgr_packed p)
{
    unsigned six = (unsigned)(p.near >> 36), upper = six & 4095;
    return h->upper[upper] + h->lower[h->n_upper[upper]][six >> 12 & 4095];
}

/* Solve it; some 50 ms and 16 MB.  BGR_ERR_MEMORY. */
bgr_status bgr_reach_home_new(bgr_reach_home **home);
void bgr_reach_home_free(bgr_reach_home *home); /* NULL is allowed */

#endif
