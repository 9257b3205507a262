/* Pairs of equal turns: two sides that were carried forward turn by turn, solved backward against each other. */
#pragma once

#include "base/stakes.h"
#include "turns/reach.h"

/* Chances that follow the plays of cubeless play: that the side on roll now wins a gammon at least, that the other one
 * does, and the same of backgammons. */
enum { BGR_GAMMON_FIRST, BGR_GAMMON_SECOND, BGR_BACKGAMMON_FIRST, BGR_BACKGAMMON_SECOND, BGR_N_FOLLOWERS };

/* How many of them are wanted.  followers: bit 1 << k for chance k. */
static inline int bgr_n_followers(unsigned followers)
{
    int n = 0;
    for (; followers; followers &= followers - 1)
        n++;
    return n;
}

/* The values of a pair by plane, and the followers after them: planes for the side on roll, followers of the two sides
 * as they are now. */
enum { BGR_MAX_LINES = BGR_MAX_PLANES + BGR_N_FOLLOWERS };

/* Exact values of pairs that are known beforehand.  first: side 0 or 1 is on roll, at n positions with these indices on
 * six points, the opponent at m others.  values [out] n x m x (planes and followers wanted).
 * A value is needed of every pair both of whose sides have at most `checkers` checkers on six points. */
typedef struct bgr_boundary {
    void (*values)(void *context, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                   double *values);
    void *context;
    int checkers; /* 0: no pairs are known */
    int work;     /* row operations that a pair takes, if it is worth counting */
} bgr_boundary;

typedef enum bgr_precision { BGR_DOUBLE, BGR_FLOAT } bgr_precision;

typedef struct bgr_pairs_options {
    const bgr_planes *planes;
    unsigned followers; /* bit 1 << k: chance k of those above is wanted */
    bgr_boundary boundary;
    bgr_precision precision;
    const bgr_parallel *parallel;                /* the bits don't depend on it; NULL: this thread alone */
    int (*progress)(void *context, double done); /* now and then; or NULL; anything but 0 stops */
    void *context;                               /* for progress */
} bgr_pairs_options;

/* Work of a solution: pairs of equal turns, both sides on roll; bytes that it takes; and row operations, each of a
 * cache line, which are what the time goes for. */
typedef struct bgr_pairs_size {
    int64_t pairs, bytes, operations;
} bgr_pairs_size;

/* The last turns of both sides must be known: at least one reach ends with the empty board, and the other goes as far.
 * BGR_ERR_SIZE if not. */
bgr_status bgr_pairs_measure(const bgr_reach *first, const bgr_reach *second, const bgr_pairs_options *options,
                             bgr_pairs_size *size);

/* Solve.  now [out] BGR_MAX_LINES: the first side on roll at its position.  after [out] positions of layer 1 of `first`
 * x BGR_MAX_LINES: the second side on roll, where the first has moved there (of no meaning for local number 0).
 * BGR_ERR_SIZE, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_pairs_solve(const bgr_reach *first, const bgr_reach *second, const bgr_pairs_options *options,
                           double *now, double *after);
