/* Results of one answer that others can use: bgr_cache of bgrace.h. */
#pragma once

#include "solve/exact.h"
#include "solve/layer.h"
#include "turns/pair_table.h"

/* Add a holder to a cache, unless it is NULL; bgr_cache_free removes one. */
bgr_cache *bgr_cache_hold(bgr_cache *cache);

/* All positions that can be reached from one by single dice, or from two on one board. */
typedef struct bgr_closed_set {
    bgr_space space;
    int64_t from[2]; /* the indices that it starts from, rising; the second is -1 if there is only one */
    int64_t n;
    int64_t *indices; /* rising */
} bgr_closed_set;

/* Resources to solve with: a cache, threads, and the caller's progress. */
typedef struct bgr_resources {
    bgr_cache *cache; /* or NULL */
    bgr_work work;
} bgr_resources;

/* Take the resources from options, which must outlive them. */
bgr_resources bgr_resources_of(const bgr_solve_options *options);

/* Get the graph of a set, new or from the cache.  compared: 1 to leave out plays that others beat, by
 * bgr_graph_compare.  Release it with bgr_graph_free.  The statuses of bgr_graph_new and bgr_graph_compare. */
bgr_status bgr_cache_graph(const bgr_closed_set *set, int compared, const bgr_resources *resources, bgr_graph **graph);

/* Take spare working memory of at least n bytes, if there is any; and give memory back. */
bgr_exact_memory bgr_cache_take_memory(bgr_cache *cache, size_t n_bytes);
void bgr_cache_put_memory(bgr_cache *cache, bgr_exact_memory memory);

/* Tables for answers by turns; NULL without a cache. */
bgr_kept_tables *bgr_cache_tables(bgr_cache *cache);

/* Get the home board for layers, made on first use; owned by the cache.  BGR_ERR_MEMORY. */
bgr_status bgr_cache_home(bgr_cache *cache, const bgr_layer_home **home);

/* Look up a side by itself, returning 1 if it is there; and store one in place of the oldest.  cache: may be NULL. */
int bgr_cache_find_side(bgr_cache *cache, const int8_t *counts, bgr_side *side);
void bgr_cache_keep_side(bgr_cache *cache, const int8_t *counts, const bgr_side *side);

/* As bgr_ask_side, but progress may stop it: BGR_ERR_STOPPED.  Threads are not used. */
bgr_status bgr_find_side(const bgr_solver *solver, const bgr_resources *resources, int points, const int8_t *counts,
                         bgr_side *side);
