/* Bounds from clocks, at any stakes. */
#pragma once

#include "answer/sides.h"
#include "turns/question.h"

/* The data from which bounds are found. */
typedef struct bgr_prover {
    const bgr_asked *asked;
    bgr_resources resources;
    bgr_planes planes;
    int gammons; /* whether gammons can happen, and count */
    bgr_sides sides;
    bgr_plan plan;       /* for pairs, the sides solved separately */
    bgr_graph *graph[2]; /* of all positions that a side can reach; NULL if they are not listed */
    int64_t rank[2];     /* of the side's position in its graph */
} bgr_prover;

/* Bounds of the values for the player on roll, by plane, gammon planes last. */
typedef struct bgr_row_bounds {
    double low[BGR_PLAN_PLANES], high[BGR_PLAN_PLANES];
} bgr_row_bounds;

/* Plane k; after the planes of the stakes, the two that count one side's gammons alone. */
static inline bgr_plane bgr_prover_plane(const bgr_prover *p, int k)
{
    return k < p->planes.n ? p->planes.plane[k] : bgr_gammon_plane(k - p->planes.n);
}

/* Bound the planes of a prover, and those of gammons, within its seconds.  least: seconds that bounds by pairs take,
 * INFINITY if there are none; clock steps stop before both would fit.  gone [out]: seconds that clocks took, by counted
 * work.  BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_bounds_by_clocks(const bgr_prover *prover, double least, bgr_row_bounds *bounds, double *gone);

/* Without gammons: find the bounds if the chance to win without a cube is from `least` to `most`. */
void bgr_bounds_of_chance(const bgr_prover *prover, double least, double most, bgr_row_bounds *bounds);
