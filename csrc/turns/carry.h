/* From one layer of a reach to the next. */
#ifndef BGR_CARRY_H
#define BGR_CARRY_H

#include "turns/layers.h"
#include "turns/nodes.h"

/* What layers are carried forward with.  `nodes`, `options`, `reach` and whether results are found `by_turn` are given;
 * the rest is zeros. */
typedef struct {
    bgr_nodes *nodes;
    const bgr_reach_options *options;
    int by_turn;    /* results are not known beforehand */
    int only_sizes; /* no results, and nothing is merged */
    bgr_reach *reach;
    int layer_room;
    int32_t *at; /* by node: place in `next`, or -1 */
    int64_t at_room;
    int32_t *next;  /* the nodes of the next layer, before any are merged, */
    double *chance; /* how likely play comes to each, */
    int32_t *place; /* and its local number */
    int64_t n_next, next_room;
} bgr_carrier;

void bgr_carrier_free(bgr_carrier *carrier); /* but for what is given */

/* Layer 0.  BGR_ERR_MEMORY. */
bgr_status bgr_carry_first(bgr_carrier *carrier);

/* From the last layer that there is to the next.  BGR_ERR_SIZE, BGR_ERR_MEMORY. */
bgr_status bgr_carry_on(bgr_carrier *carrier);

/* Room to mark every node.  BGR_ERR_MEMORY. */
bgr_status bgr_carry_mark_room(bgr_carrier *carrier);

#endif
