/* CRC-32 with the polynomial of zlib, PNG and Ethernet, eight bytes at a step ("slicing by eight": Kounavis and Berry,
 * "A systematic approach to building high performance software-based CRC generators", 2005). */

#include "base/crc32.h"

#include "base/path.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define CAN_FOLD
#include <immintrin.h>
#endif

void bgr_crc32_init(bgr_crc32 *crc)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t c = byte;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? c >> 1 ^ 0xEDB88320U : c >> 1;
        crc->table[0][byte] = c;
    }
    /* The contribution of a byte that is followed by k more. */
    for (int k = 1; k < 8; k++)
        for (int byte = 0; byte < 256; byte++) {
            uint32_t c = crc->table[k - 1][byte];
            crc->table[k][byte] = c >> 8 ^ crc->table[0][c & 0xFF];
        }
    crc->value = 0;
    crc->folds = 0;
#ifdef CAN_FOLD
    crc->folds = __builtin_cpu_supports("pclmul") != 0;
#endif
}

static inline uint32_t step_of_eight(const bgr_crc32 *crc, uint32_t c, const unsigned char *bytes)
{
    c ^= (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return crc->table[7][c & 0xFF] ^ crc->table[6][c >> 8 & 0xFF] ^ crc->table[5][c >> 16 & 0xFF] ^
           crc->table[4][c >> 24] ^ crc->table[3][bytes[4]] ^ crc->table[2][bytes[5]] ^ crc->table[1][bytes[6]] ^
           crc->table[0][bytes[7]];
}

#ifdef CAN_FOLD

enum { MIN_FOLDED = 64 };

/* Bits are polynomials over GF(2), lowest power last: multiplying 16 bytes by x^k mod P and adding them k bits later
 * leaves the remainder as it is (Gopal and others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
 * Instruction", Intel 2009).  by: x^(k + 32) and x^(k - 32), for the earlier eight bytes and the later ones. */
__attribute__((target("pclmul"))) static inline __m128i folded(__m128i earlier, __m128i by, __m128i later)
{
    return _mm_xor_si128(
        later, _mm_xor_si128(_mm_clmulepi64_si128(earlier, by, 0x00), _mm_clmulepi64_si128(earlier, by, 0x11)));
}

/* Continue the register c over the first n bytes; n: a multiple of 16, at least MIN_FOLDED. */
__attribute__((target("pclmul"))) static uint32_t fold(const bgr_crc32 *crc, uint32_t c, const unsigned char *bytes,
                                                       size_t n)
{
    const __m128i by_64_bytes = _mm_set_epi64x(0x1C6E41596, 0x154442BD4);
    const __m128i by_16_bytes = _mm_set_epi64x(0x0CCAA009E, 0x1751997D0);
    const __m128i *next = (const __m128i *)bytes, *end = next + n / 16;
    __m128i sum[4];
    unsigned char rest[16];
    for (int k = 0; k < 4; k++)
        sum[k] = _mm_loadu_si128(next++);
    sum[0] = _mm_xor_si128(sum[0], _mm_cvtsi32_si128((int)c));
    for (; end - next >= 4; next += 4)
        for (int k = 0; k < 4; k++)
            sum[k] = folded(sum[k], by_64_bytes, _mm_loadu_si128(next + k));
    for (int k = 1; k < 4; k++)
        sum[0] = folded(sum[0], by_16_bytes, sum[k]);
    while (next < end)
        sum[0] = folded(sum[0], by_16_bytes, _mm_loadu_si128(next++));
    _mm_storeu_si128((__m128i *)rest, sum[0]);
    return step_of_eight(crc, step_of_eight(crc, 0, rest), rest + 8);
}

#endif

/* Continue the CRCs of n_lanes arrays of n bytes each; n_lanes is a constant in all calls. */
BGR_WITHIN void add_lanes(const bgr_crc32 *crc, const unsigned char *const *bytes, size_t n, int n_lanes,
                          uint32_t *values)
{
    uint32_t c[BGR_CRC32_LANES];
    for (int lane = 0; lane < n_lanes; lane++)
        c[lane] = ~values[lane];
    size_t k = 0;
#ifdef CAN_FOLD
    if (crc->folds && n >= MIN_FOLDED) {
        k = n / 16 * 16;
        for (int lane = 0; lane < n_lanes; lane++)
            c[lane] = fold(crc, c[lane], bytes[lane], k);
    }
#endif
    for (; k + 8 <= n; k += 8)
        for (int lane = 0; lane < n_lanes; lane++)
            c[lane] = step_of_eight(crc, c[lane], bytes[lane] + k);
    for (; k < n; k++)
        for (int lane = 0; lane < n_lanes; lane++)
            c[lane] = c[lane] >> 8 ^ crc->table[0][(c[lane] ^ bytes[lane][k]) & 0xFF];
    for (int lane = 0; lane < n_lanes; lane++)
        values[lane] = ~c[lane];
}

void bgr_crc32_add(bgr_crc32 *crc, const unsigned char *bytes, size_t n) { add_lanes(crc, &bytes, n, 1, &crc->value); }

void bgr_crc32_add_lanes(const bgr_crc32 *crc, const unsigned char *const bytes[BGR_CRC32_LANES], size_t n,
                         uint32_t values[BGR_CRC32_LANES])
{
    add_lanes(crc, bytes, n, BGR_CRC32_LANES, values);
}
