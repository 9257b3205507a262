/* The least chance ever to be hit in a bearoff against men behind. */
#pragma once

#include "contact/shots.h"

/* How the man behind plays a roll that does not hit.  BGR_WAITS: it stays, also on the bar.  BGR_RUNS: it makes a hit
 * most likely, by moving or waiting, but enters from the bar if it can. */
typedef enum { BGR_WAITS, BGR_RUNS } bgr_behind;

/* Solve one man behind, for all places at once.
 *
 * The side that bears off plays every roll for the least chance ever to be hit; if it hits the man, play goes on
 * against a man on the bar.  Play ends with a hit by the man or with the last checker borne off.  Every play lowers the
 * index, so one pass over rising indices solves all of it, without iteration.
 *
 * space: 6 points.  to_hit, to_bear_off [out]: BGR_N_PLACES x size each, chances ever to be hit with the man's side, or
 * the side that bears off, on roll; NaN where a checker stands on the man's point.  Working memory: 200 bytes for each
 * entry.  BGR_ERR_MEMORY. */
bgr_status bgr_risk_of_one(const bgr_space *space, bgr_behind behind, double *to_hit, double *to_bear_off);

/* Solve two men behind that wait on one place (BGR_BAR .. 6); on a point they block it.  to_hit, to_bear_off [out]:
 * size entries each.  BGR_ERR_MEMORY. */
bgr_status bgr_risk_of_two(const bgr_space *space, int place, double *to_hit, double *to_bear_off);
