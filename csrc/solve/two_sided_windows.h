/* The part of V that the two-sided solver has memory for: stripes, and windows of them. */
#pragma once

#include "solve/two_sided_state.h"

/* Make room for V, once lists are there.  BGR_ERR_MEMORY. */
bgr_status bgr_two_sided_prepare_windows(pair_solver *s);
void bgr_two_sided_free_windows(pair_solver *s); /* also if that failed */

/* The memory that one thread works in: a stripe, and the pairs of a window of it. */
typedef struct {
    pair_stripe spare;
    int16_t *pairs;
    uint8_t *listed; /* blocks with single planes in the stripe at hand */
    size_t n_rows;   /* there is room for */
} thread_room;

/* NULL if there is no memory. */
thread_room *bgr_two_sided_new_room(const pair_solver *s);
void bgr_two_sided_free_room(const pair_solver *s, thread_room *room);

/* Make windows as wide as a level needs them, before it is solved. */
void bgr_two_sided_widen_windows(pair_solver *s, int level);

/* Whether some of the stripes that a level needs have to be made again. */
int bgr_two_sided_lacks_windows(const pair_solver *s, int level);

/* Let the tiles of a level find their rows. */
void bgr_two_sided_enter_level(pair_solver *s, int level);

/* The stripe that tiles against a block are solved from: of the level at hand or above, kept, or made in the
 * room.  In the first half of a level one thread asks for it at a time. */
pair_stripe bgr_two_sided_fetch(pair_solver *s, int64_t block, const thread_room *room);

/* Where the same tile, turned over, goes: 16 rows for moves of the opponent; empty if nobody keeps them. */
pair_stripe bgr_two_sided_meeting(pair_solver *s, int64_t bi, int64_t bj);

/* When a level has been solved: its stripes are done with, and rows that no window has any more. */
void bgr_two_sided_leave_level(pair_solver *s);
