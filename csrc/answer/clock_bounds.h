/* Bounds from clocks, at any stakes. */
#ifndef BGR_CLOCK_BOUNDS_H
#define BGR_CLOCK_BOUNDS_H

#include "answer/prover.h"

/* Of the planes of a prover, and those of gammons.  BGR_ERR_MEMORY. */
bgr_status bgr_bounds_by_clocks(const bgr_prover *prover, bgr_row_bounds *bounds);

/* Without gammons: bounds if the true chance to win without a cube is from `least` to `most`. */
void bgr_bounds_of_chance(const bgr_prover *prover, double least, double most, bgr_row_bounds *bounds);

#endif
