/* Cube decisions from the values of planes. */

#include "answer/verdict.h"

#include "base/cube.h"

#include <math.h>
#include <string.h>

static const double tied = 1e-9; /* equities of any origin that differ by no more than this are equal */

static double value_of_scaled(bgr_scaled_plane scaled, const double *row)
{
    return scaled.middle + scaled.scale * row[scaled.plane];
}

static bgr_scaled_plane scaled_of_other(const bgr_planes *planes, bgr_scaled_plane scaled)
{
    scaled.middle = planes->total - scaled.middle;
    return scaled;
}

bgr_status bgr_decide_cube(double no_double, double double_take, double double_pass, int beavers,
                           bgr_cube_values *values)
{
    if (isnan(no_double) || isnan(double_take) || isnan(double_pass))
        return BGR_ERR_ARGUMENT;
    *values = bgr_decide(no_double, double_take, double_pass, tied, beavers);
    return BGR_OK;
}

void bgr_cube_of_row(const bgr_planes *planes, int beavers, const bgr_place *place, const double *row,
                     bgr_cube_values *values)
{
    memset(values, 0, sizeof *values);
    values->no_double = values->value = value_of_scaled(place->now, row);
    values->double_take = values->double_pass = NAN;
    values->verdict = BGR_VERDICT_NO_CUBE;
    if (place->turned[0].plane < 0)
        return;
    /* The weight of a difference of chances depends on the score. */
    double unit = (planes->won - planes->lost) / 2;
    *values = bgr_decide(values->no_double, value_of_scaled(place->turned[0], row), planes->won,
                         tied * fmax(unit, bgr_least_unit), beavers);
}

double bgr_worth_of_row(const bgr_planes *planes, const bgr_place *place, const double *row)
{
    double rolled = value_of_scaled(scaled_of_other(planes, place->now), row);
    if (place->turned[1].plane < 0)
        return planes->total - rolled;
    double taken = value_of_scaled(scaled_of_other(planes, place->turned[1]), row);
    return planes->total - bgr_with_double(rolled, taken, planes->total - planes->lost);
}

void bgr_places_of_other(const bgr_planes *planes, bgr_place *places)
{
    for (int cube = 0; cube < BGR_N_CUBES; cube++) {
        const bgr_place *mine = &planes->place[cube];
        places[bgr_cube_of_other((bgr_cube)cube)] =
            (bgr_place){scaled_of_other(planes, mine->now),
                        {scaled_of_other(planes, mine->turned[1]), scaled_of_other(planes, mine->turned[0])}};
    }
}
