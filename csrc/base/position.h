/* Sums over a position, beside its index (bgrace.h). */
#ifndef BGR_POSITION_H
#define BGR_POSITION_H

#include "bgrace.h"

/* Checkers are borne off once all are on these. */
enum { BGR_HOME_POINTS = 6 };

/* Suffix sums: t[j] checkers stand on point j + 1 or beyond. */
static inline void bgr_suffix_sums(int points, const int8_t *counts, int *t)
{
    int above = 0;
    for (int j = points - 1; j >= 0; j--)
        t[j] = above += counts[j];
}

static inline int bgr_pips(int points, const int8_t *counts)
{
    int pips = 0;
    for (int j = 0; j < points; j++)
        pips += (j + 1) * counts[j];
    return pips;
}

/* For qsort over int64_t. */
static inline int bgr_compare_indices(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

#endif
