/* A side that keeps to some of the positions of a graph: those that good plays lead to. */
#pragma once

#include "solve/graph.h"

/* Means of all positions of a graph, by rank: rolls to the last checker, and to the first of BGR_MAX_CHECKERS, each
 * played to save those.  n each, owned by the caller. */
typedef struct bgr_graph_means {
    double *last, *first;
} bgr_graph_means;

/* Free it with bgr_graph_means_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_graph_means_new(const bgr_graph *graph, bgr_graph_means *means);
void bgr_graph_means_free(bgr_graph_means *means);

/* The positions that one position can come to if each roll is played to a result whose mean is within `delta` of the
 * least; with `gammons` also those whose mean to the first checker is, while that is some way off.  marks [out] n: 1
 * for those, 0 for others.  How many there are. */
int64_t bgr_graph_shortlist(const bgr_graph *graph, const bgr_graph_means *means, int64_t rank, double delta,
                            int gammons, uint8_t *marks);

/* The graph of marked positions alone, in the same order: of each roll's results those that are marked, at least one of
 * every roll.  confined_rank [out]: of `rank`.  Free it with bgr_graph_free.  BGR_ERR_MEMORY. */
bgr_status bgr_graph_confine(const bgr_graph *graph, const uint8_t *marks, int64_t rank, bgr_graph **confined,
                             int64_t *confined_rank);
