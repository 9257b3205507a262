/* Solve pairs of equal turns backward, for two sides that were carried forward turn by turn. */
#pragma once

#include "base/stakes.h"
#include "turns/reach.h"

/* Followers, chances under cubeless play: that the side on roll now wins at least a gammon, that the other side does,
 * and the same for backgammons. */
enum { BGR_GAMMON_FIRST, BGR_GAMMON_SECOND, BGR_BACKGAMMON_FIRST, BGR_BACKGAMMON_SECOND, BGR_N_FOLLOWERS };

/* Values of a pair: planes, for the side on roll, then followers, for the sides as they are on roll now. */
enum { BGR_MAX_LINES = BGR_MAX_PLANES + BGR_N_FOLLOWERS };

/* Exact values of pairs that are known beforehand.  first: the side on roll, 0 or 1; on_roll: the index on six points
 * of its position; opponent: m indices of the other side.  values [out] m x planes; followers are 0.  All pairs with at
 * most `checkers` checkers on six points on each side must be known. */
typedef struct bgr_boundary {
    void (*values)(void *context, int first, int32_t on_roll, const int32_t *opponent, int m, double *values);
    void *context;
    int checkers; /* 0: no pairs are known */
    int work;     /* row operations that looking up a pair costs, if not negligible */
} bgr_boundary;

typedef enum bgr_precision { BGR_DOUBLE, BGR_FLOAT } bgr_precision;

typedef struct bgr_pairs_options {
    const bgr_planes *planes;
    unsigned followers; /* set of followers to solve: bit 1 << k for chance k */
    bgr_boundary boundary;
    bgr_precision precision;
    const bgr_parallel *parallel;                /* values do not depend on it; NULL: this thread alone */
    int (*progress)(void *context, double done); /* called from time to time, or NULL; a result other than 0 stops */
    void *context;                               /* for progress */
} bgr_pairs_options;

/* The size of a solution: pairs of equal turns, for both sides on roll; bytes; and row operations, each on a cache
 * line, to which the time is proportional. */
typedef struct bgr_pairs_size {
    int64_t pairs, bytes, operations;
} bgr_pairs_size;

/* Measure a solution.  BGR_ERR_SIZE unless at least one reach ends with the empty board and the other goes as far. */
bgr_status bgr_pairs_measure(const bgr_reach *first, const bgr_reach *second, const bgr_pairs_options *options,
                             bgr_pairs_size *size);

/* Solve.  now [out] BGR_MAX_LINES: values with the first side on roll at its position.  after [out] positions of layer
 * 1 of `first` x BGR_MAX_LINES: values with the second side on roll after the first has moved there (undefined for
 * local number 0).  BGR_ERR_SIZE, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_pairs_solve(const bgr_reach *first, const bgr_reach *second, const bgr_pairs_options *options,
                           double *now, double *after);
