/* The inner loops of the solvers of pairs, on each kind of processor: one file and one entry of one table for each. */
#ifndef BGR_KERNELS_H
#define BGR_KERNELS_H

#include "base/path.h"
#include "simd/row.h"
#include "simd/tile.h"

typedef struct bgr_kernels {
    bgr_tile_function tile;
    bgr_row_function row;
    bgr_meet_function meet;
} bgr_kernels;

/* Each where this compiler makes code for it: see base/path.h. */
extern const bgr_kernels bgr_scalar, bgr_sse2, bgr_avx2, bgr_avx512, bgr_neon, bgr_wasm;

/* The inner loops of a path, or NULL if this machine cannot take it. */
const bgr_kernels *bgr_choose_kernels(bgr_path path);

#endif
