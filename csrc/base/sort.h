/* Radix sort. */
#pragma once

#include <stdint.h>
#include <string.h>

typedef struct bgr_keyed {
    uint64_t key;
    int32_t number;
} bgr_keyed;

/* Sort by rising keys; equal keys keep their order.  room: n elements of working memory. */
void bgr_sort_keyed(bgr_keyed *list, bgr_keyed *room, int64_t n);

/* A key that orders numbers, without NaN. */
static inline uint64_t bgr_key_of(double x)
{
    uint64_t bits, sign = (uint64_t)1 << 63;
    x += 0; /* -0 becomes 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}
