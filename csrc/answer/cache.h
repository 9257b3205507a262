/* Results of one answer that others can use: bgr_cache of bgrace.h. */
#ifndef BGR_CACHE_H
#define BGR_CACHE_H

#include "solve/exact.h"
#include "solve/graph.h"
#include "solve/layer.h"
#include "turns/question.h"

/* Hold a cache, if it is not NULL; bgr_cache_free lets go. */
bgr_cache *bgr_cache_hold(bgr_cache *cache);

/* The positions of a graph, by the one or two that they come from, as numbers on a board of n points. */
typedef struct bgr_graph_key {
    int points, compared; /* compared: plays that others beat are left out, by bgr_graph_compare */
    int64_t from[2];      /* rising; -1 for a second one that is not there */
} bgr_graph_key;

/* A graph that several answers hold. */
typedef struct bgr_shared_graph bgr_shared_graph;

/* The graph of these n positions; one that is kept has the same key.  cache: NULL keeps nothing.  The
 * statuses of bgr_graph_new and bgr_graph_compare. */
bgr_status bgr_cache_graph(bgr_cache *cache, const bgr_graph_key *key, const bgr_space *space, const int64_t *indices,
                           int64_t n, const bgr_parallel *parallel, bgr_progress progress, void *context,
                           bgr_shared_graph **graph);

const bgr_graph *bgr_shared_graph_of(const bgr_shared_graph *graph);

/* Let go of a graph; NULL is allowed. */
void bgr_cache_release(bgr_cache *cache, bgr_shared_graph *graph);

/* Memory for a solution to work in, of at least n bytes if there is any; and give it back. */
bgr_exact_memory bgr_cache_take_memory(bgr_cache *cache, size_t n_bytes);
void bgr_cache_put_memory(bgr_cache *cache, bgr_exact_memory memory);

/* Tables for answers by turns, for one answer at a time: NULL while another one has them. */
bgr_kept_tables *bgr_cache_take_tables(bgr_cache *cache);
void bgr_cache_put_tables(bgr_cache *cache, bgr_kept_tables *tables); /* NULL is allowed */

/* The home board on which layers stand, made when it is first asked for; it belongs to the cache.  BGR_ERR_MEMORY. */
bgr_status bgr_cache_home(bgr_cache *cache, int n_threads, const bgr_home **home);

#endif
