/* Dice for rollouts: a counter-based generator, so that every throw is a function of the seed and of where it is used,
 * and of nothing else.
 *
 * Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). */

#include "base/internal.h"

void bgr_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)c0 * 0xD2511F53u, p1 = (uint64_t)c2 * 0xCD9E8D57u;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

void bgr_throws(uint64_t seed, uint64_t game, uint32_t side, uint32_t block, uint8_t throws[BGR_BLOCK_THROWS])
{
    const uint32_t counter[4] = {(uint32_t)game, (uint32_t)(game >> 32), side, block};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t words[4];
    bgr_philox(counter, key, words);
    /* 64 bits are a fraction; multiplied by 36, its whole part is a throw, and what is left is the next fraction.  The
     * six throws together have 36^6 outcomes, so none of them is off its chance by more than 36^6 / 2^64 = 1.2e-10 of
     * it. */
    for (int half = 0; half < 2; half++) {
        uint64_t high = words[2 * half + 1], low = words[2 * half];
        for (int k = 0; k < BGR_BLOCK_THROWS / 2; k++) {
            low *= 36;
            high = high * 36 + (low >> 32);
            throws[half * (BGR_BLOCK_THROWS / 2) + k] = (uint8_t)(high >> 32);
            low &= 0xFFFFFFFFu;
            high &= 0xFFFFFFFFu;
        }
    }
}
