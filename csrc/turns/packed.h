/* A position in 128 bits, and the home board's tables. */
#ifndef BGR_PACKED_H
#define BGR_PACKED_H

#include "turns/estimate.h"

/* Four bits for each point, those borne off in front: off, 1, .. 15 in `near`, from the top bits down, and 16 .. 24 in
 * `far`.  All 15 checkers are somewhere, so a die always takes from one place and gives to another; and of two
 * positions the one with the greater number has the smaller index. */
typedef struct {
    uint64_t near, far;
} bgr_packed;

static inline uint64_t bgr_packed_one(int place) { return (uint64_t)1 << (60 - 4 * (place & 15)); }

/* counts[place]: place 0 is off, then the points. */
static inline bgr_packed bgr_pack(const int8_t *places)
{
    bgr_packed p = {0, 0};
    for (int place = 0; place <= BGR_MAX_POINTS; place++)
        *(place < 16 ? &p.near : &p.far) += (uint64_t)places[place] * bgr_packed_one(place);
    return p;
}

static inline void bgr_unpack(bgr_packed p, int8_t *places)
{
    for (int place = 0; place <= BGR_MAX_POINTS; place++)
        places[place] = (int8_t)((place < 16 ? p.near : p.far) >> (60 - 4 * (place & 15)) & 15);
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

static inline int bgr_packed_home(bgr_packed p) { return !(p.near & 0xFFFFFFFFFu) && !p.far; }

/* What sums and counts add at so many pips: levels[point - 1][checkers]. */
typedef struct {
    float sums[BGR_ESTIMATE_POINTS][BGR_MAX_CHECKERS + 1], counts[BGR_ESTIMATE_POINTS][BGR_MAX_CHECKERS + 1];
} bgr_pip_levels;

/* An estimate (see estimate.h): pairs[j - 1][t_j][t_{j+1}], with t_j checkers on point j or beyond, and levels. */
typedef struct {
    float pairs[BGR_MAX_POINTS][BGR_MAX_CHECKERS + 1][BGR_MAX_CHECKERS + 1];
    bgr_pip_levels levels[BGR_ESTIMATE_MOST_PIPS + 1]; /* by pips, and for more */
} bgr_worth;

/* Chances to be off within 0, 1, .. rolls, from the home board: hardly anybody takes more. */
enum { BGR_HOME_ROLLS = 32 };
typedef float bgr_home_chances[BGR_HOME_ROLLS];

/* Opaque to all but this room: see reach_home.h. */
typedef struct bgr_reach_home {
    bgr_space space;
    double *mean, *variance; /* of the rolls to the last checker */
    double *first;           /* mean rolls to the first of 15 */
    int32_t *best;           /* size x BGR_N_ROLLS */
    bgr_packed *packed;
    bgr_worth worth, first_worth, variance_worth;
    bgr_home_chances *chances; /* size */
    /* An index is the sum of what points 4 to 6 say and what points 1 to 3 say with so many checkers beyond. */
    int32_t upper[4096], lower[BGR_MAX_CHECKERS + 1][4096];
    uint8_t n_upper[4096];
} bgr_reach_home;

static inline int32_t bgr_packed_index(const bgr_reach_home *h, bgr_packed p)
{
    unsigned six = (unsigned)(p.near >> 36), upper = six & 4095;
    return h->upper[upper] + h->lower[h->n_upper[upper]][six >> 12 & 4095];
}

#endif
