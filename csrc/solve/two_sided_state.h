/* Shared by the parts of the two-sided solver: the pairs, and V, the value of having moved.
 *
 * two_sided.c has the algorithm, two_sided_tiles.c solves 16 by 16 pairs, two_sided_windows.c keeps V in the memory
 * that is allowed, and two_sided_files.c takes solved pairs to where the table is. */
#ifndef BGR_TWO_SIDED_STATE_H
#define BGR_TWO_SIDED_STATE_H

#include "solve/roll_lists.h"
#include "solve/two_sided_options.h"

/* Where solved pairs go: those of a rank and of ranks against it in a row. */
typedef struct {
    int16_t *pairs;
    int64_t width, first_rank, first_against;
} pair_target;

static inline int16_t *pairs_at(const pair_target *target, int64_t rank, int64_t against)
{
    return target->pairs +
           ((rank - target->first_rank) * target->width + against - target->first_against) * BGR_N_PLANES;
}

/* The part of a stripe that is in memory: nothing, its window, or all rows that the level at hand needs. */
typedef enum { BGR_ABSENT, BGR_HELD, BGR_OPEN } stripe_state;

/* The values of having moved, against one block: rows of the four planes, slot r in row r modulo n_rows, and of the
 * single planes or NULL. */
typedef struct {
    int16_t *planes, *singles;
    int64_t n_rows;
} pair_stripe;

/* Turns a row of N, values of rolling without doubling, round to one of V: 16 columns of four planes, plane after
 * plane. half: half a unit of equity. */
typedef void (*turn_function)(const int16_t *n, int16_t half, int16_t *v);

/* A rectangle of a table in a file. */
typedef struct {
    int16_t *pairs;
    bgr_rectangle rectangle;
    int waits; /* to be written */
} pair_buffer;

typedef struct {
    const bgr_two_sided_options *options;
    bgr_tile_function tile;
    turn_function turn_round;
    bgr_pairs pairs;
    const bgr_pair_blocks *blocks; /* of 16 positions */
    const bgr_graph *graph;
    int64_t n_slots;
    bgr_roll_lists lists; /* results of every roll; of the graph's, if it was compared, those that are left */
    bgr_roll_lists all;   /* for single planes, of which comparing knows nothing */
    int16_t *table;
    pair_target solved; /* where pairs go now: that table, or a rectangle of a file */
    uint8_t *held;      /* stripe_state of the stripe of each block */
    int16_t *values;    /* V: stripes that are kept, the last one at the end */
    size_t values_bytes;
    int64_t n_all_rows; /* of all stripes together, */
    int64_t n_rows;     /* of a stripe: n_slots, or the window's; 0: not chosen yet */
    int64_t first_kept; /* block: those from there on have a window */
    int64_t *n_needed;  /* by level: rows that a window needs */
    int16_t *newest;    /* stripes for the blocks of the level that is being solved; NULL: they are where all are */
    size_t newest_bytes;
    int64_t newest_rows; /* of the level that needs most */
    int16_t *singles;    /* V of the single planes, all rows; NULL if there are none */
    size_t singles_bytes;
    int level;         /* that is being solved */
    int keep_all;      /* stripes have all of their rows */
    int64_t room_rows; /* of the widest window */
    bgr_gammon_blocks gammons;
    pair_buffer buffers[2];
    size_t buffer_bytes;
    int filling;      /* the one that tiles go to */
    int64_t n_unread; /* stripes that could not be made again, because the file could not be read */
    bgr_crc32 crc;
} pair_solver;

/* ------------------------------------------------------------------ tiles: 16 positions of one block on roll against
 * 16 of another */

/* The value of bearing off the last checker against a rank in a plane of the table, to the winner and to the loser. */
int16_t bgr_two_sided_won(const pair_solver *s, int64_t rank, int plane);
int16_t bgr_two_sided_lost(const pair_solver *s, int64_t rank, int plane);

/* The row of a mover who has borne off the last checker. */
void bgr_two_sided_set_won(const pair_solver *s, int64_t block, pair_stripe whole);

turn_function bgr_two_sided_turn(bgr_arithmetic arithmetic);

/* The results of every roll.  BGR_ERR_MEMORY, BGR_ERR_SIZE. */
bgr_status bgr_two_sided_make_lists(pair_solver *s);
void bgr_two_sided_free_lists(pair_solver *s); /* also if that failed */

/* Solve block bi on roll against block bj, from stripe bj; and put the values of having moved to bj, against bi, into
 * `meeting`, 16 rows of a stripe, unless that is empty.  listed: see
 * bgr_list_blocks. */
void bgr_two_sided_solve_tile(pair_solver *s, int64_t bi, int64_t bj, pair_stripe from, pair_stripe meeting,
                              const uint8_t *listed);

/* The same 16 rows from the table, where the pairs have been solved before. */
void bgr_two_sided_load_tile(pair_solver *s, int64_t bi, int64_t bj, const pair_target *solved, pair_stripe meeting);

/* ------------------------------------------------------------------ V in the memory that is allowed: stripes, and
 * windows of them */

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

/* Before a level is solved: make windows as wide as it needs them. */
void bgr_two_sided_widen_windows(pair_solver *s, int level);

/* see whether some of those that the level needs have to be made again; */
int bgr_two_sided_lacks_windows(const pair_solver *s, int level);

/* and let tiles find their rows. */
void bgr_two_sided_enter_level(pair_solver *s, int level);

/* The stripe that tiles against a block are solved from: of the level at hand or above, kept, or made in the
 * room.  In the first half of a level one thread asks for it at a time. */
pair_stripe bgr_two_sided_fetch(pair_solver *s, int64_t block, const thread_room *room);

/* Where the same tile, turned over, goes: 16 rows for moves of the opponent; empty if nobody keeps them. */
pair_stripe bgr_two_sided_meeting(pair_solver *s, int64_t bi, int64_t bj);

/* When a level has been solved: its stripes are done with, and rows that no window has any more. */
void bgr_two_sided_leave_level(pair_solver *s);

/* ------------------------------------------------------------------ where solved pairs go: to tables in memory, or
 * through two buffers to a file */

/* Make ready for the pairs of a level; the table gets what is won and lost at once.  BGR_ERR_MEMORY, BGR_ERR_WRITE. */
bgr_status bgr_two_sided_prepare_target(pair_solver *s);
void bgr_two_sided_free_target(pair_solver *s);

/* Steps of bgr_solve_pairs, for a table in a file; `of` is the solver. */
void bgr_two_sided_begin_rectangle(void *of, const bgr_rectangle *pairs);
bgr_status bgr_two_sided_save_rectangle(void *of);
bgr_status bgr_two_sided_save_last(void *of);

/* Where the pairs of a rectangle are that were solved before.  Those of a file are read into `pairs`;
 * what cannot be read is counted in n_unread. */
pair_target bgr_two_sided_solved(pair_solver *s, const bgr_rectangle *rectangle, int16_t *pairs);

#endif
