/* What results that are not the best by the mean can gain: which of them to keep. */
#ifndef BGR_GAINS_H
#define BGR_GAINS_H

#include "turns/nodes.h"

/* The chances of every node to be off within n rolls, and with `gammons` to have borne off a checker.
 * BGR_ERR_MEMORY. */
bgr_status bgr_nodes_find_chances(bgr_nodes *nodes, int gammons);

/* Weigh the edges of every node that is expanded, and sort those of each roll: the best by the mean first, then the
 * others as they are worth keeping.  The gain of an edge is how much it adds, at most, to the chance to win of the
 * position that all come from, if those before it are kept.
 *
 * in_time: the chance that exactly so many rolls, 0 .. n - 1, count: that the other side is off before the next one.
 * gammons: 1 if a gammon may be lost, which is weighed as well.
 * BGR_ERR_MEMORY. */
bgr_status bgr_nodes_weigh(bgr_nodes *nodes, const double *in_time, int n, int gammons);

/* Keep the edges that gain more than this; INFINITY: the best, and those that are always kept.  Gives what all others
 * would gain at most.  Before they are weighed: all of them, or with INFINITY the best, and 0. */
double bgr_nodes_keep(bgr_nodes *nodes, double least_gain);

/* How many rolls it can take until everybody is off, whatever is kept. */
int bgr_nodes_longest(const bgr_nodes *nodes);

#endif
