/* The order of rolls in a tile. */

#include "simd/tile.h"

/* Bytes, measured: up to seven checkers on six points. */
enum { SMALL_STRIPE = 320 * 1024 };

/* 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 10, 11, 12, 16, 20, 24 pips */
const uint8_t bgr_rolls_by_pips[BGR_N_ROLLS] = {1,  3, 0,  4,  6,  7,  10, 8, 11, 15, 12,
                                                16, 2, 13, 17, 18, 19, 5,  9, 14, 20};

#define WEIGHTS_BY_PIPS {2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1, 1, 1, 1}

const bgr_roll_groups bgr_few_of_each_roll = {
    1, {0, BGR_N_ROLLS}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1}};

const bgr_roll_groups *bgr_choose_roll_groups(int64_t stripe_bytes)
{
    static const bgr_roll_groups one_group = {1, {0, BGR_N_ROLLS}, WEIGHTS_BY_PIPS};
    static const bgr_roll_groups by_pips = {BGR_MAX_ROLL_GROUPS, {0, 3, 7, 10, 13, 17, BGR_N_ROLLS}, WEIGHTS_BY_PIPS};
    return stripe_bytes <= SMALL_STRIPE ? &one_group : &by_pips;
}
