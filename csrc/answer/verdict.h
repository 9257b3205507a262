/* From what planes hold to what to do. */
#pragma once

#include "base/stakes.h"

/* The decision of the player on roll.  row: values by plane of rolling now. */
void bgr_cube_of_row(const bgr_planes *planes, int beavers, const bgr_place *place, const double *row,
                     bgr_cube_values *values);

/* The value of having moved, to the player who has: the opponent is on roll, and may double first.  row: values by
 * plane of rolling then, for the opponent. */
double bgr_worth_of_row(const bgr_planes *planes, const bgr_place *place, const double *row);

/* The same places as the other side sees them. */
void bgr_places_of_other(const bgr_planes *planes, bgr_place *places);
