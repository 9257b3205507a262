/* The part of V that fits into the memory of the two-sided solver: stripes, and windows of them. */
#pragma once

#include "solve/two_sided_state.h"

/* Allocate V, after the lists.  BGR_ERR_MEMORY. */
bgr_status bgr_two_sided_prepare_windows(pair_solver *s);
void bgr_two_sided_free_windows(pair_solver *s); /* also if that failed */

/* The working memory of a thread: a stripe, and the pairs of a window. */
typedef struct {
    pair_stripe spare;
    int16_t *pairs;
    uint8_t *listed; /* blocks with single planes in the present stripe */
    size_t n_rows;   /* rows that there is room for */
} thread_room;

/* Returns NULL if memory is out. */
thread_room *bgr_two_sided_new_room(const pair_solver *s);
void bgr_two_sided_free_room(const pair_solver *s, thread_room *room);

/* Make windows as wide as a level needs, before it is solved. */
void bgr_two_sided_widen_windows(pair_solver *s, int level);

/* Whether some of the stripes that a level needs have to be made again. */
int bgr_two_sided_lacks_windows(const pair_solver *s, int level);

/* Prepare the stripes and lists for the tiles of a level. */
void bgr_two_sided_enter_level(pair_solver *s, int level);

/* Get the stripe from which tiles against a block are solved, of the present level or above: kept, or made in the room.
 * In the first half of a level only one thread may ask for a stripe at a time. */
pair_stripe bgr_two_sided_fetch(pair_solver *s, int64_t block, const thread_room *room);

/* The destination of the transposed tile: 16 rows for moves of the opponent; empty if they are not kept. */
pair_stripe bgr_two_sided_meeting(pair_solver *s, int64_t bi, int64_t bj);

/* Finish a level: close its stripes, and free rows that are in no window any more. */
void bgr_two_sided_leave_level(pair_solver *s);
