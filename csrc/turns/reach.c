/* One side of a race carried forward turn by turn: candidates (candidates.c), and layers of what is kept of them, each
 * from the one before, until everybody is off. */

#include "turns/reach.h"

#include "base/dice.h"
#include "base/memory.h"
#include "base/try.h"
#include "base/tuning.h"
#include "simd/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ from one layer to the next */

/* From one layer of a reach to the next: list the kept results of each position, merge positions if there are too many,
 * and write down which result leads where.
 *
 * A merged position stays in the lists of results, as a blend of positions that stay.  So the plays of a roll are
 * compared as where nothing is merged, but the values of two positions that are alike are no longer told apart exactly.
 */

/* The state that carries layers forward.  `nodes`, `options`, `reach` and whether results are found `by_turn` are
 * given; the rest is zeros. */
typedef struct {
    bgr_nodes *nodes;
    const bgr_reach_options *options;
    int by_turn;      /* results are not known beforehand */
    int64_t places;   /* of a layer, at the most; 0: any number */
    double most_work; /* turn by turn: of nodes; 0: no limit */
    int only_sizes;   /* no results, and nothing is merged */
    bgr_reach *reach;
    int64_t layer_room;
    int32_t *at; /* by node: place in `next`, or -1 */
    int64_t at_room;
    int32_t *next;  /* the nodes of the next layer, before any are merged, */
    double *chance; /* how likely play comes to each, */
    int32_t *place; /* and its local number */
    int64_t n_next, next_room;
} carrier;

static int add_to_next(carrier *b, int32_t node)
{
    if (b->at[node] >= 0)
        return 1;
    if (!bgr_make_room((void **)&b->next, &b->next_room, b->n_next + 1, sizeof *b->next))
        return 0;
    b->at[node] = 0;
    b->next[b->n_next++] = node;
    return 1;
}

/* The results of a node that are kept. */
typedef struct {
    const uint32_t *edge; /* of the next roll */
    const uint16_t *n_edges, *n_kept;
    int roll; /* the next one */
} kept_results;

static inline kept_results results_of(const carrier *b, int32_t node)
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

/* List the results of a layer, in order, the empty board first.  Says whether there are any choices. */
static bgr_status list_next(carrier *b, const bgr_reach_layer *layer, int *choices)
{
    for (int64_t k = 0; k < b->n_next; k++)
        b->at[b->next[k]] = -1;
    b->n_next = 0;
    *choices = 0;
    if (!add_to_next(b, BGR_EMPTY_BOARD))
        return BGR_ERR_MEMORY;
    for (int32_t i = 0; i < layer->n; i++) {
        kept_results r = results_of(b, layer->node[i]);
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            int n;
            const uint32_t *edges = next_roll(&r, &n);
            *choices |= n > 1;
            for (int k = 0; k < n; k++)
                if (!add_to_next(b, bgr_edge_node(edges[k])))
                    return BGR_ERR_MEMORY;
        }
    }
    bgr_status status = bgr_nodes_sort(b->nodes, b->next, b->n_next);
    for (int64_t k = 0; k < b->n_next; k++)
        b->at[b->next[k]] = (int32_t)k;
    return status;
}

/* Chances by place in the list, if the best results are always played; nothing is merged yet. */
static bgr_status carry_chances(carrier *b, const bgr_reach_layer *layer)
{
    BGR_FREE(b->chance, b->place);
    b->chance = calloc((size_t)b->n_next, sizeof *b->chance);
    b->place = malloc((size_t)b->n_next * sizeof *b->place);
    if (!b->chance || !b->place)
        return BGR_ERR_MEMORY;
    for (int32_t i = 0; i < layer->n; i++) {
        kept_results r = results_of(b, layer->node[i]);
        int n_kept;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++)
            b->chance[b->at[bgr_edge_node(*next_roll(&r, &n_kept))]] += layer->chance[i] * bgr_rolls[roll].weight / 36;
    }
    for (int64_t k = 0; k < b->n_next; k++)
        b->place[k] = (int32_t)k;
    return BGR_OK;
}

/* ------------------------------------------------------------------ merging */

/* The numbers that the list's positions are compared by: chances to be off, and to have borne off a checker; or, where
 * results were found turn by turn, one number in place of the latter. */
typedef struct {
    bgr_alike *alike;
    float *numbers;
    int n_numbers;
    double *kept; /* see find_kept */
} likeness;

/* Chances that were not found before, by place in the list; NULL: no room. */
static bgr_off_chances *estimate_chances(const carrier *b)
{
    bgr_off_chances *chances = malloc((size_t)b->n_next * sizeof *chances);
    for (int64_t k = 0; chances && k < b->n_next; k++)
        bgr_position_chances(b->nodes->home, b->nodes->node[b->next[k]].position, chances[k]);
    return chances;
}

/* What blends keep: the mean of a position, less a multiple of its chance to win or, for a side that cannot win, to
 * save the gammon.  Far ahead or behind that chance is no straight line in the mean: blends that kept the mean alone
 * would all err to the same side, and layer by layer a race that is as good as lost would look many times as good.  To
 * save the gammon turn by turn the variance is that of the rolls to the last checker, for want of another. kept [out]
 * by place in the list, from 1 on. */
static void find_kept(const carrier *b, const bgr_listed_chances *last, double *kept)
{
    int turn = b->reach->n_layers - 1;
    const double *in_time = b->options->in_time;
    double all = 0, mean = 0, left = 0;
    for (int n = 0; n + turn < BGR_OFF_WIDTH; n++)
        left += in_time[n + turn];
    for (int64_t k = 1; k < b->n_next; k++) {
        const bgr_node *node = &b->nodes->node[b->next[k]];
        kept[k] = 0;
        for (int n = 0; n + turn < BGR_OFF_WIDTH; n++)
            if (in_time[n + turn] > 0)
                kept[k] += in_time[n + turn] * (last->chances ? (double)bgr_chances_at(last, k)[n]
                                                              : bgr_chance_within(node->mean, node->variance, n));
        all += b->chance[k];
        mean += b->chance[k] * kept[k];
    }
    mean /= all > 0 ? all : 1;
    double open = sqrt(fmax(mean * (left - mean), 0)), by_chance = open > 0 ? tuned_by_chance / open : 0;
    for (int64_t k = 1; k < b->n_next; k++)
        kept[k] =
            (b->nodes->node[b->next[k]].mean - by_chance * kept[k]) / (1 + tuned_chance_of_roll * by_chance * open);
}

static bgr_status list_alike(const carrier *b, const bgr_listed_chances *last, likeness *l)
{
    const bgr_nodes *nodes = b->nodes;
    const bgr_listed_chances to_first = {(const bgr_off_chances *)nodes->first, b->next};
    int64_t n = b->n_next;
    int low = 0, n_last = 0, low_first = 0, n_first = 0;
    if (last->chances)
        bgr_find_range(last, 1, n, &low, &n_last);
    if (nodes->first)
        bgr_find_range(&to_first, 1, n, &low_first, &n_first);
    l->n_numbers = n_last + (nodes->last ? n_first : 1);
    l->alike = malloc((size_t)n * sizeof *l->alike);
    l->numbers = malloc((size_t)(n * l->n_numbers + 1) * sizeof *l->numbers);
    l->kept = malloc((size_t)n * sizeof *l->kept);
    if (!l->alike || !l->numbers || !l->kept)
        return BGR_ERR_MEMORY;
    find_kept(b, last, l->kept);
    for (int64_t k = 1; k < n; k++) {
        const bgr_node *node = &nodes->node[b->next[k]];
        int full = !bgr_packed_any_off(node->position);
        double first = full && b->options->first_checker && !b->options->cannot_win
                           ? bgr_position_first(nodes->home, node->position)
                           : 0;
        float *shape = l->numbers + k * l->n_numbers, *more = shape + n_last;
        int kind = bgr_kind_of(b->options, node->position);
        l->alike[k] = (bgr_alike){l->kept[k], first > 0 ? first : node->variance, b->chance[k], kind, shape};
        if (last->chances)
            memcpy(shape, bgr_chances_at(last, k) + low, (size_t)n_last * sizeof *shape);
        if (nodes->first)
            memcpy(more, bgr_chances_at(&to_first, k) + low_first, (size_t)n_first * sizeof *shape);
        else if (!nodes->last)
            *more = bgr_likeness(b->options, first, node->variance);
    }
    return BGR_OK;
}

static bgr_status find_likeness(const carrier *b, likeness *l)
{
    memset(l, 0, sizeof *l);
    bgr_listed_chances last = {0};
    bgr_off_chances *estimated = NULL;
    if (!b->options->cannot_win) {
        if (!b->nodes->last && !(estimated = estimate_chances(b)))
            return BGR_ERR_MEMORY;
        last = b->nodes->last ? (bgr_listed_chances){(const bgr_off_chances *)b->nodes->last, b->next}
                              : (bgr_listed_chances){(const bgr_off_chances *)estimated, NULL};
    }
    bgr_status status = list_alike(b, &last, l);
    free(estimated);
    return status;
}

/* Number those that stay, and then the others, which become blends of these. */
static void place_blends(carrier *b, const uint8_t *stays, const bgr_blend *blends, bgr_reach_layer *next)
{
    int32_t n = 0, n_blends = 0;
    for (int64_t k = 0; k < b->n_next; k++)
        if (stays[k])
            b->place[k] = n++;
    for (int64_t k = 0; k < b->n_next; k++) {
        if (stays[k])
            continue;
        bgr_blend *blend = &next->blends[n_blends];
        *blend = blends[k];
        for (int part = 0; part < BGR_BLEND_PARTS; part++) {
            int64_t from = blend->part[part] + 1; /* which leave the empty board out */
            b->chance[from] += b->chance[k] * (double)blend->share[part];
            blend->part[part] = b->place[from];
        }
        b->place[k] = n + n_blends++;
    }
    next->n = n;
    next->n_blends = n_blends;
}

/* Thin out the next layer to about `most` positions. */
static bgr_status merge_next(carrier *b, int64_t most, bgr_reach_layer *next)
{
    int64_t n = b->n_next;
    likeness l;
    bgr_blend *blends = malloc((size_t)n * sizeof *blends);
    uint8_t *stays = malloc((size_t)n);
    next->blends = malloc((size_t)n * sizeof *next->blends);
    bgr_status status = find_likeness(b, &l);
    if (status == BGR_OK && !(blends && stays && next->blends))
        status = BGR_ERR_MEMORY;
    if (status == BGR_OK) /* the empty board stays */
        status = bgr_merge(l.alike + 1, n - 1, l.n_numbers, most - 1, stays + 1, blends + 1);
    if (status == BGR_OK) {
        stays[0] = 1;
        place_blends(b, stays, blends, next);
    }
    BGR_FREE(l.alike, l.numbers, l.kept, blends, stays);
    return status;
}

/* ------------------------------------------------------------------ rows */

typedef struct {
    int32_t result;
    float ways;
} mixed;

/* A mixture's row: equal results are added together. */
static int mixture_row(const carrier *b, int32_t node, mixed *parts)
{
    kept_results r = results_of(b, node);
    int n = 0, n_kept;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        const uint32_t *edges = next_roll(&r, &n_kept);
        mixed one = {b->place[b->at[bgr_edge_node(edges[0])]], bgr_rolls[roll].weight};
        int at = n;
        while (at > 0 && parts[at - 1].result > one.result)
            at--;
        if (at > 0 && parts[at - 1].result == one.result) {
            parts[at - 1].ways += one.ways;
            continue;
        }
        memmove(parts + at + 1, parts + at, (size_t)(n++ - at) * sizeof *parts);
        parts[at] = one;
    }
    return n;
}

/* A row of a mixture, or how many results it has. */
static int64_t list_mixture(const carrier *b, const bgr_reach_layer *layer, int32_t i, int64_t n)
{
    mixed parts[BGR_N_ROLLS];
    int n_parts = mixture_row(b, layer->node[i], parts);
    for (int k = 0; layer->result && k < n_parts; k++) {
        layer->result[n + k] = parts[k].result;
        layer->ways[n + k] = parts[k].ways;
    }
    return n_parts;
}

/* A row of choices, or how many results it has. */
static int64_t list_choices(const carrier *b, const bgr_reach_layer *layer, int32_t i, int64_t n, int64_t *shape_end)
{
    const uint32_t *edges[BGR_N_ROLLS];
    int32_t n_kept[BGR_N_ROLLS];
    int order[BGR_N_ROLLS];
    kept_results r = results_of(b, layer->node[i]);
    int64_t before = n;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int n_of_roll;
        edges[roll] = next_roll(&r, &n_of_roll);
        n += n_kept[roll] = n_of_roll;
    }
    if (!layer->result)
        return n - before;
    int32_t *result = layer->result + before;
    layer->shape_start[i] = *shape_end;
    *shape_end += bgr_row_shape(n_kept, order, layer->shape + *shape_end);
    for (int at = 0; at < BGR_N_ROLLS; at++)
        for (int k = 0; k < n_kept[order[at]]; k++)
            *result++ = b->place[b->at[bgr_edge_node(edges[order[at]][k])]];
    return n - before;
}

/* The rows of a layer, as far as there is room for them; gives how many results they have. */
static int64_t list_rows(const carrier *b, const bgr_reach_layer *layer)
{
    int64_t n = 0, shape_end = 0;
    for (int32_t i = 0; i < layer->n; i++) {
        if (layer->start)
            layer->start[i] = n;
        n += layer->choices ? list_choices(b, layer, i, n, &shape_end) : list_mixture(b, layer, i, n);
    }
    if (layer->start)
        layer->start[layer->n] = n;
    return n;
}

static bgr_status fill_rows(const carrier *b, bgr_reach_layer *layer)
{
    size_t n = (size_t)layer->n, n_results = (size_t)(layer->n_results = list_rows(b, layer));
    layer->result = malloc(n_results * sizeof *layer->result);
    layer->start = malloc((n + 1) * sizeof *layer->start);
    if (layer->choices) {
        layer->shape_start = malloc(n * sizeof *layer->shape_start);
        layer->shape = malloc(n * BGR_MAX_SHAPE * sizeof *layer->shape);
    } else
        layer->ways = malloc(n_results * sizeof *layer->ways);
    if (!layer->result || !layer->start || !(layer->choices ? layer->shape_start && layer->shape : layer->ways != NULL))
        return BGR_ERR_MEMORY;
    list_rows(b, layer);
    return BGR_OK;
}

/* ------------------------------------------------------------------ layers */

static bgr_reach_layer *add_layer(carrier *b)
{
    bgr_reach *r = b->reach;
    if (!bgr_make_room((void **)&r->layers, &b->layer_room, r->n_layers + 1, sizeof *r->layers))
        return NULL;
    bgr_reach_layer *layer = &r->layers[r->n_layers++];
    memset(layer, 0, sizeof *layer);
    return layer;
}

/* The next layer's own arrays, from the list. */
static bgr_status fill_layer(const carrier *b, bgr_reach_layer *layer)
{
    layer->node = malloc((size_t)layer->n * sizeof *layer->node);
    layer->chance = malloc((size_t)layer->n * sizeof *layer->chance);
    if (!layer->node || !layer->chance)
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k < b->n_next; k++)
        if (b->place[k] < layer->n) {
            layer->chance[b->place[k]] = b->chance[k];
            layer->node[b->place[k]] = b->next[k];
        }
    for (int32_t i = 0; i < layer->n; i++) {
        const bgr_node *node = &b->nodes->node[layer->node[i]];
        if (node->home_index >= 0)
            for (int checkers = BGR_MAX_CHECKERS - (int)(node->position.near >> 60); checkers <= BGR_MAX_CHECKERS;
                 checkers++)
                layer->n_within[checkers]++;
    }
    return BGR_OK;
}

static bgr_status carry_mark_room(carrier *b)
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

/* The results of a layer's nodes. */
static bgr_status expand_layer(carrier *b, const bgr_reach_layer *layer)
{
    for (int32_t i = 0; i < layer->n; i++) {
        if (bgr_expanded(&b->nodes->node[layer->node[i]]))
            continue;
        BGR_TRY(bgr_nodes_expand(b->nodes, layer->node[i], bgr_margin_by_turn(b->options)));
        b->nodes->work += tuned_work_of_stand * b->nodes->finder.n_stands;
    }
    return BGR_OK;
}

/* About how many turns like the next one those that are left take: a turn takes work by the square of the rolls that
 * are left, as more of the positions between two dice are alike the nearer home they are. */
static double turns_like_next(const carrier *b)
{
    int turn = b->reach->n_layers - 1;
    double rolls = fmax(b->nodes->node[BGR_START].mean - turn, 1);
    double last = b->options->max_turns ? fmax(rolls - (b->options->max_turns - turn), 0) / rolls : 0;
    return fmax(rolls / 3 * (1 - last * last * last), 1);
}

/* Turn by turn: fewer places from here on, if all that there are would take more work than is left. */
static void limit_places(carrier *b, const bgr_reach_layer *layer, double work_before)
{
    bgr_nodes *nodes = b->nodes;
    nodes->work += tuned_work_of_listed * (double)b->n_next;
    if (!(b->most_work > 0))
        return;
    double work_of_place = (nodes->work - work_before) / layer->n * turns_like_next(b);
    double places = fmin((b->most_work - nodes->work) / work_of_place, (double)b->places);
    b->places = (int64_t)fmax(places, TUNED_MIN_PLACES);
}

/* A layer more. */
static bgr_status carry_on(carrier *b)
{
    bgr_reach *r = b->reach;
    bgr_reach_layer *next = add_layer(b); /* moves the others */
    if (!next)
        return BGR_ERR_MEMORY;
    bgr_reach_layer *layer = next - 1;
    double work_before = b->nodes->work;
    if (b->by_turn)
        BGR_TRY(expand_layer(b, layer));
    BGR_TRY(carry_mark_room(b));
    BGR_TRY(list_next(b, layer, &layer->choices));
    if (b->n_next > INT32_MAX)
        return BGR_ERR_SIZE;
    if (b->by_turn)
        limit_places(b, layer, work_before);
    BGR_TRY(carry_chances(b, layer));
    next->n = (int32_t)b->n_next;
    /* Positions that a player chooses from now stay apart. */
    int64_t most = b->options->first_roll && r->n_layers == 2 ? 0 : b->places;
    if (b->only_sizes) {
        layer->n_results = list_rows(b, layer);
    } else {
        if (most && b->n_next > most)
            BGR_TRY(merge_next(b, most, next));
        BGR_TRY(fill_rows(b, layer));
    }
    r->n_results += layer->n_results;
    r->n_merged += next->n_blends;
    return fill_layer(b, next);
}

static bgr_status carry_first(carrier *b)
{
    bgr_reach_layer *layer = add_layer(b);
    if (!layer)
        return BGR_ERR_MEMORY;
    layer->n = 1;
    layer->node = malloc(sizeof *layer->node);
    layer->chance = malloc(sizeof *layer->chance);
    if (!layer->node || !layer->chance)
        return BGR_ERR_MEMORY;
    layer->node[0] = BGR_START;
    layer->chance[0] = 1;
    return BGR_OK;
}

static void carrier_free(carrier *b) { BGR_FREE(b->at, b->next, b->chance, b->place); }

/* ------------------------------------------------------------------ all layers */

static int over(const carrier *b)
{
    int t = b->reach->n_layers - 1;
    return t > 0 && (t == b->options->max_turns || b->reach->layers[t].n == 1);
}

/* Number the nodes that are in some layer, in order, and tell what they are. */
static bgr_status tell_nodes(carrier *b)
{
    bgr_reach *r = b->reach;
    int64_t n = 0;
    BGR_TRY(carry_mark_room(b));
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
    if (!list || !r->counts || !r->home_index || !r->checkers) {
        free(list);
        return BGR_ERR_MEMORY;
    }
    r->n_nodes = n;
    n = 0;
    for (int64_t i = 0; i < b->nodes->n; i++)
        if (b->at[i] >= 0)
            list[n++] = (int32_t)i;
    bgr_status status = bgr_nodes_sort(b->nodes, list, n);
    for (int64_t i = 0; status == BGR_OK && i < n; i++) {
        const bgr_node *node = &b->nodes->node[list[i]];
        int8_t places[BGR_MAX_POINTS + 1];
        b->at[list[i]] = (int32_t)i;
        bgr_unpack(node->position, places);
        memcpy(r->counts[i], places + 1, BGR_MAX_POINTS);
        r->home_index[i] = node->home_index;
        r->checkers[i] = (uint8_t)(BGR_MAX_CHECKERS - places[0]);
    }
    free(list);
    for (int t = 0; t < r->n_layers; t++)
        for (int32_t i = 0; i < r->layers[t].n; i++)
            r->layers[t].node[i] = b->at[r->layers[t].node[i]];
    return status;
}

/* ------------------------------------------------------------------ all of it */

/* All layers, with what there is room for in the carrier. */
static bgr_status carry(carrier *b, bgr_candidates *c, double least_gain)
{
    bgr_reach *r = b->reach;
    if (c->by_turn) {
        BGR_TRY(bgr_candidates_start(c));
    } else {
        r->delta = c->delta;
        r->least_gain = c->weighed ? least_gain : 0;
        bgr_nodes_keep(&c->nodes, least_gain);
        if (r->max_layer && !c->nodes.last)
            BGR_TRY(bgr_nodes_find_chances(&c->nodes, c->options.first_checker));
    }
    BGR_TRY(carry_first(b));
    while (!over(b))
        BGR_TRY(carry_on(b));
    return tell_nodes(b);
}

bgr_status bgr_reach_of(bgr_candidates *c, double least_gain, int64_t max_layer, int only_sizes, bgr_reach **reach)
{
    int few = c->by_turn && !max_layer;
    carrier b = {.options = &c->options,
                 .only_sizes = only_sizes && !c->by_turn,
                 .by_turn = c->by_turn,
                 .nodes = &c->nodes,
                 .places = few ? c->places : max_layer,
                 .most_work = few ? c->most_work : 0};
    *reach = NULL;
    b.reach = calloc(1, sizeof *b.reach);
    if (!b.reach)
        return BGR_ERR_MEMORY;
    b.reach->max_layer = max_layer;
    bgr_status status = carry(&b, c, least_gain);
    if (few)
        c->places = b.places;
    carrier_free(&b);
    BGR_HAND_OVER(status, b.reach, reach, bgr_reach_free);
}

bgr_status bgr_reach_new(const bgr_reach_home *home, const int8_t *counts, const bgr_reach_options *options,
                         bgr_reach **reach)
{
    bgr_candidates *candidates;
    *reach = NULL;
    BGR_TRY(bgr_candidates_new(home, counts, options, &candidates));
    bgr_status status = bgr_reach_of(candidates, 0, options->max_layer, 0, reach);
    bgr_candidates_free(candidates);
    return status;
}

void bgr_reach_free(bgr_reach *reach)
{
    if (!reach)
        return;
    for (int t = 0; t < reach->n_layers; t++) {
        bgr_reach_layer *layer = &reach->layers[t];
        BGR_FREE(layer->node, layer->chance, layer->start, layer->result, layer->shape_start, layer->shape, layer->ways,
                 layer->blends);
    }
    BGR_FREE(reach->layers, reach->counts, reach->home_index, reach->checkers, reach);
}
