/* The checkers of one side outside its home board, and where single dice bring them. */
#pragma once

#include "base/position.h"
#include "solve/solver.h"

/* Listener to the work on clocks, which it may stop: BGR_ERR_STOPPED. */
typedef struct bgr_listener {
    bgr_progress progress; /* or NULL */
    void *context;
    int64_t n; /* states since it was last told */
} bgr_listener;

/* Whether to stop, when n more states have been worked on: it is asked after some hundredths of a second. */
static inline int bgr_is_stopped(bgr_listener *listener, int64_t n)
{
    enum { STATES_BETWEEN_CALLS = 1 << 12 };
    if ((listener->n += n) < STATES_BETWEEN_CALLS)
        return 0;
    listener->n = 0;
    return listener->progress && listener->progress(listener->context, 0, 0, 1);
}

/* How places are told apart, and which steps are allowed.
 *
 * Beyond point `apart` it is only known how many checkers there are and how many pips they have together.  Then they
 * may share these out anew before each die, as far as no checker goes beyond where it could be.  Every step of a real
 * position is one of such a place, too, so it can do at least as much. */
typedef struct bgr_outer_rule {
    int apart;  /* BGR_HOME_POINTS .. BGR_MAX_POINTS, which tells all places apart */
    int known;  /* checkers outside: places with more of them are not listed, and if there are any, apart is
                 * BGR_HOME_POINTS */
    int movers; /* 1 .. BGR_MAX_POINTS: the number of points whose checkers move */
    int near;   /* 1: the nearest; 0: the farthest, and others where that brings a checker into the home board */
} bgr_outer_rule;

/* All places that steps lead to.  Number 0 is the one that they come from; or, if that has more checkers outside than
 * `known`, all places with `known` checkers outside come first. */
typedef struct bgr_outer {
    int32_t n;
    int32_t home;      /* the number of the place with no checker outside */
    uint8_t *checkers; /* n */
    int16_t *pips;     /* n */
    int64_t *start;    /* 6 n + 1: where the steps of each place and die begin */
    int32_t *step;     /* the number of the place, times 8, and the home point that is entered, 0 if none is */
} bgr_outer;

/* counts: BGR_MAX_POINTS numbers.  weight: BGR_MAX_CHECKERS + 1, of a place by its number of checkers.  weights [out]:
 * of all.  Free it with bgr_outer_free.  BGR_ERR_SIZE where weights are more than `limit`; BGR_ERR_MEMORY,
 * BGR_ERR_STOPPED. */
bgr_status bgr_outer_new(const int8_t *counts, bgr_outer_rule rule, const double *weight, double limit,
                         bgr_listener *listener, double *weights, bgr_outer **outer);
void bgr_outer_free(bgr_outer *outer); /* NULL is allowed */
