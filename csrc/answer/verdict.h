/* Cube decisions from the values of planes. */
#pragma once

#include "base/stakes.h"

/* Find the decision of the player on roll.  row: values of rolling now, by plane. */
void bgr_cube_of_row(const bgr_planes *planes, int beavers, const bgr_place *place, const double *row,
                     bgr_cube_values *values);

/* The value of a position to the player who has just moved: the opponent is on roll and may double first.  row: the
 * opponent's values of rolling, by plane. */
double bgr_worth_of_row(const bgr_planes *planes, const bgr_place *place, const double *row);

/* Exchange the sides of positions of the cube. */
void bgr_places_of_other(const bgr_planes *planes, bgr_place *places);
