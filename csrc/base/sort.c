/* Radix sort, from the last digit to the first, without digits that all keys share. */

#include "base/sort.h"

enum { DIGIT_BITS = 8, N_DIGITS = 1 << DIGIT_BITS, FEW_KEYED = 48 };

static inline int digit_of(uint64_t key, int shift) { return (int)(key >> shift & (N_DIGITS - 1)); }

static void sort_few_keyed(bgr_keyed *list, int64_t n)
{
    for (int64_t k = 1; k < n; k++) {
        bgr_keyed moved = list[k];
        int64_t at = k;
        for (; at && list[at - 1].key > moved.key; at--)
            list[at] = list[at - 1];
        list[at] = moved;
    }
}

void bgr_sort_keyed(bgr_keyed *list, bgr_keyed *room, int64_t n)
{
    uint64_t differ = 0;
    bgr_keyed *now = list, *next = room;
    if (n <= FEW_KEYED) {
        sort_few_keyed(list, n);
        return;
    }
    for (int64_t k = 1; k < n; k++)
        differ |= list[k].key ^ list[0].key;
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
        int64_t start[N_DIGITS + 1] = {0};
        if (!digit_of(differ, shift))
            continue;
        for (int64_t k = 0; k < n; k++)
            start[digit_of(now[k].key, shift) + 1]++;
        for (int digit = 0; digit < N_DIGITS; digit++)
            start[digit + 1] += start[digit];
        for (int64_t k = 0; k < n; k++)
            next[start[digit_of(now[k].key, shift)]++] = now[k];
        bgr_keyed *held = now;
        now = next;
        next = held;
    }
    if (now != list)
        memcpy(list, now, (size_t)n * sizeof *list);
}
