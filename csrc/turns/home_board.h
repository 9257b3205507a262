/* Data about one side: positions in 128 bits, the home board solved, and estimates for positions outside it.
 *
 * An estimate of a position outside the home board (of the mean number of rolls to the last checker, and to the first
 * of 15, and of the variance of the former) is
 *
 *     a constant times the pips + sum over points j of  pairs[j][t_j, t_{j+1}] + sums[j][t_j] + counts[j][c_j],
 *
 * where t_j is the number of checkers on point j or beyond, c_j the number on it.  The terms `sums` and `counts` also
 * depend on the pips: they are linear between knots, and constant beyond the last. */
#pragma once

#include "base/position.h"
#include "base/tuning.h"

/* ------------------------------------------------------------------ positions in 128 bits */

/* Four bits for each place: off, 1, .. 15 in `near`, from the top bits down, and 16 .. 24 in `far`.  All 15 checkers
 * are counted, so a step subtracts 1 from one place and adds 1 to another; and the greater of two numbers has the
 * smaller index. */
typedef struct {
    uint64_t near, far;
} bgr_packed;

static inline uint64_t bgr_packed_one(int place) { return (uint64_t)1 << (60 - 4 * (place & 15)); }

/* Pack a position of at most BGR_MAX_CHECKERS checkers by point; the others are off. */
static inline bgr_packed bgr_packed_of(const int8_t *counts)
{
    bgr_packed p = {BGR_MAX_CHECKERS * bgr_packed_one(0), 0};
    for (int point = 1; point <= BGR_MAX_POINTS; point++) {
        uint64_t n = (uint64_t)counts[point - 1];
        p.near -= n * bgr_packed_one(0);
        *(point < 16 ? &p.near : &p.far) += n * bgr_packed_one(point);
    }
    return p;
}

/* The number of checkers on a place; 0 is off. */
static inline int bgr_packed_count(bgr_packed p, int place)
{
    return (int)((place < 16 ? p.near : p.far) >> (60 - 4 * (place & 15)) & 15);
}

static inline void bgr_unpack(bgr_packed p, int8_t *places)
{
    for (int place = 0; place <= BGR_MAX_POINTS; place++)
        places[place] = (int8_t)bgr_packed_count(p, place);
}

/* Move a checker; place 0 is off. */
static inline bgr_packed bgr_packed_moved(bgr_packed p, int from, int to)
{
    *(from < 16 ? &p.near : &p.far) -= bgr_packed_one(from);
    *(to < 16 ? &p.near : &p.far) += bgr_packed_one(to);
    return p;
}

/* Whether a checker has been borne off. */
static inline int bgr_packed_any_off(bgr_packed p) { return p.near >> 60 > 0; }

/* Whether a checker is on points 19 to 24. */
static inline int bgr_packed_any_straggler(bgr_packed p) { return (p.far & (uint64_t)0xFFFFFF << 28) != 0; }

static inline int bgr_packed_same(bgr_packed p, bgr_packed q) { return p.near == q.near && p.far == q.far; }

/* Whether p has the smaller index. */
static inline int bgr_packed_before(bgr_packed p, bgr_packed q)
{
    return p.near > q.near || (p.near == q.near && p.far > q.far);
}

/* Mark of hopeless positions, of a side that can neither win nor save the gammon: only its checkers on points 19 to 24
 * matter, and the others are put on the ace point. */
#define BGR_ONLY_STRAGGLERS ((uint64_t)1)
static inline int bgr_packed_hopeless(bgr_packed p) { return (p.far & BGR_ONLY_STRAGGLERS) != 0; }
static inline bgr_packed bgr_packed_stragglers(bgr_packed p)
{
    bgr_packed to = {0, (p.far & (uint64_t)0xFFFFFF << 28) | BGR_ONLY_STRAGGLERS};
    uint64_t others = BGR_MAX_CHECKERS;
    for (uint64_t far = to.far >> 28; far; far >>= 4)
        others -= far & 15;
    to.near = others * bgr_packed_one(1);
    return to;
}

static inline int bgr_packed_home(bgr_packed p) { return !(p.near & 0xFFFFFFFFFu) && !p.far; }

/* ------------------------------------------------------------------ estimates */

#define BGR_ESTIMATE_STEP 5e-4 /* rolls */

enum {
    BGR_ESTIMATE_PAIRS = (BGR_MAX_CHECKERS + 1) * (BGR_MAX_CHECKERS + 2) / 2,
    BGR_ESTIMATE_POINTS = 15, /* points that have sums and counts */
    BGR_ESTIMATE_KNOTS = 8,
    BGR_ESTIMATE_PIPS = 24, /* pips from one knot to the next; the first is at 0 */
    BGR_ESTIMATE_MAX_PIPS = (BGR_ESTIMATE_KNOTS - 1) * BGR_ESTIMATE_PIPS
};

/* Changes of pairs by point; then t_j = 0 .. 15, and t_{j+1} = 0 .. t_j: from the pair of one checker less in each
 * number that is not 0.  Levels by sums or counts, knot, checkers and point. */
typedef struct {
    int16_t changes[BGR_MAX_POINTS][BGR_ESTIMATE_PAIRS];
    int16_t levels[2][BGR_ESTIMATE_KNOTS][BGR_MAX_CHECKERS + 1][BGR_ESTIMATE_POINTS];
} bgr_terms;

/* The three estimates; their numbers are texts: see read_terms in home_board.c. */
enum { BGR_ESTIMATE_LAST, BGR_ESTIMATE_FIRST, BGR_ESTIMATE_VARIANCE, BGR_N_ESTIMATES };
extern const char bgr_estimate_text[6][4096];

/* Coefficients of the third cumulant: a constant and those of the mean, the pips and the checkers outside the home
 * board; the same four times the variance; and the variance squared. */
extern const double bgr_estimate_third[9];

/* ------------------------------------------------------------------ the home board */

/* The terms of sums and counts at one number of pips: [point - 1][checkers]. */
typedef struct {
    float sums[BGR_ESTIMATE_POINTS][BGR_MAX_CHECKERS + 1], counts[BGR_ESTIMATE_POINTS][BGR_MAX_CHECKERS + 1];
} bgr_pip_levels;

/* The terms of an estimate, as above: pairs[j - 1][t_j][t_{j+1}], and levels. */
typedef struct {
    float pairs[BGR_MAX_POINTS][BGR_MAX_CHECKERS + 1][BGR_MAX_CHECKERS + 1];
    bgr_pip_levels levels[BGR_ESTIMATE_MAX_PIPS + 1]; /* by pips; the last for all greater numbers */
} bgr_worth;

/* Chances to be off within 0, 1, .. rolls, from the home board: more are very rare. */
enum { BGR_HOME_ROLLS = 32 };
typedef float bgr_home_chances[BGR_HOME_ROLLS];

/* The home board solved for one player, 15 checkers.  Made once, read only,
 * for any number of threads at once; opaque outside csrc/turns. */
typedef struct bgr_home_board {
    bgr_space space;
    double *mean, *variance; /* of the number of rolls to the last checker */
    double *first;           /* mean rolls to the first of 15 */
    int32_t *best, *chains;  /* size x BGR_N_ROLLS, size x BGR_N_CHAINS: see solve/one_sided.h */
    bgr_packed *packed;
    bgr_worth last_worth, first_worth, variance_worth;
    bgr_home_chances *chances;                 /* size */
    double to_bring_home[BGR_MAX_POINTS + 1];  /* rolls that a checker on a point outside adds to the number until the
                                                * first one is off */
    int pips_of_hope[TUNED_TURNS_OF_HOPE + 1]; /* pips that so many rolls exceed with a chance below tuned_no_hope */
    /* An index is the sum of upper[bits of points 4 to 6] and lower[bits of points 1 to 3], with the checkers on points
     * 4 to 6 added to those on point 3. */
    int32_t upper[4096], lower[4096];
} bgr_home_board;

static inline int bgr_packed_n_outside(bgr_packed p)
{
    int n = 0;
    for (int place = BGR_HOME_POINTS + 1; place <= BGR_MAX_POINTS; place++)
        n += bgr_packed_count(p, place);
    return n;
}

static inline int32_t bgr_packed_index(const bgr_home_board *h, bgr_packed p)
{
    unsigned six = (unsigned)(p.near >> 36), upper = six & 4095, n_upper = upper * 0x111 >> 8 & 15;
    return h->upper[upper] + h->lower[(six >> 12 & 4095) + n_upper];
}

/* Solve it; some 50 ms and 19 MB.  BGR_ERR_MEMORY. */
bgr_status bgr_home_board_new(bgr_home_board **home);
void bgr_home_board_free(bgr_home_board *home); /* NULL is allowed */
