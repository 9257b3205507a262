/* Paths of the processor: vector instructions that the compiler and the processor support. */
#pragma once

#include <stdint.h> /* defines __GLIBC__ */

/* The paths that this compiler supports. */
#if defined(__x86_64__) || defined(_M_X64)
#define BGR_HAS_SSE2
#endif
#if defined(__x86_64__) && defined(__GNUC__)
#define BGR_HAS_AVX /* and AVX-512 */
#endif
#if defined(__aarch64__)
#define BGR_HAS_NEON
#endif
#if defined(__wasm_simd128__)
#define BGR_HAS_WASM
#endif

/* Compile a function for several vector widths, if the loader can choose between them; not with the thread sanitizer,
 * which is not ready when the loader does so. */
#if defined(BGR_THREADS) && defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&   \
    !defined(__SANITIZE_THREAD__)
#define BGR_EVERY_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BGR_EVERY_WIDTH
#endif

/* For functions that must be inlined into another, to use its instruction set or the constants that it passes. */
#ifdef __GNUC__
#define BGR_WITHIN static inline __attribute__((always_inline))
#else
#define BGR_WITHIN static inline
#endif

/* The instructions of the inner loops.  Results do not depend on them. */
typedef enum bgr_path {
    BGR_PATH_BEST, /* the fastest that this machine supports */
    BGR_PATH_SCALAR,
    BGR_PATH_SSE2,
    BGR_PATH_AVX2,
    BGR_PATH_AVX512,
    BGR_PATH_NEON,
    BGR_PATH_WASM,
    BGR_N_PATHS
} bgr_path;

/* Return 1 if this machine supports a path, else 0. */
int bgr_path_available(bgr_path path);

/* Return the path, or for BGR_PATH_BEST the fastest that this machine supports; BGR_PATH_BEST if it does not support
 * the path. */
bgr_path bgr_path_taken(bgr_path path);
