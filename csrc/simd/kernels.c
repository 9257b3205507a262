/* The inner loops of each path. */

#include "simd/kernels.h"

static const bgr_kernels *const kernels_of_path[BGR_N_PATHS] = {
    [BGR_PATH_SCALAR] = &bgr_scalar,
#ifdef BGR_HAS_SSE2
    [BGR_PATH_SSE2] = &bgr_sse2,
#endif
#ifdef BGR_HAS_AVX
    [BGR_PATH_AVX2] = &bgr_avx2,     [BGR_PATH_AVX512] = &bgr_avx512,
#endif
#ifdef BGR_HAS_NEON
    [BGR_PATH_NEON] = &bgr_neon,
#endif
#ifdef BGR_HAS_WASM
    [BGR_PATH_WASM] = &bgr_wasm,
#endif
};

const bgr_kernels *bgr_choose_kernels(bgr_path path)
{
    return kernels_of_path[bgr_path_taken(path)]; /* NULL for BGR_PATH_BEST */
}
