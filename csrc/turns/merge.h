/* Which positions of a layer stay where there are too many, and what of those that stay the others are made of. */
#ifndef BGR_MERGE_H
#define BGR_MERGE_H

#include "bgrace.h"

#include <stdint.h>

/* What positions are alike by. */
typedef struct bgr_alike {
    double mean;        /* of the rolls to the last checker */
    double other;       /* what tells positions with the same mean apart best */
    double chance;      /* to stand here */
    int kind;           /* only positions of one kind are alike */
    const float *shape; /* numbers that a mean of positions should agree in */
} bgr_alike;

enum { BGR_BLEND_PARTS = 4 };

/* A position as a mean of others: shares of so many positions, which add up to 1; those behind that have share 0 are
 * not used. */
typedef struct bgr_blend {
    int32_t part[BGR_BLEND_PARTS];
    float share[BGR_BLEND_PARTS];
} bgr_blend;

/* Of n positions, each with n_shape numbers, let about `most` stay, a few more at most.  stays [out] n.  blends [out]
 * n: of those that do not stay; the parts of one that stays are itself.  BGR_ERR_MEMORY. */
bgr_status bgr_merge(const bgr_alike *positions, int64_t n, int n_shape, int64_t most, uint8_t *stays,
                     bgr_blend *blends);

/* What one more position would be made of: of those that stay, listed `by_mean`, n >= 1 of the same kind. */
bgr_blend bgr_blend_among(const bgr_alike *positions, const int32_t *by_mean, int64_t n, int n_shape,
                          const bgr_alike *x);

#endif
