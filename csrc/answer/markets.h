/* Where the cube of each plane is turned and passed, and what it is worth in between, by the chance to win alone. */
#pragma once

#include "base/stakes.h"
#include "solve/cube_chart.h"

/* Where a plane's cube is turned and passed, as chances of the first side; without a right to double, 0 or 1. */
typedef struct bgr_market {
    double take, cash;
    double at_take, at_cash; /* what the plane is worth there to the first side */
    double lost, won;        /* and at 0 and 1 */
} bgr_market;

/* The value of a plane without a cube to turn, from side 0's chances. */
double bgr_value_of_chances(const bgr_plane *plane, const bgr_chances *chances);

/* Markets of all planes, with gammons in the shares of these chances: what a double leads to is settled before it, but
 * for money, where it goes round.  markets [out] as many as planes. */
void bgr_markets_settle(const bgr_planes *planes, const bgr_chances *chances, bgr_market *markets);

/* The value of a plane, of rolling now, to a side whose chance to win this is: between a dead cube and a live one, as
 * alive as the cube is in a race of that many rolls. */
double bgr_market_value(const bgr_planes *planes, const bgr_market *markets, const bgr_cube_chart *chart, int plane,
                        int side, double win, double mean_rolls);
