/* Confine a side to some positions of a graph, those that good plays lead to. */
#pragma once

#include "solve/graph.h"

/* Means of all positions of a graph, by rank: least mean number of rolls to the last checker off, and to the first of
 * BGR_MAX_CHECKERS.  n each, owned by the caller. */
typedef struct bgr_graph_means {
    double *last, *first;
} bgr_graph_means;

/* Free it with bgr_graph_means_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_graph_means_new(const bgr_graph *graph, bgr_graph_means *means);
void bgr_graph_means_free(bgr_graph_means *means);

/* Mark the positions that one position can reach if each roll is played to a result whose mean is within `delta` of the
 * least; with `gammons` also to those whose mean to the first checker is, unless that is close.  marks [out] n: 1 for
 * these, 0 for others.  Returns their number. */
int64_t bgr_graph_shortlist(const bgr_graph *graph, const bgr_graph_means *means, int64_t rank, double delta,
                            int gammons, uint8_t *marks);

/* Make the graph of marked positions, in the same order, with the marked results of each roll; every roll must have
 * one.  confined_rank [out]: the new rank of `rank`.  Free the graph with bgr_graph_free.  BGR_ERR_MEMORY. */
bgr_status bgr_graph_confine(const bgr_graph *graph, const uint8_t *marks, int64_t rank, bgr_graph **confined,
                             int64_t *confined_rank);
