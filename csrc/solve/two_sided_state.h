/* Shared by the parts of the two-sided solver: the pairs, and V, the value of having moved.
 *
 * two_sided.c has the algorithm, two_sided_tiles.c solves 16 by 16 pairs, two_sided_windows.c keeps V within the memory
 * limit, and two_sided_files.c writes solved pairs to the table. */
#pragma once

#include "solve/roll_lists.h"
#include "solve/two_sided_options.h"

/* The place of solved pairs; those of one rank on roll are consecutive. */
typedef struct {
    int16_t *pairs;
    int64_t width, first_rank, first_against;
} pair_target;

static inline int16_t *pairs_at(const pair_target *target, int64_t rank, int64_t against)
{
    return target->pairs +
           ((rank - target->first_rank) * target->width + against - target->first_against) * BGR_N_PLANES;
}

/* The part of a stripe in memory: none, its window, or all rows that the present level needs. */
typedef enum { BGR_ABSENT, BGR_HELD, BGR_OPEN } stripe_state;

/* Values of having moved, against one block: rows of the four planes, slot r in row r modulo n_rows; and rows of the
 * single planes, or NULL. */
typedef struct {
    int16_t *planes, *singles;
    int64_t n_rows;
} pair_stripe;

/* Convert a row of N, values of rolling without doubling, to one of V: 16 columns of four planes, plane after plane.
 * half: half a unit of equity. */
typedef void (*turn_function)(const int16_t *n, int16_t half, int16_t *v);

/* A rectangle of a table in a file. */
typedef struct {
    int16_t *pairs;
    bgr_rectangle rectangle;
    int waits; /* 1: waits to be written */
} pair_buffer;

/* V within the memory limit. */
typedef struct {
    uint8_t *held;   /* stripe_state of the stripe of each block */
    int16_t *values; /* kept stripes, the last one at the end */
    size_t values_bytes;
    int64_t n_all_rows; /* of all stripes together, */
    int64_t n_rows;     /* of a stripe: n_slots, or the window's; 0: not chosen yet */
    int64_t first_kept; /* the first block that has a window, as all after it */
    int64_t *n_needed;  /* by level: rows that a window needs */
    int16_t *newest;    /* stripes for the blocks of the level that is being solved; NULL: these are among the kept
                         * ones */
    size_t newest_bytes;
    int64_t newest_rows; /* rows for the level that needs most */
    int16_t *singles;    /* V of the single planes, all rows; NULL if there are none */
    size_t singles_bytes;
    int keep_all;      /* 1: stripes have all of their rows */
    int64_t room_rows; /* of the widest window */
} pair_windows;

/* The output: a table in memory, or two buffers and a file. */
typedef struct {
    int16_t *table;
    pair_target now; /* the table, or a rectangle of a file */
    pair_buffer buffers[2];
    size_t buffer_bytes;
    int filling;      /* the buffer that tiles are written to */
    int64_t n_unread; /* stripes that could not be made again, since reading failed */
    bgr_crc32 crc;
} pair_output;

typedef struct {
    const bgr_two_sided_options *options;
    bgr_tile_function tile;
    turn_function turn_round;
    bgr_pairs pairs;
    const bgr_pair_blocks *blocks; /* blocks of 16 positions */
    const bgr_graph *graph;
    int64_t n_slots;
    bgr_roll_lists lists; /* results of every roll; if the graph was compared, only those to compare */
    bgr_roll_lists all;   /* all results, for single planes, to which comparing does not apply */
    bgr_gammon_blocks gammons;
    int level; /* that is being solved */
    pair_windows windows;
    pair_output output;
} pair_solver;
