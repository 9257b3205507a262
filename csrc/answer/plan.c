/* The two sides' positions are solved against each other, twice, for each side on roll; or, if that is less work, all
 * pairs of positions of either side once ("together"): then a position that both sides can reach is not solved twice,
 * and one of two planes that are the same with the sides exchanged is enough. */

#include "answer/plan.h"

#include "solve/views.h"

#include <string.h>

/* Merge planes that both sides see alike, and number them in the order in which the player on roll sees them.  first
 * [out]: by number, the first of these planes. */
static int merge_planes(int (*seen)[BGR_PLAN_PLANES], int n, int *number, int *first)
{
    int key[BGR_PLAN_PLANES], is_first[BGR_PLAN_PLANES], n_distinct = 0;
    for (int k = 0; k < n; k++) {
        key[k] = seen[0][k] * 2 * BGR_PLAN_PLANES + seen[1][k];
        is_first[k] = 1;
        for (int before = 0; before < k; before++)
            is_first[k] &= key[before] != key[k];
        n_distinct += is_first[k];
    }
    for (int k = 0; k < n; k++) {
        number[k] = 0;
        for (int other = 0; other < n; other++)
            number[k] += is_first[other] && key[other] < key[k];
        if (is_first[k])
            first[number[k]] = k;
    }
    return n_distinct;
}

static void solve_apart(const bgr_plane *planes, const int *number, const int *first, bgr_plan *plan)
{
    for (int d = 0; d < plan->n_solved; d++) {
        bgr_plane *solved = &plan->solved[d];
        *solved = planes[first[d]];
        for (int side = 0; side < 2; side++)
            solved->turned[side] = solved->turned[side] < 0 ? -1 : number[solved->turned[side]];
    }
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < plan->n_planes; k++)
            plan->solved_plane[side][k] = number[k];
}

bgr_plane bgr_gammon_plane(int side)
{
    bgr_plane plane = {{{1, 1}, {1, 1}, {1, 1}}, {-1, -1}, {0}, {0}, {0}, {0}};
    plane.win[BGR_LOST_GAMMON][side] = plane.win[BGR_LOST_BACKGAMMON][side] = 2;
    return plane;
}

void bgr_plan_make(const bgr_planes *of, int gammons, const bgr_plan_size *size, bgr_plan *plan)
{
    bgr_plane planes[BGR_PLAN_PLANES];
    int class[2 * BGR_PLAN_PLANES], number[BGR_PLAN_PLANES], first[BGR_PLAN_PLANES];
    plan->n_planes = of->n;
    memcpy(planes, of->plane, sizeof of->plane);
    for (int side = 0; gammons && side < 2; side++)
        planes[plan->n_planes++] = bgr_gammon_plane(side);
    int n_classes = bgr_class_views(planes, plan->n_planes, class);
    for (int view = 0; view < 2 * plan->n_planes; view++)
        plan->solved_plane[view % 2][view / 2] = class[view];
    plan->n_solved = merge_planes(plan->solved_plane, plan->n_planes, number, first);
    plan->bytes =
        8.0 * plan->n_solved * (size->positions[0] * size->columns[1] + size->positions[1] * size->columns[0]);
    double bytes = 8.0 * n_classes * size->both * size->columns_of_both;
    plan->together = size->both >= 0 && n_classes <= BGR_MAX_PLANES && bytes < plan->bytes;
    if (!plan->together) {
        solve_apart(planes, number, first, plan);
        return;
    }
    plan->bytes = bytes;
    plan->n_solved = n_classes;
    bgr_planes_of_classes(planes, plan->n_planes, class, plan->solved, plan->exchanged);
}
