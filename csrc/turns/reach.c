/* One side of a race carried forward turn by turn.
 *
 * First the nodes (nodes.c): every position that the rule can come to, the results of each roll, and their means.  A
 * roll makes the same of a position whenever it is thrown, so this knows nothing of turns.  Then the layers: the nodes
 * after 0, 1, 2, ... rolls, each from the one before, until everybody is off.
 *
 * Merging.  A layer of more than max_layer positions is thinned out.  Positions are sorted into strata by the variance
 * of their rolls, those with all 15 checkers apart, and by mean within a stratum; of each stratum some stay, close
 * together where play comes by often.  Another one is replaced by its two neighbours that stay, with weights that keep
 * its mean.  Its chances to win change by the two neighbours' spread and by the difference of variances: with a normal
 * distribution of the difference of both sides' rolls, of variance 2 v, by at most
 *
 *     0.242 / (2 v) * (spread + difference) / 2,
 *
 * 0.242 the greatest slope of the normal density.  merge_error is the sum of this over all that was merged, by
 * chance to be there.  It takes all errors to have one sign, and leaves out what is in neither mean nor variance.
 *
 * A layer with too many nodes for max_nodes is not refused: then the results are found turn by turn, by the estimated
 * means, only from positions that stay. */

#include "turns/reach.h"

#include "base/dice.h"
#include "bgrace.h"
#include "turns/gains.h"
#include "turns/nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Results this far from the best by the estimate, in rolls, are looked at where play is likely to come by. */
static const double widest_margin = 0.06;

/* With no more nodes outside the home board than this all results are looked at, and the means are exact. */
static const int64_t few_nodes = 300;

typedef struct {
    uint64_t order;
    int32_t node;
} listed;
static const uint64_t merged_away = UINT64_MAX; /* in place of an order */

/* Where a position of the next layer goes. */
typedef struct {
    int32_t to[2];
    float share; /* of to[0]; the rest is that of to[1] */
} target;

typedef struct {
    bgr_nodes *nodes;
    const bgr_reach_options *options;
    int by_turn; /* results are not known beforehand */
    int only_sizes;
    bgr_reach *reach;
    int layer_room;
    int32_t *at; /* by node: place in `next`, or -1 */
    int64_t at_room;
    listed *next;
    double *chance; /* by place in next */
    target *to;     /* by place in next */
    int64_t n_next, next_room;
} builder;

static int add_to_next(builder *b, int32_t node)
{
    if (b->at[node] >= 0)
        return 1;
    if (b->n_next == b->next_room) {
        int64_t room = 2 * b->next_room;
        listed *larger = realloc(b->next, (size_t)room * sizeof *larger);
        if (!larger)
            return 0;
        b->next = larger;
        b->next_room = room;
    }
    b->at[node] = 0;
    b->next[b->n_next++] = (listed){b->nodes->node[node].order, node};
    return 1;
}

static int by_order(const void *a, const void *b)
{
    uint64_t x = ((const listed *)a)->order, y = ((const listed *)b)->order;
    return (x > y) - (x < y);
}

/* The results of a node that are kept. */
typedef struct {
    const uint32_t *edge; /* of the next roll */
    const uint16_t *n_edges, *n_kept;
    int roll; /* the next one */
} kept_results;

static inline kept_results results_of(const builder *b, int32_t node)
{
    const bgr_node *x = &b->nodes->node[node];
    int64_t row = (int64_t)x->row * BGR_N_ROLLS;
    return (kept_results){b->nodes->edge + x->edges, b->nodes->n_edges + row, b->nodes->n_kept + row, 0};
}

/* Those of the next roll, n of them. */
static inline const uint32_t *next_roll(kept_results *r, int *n)
{
    const uint32_t *edges = r->edge;
    *n = r->n_kept[r->roll];
    r->edge += r->n_edges[r->roll++];
    return edges;
}

/* List the results of a layer, in order, the empty board first.  best_only: no others.  Says whether there are any
 * choices. */
static bgr_status list_next(builder *b, const bgr_reach_layer *layer, int best_only, int *choices)
{
    for (int64_t k = 0; k < b->n_next; k++)
        b->at[b->next[k].node] = -1;
    b->n_next = 0;
    *choices = 0;
    if (!add_to_next(b, 0))
        return BGR_ERR_MEMORY;
    for (int32_t i = 0; i < layer->n; i++) {
        kept_results r = results_of(b, layer->node[i]);
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            int n;
            const uint32_t *edges = next_roll(&r, &n);
            n = best_only ? 1 : n;
            *choices |= n > 1;
            for (int k = 0; k < n; k++)
                if (!add_to_next(b, bgr_edge_node(edges[k])))
                    return BGR_ERR_MEMORY;
        }
    }
    qsort(b->next, (size_t)b->n_next, sizeof *b->next, by_order);
    for (int64_t k = 0; k < b->n_next; k++)
        b->at[b->next[k].node] = (int32_t)k;
    return BGR_OK;
}

/* ------------------------------------------------------------------ merging */

typedef struct {
    double mean, variance, weight;
    int32_t place;
    int full; /* all 15 checkers */
} candidate;

static int by_variance(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->full != y->full)
        return x->full - y->full;
    if (x->variance != y->variance)
        return x->variance < y->variance ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_mean(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->mean != y->mean)
        return x->mean < y->mean ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* How much a chance to win may change if a position is played as a mixture of two others. */
static double merge_error(const candidate *x, const candidate *low, const candidate *high, double share)
{
    double spread = (x->mean - low->mean) * (high->mean - x->mean);
    double other = share * low->variance + (1 - share) * high->variance - x->variance;
    double variance = x->variance > 0.1 ? x->variance : 0.1;
    return 0.242 / (2 * variance) * (fabs(spread) + fabs(other)) / 2;
}

/* Of n candidates of a stratum, sorted by mean, let `keep` stay: marks them and says where the others go, as places. */
static double merge_stratum(builder *b, const candidate *c, int64_t n, int64_t keep, uint8_t *stays)
{
    double all = 0, sum = 0, error = 0;
    for (int64_t k = 0; k < n; k++)
        all += c[k].weight;
    int64_t low = 0, n_kept = 1;
    stays[c[0].place] = 1;
    for (int64_t k = 1; k < n; k++) {
        sum += c[k].weight;
        if (k < n - 1 && sum / all * (double)(keep - 1) < (double)n_kept)
            continue;
        stays[c[k].place] = 1;
        n_kept++;
        for (int64_t i = low + 1; i < k; i++) {
            double width = c[k].mean - c[low].mean, share = width > 0 ? (c[k].mean - c[i].mean) / width : 1;
            b->to[c[i].place] = (target){{c[low].place, c[k].place}, (float)share};
            error += b->chance[c[i].place] * merge_error(&c[i], &c[low], &c[k], share);
        }
        low = k;
    }
    return error;
}

/* Thin out the next layer to about `most` positions; then chances and targets are by place in what is left. */
static bgr_status merge(builder *b, int64_t most, int64_t *n_merged)
{
    int64_t n = b->n_next - 1; /* the empty board stays */
    candidate *c = malloc((size_t)n * sizeof *c);
    uint8_t *stays = calloc((size_t)b->n_next, 1);
    int32_t *new_place = malloc((size_t)b->n_next * sizeof *new_place);
    if (!c || !stays || !new_place) {
        free(c);
        free(stays);
        free(new_place);
        return BGR_ERR_MEMORY;
    }
    double all = 0;
    for (int64_t k = 1; k <= n; k++)
        all += sqrt(b->chance[k]);
    for (int64_t k = 1; k <= n; k++) {
        const bgr_node *node = &b->nodes->node[b->next[k].node];
        /* Half by how often play comes by, half evenly. */
        double weight = (all > 0 ? sqrt(b->chance[k]) / all : 0) + 1 / (double)n;
        c[k - 1] = (candidate){node->mean, node->variance, weight, (int32_t)k, !(node->position.near >> 60)};
    }
    qsort(c, (size_t)n, sizeof *c, by_variance);
    /* As many strata as positions in each would be far enough apart, by mean, to tell them from those of others. */
    int64_t n_strata = most < 128 ? 1 : most < 1024 ? 4 : 8, room = most - 1;
    stays[0] = 1;
    for (int64_t s = 0, start = 0; start < n; s++) {
        int64_t end = s < n_strata - 1 ? n * (s + 1) / n_strata : n;
        if (end <= start)
            continue;
        /* All 15 checkers apart. */
        for (int64_t k = start + 1; k < end; k++)
            if (c[k].full != c[start].full) {
                end = k;
                s--;
            }
        int64_t size = end - start, keep = room * size / n;
        qsort(c + start, (size_t)size, sizeof *c, by_mean);
        b->reach->merge_error += merge_stratum(b, c + start, size, keep < 2 ? 2 : keep, stays);
        start = end;
    }
    int64_t left = 0;
    for (int64_t k = 0; k < b->n_next; k++)
        new_place[k] = stays[k] ? (int32_t)left++ : -1;
    *n_merged = b->n_next - left;
    double *chance = calloc((size_t)left, sizeof *chance);
    if (chance) {
        for (int64_t k = 0; k < b->n_next; k++) {
            target *to = &b->to[k];
            if (stays[k])
                *to = (target){{new_place[k], new_place[k]}, 1};
            else
                *to = (target){{new_place[to->to[0]], new_place[to->to[1]]}, to->share};
            chance[to->to[0]] += b->chance[k] * (double)to->share;
            chance[to->to[1]] += b->chance[k] * (1 - (double)to->share);
        }
        memcpy(b->chance, chance, (size_t)left * sizeof *chance);
    }
    free(chance);
    free(c);
    free(new_place);
    /* The list keeps all places, by which targets are found. */
    for (int64_t k = 0; k < b->n_next; k++)
        if (!stays[k])
            b->next[k].order = merged_away;
    free(stays);
    return chance ? BGR_OK : BGR_ERR_MEMORY;
}

/* ------------------------------------------------------------------ rows */

typedef struct {
    int32_t result;
    float ways;
} mixed;

static int by_result(const void *a, const void *b)
{
    return (((const mixed *)a)->result > ((const mixed *)b)->result) -
           (((const mixed *)a)->result < ((const mixed *)b)->result);
}

/* A mixture's row: equal results are added together. */
static int mixture_row(const builder *b, int32_t node, mixed *parts)
{
    kept_results r = results_of(b, node);
    int n = 0, n_kept;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        const uint32_t *edges = next_roll(&r, &n_kept);
        const target *to = &b->to[b->at[bgr_edge_node(edges[0])]];
        float ways = bgr_rolls[roll].weight;
        parts[n++] = (mixed){to->to[0], ways * to->share};
        if (to->share < 1)
            parts[n++] = (mixed){to->to[1], ways - ways * to->share};
    }
    for (int k = 1; k < n; k++) { /* insertion keeps equal ones in the order of the rolls */
        mixed moved = parts[k];
        int i = k;
        for (; i > 0 && by_result(&parts[i - 1], &moved) > 0; i--)
            parts[i] = parts[i - 1];
        parts[i] = moved;
    }
    int left = 0;
    for (int k = 0; k < n; k++)
        if (left && parts[left - 1].result == parts[k].result)
            parts[left - 1].ways += parts[k].ways;
        else
            parts[left++] = parts[k];
    return left;
}

static bgr_status fill_mixture(const builder *b, bgr_reach_layer *layer)
{
    mixed parts[2 * BGR_N_ROLLS];
    int64_t n = 0;
    layer->start = malloc(((size_t)layer->n + 1) * sizeof *layer->start);
    if (!layer->start)
        return BGR_ERR_MEMORY;
    for (int32_t i = 0; i < layer->n; i++) {
        layer->start[i] = n;
        n += mixture_row(b, layer->node[i], parts);
    }
    layer->start[layer->n] = n;
    layer->result = malloc((size_t)n * sizeof *layer->result);
    layer->ways = malloc((size_t)n * sizeof *layer->ways);
    if (!layer->result || !layer->ways)
        return BGR_ERR_MEMORY;
    n = 0;
    for (int32_t i = 0; i < layer->n; i++) {
        int parts_here = mixture_row(b, layer->node[i], parts);
        for (int k = 0; k < parts_here; k++, n++) {
            layer->result[n] = parts[k].result;
            layer->ways[n] = parts[k].ways;
        }
    }
    return BGR_OK;
}

/* How many results the rows of a layer would have. */
static int64_t count_results(const builder *b, const bgr_reach_layer *layer)
{
    mixed parts[2 * BGR_N_ROLLS];
    int64_t n = 0;
    for (int32_t i = 0; i < layer->n; i++) {
        kept_results r = results_of(b, layer->node[i]);
        for (int roll = 0; layer->choices && roll < BGR_N_ROLLS; roll++)
            n += r.n_kept[roll];
        if (!layer->choices)
            n += mixture_row(b, layer->node[i], parts);
    }
    return n;
}

static bgr_status fill_choices(const builder *b, bgr_reach_layer *layer)
{
    int64_t n = 0, row = 0;
    layer->start = malloc(((size_t)layer->n * BGR_N_ROLLS + 1) * sizeof *layer->start);
    if (!layer->start)
        return BGR_ERR_MEMORY;
    for (int32_t i = 0; i < layer->n; i++) {
        kept_results r = results_of(b, layer->node[i]);
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            layer->start[row++] = n;
            n += r.n_kept[roll];
        }
    }
    layer->start[row] = n;
    layer->result = malloc((size_t)n * sizeof *layer->result);
    if (!layer->result)
        return BGR_ERR_MEMORY;
    n = 0;
    for (int32_t i = 0; i < layer->n; i++) {
        kept_results r = results_of(b, layer->node[i]);
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            int n_kept;
            const uint32_t *edges = next_roll(&r, &n_kept);
            for (int k = 0; k < n_kept; k++)
                layer->result[n++] = b->at[bgr_edge_node(edges[k])];
        }
    }
    return BGR_OK;
}

/* ------------------------------------------------------------------ layers */

static bgr_reach_layer *add_layer(builder *b)
{
    bgr_reach *r = b->reach;
    if (r->n_layers == b->layer_room) {
        int room = 2 * b->layer_room;
        bgr_reach_layer *larger = realloc(r->layers, (size_t)room * sizeof *larger);
        if (!larger)
            return NULL;
        r->layers = larger;
        b->layer_room = room;
    }
    bgr_reach_layer *layer = &r->layers[r->n_layers++];
    memset(layer, 0, sizeof *layer);
    return layer;
}

/* Chances by place in the next layer, if the best results are always played. */
static bgr_status carry_chances(builder *b, const bgr_reach_layer *layer)
{
    free(b->chance);
    free(b->to);
    b->chance = calloc((size_t)b->n_next, sizeof *b->chance);
    b->to = malloc((size_t)b->n_next * sizeof *b->to);
    if (!b->chance || !b->to)
        return BGR_ERR_MEMORY;
    for (int32_t i = 0; i < layer->n; i++) {
        kept_results r = results_of(b, layer->node[i]);
        int n_kept;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++)
            b->chance[b->at[bgr_edge_node(*next_roll(&r, &n_kept))]] += layer->chance[i] * bgr_rolls[roll].weight / 36;
    }
    for (int64_t k = 0; k < b->n_next; k++)
        b->to[k] = (target){{(int32_t)k, (int32_t)k}, 1};
    return BGR_OK;
}

/* The next layer's own arrays, from the list. */
static bgr_status fill_layer(const builder *b, int64_t n_merged, bgr_reach_layer *layer)
{
    layer->n = (int32_t)(b->n_next - n_merged);
    layer->merged = n_merged;
    layer->node = malloc((size_t)layer->n * sizeof *layer->node);
    layer->chance = malloc((size_t)layer->n * sizeof *layer->chance);
    if (!layer->node || !layer->chance)
        return BGR_ERR_MEMORY;
    int32_t n = 0;
    for (int64_t k = 0; k < b->n_next; k++)
        if (b->next[k].order != merged_away) {
            layer->chance[n] = b->chance[n];
            layer->node[n++] = b->next[k].node;
        }
    for (int32_t i = 0; i < n; i++) {
        const bgr_node *node = &b->nodes->node[layer->node[i]];
        if (node->home_index >= 0)
            for (int checkers = BGR_MAX_CHECKERS - (int)(node->position.near >> 60); checkers <= BGR_MAX_CHECKERS;
                 checkers++)
                layer->n_within[checkers]++;
    }
    return BGR_OK;
}

/* Room to mark every node. */
static bgr_status mark_room(builder *b)
{
    if (b->at_room >= b->nodes->n)
        return BGR_OK;
    int64_t room = b->nodes->n + b->nodes->n / 2 + 64;
    int32_t *larger = realloc(b->at, (size_t)room * sizeof *larger);
    if (!larger)
        return BGR_ERR_MEMORY;
    for (int64_t i = b->at_room; i < room; i++)
        larger[i] = -1;
    b->at = larger;
    b->at_room = room;
    return BGR_OK;
}

/* From the last layer that there is to the next. */
static bgr_status carry(builder *b)
{
    bgr_reach *r = b->reach;
    bgr_reach_layer *layer = &r->layers[r->n_layers - 1];
    bgr_status status = BGR_OK;
    int64_t n_merged = 0;
    /* What a player chooses from now stays apart. */
    int64_t most = b->options->first_roll && r->n_layers == 1 ? 0 : b->options->max_layer;
    if (b->by_turn)
        for (int32_t i = 0; status == BGR_OK && i < layer->n; i++)
            if (!bgr_expanded(&b->nodes->node[layer->node[i]]))
                status = bgr_nodes_expand(b->nodes, layer->node[i], 0);
    if (status == BGR_OK)
        status = mark_room(b);
    if (status == BGR_OK)
        status = list_next(b, layer, 0, &layer->choices);
    if (status == BGR_OK && layer->choices && most && b->n_next > most && !b->only_sizes)
        status = list_next(b, layer, 1, &layer->choices);
    if (status == BGR_OK)
        status = carry_chances(b, layer);
    if (status == BGR_OK && most && b->n_next > most && !b->only_sizes)
        status = merge(b, most, &n_merged);
    if (status == BGR_OK && b->n_next - n_merged > INT32_MAX)
        status = BGR_ERR_SIZE;
    if (status == BGR_OK && !b->only_sizes)
        status = layer->choices ? fill_choices(b, layer) : fill_mixture(b, layer);
    if (status != BGR_OK)
        return status;
    layer->n_results = b->only_sizes ? count_results(b, layer)
                                     : layer->start[layer->choices ? (int64_t)layer->n * BGR_N_ROLLS : layer->n];
    r->n_results += layer->n_results;
    r->n_merged += n_merged;
    bgr_reach_layer *next = add_layer(b); /* moves the others */
    return next ? fill_layer(b, n_merged, next) : BGR_ERR_MEMORY;
}

static bgr_status first_layer(builder *b)
{
    bgr_reach_layer *layer = add_layer(b);
    layer->n = 1;
    layer->node = malloc(sizeof *layer->node);
    layer->chance = malloc(sizeof *layer->chance);
    if (!layer->node || !layer->chance)
        return BGR_ERR_MEMORY;
    layer->node[0] = 1;
    layer->chance[0] = 1;
    return BGR_OK;
}

static int over(const builder *b)
{
    int t = b->reach->n_layers - 1;
    return t > 0 && (t == b->options->max_turns || b->reach->layers[t].n == 1);
}

/* ------------------------------------------------------------------ nodes for the layers */

/* Means and variances as the layers have it, where results were found by estimates: from the last layer on. */
static bgr_status mean_by_layers(builder *b)
{
    bgr_reach *r = b->reach;
    double *mean = NULL, *square = NULL;
    for (int t = r->n_layers - 1; t >= 0; t--) {
        const bgr_reach_layer *layer = &r->layers[t];
        double *new_mean = malloc((size_t)layer->n * sizeof *mean),
               *new_square = malloc((size_t)layer->n * sizeof *mean);
        int ok = new_mean && new_square;
        for (int32_t i = 0; ok && i < layer->n; i++) {
            bgr_node *node = &b->nodes->node[layer->node[i]];
            if (t < r->n_layers - 1 && node->home_index < 0) {
                double sum = 0, squares = 0;
                for (int roll = 0; layer->choices && roll < BGR_N_ROLLS; roll++) {
                    int32_t best = layer->result[layer->start[(int64_t)i * BGR_N_ROLLS + roll]];
                    sum += bgr_rolls[roll].weight * mean[best];
                    squares += bgr_rolls[roll].weight * square[best];
                }
                for (int64_t k = layer->choices ? 0 : layer->start[i]; !layer->choices && k < layer->start[i + 1];
                     k++) {
                    sum += (double)layer->ways[k] * mean[layer->result[k]];
                    squares += (double)layer->ways[k] * square[layer->result[k]];
                }
                node->mean = 1 + sum / 36;
                node->variance = squares / 36 - sum / 36 * (sum / 36);
            }
            new_mean[i] = node->mean;
            new_square[i] = node->variance + node->mean * node->mean;
        }
        free(mean);
        free(square);
        mean = new_mean;
        square = new_square;
        if (!ok)
            break;
    }
    bgr_status status = mean && square ? BGR_OK : BGR_ERR_MEMORY;
    free(mean);
    free(square);
    return status;
}

/* Number the nodes that are in some layer, in order, and tell what they are. */
static bgr_status tell_nodes(builder *b)
{
    bgr_reach *r = b->reach;
    int64_t n = 0;
    bgr_status status = mark_room(b);
    if (status != BGR_OK)
        return status;
    memset(b->at, -1, (size_t)b->at_room * sizeof *b->at);
    for (int t = 0; t < r->n_layers; t++)
        for (int32_t i = 0; i < r->layers[t].n; i++)
            if (b->at[r->layers[t].node[i]] < 0) {
                b->at[r->layers[t].node[i]] = 0;
                n++;
            }
    listed *list = malloc((size_t)n * sizeof *list);
    r->counts = malloc((size_t)n * sizeof *r->counts);
    r->home_index = malloc((size_t)n * sizeof *r->home_index);
    r->checkers = malloc((size_t)n * sizeof *r->checkers);
    r->mean = malloc((size_t)n * sizeof *r->mean);
    r->variance = malloc((size_t)n * sizeof *r->variance);
    if (!list || !r->counts || !r->home_index || !r->checkers || !r->mean || !r->variance) {
        free(list);
        return BGR_ERR_MEMORY;
    }
    r->n_nodes = n;
    n = 0;
    for (int64_t i = 0; i < b->nodes->n; i++)
        if (b->at[i] >= 0)
            list[n++] = (listed){b->nodes->node[i].order, (int32_t)i};
    qsort(list, (size_t)n, sizeof *list, by_order);
    for (int64_t i = 0; i < n; i++) {
        const bgr_node *node = &b->nodes->node[list[i].node];
        int8_t places[BGR_MAX_POINTS + 1];
        b->at[list[i].node] = (int32_t)i;
        bgr_unpack(node->position, places);
        memcpy(r->counts[i], places + 1, BGR_MAX_POINTS);
        r->home_index[i] = node->home_index;
        r->checkers[i] = (uint8_t)(BGR_MAX_CHECKERS - places[0]);
        r->mean[i] = node->mean;
        r->variance[i] = node->variance;
    }
    free(list);
    for (int t = 0; t < r->n_layers; t++)
        for (int32_t i = 0; i < r->layers[t].n; i++)
            r->layers[t].node[i] = b->at[r->layers[t].node[i]];
    return BGR_OK;
}

/* ------------------------------------------------------------------ candidates */

struct bgr_candidates {
    const bgr_reach_home *home;
    bgr_reach_options options;
    bgr_packed position;
    double delta;
    int by_turn; /* there are too many: results are found while layers are made */
    int weighed;
    bgr_nodes nodes;
};

static bgr_status check(const int8_t *counts, const bgr_reach_options *o, bgr_packed *position)
{
    int8_t places[BGR_MAX_POINTS + 1];
    int all = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++) {
        if (counts[j] < 0 || counts[j] > BGR_MAX_CHECKERS)
            return BGR_ERR_POSITION;
        all += places[j + 1] = counts[j];
    }
    if (all < 1 || all > BGR_MAX_CHECKERS)
        return BGR_ERR_POSITION;
    places[0] = (int8_t)(BGR_MAX_CHECKERS - all);
    *position = bgr_pack(places);
    int numbers = o->delta >= 0 && o->max_turns >= 0 && o->max_turns <= BGR_REACH_MOST_TURNS && o->max_nodes >= 0 &&
                  (o->max_layer == 0 || o->max_layer >= 2);
    return numbers ? BGR_OK : BGR_ERR_SIZE;
}

/* Find the nodes, all before the layers if there is room. */
static bgr_status find_nodes(bgr_candidates *c)
{
    const bgr_reach_options *o = &c->options;
    int64_t limit = o->max_nodes ? o->max_nodes : INT32_MAX;
    const struct {
        double delta, margin;
        int64_t most, most_outside;
    } tries[] = {{o->delta, INFINITY, limit, few_nodes},
                 {o->delta, o->rare ? 0 : widest_margin, o->max_nodes && !o->rare ? limit / 3 + 2 : limit, INT32_MAX},
                 {o->rare ? o->delta / 3 : o->delta, 0, limit, INT32_MAX},
                 {0, 0, limit, INT32_MAX}};
    bgr_status status = BGR_ERR_SIZE;
    for (int k = isinf(o->delta); k < (o->delta > 0 ? 4 : 3) && status == BGR_ERR_SIZE; k++) {
        if (k > 1 && isinf(o->delta))
            return BGR_ERR_SIZE;
        bgr_nodes_free(&c->nodes);
        c->delta = tries[k].delta;
        int64_t most = isinf(o->delta) ? limit : tries[k].most;
        status = bgr_nodes_start(c->home, c->position, o, most, &c->nodes);
        c->nodes.most_outside = tries[k].most_outside;
        if (status == BGR_OK)
            status = bgr_nodes_expand_all(&c->nodes, tries[k].delta, tries[k].margin, o->rare);
        if (status == BGR_OK)
            bgr_nodes_improve(&c->nodes, tries[k].delta, o->rare);
    }
    c->by_turn = status == BGR_ERR_SIZE;
    return c->by_turn ? BGR_OK : status;
}

bgr_status bgr_candidates_new(const bgr_reach_home *home, const int8_t *counts, const bgr_reach_options *options,
                              bgr_candidates **candidates)
{
    bgr_packed position;
    *candidates = NULL;
    bgr_status status = check(counts, options, &position);
    if (status != BGR_OK)
        return status;
    bgr_candidates *c = calloc(1, sizeof *c);
    if (!c)
        return BGR_ERR_MEMORY;
    c->home = home;
    c->options = *options;
    c->position = position;
    status = find_nodes(c);
    if (status == BGR_OK)
        *candidates = c;
    else
        bgr_candidates_free(c);
    return status;
}

void bgr_candidates_free(bgr_candidates *candidates)
{
    if (!candidates)
        return;
    bgr_nodes_free(&candidates->nodes);
    free(candidates);
}

bgr_status bgr_candidates_longest(const bgr_candidates *candidates, int *turns)
{
    *turns = candidates->by_turn ? 0 : bgr_nodes_longest(&candidates->nodes);
    return *turns < 0 ? BGR_ERR_MEMORY : BGR_OK;
}

bgr_status bgr_candidates_weigh(bgr_candidates *candidates, const double *in_time, int n, int gammons)
{
    bgr_status status = candidates->by_turn ? BGR_OK : bgr_nodes_weigh(&candidates->nodes, in_time, n, gammons);
    candidates->weighed = status == BGR_OK && !candidates->by_turn;
    return status;
}

/* ------------------------------------------------------------------ all of it */

bgr_status bgr_candidates_reach(bgr_candidates *c, double least_gain, int64_t max_layer, int only_sizes,
                                bgr_reach **reach)
{
    bgr_nodes by_turn = {0};
    bgr_reach_options o = c->options;
    builder b = {.options = &o,
                 .only_sizes = only_sizes && !c->by_turn,
                 .layer_room = 64,
                 .next_room = 1024,
                 .by_turn = c->by_turn,
                 .nodes = c->by_turn ? &by_turn : &c->nodes};
    bgr_status status = BGR_OK;
    *reach = NULL;
    o.max_layer = max_layer;
    b.next = malloc((size_t)b.next_room * sizeof *b.next);
    b.reach = calloc(1, sizeof *b.reach);
    if (b.reach)
        b.reach->layers = malloc((size_t)b.layer_room * sizeof *b.reach->layers);
    if (!b.next || !b.reach || !b.reach->layers) {
        status = BGR_ERR_MEMORY;
    } else if (c->by_turn) {
        status = bgr_nodes_start(c->home, c->position, &o, INT32_MAX, &by_turn);
        if (!o.max_layer)
            o.max_layer = o.max_nodes / 16 + 2;
    } else {
        b.reach->delta = c->delta;
        b.reach->left_out = bgr_nodes_keep(&c->nodes, least_gain);
        b.reach->least_gain = c->weighed ? least_gain : 0;
    }
    if (status == BGR_OK)
        status = first_layer(&b);
    while (status == BGR_OK && !over(&b))
        status = carry(&b);
    if (status == BGR_OK && b.by_turn)
        status = mean_by_layers(&b);
    if (status == BGR_OK)
        status = tell_nodes(&b);
    bgr_nodes_free(&by_turn);
    free(b.at);
    free(b.next);
    free(b.chance);
    free(b.to);
    if (status == BGR_OK)
        *reach = b.reach;
    else
        bgr_reach_free(b.reach);
    return status;
}

static bgr_status build(const bgr_reach_home *home, const int8_t *counts, const bgr_reach_options *options,
                        int only_sizes, bgr_reach **reach)
{
    bgr_candidates *candidates;
    *reach = NULL;
    bgr_status status = bgr_candidates_new(home, counts, options, &candidates);
    if (status == BGR_OK)
        status = bgr_candidates_reach(candidates, 0, options->max_layer, only_sizes, reach);
    bgr_candidates_free(candidates);
    return status;
}

bgr_status bgr_reach_new(const bgr_reach_home *home, const int8_t *counts, const bgr_reach_options *options,
                         bgr_reach **reach)
{
    return build(home, counts, options, 0, reach);
}

bgr_status bgr_reach_sizes(const bgr_reach_home *home, const int8_t *counts, const bgr_reach_options *options,
                           int64_t *positions, int *n_layers, int64_t *n_results)
{
    bgr_reach *r;
    bgr_status status = build(home, counts, options, 1, &r);
    if (status != BGR_OK)
        return status;
    for (int t = 0; t < r->n_layers; t++)
        positions[t] = r->layers[t].n;
    *n_layers = r->n_layers;
    *n_results = r->n_results;
    bgr_reach_free(r);
    return BGR_OK;
}

void bgr_reach_free(bgr_reach *reach)
{
    if (!reach)
        return;
    for (int t = 0; t < reach->n_layers; t++) {
        bgr_reach_layer *layer = &reach->layers[t];
        free(layer->node);
        free(layer->chance);
        free(layer->start);
        free(layer->result);
        free(layer->ways);
    }
    free(reach->layers);
    free(reach->counts);
    free(reach->home_index);
    free(reach->checkers);
    free(reach->mean);
    free(reach->variance);
    free(reach);
}
