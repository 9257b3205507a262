/* Men behind a bearoff, and the rolls with which they hit a blot. */
#pragma once

#include "base/dice.h"
#include "bgrace_contact.h"

/* Places of the men behind, as the side that bears off counts them: the bar, its points 1 .. 6, and all points past
 * these.  A man on the bar enters on the point that a die names, and every man moves towards higher points. */
enum { BGR_BAR, BGR_PAST = 7, BGR_N_PLACES = BGR_PAST };

/* Check that bgr_contact_of could return a contact, and that the tables cover it: BGR_OK, else BGR_ERR_COVERAGE,
 * BGR_ERR_POSITION, BGR_ERR_ARGUMENT. */
bgr_status bgr_check_contact(const bgr_contact *contact);

/* Whether a roll (0 .. 20) hits a blot.  counts: 6, of the side that bears off.  men: 1 or 2, all on one place, BGR_BAR
 * .. 6.  Their other men can always play a die that these do not use; points with two or more checkers block. */
int bgr_roll_hits(const int8_t *counts, int place, int men, int roll);

/* Weight, out of 36, of the rolls that hit. */
int bgr_shots(const int8_t *counts, int place, int men);

/* The places that a man can reach by a roll that does not hit, as bits 1 << place, BGR_PAST for all past the home
 * points.  The place itself is included if it is a point, or if the man cannot enter from the bar. */
unsigned bgr_places_after(const int8_t *counts, int place, int roll);
