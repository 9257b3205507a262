/* Options for finding the positions that one side can reach: which results of a roll to keep, and limits. */
#pragma once

#include "turns/off_chances.h"

enum { BGR_EVERY_FIRST_ROLL = 22 };

/* Which results to keep, and limits.  All zeros: the result with the least mean of each roll, without limits. */
typedef struct bgr_reach_options {
    double delta;       /* rolls: keep results whose mean is within this of the least.  0: one for each roll, that
                         * with the smaller index if means are equal; INFINITY: every legal result */
    int max_turns;      /* the horizon: the other side is certainly off by then.  0: none */
    int first_checker;  /* 1: with 15 checkers also keep the result that bears off the first one soonest (a gammon
                         * may be lost) */
    int last_straggler; /* 1: with checkers on points 19 to 24 also keep the result that brings the last one out
                         * soonest (a backgammon may be lost) */
    int less_is_better; /* 1: losing less is better for the side, as with any sensible match equity table.  0: mark
                         * no position hopeless */
    int hope_turns;     /* turns after which the opponent is off but for tuned_no_hope.  A position that cannot save the
                         * gammon by then is marked hopeless: only its checkers on points 19 to 24 count.  0: use
                         * max_turns */
    int cannot_win;     /* 1: only the roll on which a checker is borne off first matters.  So results with 15
                         * checkers are compared by the rolls to the first one off, and all with fewer are one node
                         * (BGR_SAVED); needs max_turns, and delta below INFINITY */
    int first_roll;     /* 1 + a roll, 0 .. 20: keep every legal result of it from the first position, and never
                         * merge these, since a player chooses from them now.  0: no such roll; BGR_EVERY_FIRST_ROLL:
                         * every roll */
    double in_time[BGR_OFF_WIDTH]; /* approximate chance that the side has exactly k rolls, from the first position
                                    * on, before the other side is off; used for merging.  Zeros: unknown */
    int64_t max_nodes; /* limit of nodes.  If it is exceeded, fewer results are compared, then delta is 0, then
                        * results are found turn by turn (unless told otherwise, with layers of 256); with delta
                        * INFINITY, BGR_ERR_SIZE.  0: no limit */
    double max_work;   /* approximate limit of finding nodes, in microseconds of a common processor: delta is then
                        * smaller at unlikely nodes, or 0.  0: no limit */
    int (*progress)(void *context, double done); /* called from time to time with done = 0, or NULL; a result other
                                                  * than 0 stops */
    void *context;                               /* for progress */
} bgr_reach_options;
