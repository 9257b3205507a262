/* Checksums of bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of zlib: eight bytes at a time, or 64 where the processor multiplies polynomials. */
typedef struct bgr_crc32 {
    uint32_t table[8][256];
    uint32_t value; /* of all bytes so far */
    int folds;      /* whether the processor can do that */
} bgr_crc32;

void bgr_crc32_init(bgr_crc32 *crc);
void bgr_crc32_add(bgr_crc32 *crc, const unsigned char *bytes, size_t n);

/* The same for four stretches of n bytes, each with a value of its own: eight bytes at a time, they wait for memory and
 * for each other's steps together, and take less than half the time. */
enum { BGR_CRC32_LANES = 4 };
void bgr_crc32_add_lanes(const bgr_crc32 *crc, const unsigned char *const bytes[BGR_CRC32_LANES], size_t n,
                         uint32_t values[BGR_CRC32_LANES]);
