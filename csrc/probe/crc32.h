/* Checksums of bytes. */
#ifndef BGR_CRC32_H
#define BGR_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of zlib, eight bytes at a time. */
typedef struct bgr_crc32 {
    uint32_t table[8][256];
    uint32_t value; /* of all bytes so far */
} bgr_crc32;

void bgr_crc32_init(bgr_crc32 *crc);
void bgr_crc32_add(bgr_crc32 *crc, const unsigned char *bytes, size_t n);

#endif
