/* Planes as either side sees them, and which of them have the same values. */
#pragma once

#include "base/stakes.h"

/* At most: planes of a table, which has one for each view of a question's planes, and views of these. */
enum { BGR_VIEWED_PLANES = 2 * BGR_MAX_PLANES, BGR_MAX_VIEWS = 2 * BGR_VIEWED_PLANES };

/* A plane as one side sees it is a view: view 2 k of plane k is that of the side on roll now, 2 k + 1 that of the other
 * one.  Views with the same values everywhere are one class.
 * class [out] 2 n: the class of each view, numbered in order of appearance.  Returns how many classes there are. */
int bgr_class_views(const bgr_plane *planes, int n, int *class);

/* One plane for each class, which the side on roll now sees in it: with them all pairs of one list of positions are
 * solved once.  exchanged [out]: the number of each of these planes with the sides exchanged. */
void bgr_planes_of_classes(const bgr_plane *planes, int n, const int *class, bgr_plane *of_class, int *exchanged);
