/* One side of a race against a clock: bounds on its payoff, from below and above, whatever the other side does. */
#ifndef BGR_CLOCK_H
#define BGR_CLOCK_H

#include "solve/die_by_die.h"

/* No clock has more rolls: beyond them a side counts as off where that is a bound from above, and as not off where it
 * is one from below. */
enum { BGR_CLOCK_ROLLS = 63, BGR_CLOCK_WIDTH = BGR_CLOCK_ROLLS + 1 };

/* Chances to be off within 0, 1, .. BGR_CLOCK_ROLLS rolls. */
typedef double bgr_clock[BGR_CLOCK_WIDTH];

/* Points that a game pays to a side that plays against a clock. */
typedef struct bgr_clock_payoff {
    double won;
    double lost, lost_gammon; /* no more than `won`, each; the second with all of BGR_MAX_CHECKERS left */
} bgr_clock_payoff;

/* A side as it is bounded from above, with plays that are not legal where there are too many positions, and from below,
 * with some of the legal plays.  Free it with bgr_clock_side_free. */
typedef struct bgr_clock_side {
    int width;                              /* of clocks and values, in rolls, 0 among them */
    bgr_dice_home *home_above, *home_below; /* below: NULL if all is exact */
    bgr_dice_side *above, *below;           /* the same if all is exact */
    double n_above, n_below;                /* how many states they have */
    int exact;
} bgr_clock_side;

/* The width to bound one side of a race with: neither side's clock says much beyond. */
int bgr_clock_width(const int8_t *counts, const int8_t *other);

/* As sharp as `states` states and `bytes` bytes allow; and if they allow nothing, as little as there is.  counts:
 * BGR_MAX_POINTS numbers.  BGR_ERR_MEMORY. */
bgr_status bgr_clock_side_init(const int8_t *counts, int width, double states, double bytes, bgr_clock_side *side);
void bgr_clock_side_free(bgr_clock_side *side);

/* No less than the greatest chances to be off within each number of rolls, each by a way to play of its own: no way to
 * play is ahead of any of them.  clock [out].  BGR_ERR_MEMORY. */
bgr_status bgr_clock_fastest(const bgr_clock_side *side, bgr_clock clock);

/* A lower bound on the payoff of a side that plays against this clock: the other side is off after its roll k with a
 * chance of clock[k] at most, whatever it does, and wins then if this side is not off yet.
 * clock_first: 1 if the other side rolls first.  value [out].  BGR_ERR_MEMORY. */
bgr_status bgr_clock_value(const bgr_clock_side *side, const bgr_clock clock, int clock_first,
                           const bgr_clock_payoff *payoff, double *value);

#endif
