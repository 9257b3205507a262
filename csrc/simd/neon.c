/* The inner loops on ARM in 64 bits, in registers of 128 bits. */

#include "simd/kernels.h"

#ifdef BGR_HAS_NEON
#include <arm_neon.h>

#define KERNEL(name) neon_##name
#define TARGET
#define VECTOR int16x8_t
#define LANES 8
#define LOAD(p) vld1q_s16(p)
#define STORE(p, v) vst1q_s16(p, v)
#define MAX(a, b) vmaxq_s16(a, b)
typedef struct {
    int32x4_t low, high;
} KERNEL(sum);
#define SUM KERNEL(sum)
#define SUM_ZERO ((SUM){vdupq_n_s32(0), vdupq_n_s32(0)})
#define SUM_ADD(s, a, b, w1, w2)                                                                                       \
    do {                                                                                                               \
        (s).low = vmlal_n_s16((s).low, vget_low_s16(a), (int16_t)(w1));                                                \
        (s).high = vmlal_n_s16((s).high, vget_high_s16(a), (int16_t)(w1));                                             \
        (s).low = vmlal_n_s16((s).low, vget_low_s16(b), (int16_t)(w2));                                                \
        (s).high = vmlal_n_s16((s).high, vget_high_s16(b), (int16_t)(w2));                                             \
    } while (0)
#define MEAN(s) vdivq_f32(vcvtq_f32_s32(s), vdupq_n_f32(36.0f))
#define NARROW(low, high) vcombine_s16(vqmovn_s32(low), vqmovn_s32(high))
#define SUM_ROUND(s) NARROW(vcvtnq_s32_f32(MEAN((s).low)), vcvtnq_s32_f32(MEAN((s).high)))
#define SUM_CUT(s) NARROW(vcvtq_s32_f32(MEAN((s).low)), vcvtq_s32_f32(MEAN((s).high)))
#include "simd/tile.inc"

#define LINES_AT_A_TIME 3
#define LOAD(p) OF(ld1)(p)
#define STORE(p, v) OF(st1)(p, v)
#define SET(x) OF_N(dup)(x)
#define MAX(a, b) OF(max)(a, b)
#define MIN(a, b) OF(min)(a, b)
#define GREATER(a, b) OF(cgt)(a, b)
#define SELECT(mask, a, b) OF(bsl)(mask, a, b)

#define OF(name) v##name##q_f64
#define OF_N(name) v##name##q_n_f64
#define ROW(name) neon_double_##name
#define REAL double
#define VECTOR float64x2_t
#define MASK uint64x2_t
#define TRANSPOSE(v)                                                                                                   \
    do {                                                                                                               \
        float64x2_t first = vzip1q_f64(v[0], v[1]);                                                                    \
        v[1] = vzip2q_f64(v[0], v[1]);                                                                                 \
        v[0] = first;                                                                                                  \
    } while (0)
#include "simd/row.inc"

#define OF(name) v##name##q_f32
#define OF_N(name) v##name##q_n_f32
#define ROW(name) neon_float_##name
#define REAL float
#define VECTOR float32x4_t
#define MASK uint32x4_t
#define TRANSPOSE(v)                                                                                                   \
    do {                                                                                                               \
        float32x4x2_t ab = vtrnq_f32(v[0], v[1]), cd = vtrnq_f32(v[2], v[3]);                                          \
        for (int odd = 0; odd < 2; odd++) {                                                                            \
            v[odd] = vcombine_f32(vget_low_f32(ab.val[odd]), vget_low_f32(cd.val[odd]));                               \
            v[2 + odd] = vcombine_f32(vget_high_f32(ab.val[odd]), vget_high_f32(cd.val[odd]));                         \
        }                                                                                                              \
    } while (0)
#include "simd/row.inc"
#undef NARROW
#include "simd/undefine.inc"

BGR_KERNELS(neon);
#endif
