/* One side of a race against a clock: what it can be sure of, or hope for, whatever the other side does. */
#ifndef BGR_CLOCK_H
#define BGR_CLOCK_H

#include "simd/row.h"
#include "solve/graph.h"

/* No clock has more rolls: beyond them a side counts as off where that is a bound from above, and as not off where it
 * is one from below. */
enum { BGR_CLOCK_ROLLS = 63, BGR_CLOCK_WIDTH = BGR_CLOCK_ROLLS + 1 };

/* Chances to be off within 0, 1, .. BGR_CLOCK_ROLLS rolls. */
typedef double bgr_clock[BGR_CLOCK_WIDTH];

/* What a game pays to a side that plays against a clock. */
typedef struct bgr_clock_payoff {
    double won;
    double lost, lost_gammon; /* 0 or less; the second with all of BGR_MAX_CHECKERS left */
} bgr_clock_payoff;

/* The greatest chances to be off within each number of rolls, each by a way to play of its own: no way to play is ahead
 * of any of them.  choices: of the graph.  clock [out].  BGR_ERR_MEMORY. */
bgr_status bgr_clock_fastest(const bgr_graph *graph, const bgr_choices *choices, int64_t rank, bgr_row_function row,
                             bgr_clock clock);

/* What a side is sure of that plays against another one with this clock: the other side is off after its roll k with a
 * chance of clock[k] at most, whatever it does, and wins then if this side is not off yet.
 * clock_first: 1 if the other side rolls first.  value [out].  BGR_ERR_MEMORY. */
bgr_status bgr_clock_value(const bgr_graph *graph, const bgr_choices *choices, int64_t rank, bgr_row_function row,
                           const bgr_clock clock, int clock_first, const bgr_clock_payoff *payoff, double *value);

#endif
