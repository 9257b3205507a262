/* Which inner loops of equal turns a path has. */

#include "turns/rows.h"

static const bgr_rows *const rows_of_path[BGR_N_PATHS] = {
    [BGR_PATH_SCALAR] = &bgr_rows_scalar,
#ifdef BGR_HAS_SSE2
    [BGR_PATH_SSE2] = &bgr_rows_sse2,
#endif
#ifdef BGR_HAS_AVX
    [BGR_PATH_AVX2] = &bgr_rows_avx2,     [BGR_PATH_AVX512] = &bgr_rows_avx512,
#endif
#ifdef BGR_HAS_NEON
    [BGR_PATH_NEON] = &bgr_rows_neon,
#endif
#ifdef BGR_HAS_WASM
    [BGR_PATH_WASM] = &bgr_rows_wasm,
#endif
};

const bgr_rows *bgr_rows_of(bgr_path path)
{
    static const bgr_path order[] = {BGR_PATH_AVX512, BGR_PATH_AVX2, BGR_PATH_SSE2,
                                     BGR_PATH_NEON,   BGR_PATH_WASM, BGR_PATH_SCALAR};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if ((path == BGR_PATH_BEST || path == order[k]) && bgr_path_available(order[k]))
            return rows_of_path[order[k]];
    return NULL;
}
