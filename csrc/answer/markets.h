/* Markets: take points and cash points of each plane, and values between them, as functions of the chance to win alone.
 */
#pragma once

#include "base/stakes.h"
#include "solve/cube_chart.h"

/* The points at which a plane's cube is passed, as chances of the first side; 0 or 1 for a side that cannot double. */
typedef struct bgr_market {
    double take, cash;
    double at_take, at_cash; /* values to the first side there */
    double lost, won;        /* values at chances 0 and 1 */
} bgr_market;

/* The value of a plane if nobody doubles, from side 0's chances. */
double bgr_value_of_chances(const bgr_plane *plane, const bgr_chances *chances);

/* Find the markets of all planes, with gammons in proportion to these chances: planes after a double before those they
 * follow from, except for money, where doubling leads back.  markets [out] one for each plane. */
void bgr_markets_settle(const bgr_planes *planes, const bgr_chances *chances, bgr_market *markets);

/* The value of rolling now on a plane, to a side with this chance to win: interpolated between a dead cube and a live
 * one by the efficiency of the cube in a race of that many rolls. */
double bgr_market_value(const bgr_planes *planes, const bgr_market *markets, const bgr_cube_chart *chart, int plane,
                        int side, double win, double mean_rolls);
