/* Little-endian, unaligned numbers, as in files.
 *
 * They are assembled from bytes, which compilers turn into one load, but not in loops; so on little-endian machines
 * they are copied. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline uint16_t get_u16(const unsigned char *p) { return (uint16_t)(p[0] | p[1] << 8); }

static inline uint32_t get_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static inline uint64_t get_u64(const unsigned char *p)
{
    uint64_t bits;
    memcpy(&bits, p, sizeof bits);
    return bits;
}
#else
static inline uint64_t get_u64(const unsigned char *p) { return (uint64_t)get_u32(p) | (uint64_t)get_u32(p + 4) << 32; }
#endif

static inline double get_f64(const unsigned char *p)
{
    uint64_t bits = get_u64(p);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Read n consecutive numbers. */
static inline void get_f64s(const unsigned char *p, int n, double *values)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(values, p, (size_t)n * sizeof *values);
#else
    for (int k = 0; k < n; k++)
        values[k] = get_f64(p + 8 * k);
#endif
}

/* The place of the highest one of a word other than 0. */
static inline int bgr_highest_bit(uint64_t word)
{
#ifdef __GNUC__
    return 63 - __builtin_clzll(word);
#else
    int at = 0;
    for (int width = 32; width; width /= 2)
        if (word >> width) {
            word >>= width;
            at += width;
        }
    return at;
#endif
}

/* Prefetch n bytes, if the compiler can. */
static inline void bgr_expect(const unsigned char *p, size_t n)
{
#ifdef __GNUC__
    enum { LINE = 64 };
    for (size_t k = 0; k < n; k += LINE)
        __builtin_prefetch(p + k);
    /* Else GCC takes the function for one without effect, and removes calls to it. */
    __asm__ volatile("");
#else
    (void)p;
    (void)n;
#endif
}
