/* Planes as states of the solver.
 *
 * A plane as one side sees it is a view: 2 k for plane k and the player on roll now, 2 k + 1 for the opponent.  Views
 * with the same values everywhere are one class.  Either the two sides' positions are solved against each other, for
 * either side on roll; or, where that is less work, all pairs of the positions of both, once: a position that both
 * sides can come to then needs no second solution, and of two planes that are the same with the sides exchanged one is
 * enough. */

#include "answer/plan.h"

#include <math.h>

enum { MAX_VIEWS = 2 * BGR_PLAN_PLANES, PLAN_NUMBERS = 5 };

static const double plan_digits = 1e12; /* to which numbers must agree for two planes to be the same */

static int view_turned(const bgr_plane *planes, int view)
{
    int to = planes[view / 2].turned[view % 2];
    return to >= 0 ? 2 * to + view % 2 : -1;
}

static void numbers_of_view(const bgr_plane *planes, int view, double *numbers)
{
    const bgr_plane *plane = &planes[view / 2];
    int side = view % 2;
    const double own[PLAN_NUMBERS] = {plane->win[BGR_LOST_SINGLE][side], plane->win[BGR_LOST_GAMMON][side],
                                      plane->factor[side], plane->offset[side], plane->passed[side]};
    for (int k = 0; k < PLAN_NUMBERS; k++)
        numbers[k] = floor(own[k] * plan_digits + 0.5);
}

/* Number views by their keys, in order of appearance; how many numbers there are. */
static int number_views(int n, int n_keys, double (*key)[PLAN_NUMBERS + 1], int *class)
{
    int n_classes = 0;
    for (int view = 0; view < n; view++) {
        int same = 0;
        for (int other = 0; other < view && !same; other++) {
            same = 1;
            for (int k = 0; k < n_keys; k++)
                same &= key[view][k] == key[other][k];
            if (same)
                class[view] = class[other];
        }
        if (!same)
            class[view] = n_classes++;
    }
    return n_classes;
}

/* The class of each view: two are different if their numbers are, or if what the opponent sees or a double leads to
 * is.  How many classes there are. */
static int class_views(const bgr_plane *planes, int n_planes, int *class)
{
    double key[MAX_VIEWS][PLAN_NUMBERS + 1];
    int n = 2 * n_planes, before = 0;
    for (int view = 0; view < n; view++) {
        numbers_of_view(planes, view, key[view]);
        key[view][PLAN_NUMBERS] = view_turned(planes, view) >= 0;
    }
    int n_classes = number_views(n, PLAN_NUMBERS + 1, key, class);
    while (n_classes > before) {
        before = n_classes;
        for (int view = 0; view < n; view++) {
            int turned = view_turned(planes, view);
            key[view][0] = class[view];
            key[view][1] = class[view ^ 1];
            key[view][2] = turned >= 0 ? class[turned] : -1;
        }
        n_classes = number_views(n, 3, key, class);
    }
    return n_classes;
}

/* place: of each view, the number of its state in the list of the side that sees it. */
static bgr_cube_state state_of_view(const bgr_plane *planes, int view, const int *place)
{
    const bgr_plane *plane = &planes[view / 2];
    int side = view % 2, turned = view_turned(planes, view);
    return (bgr_cube_state){plane->win[BGR_LOST_SINGLE][side],
                            plane->win[BGR_LOST_GAMMON][side],
                            place[view ^ 1],
                            turned >= 0 ? place[turned] : -1,
                            plane->factor[side],
                            plane->offset[side],
                            plane->passed[side]};
}

static int first_of_class(const int *class, int wanted)
{
    int view = 0;
    while (class[view] != wanted)
        view++;
    return view;
}

/* The states that planes make as either side sees them, each once; how many there are.
 * states [out] 2 n; place [out] for either side and plane, the number of the state. */
static int views_of_planes(const bgr_plane *planes, int n, bgr_cube_state *states, int (*place)[BGR_PLAN_PLANES])
{
    int class[MAX_VIEWS];
    int n_states = class_views(planes, n, class);
    for (int k = 0; k < n_states; k++)
        states[k] = state_of_view(planes, first_of_class(class, k), class);
    for (int k = 0; k < n; k++)
        for (int side = 0; side < 2; side++)
            place[side][k] = class[2 * k + side];
    return n_states;
}

/* Planes that both sides see alike are one: number them in the order of what the player on roll sees. */
static int merge_planes(int (*seen)[BGR_PLAN_PLANES], int n, int *number, int *first)
{
    int n_distinct = 0;
    for (int k = 0; k < n; k++) {
        int same = 0;
        while (same < k && (seen[0][same] != seen[0][k] || seen[1][same] != seen[1][k]))
            same++;
        if (same < k)
            continue;
        int at = n_distinct++;
        for (; at && (seen[0][first[at - 1]] > seen[0][k] ||
                      (seen[0][first[at - 1]] == seen[0][k] && seen[1][first[at - 1]] > seen[1][k]));
             at--)
            first[at] = first[at - 1];
        first[at] = k;
    }
    for (int k = 0; k < n; k++)
        for (int d = 0; d < n_distinct; d++)
            if (seen[0][first[d]] == seen[0][k] && seen[1][first[d]] == seen[1][k])
                number[k] = d;
    return n_distinct;
}

static void solve_apart(const bgr_plane *planes, const int *number, const int *first, bgr_plan *plan)
{
    int place[MAX_VIEWS];
    for (int view = 0; view < 2 * plan->n_planes; view++)
        place[view] = number[view / 2];
    for (int side = 0; side < 2; side++) {
        for (int d = 0; d < plan->n_states; d++)
            plan->states[side][d] = state_of_view(planes, 2 * first[d] + side, place);
        for (int k = 0; k < plan->n_planes; k++)
            plan->place[side][k] = number[k];
    }
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
    bgr_cube_state together[MAX_VIEWS];
    int number[BGR_PLAN_PLANES], first[BGR_PLAN_PLANES];
    plan->n_planes = of->n;
    for (int k = 0; k < of->n; k++)
        planes[k] = of->plane[k];
    for (int side = 0; gammons && side < 2; side++)
        planes[plan->n_planes++] = bgr_gammon_plane(side);
    int n_together = views_of_planes(planes, plan->n_planes, together, plan->place);
    plan->n_states = merge_planes(plan->place, plan->n_planes, number, first);
    plan->bytes =
        8.0 * plan->n_states * (size->positions[0] * size->columns[1] + size->positions[1] * size->columns[0]);
    double bytes = 8.0 * n_together * size->both * size->columns_of_both;
    plan->together = size->both >= 0 && n_together <= BGR_MAX_STATES && bytes < plan->bytes;
    if (!plan->together) {
        solve_apart(planes, number, first, plan);
        return;
    }
    plan->bytes = bytes;
    plan->n_states = n_together;
    for (int k = 0; k < n_together; k++)
        plan->states[0][k] = together[k];
}
