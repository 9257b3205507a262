/* One side of a race carried forward turn by turn: candidates (candidates.c), and layers of what is kept of them, each
 * from the one before (carry.c), until everybody is off. */

#include "turns/reach.h"

#include "base/dice.h"
#include "turns/carry.h"
#include "turns/gains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_PLACES = 256 }; /* of a layer whose results are found turn by turn, unless it is said how many */

static int over(const bgr_carrier *b)
{
    int t = b->reach->n_layers - 1;
    return t > 0 && (t == b->options->max_turns || b->reach->layers[t].n == 1);
}

/* ------------------------------------------------------------------ nodes for the layers */

typedef struct {
    double mean, variance;
} moments;

/* Means and variances by node: those of the nodes, */
static moments *known_moments(const bgr_carrier *b)
{
    moments *of = malloc((size_t)b->nodes->n * sizeof *of);
    for (int64_t i = 0; of && i < b->nodes->n; i++)
        of[i] = (moments){b->nodes->node[i].mean, b->nodes->node[i].variance};
    return of;
}

/* or as the layers have it, where results were found by estimates: from the last layer on.  The estimates stay with the
 * nodes, because layers that are made once more are made by them. */
static bgr_status mean_by_layers(const bgr_carrier *b, moments *of)
{
    const bgr_reach *r = b->reach;
    double *mean = NULL, *square = NULL;
    for (int t = r->n_layers - 1; t >= 0; t--) {
        const bgr_reach_layer *layer = &r->layers[t];
        size_t n = (size_t)layer->n + (size_t)layer->n_blends;
        double *new_mean = calloc(n, sizeof *mean), *new_square = calloc(n, sizeof *mean);
        int ok = new_mean && new_square;
        for (int32_t i = 0; ok && i < layer->n; i++) {
            moments *node = &of[layer->node[i]];
            const bgr_node *known = &b->nodes->node[layer->node[i]];
            int saved = b->options->cannot_win && bgr_packed_any_off(known->position);
            if (t < r->n_layers - 1 && known->home_index < 0 && !saved) {
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
        for (int32_t i = 0; ok && i < layer->n_blends; i++)
            for (int part = 0; part < BGR_BLEND_PARTS; part++) {
                double share = (double)layer->blends[i].share[part];
                new_mean[layer->n + i] += share * new_mean[layer->blends[i].part[part]];
                new_square[layer->n + i] += share * new_square[layer->blends[i].part[part]];
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
static bgr_status tell_nodes(bgr_carrier *b, const moments *of)
{
    bgr_reach *r = b->reach;
    int64_t n = 0;
    bgr_status status = bgr_carry_mark_room(b);
    if (status != BGR_OK)
        return status;
    memset(b->at, -1, (size_t)b->at_room * sizeof *b->at);
    for (int t = 0; t < r->n_layers; t++)
        for (int32_t i = 0; i < r->layers[t].n; i++)
            if (b->at[r->layers[t].node[i]] < 0) {
                b->at[r->layers[t].node[i]] = 0;
                n++;
            }
    int32_t *list = malloc((size_t)n * sizeof *list);
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
            list[n++] = (int32_t)i;
    status = bgr_nodes_sort(b->nodes, list, n);
    for (int64_t i = 0; status == BGR_OK && i < n; i++) {
        const bgr_node *node = &b->nodes->node[list[i]];
        int8_t places[BGR_MAX_POINTS + 1];
        b->at[list[i]] = (int32_t)i;
        bgr_unpack(node->position, places);
        memcpy(r->counts[i], places + 1, BGR_MAX_POINTS);
        r->home_index[i] = node->home_index;
        r->checkers[i] = (uint8_t)(BGR_MAX_CHECKERS - places[0]);
        r->mean[i] = of[list[i]].mean;
        r->variance[i] = of[list[i]].variance;
    }
    free(list);
    for (int t = 0; t < r->n_layers; t++)
        for (int32_t i = 0; i < r->layers[t].n; i++)
            r->layers[t].node[i] = b->at[r->layers[t].node[i]];
    return status;
}

/* ------------------------------------------------------------------ all of it */

bgr_status bgr_reach_of(bgr_candidates *c, double least_gain, int64_t max_layer, int only_sizes, bgr_reach **reach)
{
    bgr_reach_options o = c->options;
    bgr_carrier b = {.options = &o, .only_sizes = only_sizes && !c->by_turn, .by_turn = c->by_turn, .nodes = &c->nodes};
    moments *of = NULL;
    bgr_status status = BGR_OK;
    *reach = NULL;
    o.max_layer = max_layer;
    b.reach = calloc(1, sizeof *b.reach);
    if (b.reach)
        b.reach->max_layer = max_layer;
    if (!b.reach) {
        status = BGR_ERR_MEMORY;
    } else if (c->by_turn) {
        status = bgr_candidates_start(c);
        if (!o.max_layer)
            o.max_layer = FEW_PLACES;
    } else {
        status = bgr_nodes_rank(&c->nodes);
        b.reach->delta = c->delta;
        b.reach->left_out = bgr_nodes_keep(&c->nodes, least_gain);
        b.reach->least_gain = c->weighed ? least_gain : 0;
    }
    if (status == BGR_OK && max_layer && !c->by_turn && !c->nodes.last)
        status = bgr_nodes_find_chances(&c->nodes, o.first_checker);
    if (status == BGR_OK)
        status = bgr_carry_first(&b);
    while (status == BGR_OK && !over(&b))
        status = bgr_carry_on(&b);
    if (status == BGR_OK && !(of = known_moments(&b)))
        status = BGR_ERR_MEMORY;
    if (status == BGR_OK && b.by_turn)
        status = mean_by_layers(&b, of);
    if (status == BGR_OK)
        status = tell_nodes(&b, of);
    free(of);
    bgr_carrier_free(&b);
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
        status = bgr_reach_of(candidates, 0, options->max_layer, only_sizes, reach);
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
        free(layer->blends);
    }
    free(reach->layers);
    free(reach->counts);
    free(reach->home_index);
    free(reach->checkers);
    free(reach->mean);
    free(reach->variance);
    free(reach);
}
