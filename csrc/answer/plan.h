/* Which planes the solver of all pairs solves for some stakes. */
#pragma once

#include "solve/exact.h"

/* If a gammon can happen, two cubeless planes follow those of the stakes.  On each only one side's gammons count: its
 * value less 2 W - 1 is, up to the sign, the chance of a gammon. */
enum { BGR_PLAN_PLANES = BGR_MAX_PLANES + 2 };

typedef struct bgr_plan {
    int n_planes;
    int together; /* 1: all pairs of positions of either side are solved once */
    int n_solved;
    bgr_plane solved[BGR_PLAN_PLANES];
    int exchanged[BGR_PLAN_PLANES];       /* if together: the number of each solved plane with the sides exchanged */
    int solved_plane[2][BGR_PLAN_PLANES]; /* by side on roll and plane: the solved plane that has its values */
    double bytes;                         /* of the solution */
} bgr_plan;

/* Numbers of positions, and of columns in the solver. */
typedef struct bgr_plan_size {
    double positions[2], columns[2];
    double both, columns_of_both; /* of both sides together; -1 if they have no common board */
} bgr_plan_size;

/* The plane on which only gammons of one side count; side 0: on roll now. */
bgr_plane bgr_gammon_plane(int side);

/* Choose the cheaper way to solve planes; gammons: 1 to add the two gammon planes. */
void bgr_plan_make(const bgr_planes *planes, int gammons, const bgr_plan_size *size, bgr_plan *plan);
