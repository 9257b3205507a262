/* The inner loops without vectors: the reference for all others. */

#include "simd/kernels.h"

#define KERNEL(name) scalar_##name
#define TARGET
#define VECTOR int16_t
#define LANES 1
#define LOAD(p) *(p)
#define STORE(p, v) (*(p) = (v))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SUM int32_t
#define SUM_ZERO 0
#define SUM_ADD(s, a, b, w1, w2) ((s) += (w1) * (a) + (w2) * (b))
#define SUM_ROUND(s) bgr_round_36(s)
#define SUM_CUT(s) bgr_cut_36(s)
#include "simd/tile.inc"

#define LINES_AT_A_TIME 1
#define LOAD(p) *(p)
#define STORE(p, v) (*(p) = (v))
#define SET(x) (x)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define ADD(a, b) ((a) + (b))
#define SUBTRACT(a, b) ((a) - (b))
#define MULTIPLY(a, b) ((a) * (b))
#define DIVIDE(a, b) ((a) / (b))
#define GREATER(a, b) ((a) > (b))
#define SELECT(mask, a, b) ((mask) ? (a) : (b))

#define ROW(name) scalar_double_##name
#define REAL double
#define VECTOR double
#define MASK int
#define TRANSPOSE(v) ((void)(v))
#include "simd/row.inc"

#define ROW(name) scalar_float_##name
#define REAL float
#define VECTOR float
#define MASK int
#define TRANSPOSE(v) ((void)(v))
#include "simd/row.inc"
#include "simd/undefine.inc"

BGR_KERNELS(scalar);
