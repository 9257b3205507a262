/* The gain of every result beside those that are kept, and which of them are kept by it. */
#pragma once

#include "turns/nodes.h"

/* Weigh the results against the time that the other side leaves: how much each adds, at most, to the chance to win of
 * the position that all come from, if those before it are kept.
 *
 * in_time: the chance that exactly k rolls, k = 0 .. n - 1, count: that the other side is off before the next one.
 * gammons: 1 if a gammon may be lost, which is weighed as well.
 * BGR_ERR_MEMORY. */
bgr_status bgr_nodes_weigh(bgr_nodes *nodes, const double *in_time, int n, int gammons);

/* The chances of every node to be off within n rolls, and with `gammons` to have borne off a checker.
 * BGR_ERR_MEMORY. */
bgr_status bgr_nodes_find_chances(bgr_nodes *nodes, int gammons);

/* Keep the edges that gain more than this; INFINITY: the best, and those that are always kept.
 * Before they are weighed: all of them, or with INFINITY the best. */
void bgr_nodes_keep(bgr_nodes *nodes, double least_gain);
