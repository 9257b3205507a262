/* Checksums of bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of zlib: eight bytes at a time, or 64 if the processor can multiply polynomials. */
typedef struct bgr_crc32 {
    uint32_t table[8][256];
    uint32_t value; /* of all bytes so far */
    int folds;      /* 1 if it can */
} bgr_crc32;

void bgr_crc32_init(bgr_crc32 *crc);
void bgr_crc32_add(bgr_crc32 *crc, const unsigned char *bytes, size_t n);

/* Compute four CRCs of n bytes each, eight bytes at a time, interleaved: memory and dependent steps are waited for
 * together, which takes less than half the time. */
enum { BGR_CRC32_LANES = 4 };
void bgr_crc32_add_lanes(const bgr_crc32 *crc, const unsigned char *const bytes[BGR_CRC32_LANES], size_t n,
                         uint32_t values[BGR_CRC32_LANES]);
