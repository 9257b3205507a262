/* Planes as either side sees them, and classes with the same values. */
#pragma once

#include "base/stakes.h"

/* Greatest numbers: planes of a table, one for each view of a question's planes; and views of these. */
enum { BGR_VIEWED_PLANES = 2 * BGR_MAX_PLANES, BGR_MAX_VIEWS = 2 * BGR_VIEWED_PLANES };

/* Classify views.  View 2 k is plane k as the side on roll now sees it, 2 k + 1 as the other side does.  Views with the
 * same values everywhere are one class.  class [out] 2 n: the class of each view, numbered in order of appearance.
 * Returns the number of classes. */
int bgr_class_views(const bgr_plane *planes, int n, int *class);

/* Make one plane for each class, as the side on roll now sees it, so that all pairs of one list of positions are solved
 * once.  exchanged [out]: the number of each of these planes with the sides exchanged. */
void bgr_planes_of_classes(const bgr_plane *planes, int n, const int *class, bgr_plane *of_class, int *exchanged);
