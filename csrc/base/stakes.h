/* The stakes of a game, as a list of planes that the solvers of pairs work on. */
#pragma once

#include "bgrace.h"

/* Ways to lose a game: after bearing off a checker, without, and with a checker in the winner's home board besides. */
enum { BGR_LOST_SINGLE, BGR_LOST_GAMMON, BGR_LOST_BACKGAMMON, BGR_N_LOSSES };

/* The kind of loss of a side with these checkers left, on BGR_MAX_POINTS points. */
int bgr_loss_of(const int8_t *counts);

/* The cube in one place, for the whole game until it is turned.  Entries come in pairs: the side that is on roll now,
 * the other side.  Values of the two sides add up to 0. */
typedef struct bgr_plane {
    double win[BGR_N_LOSSES][2]; /* what bearing off the last checker pays, by how the other side loses */
    int turned[2];               /* the plane after the side has doubled and been taken; -1 if it may not double */
    double factor[2];            /* units of this plane for one unit of the turned plane */
    double beaver[2];            /* factor after a beaver; the same as factor where there are none */
    double offset[2];            /* units of this plane for 0 of the turned plane */
    double passed[2];            /* worth of a passed double to the doubler */
} bgr_plane;

/* What a plane is for one side, taken from what another one is for either. */
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

/* The points that gammons add to what winning pays a side, by its chances of them. */
static inline double bgr_gammon_points(const bgr_plane *plane, int side, double gammon, double backgammon)
{
    return gammon * (plane->win[BGR_LOST_GAMMON][side] - plane->win[BGR_LOST_SINGLE][side]) +
           backgammon * (plane->win[BGR_LOST_BACKGAMMON][side] - plane->win[BGR_LOST_GAMMON][side]);
}

enum { BGR_MAX_PLANES = 64, BGR_PLANE_WIN = 0, BGR_PLANE_CUBELESS = 1 };

/* Where the values of a cube state stand: middle + scale * plane for the side that is on roll now, and 1 - middle +
 * scale * plane (a match) or scale * plane (money, where middle is 0) for the other one when it is on roll. */
typedef struct bgr_scaled_plane {
    int plane;
    double middle, scale;
} bgr_scaled_plane;

/* A place of the cube with what doubling leads to, for either side; turned[k].plane is -1 where side k may not. */
typedef struct bgr_place {
    bgr_scaled_plane now, turned[2]; /* now.plane is -1 where a cube of this value cannot be in this place */
} bgr_place;

/* Plane 0 is the chance to win the game, as 2 W - 1, plane 1 cubeless play; others follow. */
typedef struct bgr_planes {
    int n;
    int match;
    double won, lost; /* values of winning and losing a single game at the present cube, in the unit of places */
    double pays[2][BGR_N_LOSSES]; /* value to either side of winning it at the present cube, by how the other loses */
    double total;                 /* what the values of both sides add up to: 0 points, or the one match that is won */
    bgr_plane plane[BGR_MAX_PLANES];
    bgr_place place[BGR_N_CUBES];
} bgr_planes;

/* The place of a cube as the other side sees it. */
static inline bgr_cube bgr_cube_of_other(bgr_cube cube)
{
    return cube == BGR_CUBE_MINE ? BGR_CUBE_THEIRS : cube == BGR_CUBE_THEIRS ? BGR_CUBE_MINE : cube;
}

/* NULL if a cube cannot be there. */
static inline const bgr_place *bgr_place_of(const bgr_planes *planes, bgr_cube cube)
{
    return (int)cube >= 0 && cube < BGR_N_CUBES && planes->place[cube].now.plane >= 0 ? &planes->place[cube] : NULL;
}

/* Read stakes, with the arrays of a bgr_met in their places.  BGR_ERR_ARGUMENT. */
bgr_status bgr_stakes_read(const bgr_stakes *stakes, bgr_stakes *read);

/* Where winning and losing a game differ by less than twice this, planes hold chances, and ties are told by them. */
static const double bgr_least_unit = 1e-5;

/* The planes of the places that the cube can have now and of all that doubling leads to.
 *
 * worst_loss: the most that either side can lose by from the two positions; payoffs beyond it are left out, which makes
 * planes alike that differ in nothing else.  BGR_ERR_STAKES. */
bgr_status bgr_planes_of_stakes(const bgr_stakes *stakes, int worst_loss, bgr_planes *planes);

/* Places and payoffs at the cube value of other stakes of the same match, among planes that were made for less: a place
 * that they do not have has no plane.  BGR_ERR_STAKES; BGR_ERR_COVERAGE if they have none. */
bgr_status bgr_planes_at_cube(const bgr_stakes *stakes, int worst_loss, bgr_planes *planes);

/* Whether all numbers of two planes are the same: 1 or 0. */
int bgr_same_plane(const bgr_plane *a, const bgr_plane *b);

/* The number of a plane among others; it is added if none is the same.  There has to be room for it: a score has about
 * three planes for each size of the cube until it is dead. */
int bgr_add_plane(bgr_planes *planes, const bgr_plane *plane);

/* The value of plane `plane`'s state for side `side` (0 on roll now, 1 the other) with the right to double, from what
 * rolling gives: `now` of the plane itself and `turned` of the plane after a double. */
static inline double bgr_plane_double(const bgr_plane *plane, int side, double now, double turned)
{
    double taken = plane->factor[side] * turned, beavered = plane->beaver[side] * turned;
    taken = (taken < beavered ? taken : beavered) + plane->offset[side];
    double doubled = taken < plane->passed[side] ? taken : plane->passed[side];
    return doubled > now ? doubled : now;
}
