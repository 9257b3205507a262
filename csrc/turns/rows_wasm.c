#include "turns/rows.h"

#ifdef BGR_HAS_WASM
#include <wasm_simd128.h>

#define ROW_TARGET

#define ROW(name) wasm_float_##name
#define REAL float
#define VECTOR v128_t
#define LANES 4
#define LOAD(p) wasm_v128_load(p)
#define STORE(p, v) wasm_v128_store(p, v)
#define SET(x) wasm_f32x4_splat(x)
#define MAX(a, b) wasm_f32x4_pmax(b, a) /* b < a ? a : b */
#define ADD(a, b) wasm_f32x4_add(a, b)
#define MULTIPLY(a, b) wasm_f32x4_mul(a, b)
#define DIVIDE(a, b) wasm_f32x4_div(a, b)
#define MASK v128_t
#define GREATER(a, b) wasm_f32x4_gt(a, b)
#define SELECT(mask, a, b) wasm_v128_bitselect(a, b, mask)
#define SIDE 4
#define TURN(from, to, stride, line)                                                                                   \
    do {                                                                                                               \
        v128_t a = wasm_v128_load(from), b = wasm_v128_load((from) + (line)), c = wasm_v128_load((from) + 2 * (line)), \
               d = wasm_v128_load((from) + 3 * (line));                                                                \
        v128_t ab = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), cd = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);                   \
        wasm_v128_store(to, wasm_i64x2_shuffle(ab, cd, 0, 2));                                                         \
        wasm_v128_store((to) + (stride), wasm_i64x2_shuffle(ab, cd, 1, 3));                                            \
        ab = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);                                                                     \
        cd = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);                                                                     \
        wasm_v128_store((to) + 2 * (stride), wasm_i64x2_shuffle(ab, cd, 0, 2));                                        \
        wasm_v128_store((to) + 3 * (stride), wasm_i64x2_shuffle(ab, cd, 1, 3));                                        \
    } while (0)
#include "turns/rows.inc"

#define ROW(name) wasm_double_##name
#define REAL double
#define VECTOR v128_t
#define LANES 2
#define LOAD(p) wasm_v128_load(p)
#define STORE(p, v) wasm_v128_store(p, v)
#define SET(x) wasm_f64x2_splat(x)
#define MAX(a, b) wasm_f64x2_pmax(b, a)
#define ADD(a, b) wasm_f64x2_add(a, b)
#define MULTIPLY(a, b) wasm_f64x2_mul(a, b)
#define DIVIDE(a, b) wasm_f64x2_div(a, b)
#define MASK v128_t
#define GREATER(a, b) wasm_f64x2_gt(a, b)
#define SELECT(mask, a, b) wasm_v128_bitselect(a, b, mask)
#define SIDE 2
#define TURN(from, to, stride, line)                                                                                   \
    do {                                                                                                               \
        v128_t a = wasm_v128_load(from), b = wasm_v128_load((from) + (line));                                          \
        wasm_v128_store(to, wasm_i64x2_shuffle(a, b, 0, 2));                                                           \
        wasm_v128_store((to) + (stride), wasm_i64x2_shuffle(a, b, 1, 3));                                              \
    } while (0)
#include "turns/rows.inc"
#undef ROW_TARGET

const bgr_rows bgr_rows_wasm = {{wasm_float_best, wasm_float_follow, wasm_float_mix, wasm_float_turn},
                                {wasm_double_best, wasm_double_follow, wasm_double_mix, wasm_double_turn}};
#endif
