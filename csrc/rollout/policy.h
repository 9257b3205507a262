/* How a side of a rollout plays. */
#ifndef BGR_POLICY_H
#define BGR_POLICY_H

#include "bgrace.h"

/* How a player plays: by strategy H and I of Ross, Benjamin and Munson (section 3.1; csrc/rollout/rollout.c) as long as
 * a checker stands beyond the points of `space`, and from then on as the table says.  The dice that are left in the
 * turn in which the last checker arrives are played by `chains`.  The tables belong to the caller. */
typedef struct bgr_policy {
    const bgr_space *space; /* of 15 checkers, unless every position is in it from the start */
    const int32_t *best;    /* both from bgr_one_sided_means; chains may be NULL if every position is in the space */
    const int32_t *chains;
    const uint16_t *narrow; /* best once more, in half the memory; NULL if the space has more than 65,536 positions */
} bgr_policy;

#endif
