/* The inner loops in WebAssembly, in vectors of 128 bits. */

#include "simd/kernels.h"

#ifdef BGR_HAS_WASM
#include <wasm_simd128.h>

#define KERNEL(name) wasm_##name
#define TARGET
#define VECTOR v128_t
#define LANES 8
#define LOAD(p) wasm_v128_load(p)
#define STORE(p, v) wasm_v128_store(p, v)
#define MAX(a, b) wasm_i16x8_max(a, b)
typedef struct {
    v128_t low, high;
} KERNEL(sum);
#define SUM KERNEL(sum)
#define SUM_ZERO ((SUM){wasm_i32x4_const_splat(0), wasm_i32x4_const_splat(0)})
/* As on x86: two rolls' maxima side by side, multiplied and added in pairs. */
#define SUM_ADD(s, a, b, w1, w2)                                                                                       \
    do {                                                                                                               \
        v128_t w = wasm_i32x4_splat((int)((unsigned)(w2) << 16 | (unsigned)(w1)));                                     \
        v128_t low = wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);                                               \
        v128_t high = wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);                                            \
        (s).low = wasm_i32x4_add((s).low, wasm_i32x4_dot_i16x8(low, w));                                               \
        (s).high = wasm_i32x4_add((s).high, wasm_i32x4_dot_i16x8(high, w));                                            \
    } while (0)
#define MEAN(s) wasm_f32x4_div(wasm_f32x4_convert_i32x4(s), wasm_f32x4_const_splat(36.0f))
#define ROUNDED(s) wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(MEAN(s)))
#define CUT(s) wasm_i32x4_trunc_sat_f32x4(MEAN(s))
#define SUM_ROUND(s) wasm_i16x8_narrow_i32x4(ROUNDED((s).low), ROUNDED((s).high))
#define SUM_CUT(s) wasm_i16x8_narrow_i32x4(CUT((s).low), CUT((s).high))
#include "simd/tile.inc"

#define LINES_AT_A_TIME 2
#define LOAD(p) wasm_v128_load(p)
#define STORE(p, v) wasm_v128_store(p, v)
#define SET(x) OF(splat)(x)
#define MAX(a, b) OF(pmax)(b, a) /* b < a ? a : b */
#define MIN(a, b) OF(pmin)(b, a) /* a < b ? a : b */
#define GREATER(a, b) OF(gt)(a, b)
#define SELECT(mask, a, b) wasm_v128_bitselect(a, b, mask)

#define OF(name) wasm_f64x2_##name
#define ROW(name) wasm_double_##name
#define REAL double
#define VECTOR v128_t
#define MASK v128_t
#define TRANSPOSE(v)                                                                                                   \
    do {                                                                                                               \
        v128_t first = wasm_i64x2_shuffle(v[0], v[1], 0, 2);                                                           \
        v[1] = wasm_i64x2_shuffle(v[0], v[1], 1, 3);                                                                   \
        v[0] = first;                                                                                                  \
    } while (0)
#include "simd/row.inc"

#define OF(name) wasm_f32x4_##name
#define ROW(name) wasm_float_##name
#define REAL float
#define VECTOR v128_t
#define MASK v128_t
#define TRANSPOSE(v)                                                                                                   \
    do {                                                                                                               \
        v128_t low01 = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5), low23 = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5); \
        v128_t high01 = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7);                                                    \
        v128_t high23 = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);                                                    \
        v[0] = wasm_i64x2_shuffle(low01, low23, 0, 2);                                                                 \
        v[1] = wasm_i64x2_shuffle(low01, low23, 1, 3);                                                                 \
        v[2] = wasm_i64x2_shuffle(high01, high23, 0, 2);                                                               \
        v[3] = wasm_i64x2_shuffle(high01, high23, 1, 3);                                                               \
    } while (0)
#include "simd/row.inc"
#undef ROUNDED
#undef CUT
#include "simd/undefine.inc"

BGR_KERNELS(wasm);
#endif
