/* Logarithms and powers with the same bits on every machine, unlike those of C libraries: by sums, products and
 * quotients alone, to within some units in the last place. */
#pragma once

#include <stdint.h>
#include <string.h>

/* log 2 in two parts; the first times a small integer is exact. */
#define BGR_LOG_2 0x1.62e42fee00000p-1
#define BGR_LOG_2_REST 0x1.a39ef35793c76p-33

/* x: positive and normal. */
static inline double bgr_log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u;
    memcpy(&x, &bits, sizeof x);
    if (x > 1.4142135623730951) {
        x /= 2;
        exponent++;
    }
    /* log((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + s^5 / 5 + ...), |s| < 0.172 */
    double s = (x - 1) / (x + 1), square = s * s, sum = 0;
    for (int k = 25; k > 1; k -= 2)
        sum = (sum + 1.0 / k) * square;
    return exponent * BGR_LOG_2 + (exponent * BGR_LOG_2_REST + 2 * (s + s * sum));
}

static inline double bgr_log10(double x) { return bgr_log(x) / 2.302585092994046; }

/* x: from -700 to 700. */
static inline double bgr_exp(double x)
{
    int k = (int)(x / 0.6931471805599453 + (x < 0 ? -0.5 : 0.5));
    double rest = (x - k * BGR_LOG_2) - k * BGR_LOG_2_REST, sum = 1, scale;
    for (int n = 16; n > 0; n--)
        sum = 1 + rest * sum / n;
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

/* x: positive and normal; the result must be in e^-700 .. e^700. */
static inline double bgr_power(double x, double y) { return bgr_exp(y * bgr_log(x)); }
