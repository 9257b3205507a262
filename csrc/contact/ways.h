/* The plays of a roll against men behind, with their notation. */
#pragma once

#include "base/position.h"
#include "bgrace_contact.h"

/* One checker's part of a play; `to` is 0 for off. */
typedef struct {
    int8_t from, to, hits;
} bgr_contact_move;

/* A result of a roll, and a way to it.  place: of the men behind, BGR_BAR once the man has been hit. */
typedef struct {
    int8_t counts[BGR_HOME_POINTS], place, n_moves;
    bgr_contact_move moves[4];
} bgr_contact_way;

/* Room for the results of a roll, those that hit on the way beside those that do not. */
enum { BGR_MAX_CONTACT_WAYS = BGR_MAX_RISK_PLAYS };

/* Every distinct result of a roll, in no order; the position itself if nothing can be played.  As many dice are played
 * as can be; if only one of two can, it is the larger.  Two men on a point block it.  ways [out] BGR_MAX_CONTACT_WAYS.
 * Their number. */
int bgr_contact_ways(const bgr_contact *contact, int larger, int smaller, bgr_contact_way *ways);

/* A way as players write it, a hit marked with an asterisk; the empty text if it has no moves.  `is_double` is for the
 * order of moves from one point.  text [out] BGR_PLAY_SIZE. */
void bgr_write_way(const bgr_contact_way *way, int is_double, char *text);
