/* Which paths this processor can take. */

#include "base/path.h"

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
