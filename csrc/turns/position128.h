/* A position in 128 bits. */
#ifndef BGR_TURNS_POSITION128_H
#define BGR_TURNS_POSITION128_H

#include "bgrace.h"

#include <stdint.h>

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

/* Checkers on a point, or off: place 0. */
static inline int bgr_packed_count(bgr_packed p, int place)
{
    return (int)((place < 16 ? p.near : p.far) >> (60 - 4 * (place & 15)) & 15);
}

static inline void bgr_unpack(bgr_packed p, int8_t *places)
{
    for (int place = 0; place <= BGR_MAX_POINTS; place++)
        places[place] = (int8_t)bgr_packed_count(p, place);
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

#endif
