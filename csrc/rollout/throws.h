/* Random throws of two dice. */
#ifndef BGR_THROWS_H
#define BGR_THROWS_H

#include <stdint.h>

/* Ten rounds of Philox4x32 (Salmon, Moraes, Dror and Shaw, 2011): 128 random bits for a counter, under a key. */
void bgr_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* The throws of one side in one game come in blocks of this many. */
#define BGR_BLOCK_THROWS 12

/* Block 0, 1, ... of the throws of a side: numbers 6 * (first die - 1) + second die - 1, each 0 .. 35. */
void bgr_throws(uint64_t seed, uint64_t game, uint32_t side, uint32_t block, uint8_t throws[BGR_BLOCK_THROWS]);

#endif
