/* Which paths this processor can take. */

#include "base/path.h"

#include <stddef.h>

int bgr_path_available(bgr_path path)
{
    switch (path) {
    case BGR_PATH_BEST:
    case BGR_PATH_SCALAR:
        return 1;
#ifdef BGR_HAS_SSE2
    case BGR_PATH_SSE2:
        return 1;
#endif
#ifdef BGR_HAS_AVX
    case BGR_PATH_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
    case BGR_PATH_AVX512:
        return __builtin_cpu_supports("avx512bw") != 0;
#endif
#ifdef BGR_HAS_NEON
    case BGR_PATH_NEON:
        return 1;
#endif
#ifdef BGR_HAS_WASM
    case BGR_PATH_WASM:
        return 1;
#endif
    default:
        return 0;
    }
}

bgr_path bgr_path_taken(bgr_path path)
{
    static const bgr_path order[] = {BGR_PATH_AVX512, BGR_PATH_AVX2, BGR_PATH_SSE2,
                                     BGR_PATH_NEON,   BGR_PATH_WASM, BGR_PATH_SCALAR};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if ((path == BGR_PATH_BEST || path == order[k]) && bgr_path_available(order[k]))
            return order[k];
    return BGR_PATH_BEST;
}
