/* Results of one answer that others can use: bgr_cache of bgrace.h. */
#pragma once

#include "solve/exact.h"
#include "solve/layer.h"
#include "turns/pair_table.h"

/* Hold a cache, if it is not NULL; bgr_cache_free lets go. */
bgr_cache *bgr_cache_hold(bgr_cache *cache);

/* Every position that single dice can make of one, or of two on one board. */
typedef struct bgr_closed_set {
    bgr_space space;
    int64_t from[2]; /* the indices that it comes from, rising; -1 for a second one that is not there */
    int64_t n;
    int64_t *indices; /* rising */
} bgr_closed_set;

/* The means to solve pairs: a cache, threads, and the caller's progress. */
typedef struct bgr_resources {
    bgr_cache *cache; /* or NULL */
    bgr_work work;
} bgr_resources;

/* The resources that options give; the options must outlive them. */
bgr_resources bgr_resources_of(const bgr_solve_options *options);

/* The graph of a set, new or from the cache; compared: bgr_graph_compare leaves out plays that others beat.  Free it
 * with bgr_graph_free.  The statuses of bgr_graph_new and bgr_graph_compare. */
bgr_status bgr_cache_graph(const bgr_closed_set *set, int compared, const bgr_resources *resources, bgr_graph **graph);

/* Memory for a solution to work in, of at least n bytes if there is any; and give it back. */
bgr_exact_memory bgr_cache_take_memory(bgr_cache *cache, size_t n_bytes);
void bgr_cache_put_memory(bgr_cache *cache, bgr_exact_memory memory);

/* Tables for answers by turns; NULL without a cache. */
bgr_kept_tables *bgr_cache_tables(bgr_cache *cache);

/* The home board on which layers stand, made when it is first asked for; it belongs to the cache.  BGR_ERR_MEMORY. */
bgr_status bgr_cache_home(bgr_cache *cache, const bgr_layer_home **home);

/* One side by itself: whether it is there, and put it in the place of the oldest.  cache: may be NULL. */
int bgr_cache_find_side(bgr_cache *cache, const int8_t *counts, bgr_side *side);
void bgr_cache_keep_side(bgr_cache *cache, const int8_t *counts, const bgr_side *side);
