/* The stakes of a game, as a list of planes that the solvers of pairs work on. */
#pragma once

#include "bgrace.h"

/* Kinds of losses: after bearing off a checker; without that; and also with a checker in the winner's home board. */
enum { BGR_LOST_SINGLE, BGR_LOST_GAMMON, BGR_LOST_BACKGAMMON, BGR_N_LOSSES };

/* The kind of loss of a side with these checkers left, on BGR_MAX_POINTS points. */
int bgr_loss_of(const int8_t *counts);

/* A plane: play with the cube in one position until it is turned.  Arrays of 2: the side that is on roll now, the other
 * side.  Values of the two sides add up to 0. */
typedef struct bgr_plane {
    double win[BGR_N_LOSSES][2]; /* payoff of bearing off the last checker, by the kind of the other side's loss */
    int turned[2];               /* the plane after the side has doubled and been taken; -1 if it may not double */
    double factor[2];            /* units of this plane for one unit of the turned plane */
    double beaver[2];            /* factor after a beaver; equal to factor if there are none */
    double offset[2];            /* units of this plane for 0 of the turned plane */
    double passed[2];            /* value of a passed double to the doubler */
} bgr_plane;

/* Copy the members of one side from those of a side of another plane. */
static inline void bgr_plane_take_side(bgr_plane *to, int side, const bgr_plane *from, int seen)
{
    for (int loss = 0; loss < BGR_N_LOSSES; loss++)
        to->win[loss][side] = from->win[loss][seen];
    to->turned[side] = from->turned[seen];
    to->factor[side] = from->factor[seen];
    to->beaver[side] = from->beaver[seen];
    to->offset[side] = from->offset[seen];
    to->passed[side] = from->passed[seen];
}

/* The points that gammons add to a side's payoffs of winning, by its chances of them. */
static inline double bgr_gammon_points(const bgr_plane *plane, int side, double gammon, double backgammon)
{
    return gammon * (plane->win[BGR_LOST_GAMMON][side] - plane->win[BGR_LOST_SINGLE][side]) +
           backgammon * (plane->win[BGR_LOST_BACKGAMMON][side] - plane->win[BGR_LOST_GAMMON][side]);
}

enum { BGR_MAX_PLANES = 64, BGR_PLANE_WIN = 0, BGR_PLANE_CUBELESS = 1 };

/* The value of a cube state by that of a plane: middle + scale * plane for the side on roll now, and 1 - middle + scale
 * * plane (a match) or scale * plane (money, where middle is 0) for the other side when on roll. */
typedef struct bgr_scaled_plane {
    int plane;
    double middle, scale;
} bgr_scaled_plane;

/* A position of the cube, and the states after either side's double; turned[k].plane is -1 if side k may not double. */
typedef struct bgr_place {
    bgr_scaled_plane now, turned[2]; /* now.plane is -1 if a cube of this value cannot be in this position */
} bgr_place;

/* Plane 0 is the chance to win the game, as 2 W - 1, plane 1 cubeless play; others follow. */
typedef struct bgr_planes {
    int n;
    int match;
    double won, lost; /* values of winning and losing a single game at the present cube, in the unit of places */
    double pays[2][BGR_N_LOSSES]; /* value to either side of winning at the present cube, by the kind of loss */
    double total;                 /* sum of the values of both sides: 0 points, or 1 match */
    bgr_plane plane[BGR_MAX_PLANES];
    bgr_place place[BGR_N_CUBES];
} bgr_planes;

/* The position of the cube as the other side sees it. */
static inline bgr_cube bgr_cube_of_other(bgr_cube cube)
{
    return cube == BGR_CUBE_MINE ? BGR_CUBE_THEIRS : cube == BGR_CUBE_THEIRS ? BGR_CUBE_MINE : cube;
}

/* The place of a position of the cube; NULL if the cube cannot be there. */
static inline const bgr_place *bgr_place_of(const bgr_planes *planes, bgr_cube cube)
{
    return (int)cube >= 0 && cube < BGR_N_CUBES && planes->place[cube].now.plane >= 0 ? &planes->place[cube] : NULL;
}

/* Read stakes, and fill in the arrays of a bgr_met.  BGR_ERR_ARGUMENT. */
bgr_status bgr_stakes_read(const bgr_stakes *stakes, bgr_stakes *read);

/* If the values of winning and losing a game differ by less than twice this, planes hold chances, which also decide
 * ties. */
static const double bgr_least_unit = 1e-5;

/* Find the planes of all positions that the cube can have now, and of all that doubling leads to.
 *
 * worst_loss: the greatest loss of either side from the two positions; greater payoffs are ignored, so planes that
 * differ only in these are merged.  BGR_ERR_STAKES. */
bgr_status bgr_planes_of_stakes(const bgr_stakes *stakes, int worst_loss, bgr_planes *planes);

/* Set places and payoffs to the cube value of other stakes of the same match, with planes that were made for a lower
 * value: a place without a plane among them gets none.  BGR_ERR_STAKES; BGR_ERR_COVERAGE if no place has one. */
bgr_status bgr_planes_at_cube(const bgr_stakes *stakes, int worst_loss, bgr_planes *planes);

/* Return 1 if all numbers of two planes are the same, else 0. */
int bgr_same_plane(const bgr_plane *a, const bgr_plane *b);

/* Return the number of a plane; it is added if none is the same.  There must be room: a score has about three planes
 * for each value of the cube until it is dead. */
int bgr_add_plane(bgr_planes *planes, const bgr_plane *plane);

/* The value of plane `plane`'s state for side `side` (0 on roll now, 1 the other) with the right to double, from the
 * values of rolling: `now` on the plane itself and `turned` on the plane after a double. */
static inline double bgr_plane_double(const bgr_plane *plane, int side, double now, double turned)
{
    double taken = plane->factor[side] * turned, beavered = plane->beaver[side] * turned;
    taken = (taken < beavered ? taken : beavered) + plane->offset[side];
    double doubled = taken < plane->passed[side] ? taken : plane->passed[side];
    return doubled > now ? doubled : now;
}
