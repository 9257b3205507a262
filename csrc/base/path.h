/* Paths of the processor: which vector instructions there are, when compiled and when run. */
#pragma once

#include <stdint.h> /* says whether this is glibc */

/* The instructions that this compiler makes code for. */
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

/* In front of a function: compile it for several vector widths, where the loader can choose between them; it does so
 * before the thread sanitizer is ready. */
#if defined(BGR_THREADS) && defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&   \
    !defined(__SANITIZE_THREAD__)
#define BGR_EVERY_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BGR_EVERY_WIDTH
#endif

/* How the inner loop is carried out.  The bytes that come out don't depend on it. */
typedef enum bgr_path {
    BGR_PATH_BEST, /* the fastest that this machine has */
    BGR_PATH_SCALAR,
    BGR_PATH_SSE2,
    BGR_PATH_AVX2,
    BGR_PATH_AVX512,
    BGR_PATH_NEON,
    BGR_PATH_WASM,
    BGR_N_PATHS
} bgr_path;

/* Whether this machine can take a path: 1 or 0. */
int bgr_path_available(bgr_path path);

/* The path itself, or for BGR_PATH_BEST the fastest that this machine can take; BGR_PATH_BEST if it cannot take what
 * was asked for. */
bgr_path bgr_path_taken(bgr_path path);
