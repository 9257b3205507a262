#include "turns/rows.h"

static int available(bgr_path path)
{
    switch (path) {
    case BGR_PATH_SCALAR:
        return 1;
#if defined(__x86_64__) && defined(__GNUC__)
    case BGR_PATH_SSE2:
        return 1;
    case BGR_PATH_AVX2:
        return __builtin_cpu_supports("avx2");
    case BGR_PATH_AVX512:
        return __builtin_cpu_supports("avx512f");
#elif defined(__aarch64__)
    case BGR_PATH_NEON:
        return 1;
#elif defined(__wasm_simd128__)
    case BGR_PATH_WASM:
        return 1;
#endif
    default:
        return 0;
    }
}

const bgr_rows *bgr_rows_of(bgr_path path)
{
    static const struct {
        bgr_path path;
        const bgr_rows *rows;
    } order[] = {{BGR_PATH_AVX512, &bgr_rows_avx512}, {BGR_PATH_AVX2, &bgr_rows_avx2},
                 {BGR_PATH_SSE2, &bgr_rows_sse2},     {BGR_PATH_NEON, &bgr_rows_neon},
                 {BGR_PATH_WASM, &bgr_rows_wasm},     {BGR_PATH_SCALAR, &bgr_rows_scalar}};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if ((path == BGR_PATH_BEST || path == order[k].path) && available(order[k].path))
            return order[k].rows;
    return NULL;
}
