/* What the library takes of <math.h>, where WebAssembly has no C library.  All but two are instructions. */
#ifndef BGR_WASM_MATH_H
#define BGR_WASM_MATH_H

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)

static inline double sqrt(double x) { return __builtin_sqrt(x); }
static inline double floor(double x) { return __builtin_floor(x); }
static inline double fabs(double x) { return __builtin_fabs(x); }
static inline float nearbyintf(float x) { return __builtin_nearbyintf(x); } /* to nearest, halves to even */
static inline long lrintf(float x) { return (long)nearbyintf(x); }

/* As in C, the other one if one is not a number. */
static inline double fmax(double a, double b) { return a != a || a < b ? b : a; }
static inline double fmin(double a, double b) { return a != a || b < a ? b : a; }

#endif
