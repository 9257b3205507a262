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
    return rows_of_path[bgr_path_taken(path)]; /* that of BGR_PATH_BEST is NULL */
}
