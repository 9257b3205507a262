/* Dice for rollouts: a counter-based generator, so every throw is a function of the seed and of its place alone.
 *
 * Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). */

#include "rollout/throws.h"

const uint8_t bgr_roll_of_throw[36] = {
    0, 1, 3, 6, 10, 15, 1,  2,  4,  7,  11, 16, 3,  4,  5,  8,  12, 17,
    6, 7, 8, 9, 13, 18, 10, 11, 12, 13, 14, 19, 15, 16, 17, 18, 19, 20,
};

void bgr_throws(uint64_t seed, uint64_t game, uint32_t side, uint32_t block, uint8_t throws[BGR_BLOCK_THROWS])
{
    uint32_t words[4] = {(uint32_t)game, (uint32_t)(game >> 32), side, block};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    bgr_philox(words, key);
    /* 64 bits are a fraction; multiplied by 36, its integer part is a throw, and the rest is the next fraction.  The
     * six throws together have 36^6 outcomes, so the relative error of each chance is at most 36^6 / 2^64 = 1.2e-10. */
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
