/* Random throws of two dice. */
#pragma once

#include <stdint.h>

/* Ten rounds of Philox4x32 (Salmon, Moraes, Dror and Shaw, 2011): 128 random bits in place of a counter, under a key.
 * Inline, so that loops can be vectorized. */
static inline void bgr_philox(uint32_t words[4], const uint32_t key[2])
{
    uint32_t c0 = words[0], c1 = words[1], c2 = words[2], c3 = words[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)c0 * 0xD2511F53u, p1 = (uint64_t)c2 * 0xCD9E8D57u;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

/* Throw 6 * (first die - 1) + second die - 1 -> roll, in the order of bgr_rolls. */
extern const uint8_t bgr_roll_of_throw[36];

/* The throws of one side in one game come in blocks of this many. */
#define BGR_BLOCK_THROWS 12

/* Get a block, 0, 1, ..., of the throws of a side: numbers 6 * (first die - 1) + second die - 1, each 0 .. 35. */
void bgr_throws(uint64_t seed, uint64_t game, uint32_t side, uint32_t block, uint8_t throws[BGR_BLOCK_THROWS]);
