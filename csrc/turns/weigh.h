/* Weigh every result by its gain over those that are kept, and choose the results to keep. */
#pragma once

#include "turns/nodes.h"

/* Weigh the results by the rolls that the other side leaves: find how much each adds, at most, to the first position's
 * chance to win if those before it are kept.
 *
 * in_time: the chance that exactly k rolls, k = 0 .. n - 1, count, since the other side is off before the next one.
 * gammons: 1 to weigh the loss of a gammon, too.  BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_nodes_weigh(bgr_nodes *nodes, const double *in_time, int n, int gammons);

/* Find the chances of every node to be off within n rolls, and with `gammons` to have borne off a checker.
 * BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_nodes_find_chances(bgr_nodes *nodes, int gammons);

/* Keep the edges that gain more than least_gain; INFINITY: the best, and those that are always kept.  If edges were not
 * weighed: keep all, or with INFINITY the best. */
void bgr_nodes_keep(bgr_nodes *nodes, double least_gain);
