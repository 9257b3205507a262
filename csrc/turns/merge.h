/* Which positions of a layer stay where there are too many, and which of those that stay make up the others. */
#pragma once

#include "bgrace.h"

/* The numbers by which positions are alike. */
typedef struct bgr_alike {
    double mean;        /* of the rolls, less what tells chances to win apart: what a blend keeps */
    double other;       /* the number that best tells positions with the same mean apart */
    double chance;      /* to stand here */
    int kind;           /* only positions of one kind are alike */
    const float *shape; /* numbers that a mean of positions should agree in */
} bgr_alike;

enum { BGR_BLEND_PARTS = 4 };

/* A position as a mean of others: shares of BGR_BLEND_PARTS positions, which add up to 1; those behind that have share
 * 0 are not used. */
typedef struct bgr_blend {
    int32_t part[BGR_BLEND_PARTS];
    float share[BGR_BLEND_PARTS];
} bgr_blend;

/* Of n positions, each with n_shape numbers, let about `max_staying` stay, a few more at most.  stays [out] n.  blends
 * [out] n: of those that do not stay; the parts of one that stays are itself.  BGR_ERR_MEMORY. */
bgr_status bgr_merge(const bgr_alike *positions, int64_t n, int n_shape, int64_t max_staying, uint8_t *stays,
                     bgr_blend *blends);
