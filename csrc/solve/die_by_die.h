/* One side's recursion over its rolls, found die by die for all that it can come to. */
#ifndef BGR_DIE_BY_DIE_H
#define BGR_DIE_BY_DIE_H

#include "solve/outer.h"

enum { BGR_DICE_WIDTH = 64 };

/* With i rolls left, i = 0 .. width - 1, nothing below 0:
 *
 *     V[x][i] = stage[x][i] + mean over the rolls of max over the results y of V[y][i - 1],    V[off][i] = finished[i]
 *
 * rounded to float, always up or always down. */
typedef struct bgr_dice_race {
    double finished[BGR_DICE_WIDTH];
    double stage[2][BGR_DICE_WIDTH]; /* with fewer than BGR_MAX_CHECKERS checkers, and with all of them */
    int width;
    int up;
} bgr_dice_race;

/* The home positions that a side can come to.  Opaque; owned by the caller. */
typedef struct bgr_dice_home bgr_dice_home;

/* counts: BGR_MAX_POINTS numbers, not all 0.  inner: 1, or 0: no checker moves within the home board before all others
 * are there.  Free it with bgr_dice_home_free.  BGR_ERR_MEMORY. */
bgr_status bgr_dice_home_new(const int8_t *counts, int inner, bgr_dice_home **home);
void bgr_dice_home_free(bgr_dice_home *home); /* NULL is allowed */

/* The states that a side can come to: each is a place outside and a home position.  Opaque; owned by the caller; needs
 * `home`. */
typedef struct bgr_dice_side bgr_dice_side;

/* *n [out]: how many states there are.  Free it with bgr_dice_side_free.  BGR_ERR_SIZE beyond `limit` states,
 * BGR_ERR_MEMORY. */
bgr_status bgr_dice_side_new(const bgr_dice_home *home, bgr_outer_rule rule, double limit, bgr_dice_side **side,
                             double *n);
void bgr_dice_side_free(bgr_dice_side *side); /* NULL is allowed */

/* About how many bytes bgr_dice_solve takes. */
double bgr_dice_bytes(const bgr_dice_side *side, int width);

/* V of where the side stands.  values [out] width.  BGR_ERR_MEMORY. */
bgr_status bgr_dice_solve(const bgr_dice_side *side, const bgr_dice_race *race, double *values);

#endif
