#include "turns/rows.h"

#define ROW_TARGET

#define ROW(name) scalar_float_##name
#define REAL float
#define VECTOR float
#define LANES 1
#define LOAD(p) *(p)
#define STORE(p, v) (*(p) = (v))
#define SET(x) (x)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ADD(a, b) ((a) + (b))
#define MULTIPLY(a, b) ((a) * (b))
#define DIVIDE(a, b) ((a) / (b))
#define MASK int
#define GREATER(a, b) ((a) > (b))
#define SELECT(mask, a, b) ((mask) ? (a) : (b))
#define SIDE 1
#define TURN(from, to, stride, line) (*(to) = *(from))
#include "turns/rows.inc"

#define ROW(name) scalar_double_##name
#define REAL double
#define VECTOR double
#define LANES 1
#define LOAD(p) *(p)
#define STORE(p, v) (*(p) = (v))
#define SET(x) (x)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ADD(a, b) ((a) + (b))
#define MULTIPLY(a, b) ((a) * (b))
#define DIVIDE(a, b) ((a) / (b))
#define MASK int
#define GREATER(a, b) ((a) > (b))
#define SELECT(mask, a, b) ((mask) ? (a) : (b))
#define SIDE 1
#define TURN(from, to, stride, line) (*(to) = *(from))
#include "turns/rows.inc"
#undef ROW_TARGET

const bgr_rows bgr_rows_scalar = {{scalar_float_best, scalar_float_follow, scalar_float_mix, scalar_float_turn},
                                  {scalar_double_best, scalar_double_follow, scalar_double_mix, scalar_double_turn}};
