/* The paths that this processor supports. */

#include "base/path.h"

#include <stdlib.h>
#include <string.h>

int bgr_path_available(bgr_path path)
{
    switch (path) {
    case BGR_PATH_BEST:
    case BGR_PATH_SCALAR:
#ifdef BGR_HAS_SSE2
    case BGR_PATH_SSE2:
#endif
#ifdef BGR_HAS_NEON
    case BGR_PATH_NEON:
#endif
#ifdef BGR_HAS_WASM
    case BGR_PATH_WASM:
#endif
        return 1;
#ifdef BGR_HAS_AVX
    case BGR_PATH_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
    case BGR_PATH_AVX512:
        return __builtin_cpu_supports("avx512bw") != 0;
#endif
    default:
        return 0;
    }
}

/* The path that the environment asks for instead of the best. */
static bgr_path wanted_path(void)
{
#if !defined(BGR_NO_FILES) && !defined(__wasm__)
    static const char *const names[BGR_N_PATHS] = {[BGR_PATH_SCALAR] = "scalar", [BGR_PATH_SSE2] = "sse2",
                                                   [BGR_PATH_AVX2] = "avx2",     [BGR_PATH_AVX512] = "avx512",
                                                   [BGR_PATH_NEON] = "neon",     [BGR_PATH_WASM] = "wasm"};
    const char *name = getenv("BGRACE_VECTORS");
    for (int path = BGR_PATH_SCALAR; name && path < BGR_N_PATHS; path++)
        if (!strcmp(name, names[path]) && bgr_path_available((bgr_path)path))
            return (bgr_path)path;
#endif
    return BGR_PATH_BEST;
}

bgr_path bgr_path_taken(bgr_path path)
{
    if (path == BGR_PATH_BEST)
        path = wanted_path();
    static const bgr_path order[] = {BGR_PATH_AVX512, BGR_PATH_AVX2, BGR_PATH_SSE2,
                                     BGR_PATH_NEON,   BGR_PATH_WASM, BGR_PATH_SCALAR};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if ((path == BGR_PATH_BEST || path == order[k]) && bgr_path_available(order[k]))
            return order[k];
    return BGR_PATH_BEST;
}
