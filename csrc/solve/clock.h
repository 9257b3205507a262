/* Bounds for one side of a race against a clock, however the other side plays. */
#pragma once

#include "solve/die_by_die.h"

/* The rolls of a clock; beyond them a side counts as off in upper bounds and as not off in lower bounds. */
enum { BGR_CLOCK_ROLLS = BGR_DICE_WIDTH - 1 };

/* The greatest chances within 0, 1, .. BGR_CLOCK_ROLLS rolls to be off, and to have borne off a checker. */
typedef struct bgr_clock {
    double off[BGR_DICE_WIDTH], first[BGR_DICE_WIDTH];
} bgr_clock;

/* The states of a side for bounds from above, which also allow illegal plays if there are too many positions, and from
 * below, with some of the legal plays.  Free it with bgr_clock_side_free. */
typedef struct bgr_clock_side {
    int width; /* of clocks and laws: numbers of rolls, with 0 */
    bgr_dice_side *above, *below;
    double n_above, n_below; /* numbers of states */
} bgr_clock_side;

/* Guaranteed chances of one way to play: to bear off a checker before the other side is off, to win, and to win before
 * the other side has borne off a checker. */
typedef struct bgr_sure_chances {
    double saved, won, won_gammon;
} bgr_sure_chances;

/* The width for bounds of one side of a race; clocks change little beyond it. */
int bgr_clock_width(const int8_t *counts, const int8_t *other);

/* The width of both sides, and limits of the states, for bounds from above and from below, and of the bytes of each
 * side. */
typedef struct bgr_clock_limits {
    int width;
    double above, below, bytes;
} bgr_clock_limits;

/* Make both sides, with the most states that the limits allow, or with the coarsest rule if none fits.  counts:
 * BGR_MAX_POINTS numbers each.  listener: of all work on the sides.  homes: of each side, for bounds from above and
 * from below; made if needed and NULL, and freed by the caller after the sides.  BGR_ERR_MEMORY, BGR_ERR_STOPPED; free
 * the sides then, too. */
bgr_status bgr_clock_sides_init(const int8_t (*counts)[BGR_MAX_POINTS], const bgr_clock_limits *limits,
                                bgr_listener *listener, bgr_dice_home *homes[2][2], bgr_clock_side sides[2]);
void bgr_clock_side_free(bgr_clock_side *side);

/* Find upper bounds of the greatest chances, each with plays chosen for it alone.  first: 0 to be off, 1 to have borne
 * off a checker.  chances [out] BGR_DICE_WIDTH.  BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_clock_fastest(const bgr_clock_side *side, int first, double *chances);

/* The guaranteed chances of a side with this law, however the other side, which has this clock, plays.
 * clock_first: 1 if the other side rolls first.  all_left: 1 to use law->first. */
bgr_sure_chances bgr_clock_sure(const bgr_dice_law *law, const bgr_clock *clock, int clock_first, int all_left);

/* The growth of the other side's chances with each roll, near the time at which a side with these chances finishes: the
 * growth to aim for. */
double bgr_clock_growth(const double *law, const double *chances, int clock_first);
