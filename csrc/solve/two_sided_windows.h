/* V in the memory that is allowed: stripes, and windows of them. */
#ifndef BGR_TWO_SIDED_WINDOWS_H
#define BGR_TWO_SIDED_WINDOWS_H

#include "solve/two_sided_state.h"

/* Make room for V of a side's moves, whose lists are there.  BGR_ERR_MEMORY. */
bgr_status bgr_two_sided_prepare_windows(pair_solver *s, pair_side *mine);
void bgr_two_sided_free_windows(pair_solver *s); /* of all sides, also if that failed */

/* What one thread works in: a stripe, and the pairs of a window of it. */
typedef struct {
    stripe spare;
    int16_t *pairs;
    uint8_t *listed; /* blocks with single planes in the stripe at hand */
    size_t n_rows;   /* there is room for */
} thread_room;

/* NULL if there is no memory. */
thread_room *bgr_two_sided_new_room(const pair_solver *s);
void bgr_two_sided_free_room(const pair_solver *s, thread_room *room);

/* Keep what there is room for, from the first level that is solved on. */
void bgr_two_sided_first_windows(pair_solver *s, int level);

/* Open the stripes of the level that is solved from now on. */
void bgr_two_sided_open_stripes(pair_solver *s, int level);

/* The stripe that a side's tiles against a block are solved from: of the level at hand, kept, or made in the room. */
stripe bgr_two_sided_fetch(pair_solver *s, pair_side *roller, int64_t block, const thread_room *room);

/* Where the same tile, turned over, goes: 16 rows for moves of the opponent; empty if nobody keeps them. */
stripe bgr_two_sided_meeting(pair_solver *s, pair_side *roller, int64_t bi, int64_t bj);

/* When a level has been solved: choose which stripes of a mover's are kept while the next one is, and how wide, on
 * threads of the team; */
void bgr_two_sided_choose_windows(pair_solver *s, pair_side *mover, bgr_team *team);

/* then, for each block of the level, keep the window of its stripe, if that was chosen; any number of threads may; */
void bgr_two_sided_keep_window(pair_solver *s, pair_side *mover, int64_t block);

/* and give back the memory of single planes that no window has any more. */
void bgr_two_sided_leave_singles(pair_solver *s, pair_side *mover);

#endif
