/* The plays of a roll against men behind, with their notation. */
#pragma once

#include "base/position.h"
#include "bgrace_contact.h"

/* One checker's part of a play; `to` is 0 for off. */
typedef struct {
    int8_t from, to, hits;
} bgr_contact_move;

/* A result of a roll, with one play that leads to it.  place: of the men behind, BGR_BAR if the man was hit. */
typedef struct {
    int8_t counts[BGR_HOME_POINTS], place, n_moves;
    bgr_contact_move moves[4];
} bgr_contact_way;

/* The greatest number of results of a roll, counting equal positions with and without a hit. */
enum { BGR_MAX_CONTACT_WAYS = BGR_MAX_RISK_PLAYS };

/* List every distinct result of a roll, in no order; the position itself if nothing can be played.  As many dice as
 * possible are played; if only one of two, the larger if possible.  Two men on a point block it.  ways [out]
 * BGR_MAX_CONTACT_WAYS. Returns their number. */
int bgr_contact_ways(const bgr_contact *contact, int larger, int smaller, bgr_contact_way *ways);

/* Write a way in the usual notation, with an asterisk for a hit; empty if it has no moves.  is_double: decides the
 * order of moves from one point.  text [out] BGR_PLAY_SIZE. */
void bgr_write_way(const bgr_contact_way *way, int is_double, char *text);
