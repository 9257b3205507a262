/* Options for solving pairs in 16 bits. */
#pragma once

#include "base/path.h"
#include "solve/gammon_pairs.h"
#include "solve/pair_file.h"

/* How fractions are rounded. */
typedef enum bgr_arithmetic {
    BGR_NEAREST, /* equity times a scale, rounded to the nearest step */
    BGR_GNUBG    /* the arithmetic of GNU Backgammon's generator: see csrc/solve/two_sided_tiles.c */
} bgr_arithmetic;

/* How to solve pairs of positions.  Start from zeros; scale is required. */
typedef struct bgr_two_sided_options {
    int scale;           /* steps per unit of equity, even: a multiple of 36 makes every one-roll value exact.  At most
                          * 32766 without gammons, 16382 with them. */
    int gammon_checkers; /* a loser with this many checkers left loses double; 0: no gammons */
    unsigned single_planes; /* bit 1 << plane: gammons count once on this plane (cubeless: win probability, as 2 W -
                             * 1; centered: the Jacoby rule) */
    const bgr_gammon_pairs *gammon_pairs; /* or NULL; only with gammon_checkers and without single_planes */
    bgr_pair_file *file;                  /* the output instead of a table in memory, or NULL */
    int64_t memory_bytes;                 /* limit of the working set without graph and table; 0: none */
    bgr_path path;
    bgr_arithmetic arithmetic; /* with BGR_GNUBG scale is ignored, and there are no gammons */
    bgr_work work; /* with a file, one of the workers waits for the disk; progress of a level: pairs with at most
                    * that many pips on each side are in the table or the file */
} bgr_two_sided_options;
