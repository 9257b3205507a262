/* CRC-32 with the polynomial of zlib, PNG and Ethernet, eight bytes at a step ("slicing by eight": Kounavis and Berry,
 * "A systematic approach to building high performance software-based CRC generators", 2005). */

#include "base/crc32.h"

void bgr_crc32_init(bgr_crc32 *crc)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t c = byte;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? c >> 1 ^ 0xEDB88320U : c >> 1;
        crc->table[0][byte] = c;
    }
    /* What a byte adds that is followed by k more. */
    for (int k = 1; k < 8; k++)
        for (int byte = 0; byte < 256; byte++) {
            uint32_t c = crc->table[k - 1][byte];
            crc->table[k][byte] = c >> 8 ^ crc->table[0][c & 0xFF];
        }
    crc->value = 0;
}

static inline uint32_t step_of_eight(const bgr_crc32 *crc, uint32_t c, const unsigned char *bytes)
{
    c ^= (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return crc->table[7][c & 0xFF] ^ crc->table[6][c >> 8 & 0xFF] ^ crc->table[5][c >> 16 & 0xFF] ^
           crc->table[4][c >> 24] ^ crc->table[3][bytes[4]] ^ crc->table[2][bytes[5]] ^ crc->table[1][bytes[6]] ^
           crc->table[0][bytes[7]];
}

void bgr_crc32_add(bgr_crc32 *crc, const unsigned char *bytes, size_t n)
{
    uint32_t c = ~crc->value;
    for (; n >= 8; bytes += 8, n -= 8)
        c = step_of_eight(crc, c, bytes);
    for (; n > 0; bytes++, n--)
        c = c >> 8 ^ crc->table[0][(c ^ *bytes) & 0xFF];
    crc->value = ~c;
}

void bgr_crc32_add_lanes(const bgr_crc32 *crc, const unsigned char *const bytes[BGR_CRC32_LANES], size_t n,
                         uint32_t values[BGR_CRC32_LANES])
{
    uint32_t c[BGR_CRC32_LANES];
    for (int lane = 0; lane < BGR_CRC32_LANES; lane++)
        c[lane] = ~values[lane];
    size_t k = 0;
    for (; k + 8 <= n; k += 8)
        for (int lane = 0; lane < BGR_CRC32_LANES; lane++)
            c[lane] = step_of_eight(crc, c[lane], bytes[lane] + k);
    for (; k < n; k++)
        for (int lane = 0; lane < BGR_CRC32_LANES; lane++)
            c[lane] = c[lane] >> 8 ^ crc->table[0][(c[lane] ^ bytes[lane][k]) & 0xFF];
    for (int lane = 0; lane < BGR_CRC32_LANES; lane++)
        values[lane] = ~c[lane];
}
