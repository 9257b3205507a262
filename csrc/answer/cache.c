/* Shared by answers: graphs of positions, the memory that solutions work in, tables and the home board.
 *
 * Nothing of it changes an answer.  The lock is held for looking and linking alone, never while something is worked
 * out: two threads may make the same thing at once, and then one of the two is kept. */

#include "answer/cache.h"

#include "base/lock.h"
#include "base/try.h"
#include "solve/graph.h"

#include <stdlib.h>
#include <string.h>

enum { N_SPARE = 4 };

static const int64_t max_graph_bytes = 1 << 25; /* of all graphs that are kept */
static const size_t max_spare_bytes = 1 << 27;  /* of memory that nobody works in */
static const int64_t kept_bytes = 2500;         /* of a graph: about 170 results, and what finds them */

struct bgr_shared_graph {
    bgr_graph *graph;
    bgr_graph_key key;
    int n_holders; /* the cache is one */
    bgr_shared_graph *older;
};

struct bgr_cache {
    bgr_holders holders;
    bgr_lock lock;
    bgr_shared_graph *newest;
    bgr_exact_memory spare[N_SPARE]; /* the newest first */
    bgr_kept_tables *tables;
    int has_tables; /* whether they are here, and not with an answer */
    bgr_home *home;
};

bgr_status bgr_cache_new(bgr_cache **cache)
{
    *cache = calloc(1, sizeof **cache);
    if (!*cache || !bgr_lock_init(&(*cache)->lock)) {
        free(*cache);
        *cache = NULL;
        return BGR_ERR_MEMORY;
    }
    (*cache)->holders.n = 1;
    bgr_status status = bgr_kept_tables_new(&(*cache)->tables);
    (*cache)->has_tables = 1;
    if (status != BGR_OK) {
        bgr_cache_free(*cache);
        *cache = NULL;
    }
    return status;
}

static void free_graph(bgr_shared_graph *graph)
{
    bgr_graph_free(graph->graph);
    free(graph);
}

bgr_cache *bgr_cache_hold(bgr_cache *cache)
{
    if (cache)
        bgr_hold(&cache->holders);
    return cache;
}

void bgr_cache_free(bgr_cache *cache)
{
    if (!cache || !bgr_let_go(&cache->holders))
        return;
    while (cache->newest) {
        bgr_shared_graph *graph = cache->newest;
        cache->newest = graph->older;
        free_graph(graph);
    }
    for (int k = 0; k < N_SPARE; k++)
        bgr_exact_free_memory(cache->spare[k]);
    bgr_kept_tables_free(cache->tables);
    bgr_home_free(cache->home);
    bgr_lock_free(&cache->lock);
    free(cache);
}

/* ------------------------------------------------------------------ graphs */

const bgr_graph *bgr_shared_graph_of(const bgr_shared_graph *graph) { return graph->graph; }

static int same_key(const bgr_graph_key *a, const bgr_graph_key *b)
{
    return a->points == b->points && a->compared == b->compared && a->from[0] == b->from[0] && a->from[1] == b->from[1];
}

/* Take the graph with a key out of the chain; NULL if it is not there. */
static bgr_shared_graph *unlink_graph(bgr_cache *cache, const bgr_graph_key *key)
{
    bgr_shared_graph **place = &cache->newest;
    while (*place && !same_key(&(*place)->key, key))
        place = &(*place)->older;
    bgr_shared_graph *graph = *place;
    if (graph)
        *place = graph->older;
    return graph;
}

static void link_graph(bgr_cache *cache, bgr_shared_graph *graph)
{
    graph->older = cache->newest;
    cache->newest = graph;
}

/* Cut the chain where it gets too long; what is cut off and held by nobody else. */
static bgr_shared_graph *unlink_oldest(bgr_cache *cache)
{
    int64_t bytes = 0;
    bgr_shared_graph **place = &cache->newest, *unused = NULL;
    while (*place && (bytes += kept_bytes * bgr_graph_size((*place)->graph)) <= max_graph_bytes)
        place = &(*place)->older;
    bgr_shared_graph *rest = *place;
    *place = NULL;
    while (rest) {
        bgr_shared_graph *next = rest->older;
        if (--rest->n_holders == 0) {
            rest->older = unused;
            unused = rest;
        }
        rest = next;
    }
    return unused;
}

static bgr_shared_graph *find_graph(bgr_cache *cache, const bgr_graph_key *key)
{
    bgr_lock_take(&cache->lock);
    bgr_shared_graph *graph = unlink_graph(cache, key);
    if (graph) {
        link_graph(cache, graph);
        graph->n_holders++;
    }
    bgr_lock_release(&cache->lock);
    return graph;
}

static void keep_graph(bgr_cache *cache, bgr_shared_graph *graph)
{
    bgr_lock_take(&cache->lock);
    bgr_shared_graph *twin = unlink_graph(cache, &graph->key);
    if (twin && --twin->n_holders)
        twin = NULL; /* its other holders free it */
    link_graph(cache, graph);
    graph->n_holders++;
    bgr_shared_graph *unused = unlink_oldest(cache);
    bgr_lock_release(&cache->lock);
    if (twin)
        free_graph(twin);
    while (unused) {
        bgr_shared_graph *next = unused->older;
        free_graph(unused);
        unused = next;
    }
}

bgr_status bgr_cache_graph(bgr_cache *cache, const bgr_graph_key *key, const bgr_space *space, const int64_t *indices,
                           int64_t n, const bgr_parallel *parallel, bgr_progress progress, void *context,
                           bgr_shared_graph **graph)
{
    *graph = cache ? find_graph(cache, key) : NULL;
    if (*graph)
        return BGR_OK;
    bgr_shared_graph *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    fresh->key = *key;
    fresh->n_holders = 1;
    bgr_status status = bgr_graph_new(space, indices, n, parallel, &fresh->graph);
    if (status == BGR_OK && key->compared)
        status = bgr_graph_compare(fresh->graph, BGR_MAX_CHECKERS, parallel, progress, context);
    if (status != BGR_OK) {
        free_graph(fresh);
        return status;
    }
    if (cache)
        keep_graph(cache, fresh);
    *graph = fresh;
    return BGR_OK;
}

void bgr_cache_release(bgr_cache *cache, bgr_shared_graph *graph)
{
    if (!graph)
        return;
    if (cache)
        bgr_lock_take(&cache->lock);
    int unused = --graph->n_holders == 0;
    if (cache)
        bgr_lock_release(&cache->lock);
    if (unused)
        free_graph(graph);
}

/* ------------------------------------------------------------------ memory */

bgr_exact_memory bgr_cache_take_memory(bgr_cache *cache, size_t n_bytes)
{
    bgr_exact_memory memory = {NULL, 0};
    int best = -1;
    if (!cache)
        return memory;
    bgr_lock_take(&cache->lock);
    for (int k = 0; k < N_SPARE; k++)
        if (cache->spare[k].start && cache->spare[k].n_bytes >= n_bytes &&
            (best < 0 || cache->spare[k].n_bytes < cache->spare[best].n_bytes))
            best = k;
    if (best >= 0) {
        memory = cache->spare[best];
        cache->spare[best] = (bgr_exact_memory){NULL, 0};
    }
    bgr_lock_release(&cache->lock);
    return memory;
}

void bgr_cache_put_memory(bgr_cache *cache, bgr_exact_memory memory)
{
    bgr_exact_memory unused[N_SPARE] = {{NULL, 0}};
    if (!cache || !memory.start || memory.n_bytes > max_spare_bytes) {
        bgr_exact_free_memory(memory);
        return;
    }
    bgr_lock_take(&cache->lock);
    unused[0] = cache->spare[N_SPARE - 1];
    memmove(cache->spare + 1, cache->spare, (N_SPARE - 1) * sizeof *cache->spare);
    cache->spare[0] = memory;
    size_t total = memory.n_bytes;
    for (int k = 1; k < N_SPARE; k++) {
        total += cache->spare[k].start ? cache->spare[k].n_bytes : 0;
        if (cache->spare[k].start && total > max_spare_bytes) {
            unused[k] = cache->spare[k];
            cache->spare[k] = (bgr_exact_memory){NULL, 0};
        }
    }
    bgr_lock_release(&cache->lock);
    for (int k = 0; k < N_SPARE; k++)
        bgr_exact_free_memory(unused[k]);
}

/* ------------------------------------------------------------------ tables, and the home board */

bgr_kept_tables *bgr_cache_take_tables(bgr_cache *cache)
{
    if (!cache)
        return NULL;
    bgr_lock_take(&cache->lock);
    int taken = cache->has_tables;
    cache->has_tables = 0;
    bgr_lock_release(&cache->lock);
    return taken ? cache->tables : NULL;
}

void bgr_cache_put_tables(bgr_cache *cache, bgr_kept_tables *tables)
{
    if (!tables)
        return;
    bgr_lock_take(&cache->lock);
    cache->has_tables = 1;
    bgr_lock_release(&cache->lock);
}

bgr_status bgr_cache_home(bgr_cache *cache, int n_threads, const bgr_home **home)
{
    bgr_lock_take(&cache->lock);
    bgr_home *known = cache->home, *fresh = NULL;
    bgr_lock_release(&cache->lock);
    if (!known) {
        BGR_TRY(bgr_home_new(BGR_MAX_CHECKERS, 1, n_threads, &fresh));
        bgr_lock_take(&cache->lock);
        if (!cache->home) {
            cache->home = fresh;
            fresh = NULL;
        }
        known = cache->home;
        bgr_lock_release(&cache->lock);
        bgr_home_free(fresh);
    }
    *home = known;
    return BGR_OK;
}
