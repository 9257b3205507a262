#include "turns/rows.h"

#ifdef BGR_HAS_NEON
#include <arm_neon.h>

#define ROW_TARGET

#define ROW(name) neon_float_##name
#define REAL float
#define VECTOR float32x4_t
#define LANES 4
#define LOAD(p) vld1q_f32(p)
#define STORE(p, v) vst1q_f32(p, v)
#define SET(x) vdupq_n_f32(x)
#define MAX(a, b) vmaxq_f32(a, b)
#define ADD(a, b) vaddq_f32(a, b)
#define MULTIPLY(a, b) vmulq_f32(a, b)
#define DIVIDE(a, b) vdivq_f32(a, b)
#define MASK uint32x4_t
#define GREATER(a, b) vcgtq_f32(a, b)
#define SELECT(mask, a, b) vbslq_f32(mask, a, b)
#define SIDE 1
#define TURN(from, to, stride, line) (*(to) = *(from))
#include "turns/rows.inc"

#define ROW(name) neon_double_##name
#define REAL double
#define VECTOR float64x2_t
#define LANES 2
#define LOAD(p) vld1q_f64(p)
#define STORE(p, v) vst1q_f64(p, v)
#define SET(x) vdupq_n_f64(x)
#define MAX(a, b) vmaxq_f64(a, b)
#define ADD(a, b) vaddq_f64(a, b)
#define MULTIPLY(a, b) vmulq_f64(a, b)
#define DIVIDE(a, b) vdivq_f64(a, b)
#define MASK uint64x2_t
#define GREATER(a, b) vcgtq_f64(a, b)
#define SELECT(mask, a, b) vbslq_f64(mask, a, b)
#define SIDE 1
#define TURN(from, to, stride, line) (*(to) = *(from))
#include "turns/rows.inc"
#undef ROW_TARGET

const bgr_rows bgr_rows_neon = {{neon_float_best, neon_float_follow, neon_float_mix, neon_float_turn},
                                {neon_double_best, neon_double_follow, neon_double_mix, neon_double_turn}};
#endif
