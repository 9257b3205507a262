/* Shared by the parts of the two-sided solver: the pairs, and V, the value of having moved.
 *
 * two_sided.c has the algorithm, two_sided_tiles.c solves 16 by 16 pairs, two_sided_windows.c keeps V in the memory
 * that is allowed, and two_sided_files.c takes solved pairs to where the table is. */
#pragma once

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

/* V in the memory that is allowed. */
typedef struct {
    uint8_t *held;   /* stripe_state of the stripe of each block */
    int16_t *values; /* stripes that are kept, the last one at the end */
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
    int keep_all;      /* stripes have all of their rows */
    int64_t room_rows; /* of the widest window */
} pair_windows;

/* Where solved pairs go: to a table in memory, or through two buffers to a file. */
typedef struct {
    int16_t *table;
    pair_target now; /* that table, or a rectangle of a file */
    pair_buffer buffers[2];
    size_t buffer_bytes;
    int filling;      /* the one that tiles go to */
    int64_t n_unread; /* stripes that could not be made again, because the file could not be read */
    bgr_crc32 crc;
} pair_output;

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
    bgr_gammon_blocks gammons;
    int level; /* that is being solved */
    pair_windows windows;
    pair_output output;
} pair_solver;
