/* Which positions of a layer stay where there are too many, and which of those that stay make up the others. */
#ifndef BGR_TURNS_MERGE_H
#define BGR_TURNS_MERGE_H

#include "turns/nodes.h"

#include <stdint.h>

enum { BGR_N_KINDS = 3 };

/* Chances to be off: exact in the home board; outside estimated, from estimates of the mean and the variance. */
void bgr_position_chances(const bgr_reach_home *home, bgr_packed position, bgr_off_chances chances);

/* What a position has to be alike in besides its chances to be off, about as large as they are for about as much: of
 * the rolls to the first of 15 checkers, or of a side that cannot win of their variance. */
float bgr_likeness(const bgr_reach_options *options, double first, double variance);

/* The kind, 0 to 2: positions with all 15 checkers are a kind of their own, and those with a straggler where a
 * backgammon may be lost. */
int bgr_kind_of(const bgr_reach_options *options, bgr_packed position);

/* What positions are alike by. */
typedef struct bgr_alike {
    double mean;        /* of the rolls to the last checker */
    double other;       /* what tells positions with the same mean apart best */
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

/* Of n positions, each with n_shape numbers, let about `most` stay, a few more at most.  stays [out] n.  blends [out]
 * n: of those that do not stay; the parts of one that stays are itself.  BGR_ERR_MEMORY. */
bgr_status bgr_merge(const bgr_alike *positions, int64_t n, int n_shape, int64_t most, uint8_t *stays,
                     bgr_blend *blends);

/* What one more position would be made of: of those that stay, listed `by_mean`, n >= 1 of the same kind. */
bgr_blend bgr_blend_among(const bgr_alike *positions, const int32_t *by_mean, int64_t n, int n_shape,
                          const bgr_alike *x);

#endif
