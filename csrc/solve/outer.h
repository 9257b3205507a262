/* The checkers of one side outside its home board, and their steps of single dice. */
#pragma once

#include "base/position.h"
#include "solve/solver.h"

/* A listener to the work on clocks, which can stop it: BGR_ERR_STOPPED. */
typedef struct bgr_listener {
    bgr_progress progress; /* or NULL */
    void *context;
    int64_t n; /* states since the last report */
} bgr_listener;

/* Count n more states as done, and return whether to stop; progress is called every few hundredths of a second. */
static inline int bgr_is_stopped(bgr_listener *listener, int64_t n)
{
    enum { STATES_BETWEEN_CALLS = 1 << 10 };
    if ((listener->n += n) < STATES_BETWEEN_CALLS)
        return 0;
    listener->n = 0;
    return listener->progress && listener->progress(listener->context, 0, 0, 1);
}

/* How places are distinguished, and which steps are allowed.
 *
 * Beyond point `apart` only the number of checkers and their total pips are known.  The pips may be shared out anew
 * before each die, with no checker farther away than possible.  Every step of a real position is also a step of its
 * place, so a place can do at least as well. */
typedef struct bgr_outer_rule {
    int apart;  /* BGR_HOME_POINTS .. BGR_MAX_POINTS; the latter distinguishes all places */
    int known;  /* places with more checkers outside are not listed; if there are any, apart must be BGR_HOME_POINTS */
    int movers; /* 1 .. BGR_MAX_POINTS: the number of points whose checkers move */
    int near;   /* 1: the nearest points move; 0: the farthest, and others if that brings a checker into the home
                 * board */
} bgr_outer_rule;

/* All places that steps reach.  Number 0 is the first place; if that has more checkers outside than `known`, all places
 * with `known` checkers outside come first. */
typedef struct bgr_outer {
    int32_t n;
    uint8_t *checkers; /* n */
    int16_t *pips;     /* n */
    int64_t *start;    /* 6 n + 1: where the steps of each place and die begin */
    int32_t *step;     /* the number of the place after it, times 8, plus the home point that is entered or 0 */
} bgr_outer;

/* List places.  counts: BGR_MAX_POINTS numbers.  weight: BGR_MAX_CHECKERS + 1, the weight of a place by its number of
 * checkers.  weights [out]: their sum.  Free it with bgr_outer_free.  BGR_ERR_SIZE if the sum is more than `limit`;
 * BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_outer_new(const int8_t *counts, bgr_outer_rule rule, const double *weight, double limit,
                         bgr_listener *listener, double *weights, bgr_outer **outer);
void bgr_outer_free(bgr_outer *outer); /* NULL is allowed */
