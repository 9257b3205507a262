/* The least chance ever to be hit in a bearoff against men behind. */
#pragma once

#include "contact/shots.h"

/* The man behind with a roll that hits nothing.  BGR_WAITS: nothing; on the bar the man stays there.
 * BGR_RUNS: the man does what makes a hit most likely, waiting included, but enters from the bar if it can. */
typedef enum { BGR_WAITS, BGR_RUNS } bgr_behind;

/* One man behind, on every place at once.
 *
 * The side that bears off plays every roll to make the chance ever to be hit as small as can be; where it hits the man,
 * it goes on against one on the bar.  One hit is the end, and so is the last checker borne off.  Every play lowers the
 * index, so one pass over rising indices solves all of it, without iteration.
 *
 * space: 6 points.  to_hit, to_bear_off [out]: BGR_N_PLACES x size each, chances ever to be hit with the man's side, or
 * the side that bears off, to roll; NaN where a checker stands on the man's point.  200 bytes for each of them are
 * needed on the way.  BGR_ERR_MEMORY. */
bgr_status bgr_risk_of_one(const bgr_space *space, bgr_behind behind, double *to_hit, double *to_bear_off);

/* Two men behind that wait on one place (BGR_BAR .. 6).  On a point they block it; both results have size entries.
 * BGR_ERR_MEMORY. */
bgr_status bgr_risk_of_two(const bgr_space *space, int place, double *to_hit, double *to_bear_off);
