/* The 21 rolls of two dice. */

#include "base/dice.h"

const bgr_roll_kind bgr_rolls[BGR_N_ROLLS] = {
    {1, 1, 1}, {2, 1, 2}, {2, 2, 1}, {3, 1, 2}, {3, 2, 2}, {3, 3, 1}, {4, 1, 2},
    {4, 2, 2}, {4, 3, 2}, {4, 4, 1}, {5, 1, 2}, {5, 2, 2}, {5, 3, 2}, {5, 4, 2},
    {5, 5, 1}, {6, 1, 2}, {6, 2, 2}, {6, 3, 2}, {6, 4, 2}, {6, 5, 2}, {6, 6, 1},
};

bgr_status bgr_roll(int roll, int *larger, int *smaller, int *weight)
{
    if (roll < 0 || roll >= BGR_N_ROLLS)
        return BGR_ERR_ROLL;
    *larger = bgr_rolls[roll].larger;
    *smaller = bgr_rolls[roll].smaller;
    *weight = bgr_rolls[roll].weight;
    return BGR_OK;
}

const bgr_total bgr_totals[BGR_N_TOTALS] = {{3, 2},  {4, 3},  {5, 4},  {6, 4},  {7, 6},  {8, 5}, {9, 4},
                                            {10, 2}, {11, 2}, {12, 1}, {16, 1}, {20, 1}, {24, 1}};
