/* Two views differ if their numbers differ, or if the opponent's views or the views after a double differ; the coarsest
 * such partition is found by refinement.  Without gammons many views are alike: a cube that neither side can use leaves
 * the chance to win, whatever its value.
 *
 * Beavers are ignored: without gammons a double that should be beavered is never right. */

#include "solve/views.h"

#include <math.h>
#include <string.h>

static int same_number(double a, double b)
{
    static const double digits = 1e12;
    return a == b || floor(a * digits + 0.5) == floor(b * digits + 0.5);
}

/* The view after a double; -1 if there is none. */
static int view_turned(const bgr_plane *planes, int view)
{
    int to = planes[view / 2].turned[view % 2];
    return to >= 0 ? 2 * to + view % 2 : -1;
}

static int same_numbers(const bgr_plane *planes, int view, int other)
{
    const bgr_plane *a = &planes[view / 2], *b = &planes[other / 2];
    int i = view % 2, j = other % 2;
    return same_number(a->win[BGR_LOST_SINGLE][i], b->win[BGR_LOST_SINGLE][j]) &&
           same_number(a->win[BGR_LOST_GAMMON][i], b->win[BGR_LOST_GAMMON][j]) &&
           (a->turned[i] < 0) == (b->turned[j] < 0) && same_number(a->factor[i], b->factor[j]) &&
           same_number(a->offset[i], b->offset[j]) && same_number(a->passed[i], b->passed[j]);
}

static int same_classes(const bgr_plane *planes, const int *class, int view, int other)
{
    int a = view_turned(planes, view), b = view_turned(planes, other);
    return class[view] == class[other] && class[view ^ 1] == class[other ^ 1] && (a < 0 || class[a] == class[b]);
}

int bgr_class_views(const bgr_plane *planes, int n, int *class)
{
    int finer[BGR_MAX_VIEWS], n_classes = 0, n_before = -1;
    for (int view = 0; view < 2 * n; view++) {
        int first = 0;
        while (first < view && !same_numbers(planes, first, view))
            first++;
        class[view] = first == view ? n_classes++ : class[first];
    }
    while (n_classes != n_before) {
        n_before = n_classes;
        n_classes = 0;
        for (int view = 0; view < 2 * n; view++) {
            int first = 0;
            while (!same_classes(planes, class, first, view))
                first++;
            finer[view] = first == view ? n_classes++ : finer[first];
        }
        memcpy(class, finer, 2 * (size_t)n * sizeof *class);
    }
    return n_classes;
}

void bgr_planes_of_classes(const bgr_plane *planes, int n, const int *class, bgr_plane *of_class, int *exchanged)
{
    for (int view = 2 * n - 1; view >= 0; view--)
        exchanged[class[view]] = class[view ^ 1];
    for (int view = 2 * n - 1; view >= 0; view--) {
        const bgr_plane *from = &planes[view / 2];
        bgr_plane *to = &of_class[class[view]];
        for (int side = 0; side < 2; side++) {
            int seen = (view + side) % 2, turned = view_turned(planes, view ^ side);
            bgr_plane_take_side(to, side, from, seen);
            to->turned[side] = turned < 0 ? -1 : side ? exchanged[class[turned]] : class[turned];
        }
    }
}
