/* What answers share: graphs of positions, working memory of solutions, tables, the home board and single sides.
 *
 * A cache never changes an answer.  The lock is held for looking up and storing, not for computing: two threads may
 * make the same thing at once, and then both are kept. */

#include "answer/cache.h"

#include "base/try.h"
#include "base/tuning.h"

#include <stdlib.h>
#include <string.h>

enum { N_SPARE = 4, N_GRAPHS = 256, N_SIDES = 64 };

/* A graph, with the one or two positions that it starts from. */
typedef struct {
    int points, compared;
    int64_t from[2];
    bgr_graph *graph; /* NULL: unused; unused entries come last */
} kept_graph;

/* A side by itself, with its counts; n_rolls 0: unused. */
typedef struct {
    int8_t counts[BGR_MAX_POINTS];
    bgr_side side;
} kept_side;

struct bgr_cache {
    bgr_holders holders;
    bgr_lock lock;                   /* protects the members below */
    kept_graph graphs[N_GRAPHS];     /* the newest first */
    bgr_exact_memory spare[N_SPARE]; /* the newest first */
    bgr_kept_tables tables;
    bgr_layer_home *home;
    kept_side sides[N_SIDES];
    int next_side; /* the entry to replace next: the oldest once all are used */
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
    (*cache)->tables.lock = &(*cache)->lock;
    return BGR_OK;
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
    for (int k = 0; k < N_GRAPHS; k++)
        bgr_graph_free(cache->graphs[k].graph);
    for (int k = 0; k < N_SPARE; k++)
        bgr_exact_free_memory(cache->spare[k]);
    for (int k = 0; k < BGR_KEPT_TABLES; k++)
        bgr_pair_table_free(cache->tables.table[k]);
    bgr_layer_home_free(cache->home);
    bgr_lock_free(&cache->lock);
    free(cache);
}

bgr_kept_tables *bgr_cache_tables(bgr_cache *cache) { return cache ? &cache->tables : NULL; }

static int tell_share(void *context, int level, int64_t done, int64_t total)
{
    const bgr_solve_options *options = context;
    (void)level;
    return options->progress(options->progress_context, total ? (double)done / (double)total : 0);
}

bgr_resources bgr_resources_of(const bgr_solve_options *options)
{
    return (bgr_resources){options->cache, {options->parallel, options->progress ? tell_share : NULL, (void *)options}};
}

/* ------------------------------------------------------------------ graphs */

/* Put a graph in front of the first k. */
static void put_in_front(bgr_cache *cache, int k, kept_graph graph)
{
    memmove(cache->graphs + 1, cache->graphs, (size_t)k * sizeof graph);
    cache->graphs[0] = graph;
}

static bgr_graph *find_graph(bgr_cache *cache, const kept_graph *wanted)
{
    const kept_graph *graphs = cache->graphs;
    int k = 0;
    bgr_lock_take(&cache->lock);
    while (k < N_GRAPHS && graphs[k].graph &&
           (graphs[k].points != wanted->points || graphs[k].compared != wanted->compared ||
            graphs[k].from[0] != wanted->from[0] || graphs[k].from[1] != wanted->from[1]))
        k++;
    bgr_graph *graph = k < N_GRAPHS ? graphs[k].graph : NULL;
    if (graph) {
        put_in_front(cache, k, graphs[k]);
        bgr_hold(&graph->holders);
    }
    bgr_lock_release(&cache->lock);
    return graph;
}

/* Keep a graph, and release the oldest ones if all take too much memory. */
static void keep_graph(bgr_cache *cache, kept_graph graph)
{
    bgr_graph *dropped[N_GRAPHS + 1] = {NULL};
    double bytes = 0;
    bgr_hold(&graph.graph->holders);
    bgr_lock_take(&cache->lock);
    dropped[N_GRAPHS] = cache->graphs[N_GRAPHS - 1].graph;
    put_in_front(cache, N_GRAPHS - 1, graph);
    for (int k = 0; k < N_GRAPHS && cache->graphs[k].graph; k++)
        if ((bytes += tuned_graph_bytes * (double)bgr_graph_size(cache->graphs[k].graph)) > tuned_kept_graphs) {
            dropped[k] = cache->graphs[k].graph;
            cache->graphs[k].graph = NULL;
        }
    bgr_lock_release(&cache->lock);
    for (int k = 0; k <= N_GRAPHS; k++)
        bgr_graph_free(dropped[k]);
}

bgr_status bgr_cache_graph(const bgr_closed_set *set, int compared, const bgr_resources *resources, bgr_graph **graph)
{
    kept_graph kept = {set->space.points, compared, {set->from[0], set->from[1]}, NULL};
    *graph = resources->cache ? find_graph(resources->cache, &kept) : NULL;
    if (*graph)
        return BGR_OK;
    bgr_status status = bgr_graph_new(&set->space, set->indices, set->n, &resources->work, &kept.graph);
    if (status == BGR_OK && compared)
        status = bgr_graph_compare(kept.graph, BGR_MAX_CHECKERS, &resources->work);
    if (status == BGR_OK && resources->cache)
        keep_graph(resources->cache, kept);
    BGR_HAND_OVER(status, kept.graph, graph, bgr_graph_free);
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
    if (!cache || !memory.start || memory.n_bytes > tuned_spare_bytes) {
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
        if (cache->spare[k].start && total > tuned_spare_bytes) {
            unused[k] = cache->spare[k];
            cache->spare[k] = (bgr_exact_memory){NULL, 0};
        }
    }
    bgr_lock_release(&cache->lock);
    for (int k = 0; k < N_SPARE; k++)
        bgr_exact_free_memory(unused[k]);
}

/* ------------------------------------------------------------------ the home board */

bgr_status bgr_cache_home(bgr_cache *cache, const bgr_layer_home **home)
{
    bgr_lock_take(&cache->lock);
    bgr_layer_home *known = cache->home, *fresh = NULL;
    bgr_lock_release(&cache->lock);
    if (!known) {
        BGR_TRY(bgr_layer_home_new(BGR_MAX_CHECKERS, 1, 1, &fresh));
        bgr_lock_take(&cache->lock);
        if (!cache->home) {
            cache->home = fresh;
            fresh = NULL;
        }
        known = cache->home;
        bgr_lock_release(&cache->lock);
        bgr_layer_home_free(fresh);
    }
    *home = known;
    return BGR_OK;
}

/* ------------------------------------------------------------------ sides */

int bgr_cache_find_side(bgr_cache *cache, const int8_t *counts, bgr_side *side)
{
    int found = 0;
    if (!cache)
        return 0;
    bgr_lock_take(&cache->lock);
    for (int k = 0; k < N_SIDES && !found; k++)
        if (cache->sides[k].side.n_rolls && !memcmp(cache->sides[k].counts, counts, BGR_MAX_POINTS)) {
            *side = cache->sides[k].side;
            found = 1;
        }
    bgr_lock_release(&cache->lock);
    return found;
}

void bgr_cache_keep_side(bgr_cache *cache, const int8_t *counts, const bgr_side *side)
{
    if (!cache)
        return;
    bgr_lock_take(&cache->lock);
    kept_side *kept = &cache->sides[cache->next_side];
    cache->next_side = (cache->next_side + 1) % N_SIDES;
    memcpy(kept->counts, counts, BGR_MAX_POINTS);
    kept->side = *side;
    bgr_lock_release(&cache->lock);
}
