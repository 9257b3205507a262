/* Sorting by numbers. */
#pragma once

#include <stdint.h>
#include <string.h>

typedef struct bgr_keyed {
    uint64_t key;
    int32_t number;
} bgr_keyed;

/* Sort by rising keys; what has the same key stays in order.  room: as many more, whose content is lost. */
void bgr_sort_keyed(bgr_keyed *list, bgr_keyed *room, int64_t n);

/* A key in the order of numbers, of which none is NaN. */
static inline uint64_t bgr_key_of(double x)
{
    uint64_t bits, sign = (uint64_t)1 << 63;
    x += 0; /* there is one zero */
    memcpy(&bits, &x, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}
