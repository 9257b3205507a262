/* Numbers as files have them: little-endian, anywhere.
 *
 * Put together from bytes, of which compilers make one load. */
#ifndef BGR_BYTES_H
#define BGR_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint32_t get_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t get_u64(const unsigned char *p) { return (uint64_t)get_u32(p) | (uint64_t)get_u32(p + 4) << 32; }

static inline double get_f64(const unsigned char *p)
{
    uint64_t bits = get_u64(p);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
