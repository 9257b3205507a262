/* The positions of a block, with vectors of 512 bits. */
#ifndef BGR_LAYER_AVX512_H
#define BGR_LAYER_AVX512_H

#include "base/path.h"
#include "solve/layer_blocks.h"

#ifdef BGR_HAS_AVX
/* A bgr_solve_block; what comes out is the same bytes. */
int bgr_solve_block_avx512(const bgr_layer *l, const bgr_layer_blocks *b, int64_t first);
#endif

#endif
