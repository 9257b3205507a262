/* How pairs are to be solved in 16 bits. */
#pragma once

#include "base/path.h"
#include "solve/gammon_pairs.h"
#include "solve/pair_file.h"

/* How fractions are rounded. */
typedef enum bgr_arithmetic {
    BGR_NEAREST, /* equity times a scale, rounded to the nearest step */
    BGR_GNUBG    /* step for step what GNU Backgammon's generator computes: see csrc/solve/two_sided_tiles.c */
} bgr_arithmetic;

/* How to solve pairs of positions.  Start from zeros and fill in what is wanted; scale is needed. */
typedef struct bgr_two_sided_options {
    int scale;           /* steps per unit of equity, even: a multiple of 36 makes every one-roll value exact.  At most
                          * 32766 without gammons, 16382 with them. */
    int gammon_checkers; /* a loser with this many checkers left loses double; 0: nobody does */
    unsigned single_planes; /* bit 1 << plane: gammons count once there all the same (cubeless: win probability,
                             * as 2 W - 1; centered: the Jacoby rule) */
    const bgr_gammon_pairs *gammon_pairs; /* or NULL; with gammon_checkers, and no single_planes */
    bgr_pair_file *file;                  /* or NULL: where the table is to be, instead */
    int64_t memory_bytes;                 /* bound of the working set beside graph and table; 0: none */
    bgr_path path;
    bgr_arithmetic arithmetic; /* with BGR_GNUBG scale is without effect, and there are no gammons */
    bgr_work work; /* with a file, one of the workers waits for the disk; the level that is told: pairs with no more
                    * pips on a side are in the tables, or the file */
} bgr_two_sided_options;
