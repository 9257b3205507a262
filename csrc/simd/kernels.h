/* The inner loops of the solvers: one file and one entry of a table for each kind of processor. */
#pragma once

#include "base/path.h"
#include "simd/row.h"
#include "simd/tile.h"

typedef struct bgr_kernels {
    bgr_tile_function tile;
    bgr_rows rows;
} bgr_kernels;

/* Define the kernels of a path, whose functions have its name as a prefix. */
#define BGR_KERNELS(path)                                                                                              \
    const bgr_kernels bgr_##path = {                                                                                   \
        path##_tile,                                                                                                   \
        {{path##_float_best, path##_float_follow, path##_float_mix, path##_float_meet},                                \
         {path##_double_best, path##_double_follow, path##_double_mix, path##_double_meet}}}

/* Defined if this compiler supports the path: see base/path.h. */
extern const bgr_kernels bgr_scalar, bgr_sse2, bgr_avx2, bgr_avx512, bgr_neon, bgr_wasm;

/* The inner loops of a path, or NULL if this machine does not support it. */
const bgr_kernels *bgr_choose_kernels(bgr_path path);
