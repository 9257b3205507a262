/* Single positions of a solved layer. */
#ifndef BGR_LAYER_POSITION_H
#define BGR_LAYER_POSITION_H

#include "solve/layer_slots.h"

/* The mean of a position that play can come to: one of the layer, or one in the home board with fewer checkers.
 * counts: as many numbers as the layer has points.  BGR_ERR_POSITION. */
bgr_status bgr_layer_mean(const bgr_layer *layer, const int8_t *counts, double *mean_rolls);

/* No bearoff of 15 checkers takes this many rolls: outside the home board each brings at least three pips. */
#define BGR_MAX_RACE_ROLLS 192

/* The distribution of the last position of a layer, the one whose sums are `most`, in float64: the probability is
 * carried forward from it, roll by roll.  distribution [out] BGR_MAX_RACE_ROLLS.  BGR_ERR_MEMORY. */
bgr_status bgr_layer_distribution(const bgr_layer *layer, double *distribution);

#endif
