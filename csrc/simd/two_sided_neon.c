#include "solve/two_sided.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define TILE_FUNCTION bgr_tile_neon
#define TILE_TARGET
#define VECTOR int16x8_t
#define LANES 8
#define LOAD(p) vld1q_s16(p)
#define STORE(p, v) vst1q_s16(p, v)
#define MAX(a, b) vmaxq_s16(a, b)
typedef struct {
    int32x4_t low, high;
} SUM;
#define SUM_ZERO ((SUM){vdupq_n_s32(0), vdupq_n_s32(0)})
#define SUM_ADD(s, a, b, w1, w2)                                                                                       \
    do {                                                                                                               \
        (s).low = vmlal_n_s16((s).low, vget_low_s16(a), (int16_t)(w1));                                                \
        (s).high = vmlal_n_s16((s).high, vget_high_s16(a), (int16_t)(w1));                                             \
        (s).low = vmlal_n_s16((s).low, vget_low_s16(b), (int16_t)(w2));                                                \
        (s).high = vmlal_n_s16((s).high, vget_high_s16(b), (int16_t)(w2));                                             \
    } while (0)
#define DIVIDE(s) vdivq_f32(vcvtq_f32_s32(s), vdupq_n_f32(36.0f))
#define NARROW(low, high) vcombine_s16(vqmovn_s32(low), vqmovn_s32(high))
#define SUM_ROUND(s) NARROW(vcvtnq_s32_f32(DIVIDE((s).low)), vcvtnq_s32_f32(DIVIDE((s).high)))
#define SUM_CUT(s) NARROW(vcvtq_s32_f32(DIVIDE((s).low)), vcvtq_s32_f32(DIVIDE((s).high)))

#include "simd/two_sided_tile.h"

int bgr_have_neon(void) { return 1; }
#else
void bgr_tile_neon(const int16_t *stripe, const bgr_block_rolls *rolls, int cut, int16_t (*out)[BGR_ROW])
{
    bgr_tile_scalar(stripe, rolls, cut, out);
}

int bgr_have_neon(void) { return 0; }
#endif
