/* What the positions that one side can come to are found by: which results of a roll are worth keeping, and limits. */
#pragma once

#include "turns/off_chances.h"

enum { BGR_EVERY_FIRST_ROLL = 22 };

/* Which results are worth keeping, and how many positions may come of it.  Start from zeros and fill in what is
 * wanted: that is the rule of the least mean, without a limit. */
typedef struct bgr_reach_options {
    double delta;       /* rolls: keep results whose mean is within this of the least.  0: one for each roll, of equals
                         * the one with the smaller index; INFINITY: every legal result */
    int max_turns;      /* the horizon: the other side is certainly off by then.  0: none */
    int first_checker;  /* 1: with 15 checkers keep, besides, the result that bears off the first one soonest (a gammon
                         * may be lost) */
    int last_straggler; /* 1: with checkers on points 19 to 24 keep, besides, the result that brings the last of them
                         * out soonest (a backgammon may be lost) */
    int less_is_better; /* 1: losing less is better for the side, as with any match equity table that makes sense.  0:
                         * no position is hopeless */
    int hope_turns;     /* turns after which the opponent is off but for tuned_no_hope.  A position that cannot save the
                         * gammon by then is marked hopeless: only its checkers on points 19 to 24 count.  0: use
                         * max_turns */
    int cannot_win;     /* 1: it only matters whether and when a checker is borne off.  So results with 15 checkers are
                         * compared by the rolls to the first one off, and with fewer all are one (BGR_SAVED); needs
                         * max_turns, and delta below INFINITY */
    int first_roll;     /* 1 + a roll, 0 .. 20: keep every legal result of it from the position itself, whatever its
                         * mean: a player chooses from these now, and they are never merged.  0: no such roll;
                         * BGR_EVERY_FIRST_ROLL: of every roll */
    double in_time[BGR_OFF_WIDTH]; /* about the chance that exactly k of its rolls, from the position on, come before
                                    * the other side is off; positions are merged by it.  Zeros: not known */
    int64_t max_layer; /* 2 or more: of a layer of more positions about as many stay, a few more at most, and the others
                        * become blends.  0: no limit */
    int64_t max_nodes; /* no more nodes than this are made before fewer results are compared, then delta is 0, and
                        * then results are found turn by turn (max_layer 0: with layers of 256); or
                        * BGR_ERR_SIZE with delta INFINITY.  0: no limit */
    double max_work;   /* about how many microseconds of a common processor finding nodes may take: then what is looked
                        * at within delta is less where play hardly ever comes by, or nothing.  0: no limit */
    int (*progress)(void *context, double done); /* now and then, with 0; or NULL; anything but 0 stops */
    void *context;                               /* for progress */
} bgr_reach_options;
