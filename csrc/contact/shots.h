/* Men behind a bearoff, and the rolls with which they hit a blot. */
#pragma once

#include "base/dice.h"
#include "bgrace_contact.h"

/* Places of the men behind, as the side that bears off counts them: the bar, its points 1 .. 6, and whatever is past
 * them.  A man on the bar enters on the point that a die names, and every man moves towards higher points. */
enum { BGR_BAR, BGR_PAST = 7, BGR_N_PLACES = BGR_PAST };

/* Whether bgr_contact_of gives such men: BGR_OK if the tables know them; else BGR_ERR_COVERAGE, BGR_ERR_POSITION,
 * BGR_ERR_ARGUMENT. */
bgr_status bgr_check_contact(const bgr_contact *contact);

/* Whether a roll (0 .. 20) hits a blot.  counts: 6, of the side that bears off.  men: 1 or 2, all on one place, BGR_BAR
 * .. 6.  Other men of theirs take a die that these leave over; points with two or more block. */
int bgr_roll_hits(const int8_t *counts, int place, int men, int roll);

/* Weight, out of 36, of the rolls that hit. */
int bgr_shots(const int8_t *counts, int place, int men);

/* Where a man can be after a roll that does not hit, as bits 1 << place, BGR_PAST for all that is past the home points;
 * from a point the place itself is one of them, from the bar only if the man cannot enter. */
unsigned bgr_places_after(const int8_t *counts, int place, int roll);
