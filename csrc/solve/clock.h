/* One side of a race against a clock: what it can be sure of, or hope for, whatever the other side does. */
#pragma once

#include "solve/die_by_die.h"

/* No clock has more rolls: beyond them a side counts as off where that is a bound from above, and as not off where it
 * is one from below. */
enum { BGR_CLOCK_ROLLS = BGR_DICE_WIDTH - 1 };

/* The greatest chances within 0, 1, .. BGR_CLOCK_ROLLS rolls to be off, and to have borne off a checker. */
typedef struct bgr_clock {
    double off[BGR_DICE_WIDTH], first[BGR_DICE_WIDTH];
} bgr_clock;

/* A side as it is bounded from above, with plays that are not legal where there are too many positions, and from below,
 * with some of the legal plays.  Free it with bgr_clock_side_free. */
typedef struct bgr_clock_side {
    int width; /* of clocks and laws, in rolls, 0 among them */
    bgr_dice_side *above, *below;
    double n_above, n_below; /* how many states they have */
} bgr_clock_side;

/* The chances that one way to play is sure of: to have borne off a checker before the other side is off, to win, and to
 * win before the other side has borne off a checker. */
typedef struct bgr_sure_chances {
    double saved, won, won_gammon;
} bgr_sure_chances;

/* The width to bound one side of a race with: neither side's clock says much beyond. */
int bgr_clock_width(const int8_t *counts, const int8_t *other);

/* The width of both sides, and the most states and bytes that each may have, as it is bounded from above and from
 * below. */
typedef struct bgr_clock_limits {
    int width;
    double above, below, bytes;
} bgr_clock_limits;

/* Both sides, as sharp as the limits allow, but at least as sharp as the smallest there are.  counts: BGR_MAX_POINTS
 * numbers each.  listener: of all work on them.  homes: of each side, as it is bounded from above and from below; made
 * if they are needed and NULL, and freed by the caller after the sides. BGR_ERR_MEMORY, BGR_ERR_STOPPED; free them
 * then, too. */
bgr_status bgr_clock_sides_init(const int8_t (*counts)[BGR_MAX_POINTS], const bgr_clock_limits *limits,
                                bgr_listener *listener, bgr_dice_home *homes[2][2], bgr_clock_side sides[2]);
void bgr_clock_side_free(bgr_clock_side *side);

/* No less than the greatest chances, each by a way to play of its own: no way to play is ahead of any of them.
 * first: 0 to be off, 1 to have borne off a checker.  chances [out] BGR_DICE_WIDTH.  BGR_ERR_MEMORY, BGR_ERR_STOPPED.
 */
bgr_status bgr_clock_fastest(const bgr_clock_side *side, int first, double *chances);

/* The chances that a side is sure of which plays so, whatever the other one with this clock does.
 * clock_first: 1 if the other side rolls first.  law->first counts if `all_left`. */
bgr_sure_chances bgr_clock_sure(const bgr_dice_law *law, const bgr_clock *clock, int clock_first, int all_left);

/* How fast the other side's chances grow with each roll where a side with these chances is: what to aim for. */
double bgr_clock_growth(const double *law, const double *chances, int clock_first);
