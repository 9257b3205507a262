/* Merge positions of a layer that has too many: some stay, and the others become blends of these. */
#pragma once

#include "bgrace.h"

/* The numbers by which positions are compared. */
typedef struct bgr_alike {
    double mean;        /* mean rolls, corrected for the chance to win; a blend preserves it */
    double other;       /* the number that best distinguishes positions with the same mean */
    double chance;      /* to reach this position */
    int kind;           /* only positions of one kind are blended */
    const float *shape; /* numbers that a blend should have, too */
} bgr_alike;

enum { BGR_BLEND_PARTS = 4 };

/* A position as a mean of others: shares of BGR_BLEND_PARTS positions, which add up to 1; parts with share 0, at the
 * end, are not used. */
typedef struct bgr_blend {
    int32_t part[BGR_BLEND_PARTS];
    float share[BGR_BLEND_PARTS];
} bgr_blend;

/* Let about `max_staying` of n positions, each with n_shape numbers, stay, at most a few more.  stays [out] n.  blends
 * [out] n: of positions that do not stay; one that stays is its own only part.  BGR_ERR_MEMORY. */
bgr_status bgr_merge(const bgr_alike *positions, int64_t n, int n_shape, int64_t max_staying, uint8_t *stays,
                     bgr_blend *blends);
