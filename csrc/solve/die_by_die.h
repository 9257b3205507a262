/* The states of one side, and the steps of single dice between them.
 *
 * In a race every die can be played, so a roll of two numbers is one single step after the other, in either order; a
 * double is four steps.  With at least two checkers outside the order makes no difference, as nothing can be borne off
 * by either die.  A step takes 1 to 6 pips, so states go up by pips.
 *
 * A state of a side is a place outside (outer.h) and a home position of its other checkers, with any number of
 * them once nobody is outside.  Home positions are those that have no more checkers on any point or beyond than the
 * side began with; or, if no checker moves within the home board, those with no fewer on any point.
 *
 * With more checkers outside than `known`, only the pips are distinguished: a *lump* is all such states with equal pips
 * (die_clock.c). */
#pragma once

#include "solve/outer.h"

enum {
    BGR_DICE_WIDTH = 64, /* greatest width of rows: numbers of rolls, with 0 */
    BGR_DICE_FACES = 6,
    BGR_DICE_PAIRS = 15, /* rolls of two different numbers */
    BGR_MAX_HOME_PIPS = BGR_HOME_POINTS * BGR_MAX_CHECKERS
};

/* The home positions for one number of checkers outside, by pips. */
typedef struct bgr_home_set {
    int32_t *index;
    int32_t start[BGR_MAX_HOME_PIPS + 2];
} bgr_home_set;

/* The home positions that a side can reach; owned by the caller. */
typedef struct bgr_dice_home {
    bgr_listener *listener; /* listens to all work on the side */
    int8_t start[BGR_MAX_POINTS];
    bgr_space space; /* of home positions */
    int32_t n_checkers, n_outside, pips, home_index;
    int inner;
    int8_t (*counts)[BGR_HOME_POINTS]; /* by index */
    bgr_home_set sets[BGR_MAX_CHECKERS + 1];
    int32_t *place[BGR_MAX_CHECKERS + 1]; /* by index: number among those of equal pips in a set; -1: not in it */
    double n[BGR_MAX_CHECKERS + 1];       /* number in each set */
    int64_t rise[BGR_HOME_POINTS][BGR_MAX_CHECKERS + 1]; /* of the index, if one checker more stands on a point or
                                                          * beyond */
} bgr_dice_home;

/* The states that a side can reach.  Owned by the caller; needs `home`. */
typedef struct bgr_dice_side {
    const bgr_dice_home *home;
    bgr_outer *outer;
    int known;
    int least_lump; /* least pips of a lump; more than the side has if there is none */
    int64_t most_of_level;
} bgr_dice_side;

/* counts: BGR_MAX_POINTS numbers, not all 0.  inner: 0: no checker moves within the home board until all are there;
 * else 1.  Free it with bgr_dice_home_free.  BGR_ERR_MEMORY. */
bgr_status bgr_dice_home_new(const int8_t *counts, int inner, bgr_listener *listener, bgr_dice_home **home);
void bgr_dice_home_free(bgr_dice_home *home); /* NULL is allowed */

/* n [out]: number of states.  Free it with bgr_dice_side_free.  BGR_ERR_SIZE beyond `limit` states, BGR_ERR_MEMORY,
 * BGR_ERR_STOPPED. */
bgr_status bgr_dice_side_new(const bgr_dice_home *home, bgr_outer_rule rule, double limit, bgr_dice_side **side,
                             double *n);
void bgr_dice_side_free(bgr_dice_side *side); /* NULL is allowed */

/* The number of states with these pips in a place outside. */
static inline int64_t bgr_dice_n(const bgr_dice_side *side, int32_t outer, int pips)
{
    int home_pips = pips - side->outer->pips[outer];
    const bgr_home_set *set = &side->home->sets[side->outer->checkers[outer]];
    return home_pips < 0 || home_pips > BGR_MAX_HOME_PIPS ? 0 : set->start[home_pips + 1] - set->start[home_pips];
}

/* The home position of the k-th of these states. */
static inline int32_t bgr_dice_nth(const bgr_dice_side *side, int32_t outer, int pips, int64_t k)
{
    const bgr_home_set *set = &side->home->sets[side->outer->checkers[outer]];
    return set->index[set->start[pips - side->outer->pips[outer]] + k];
}

/* The number of a state among these. */
static inline int32_t bgr_dice_place(const bgr_dice_side *side, int32_t outer, int32_t home)
{
    return side->home->place[side->outer->checkers[outer]][home];
}

/* Return 1 if no checker is off. */
static inline int bgr_dice_all_left(const bgr_dice_side *side, int32_t outer, int32_t home)
{
    int n = side->outer->checkers[outer];
    for (int j = 0; j < BGR_HOME_POINTS; j++)
        n += side->home->counts[home][j];
    return n == side->home->n_checkers;
}

/* The number of a roll of two different dice, below BGR_DICE_PAIRS. */
static inline int bgr_dice_pair(int larger, int smaller) { return (larger - 1) * (larger - 2) / 2 + smaller - 1; }

/* Call `take` with the die and the new state of every step from a state. */
static inline void bgr_dice_steps(const bgr_dice_side *side, int32_t outer, int32_t home, int pips,
                                  void (*take)(void *context, int die, int32_t outer, int32_t home, int pips),
                                  void *context)
{
    const bgr_dice_home *h = side->home;
    const bgr_outer *o = side->outer;
    const int8_t *counts = h->counts[home];
    int outside = o->checkers[outer], highest = outside ? BGR_HOME_POINTS : bgr_highest(BGR_HOME_POINTS, counts);
    int t[BGR_HOME_POINTS];
    int64_t rise[BGR_HOME_POINTS + 1] = {0}, drop[BGR_HOME_POINTS + 1] = {0};
    bgr_suffix_sums(BGR_HOME_POINTS, counts, t);
    for (int j = 0; j < BGR_HOME_POINTS; j++) {
        rise[j + 1] = rise[j] + (t[j] < BGR_MAX_CHECKERS ? h->rise[j][t[j]] : 0);
        drop[j + 1] = drop[j] - (t[j] ? h->rise[j][t[j] - 1] : 0);
    }
    for (int die = 1; die <= BGR_DICE_FACES; die++) {
        for (int point = die + 1; point <= BGR_HOME_POINTS && (!outside || h->inner); point++)
            if (counts[point - 1])
                take(context, die, outer, home + (int32_t)(drop[point] - drop[point - die]), pips - die);
        int from = die < highest ? die : highest;
        if (!outside && counts[from - 1])
            take(context, die, outer, home + (int32_t)drop[from], pips - from);
        const int64_t *start = o->start + (int64_t)outer * BGR_DICE_FACES + die - 1;
        for (int64_t k = start[0]; k < start[1]; k++) {
            int32_t to = o->step[k] / 8, after = home + (int32_t)rise[o->step[k] % 8];
            if (bgr_dice_place(side, to, after) >= 0) /* else no real position is in this state */
                take(context, die, to, after, pips - die);
        }
    }
}

/* Call a function whose last argument is the width of rows, with a constant if it is a usual one, for which compilers
 * make better loops. */
#define BGR_AT_WIDTH(width, function, ...)                                                                             \
    switch (width) {                                                                                                   \
        BGR_IF_WIDTH(8, function, __VA_ARGS__);                                                                        \
        BGR_IF_WIDTH(12, function, __VA_ARGS__);                                                                       \
        BGR_IF_WIDTH(16, function, __VA_ARGS__);                                                                       \
        BGR_IF_WIDTH(24, function, __VA_ARGS__);                                                                       \
        BGR_IF_WIDTH(32, function, __VA_ARGS__);                                                                       \
    default:                                                                                                           \
        function(__VA_ARGS__, width);                                                                                  \
    }
#define BGR_IF_WIDTH(n, function, ...)                                                                                 \
    case n:                                                                                                            \
        function(__VA_ARGS__, n);                                                                                      \
        break

/* ------------------------------------------------------------------ solving: die_clock.c, die_plays.c */

/* Find the greatest chances to be off, or with `first` to have borne off a checker, within i = 0 .. width - 1 rolls,
 * each with plays chosen for it alone; floats, rounded up.  chances [out] width.  BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_die_clock(const bgr_dice_side *side, int first, int width, double *chances);

/* The approximate bytes that this takes; bgr_die_plays takes no more. */
double bgr_die_clock_bytes(const bgr_dice_side *side, int width);

/* The aim of a side: the greatest mean of the sum of growth^k over all k for which it is off within k rolls, plus
 * `first` times the same sum for its first checker.  Growth 1: the least mean number of rolls; less: for a side that
 * needs luck. */
typedef struct bgr_dice_aim {
    double growth, first;
} bgr_dice_aim;

/* Chances to be off, and to have borne off a checker, within 0 .. BGR_DICE_WIDTH - 1 rolls. */
typedef struct bgr_dice_law {
    double off[BGR_DICE_WIDTH], first[BGR_DICE_WIDTH];
} bgr_dice_law;

/* Find lower bounds of the chances within i = 0 .. width - 1 rolls when playing for an aim, in floats.  The side must
 * have no lumps.  law [out]: `first` is set if with_first and no checker is off, and 0 otherwise.  BGR_ERR_MEMORY,
 * BGR_ERR_STOPPED. */
bgr_status bgr_die_plays(const bgr_dice_side *side, bgr_dice_aim aim, int with_first, int width, bgr_dice_law *law);
