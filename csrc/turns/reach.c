/* Carry one side of a race forward turn by turn: from the candidates (candidates.c) make layers of those that are kept,
 * each from the one before, until all checkers are off. */

#include "turns/reach.h"

#include "base/memory.h"
#include "base/try.h"
#include "simd/row.h"
#include "turns/weigh.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ from one layer to the next */

/* From one layer of a reach to the next: list the kept results of each position, merge positions if there are too many,
 * and list the results by local number.
 *
 * A merged position stays in the lists of results, as a blend of positions that stay.  So the plays of a roll are
 * compared as without merging, but values of similar positions are no longer distinguished exactly. */

/* The state that carries layers forward.  `nodes`, `options`, `reach` and `by_turn` are given; the rest is zeros. */
typedef struct {
    bgr_nodes *nodes;
    const bgr_reach_options *options;
    int by_turn;           /* 1: results are found turn by turn */
    int64_t max_positions; /* in a layer; 0: no limit */
    double max_work;       /* of nodes, turn by turn; 0: no limit */
    int only_sizes;        /* 1: list no results, and merge nothing */
    bgr_reach *reach;
    int64_t layer_room;
    int32_t *list_index; /* by node; -1: not in the list */
    int64_t index_room;
    int32_t *list;         /* the nodes of the next layer, before any are merged */
    double *chance;        /* by index in the list: chance of reaching the node */
    int32_t *local_number; /* by index in the list */
    int64_t n_listed, list_room;
} carrier;

static int add_to_list(carrier *carry, int32_t node)
{
    if (carry->list_index[node] >= 0)
        return 1;
    if (!bgr_make_room((void **)&carry->list, &carry->list_room, carry->n_listed + 1, sizeof *carry->list))
        return 0;
    carry->list_index[node] = 0;
    carry->list[carry->n_listed++] = node;
    return 1;
}

/* Iterator over the kept results of a node, roll by roll. */
typedef struct {
    const uint32_t *edge; /* of the next roll */
    const uint16_t *n_edges, *n_kept;
    int roll; /* the next one */
} kept_results;

static inline kept_results results_of(const carrier *carry, int32_t node)
{
    const bgr_node *x = &carry->nodes->node[node];
    const bgr_edges *edges = &carry->nodes->edges;
    int64_t row = (int64_t)x->row * BGR_N_ROLLS;
    return (kept_results){edges->edge + x->edges, edges->n_of_roll + row, edges->n_kept + row, 0};
}

/* Return the kept results of the next roll; n [out]: their number. */
static inline const uint32_t *next_roll(kept_results *r, int *n)
{
    const uint32_t *edges = r->edge;
    *n = r->n_kept[r->roll];
    r->edge += r->n_edges[r->roll++];
    return edges;
}

/* Whether the options' progress asks to stop before more work on row i of a layer; most rows do not call it. */
static int stopped(const carrier *carry, int64_t i) { return bgr_nodes_stopped(carry->nodes, i, BGR_BETWEEN_TELLS); }

/* List the results of a layer, in order, the empty board first.  choices [out]: whether a roll has several results. */
static bgr_status list_results(carrier *carry, const bgr_reach_layer *layer, int *choices)
{
    for (int64_t k = 0; k < carry->n_listed; k++)
        carry->list_index[carry->list[k]] = -1;
    carry->n_listed = 0;
    *choices = 0;
    if (!add_to_list(carry, BGR_EMPTY_BOARD))
        return BGR_ERR_MEMORY;
    for (int32_t i = 0; i < layer->n; i++) {
        if (stopped(carry, i))
            return BGR_ERR_STOPPED;
        kept_results r = results_of(carry, layer->node[i]);
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            int n;
            const uint32_t *edges = next_roll(&r, &n);
            *choices |= n > 1;
            for (int k = 0; k < n; k++)
                if (!add_to_list(carry, bgr_edge_node(edges[k])))
                    return BGR_ERR_MEMORY;
        }
    }
    bgr_status status = bgr_nodes_sort(carry->nodes, carry->list, carry->n_listed);
    for (int64_t k = 0; k < carry->n_listed; k++)
        carry->list_index[carry->list[k]] = (int32_t)k;
    return status;
}

/* Find the chances of listed nodes, if the best results are always played; before merging. */
static bgr_status carry_chances(carrier *carry, const bgr_reach_layer *layer)
{
    BGR_FREE(carry->chance, carry->local_number);
    carry->chance = calloc((size_t)carry->n_listed, sizeof *carry->chance);
    carry->local_number = malloc((size_t)carry->n_listed * sizeof *carry->local_number);
    if (!carry->chance || !carry->local_number)
        return BGR_ERR_MEMORY;
    for (int32_t i = 0; i < layer->n; i++) {
        if (stopped(carry, i))
            return BGR_ERR_STOPPED;
        kept_results r = results_of(carry, layer->node[i]);
        int n_kept;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++)
            carry->chance[carry->list_index[bgr_edge_node(*next_roll(&r, &n_kept))]] +=
                layer->chance[i] * bgr_rolls[roll].weight / 36;
    }
    for (int64_t k = 0; k < carry->n_listed; k++)
        carry->local_number[k] = (int32_t)k;
    return BGR_OK;
}

/* ------------------------------------------------------------------ merging */

/* Chances to be off, by node, or if nodes is NULL, by index in the list. */
typedef struct {
    const bgr_off_chances *chances;
    const int32_t *node;
} listed_chances;

static inline const float *chances_at(const listed_chances *of, int64_t k)
{
    return of->chances[of->node ? of->node[k] : k];
}

/* Find the range of rolls in which the chances of positions 1 .. past - 1 of a list differ; position 0 is the empty
 * board. */
static void find_range(const listed_chances *of, int64_t past, int *low, int *n)
{
    int from = BGR_OFF_WIDTH, to = 0;
    for (int64_t k = 1; k < past; k++) {
        const float *chances = chances_at(of, k);
        for (int i = 0; i < from; i++)
            if (chances[i] > tuned_hardly)
                from = i;
        for (int i = BGR_OFF_WIDTH - 1; i >= to; i--)
            if (chances[i] < 1 - tuned_hardly) {
                to = i + 1;
                break;
            }
    }
    *low = from;
    *n = to > from ? to - from : 0;
}

/* The kind of a position: 0 with fewer than 15 checkers, 1 with all, 2 with all and a straggler if a backgammon may be
 * lost. */
static int kind_of(const bgr_reach_options *options, bgr_packed position)
{
    if (bgr_packed_any_off(position))
        return 0;
    return 1 + (options->last_straggler && bgr_packed_any_straggler(position));
}

/* The numbers by which listed positions are compared: chances to be off, and to have borne off a checker.  If results
 * were found turn by turn, the latter are replaced by one number of the same magnitude: from the mean rolls to the
 * first of 15 checkers, or for a side that cannot win from the variance. */
typedef struct {
    bgr_alike *alike;
    float *numbers;
    int n_numbers;
    double *kept; /* see find_kept */
} likeness;

/* Estimate chances to be off, by index in the list; NULL: out of memory. */
static bgr_off_chances *estimate_chances(const carrier *carry)
{
    bgr_off_chances *chances = malloc((size_t)carry->n_listed * sizeof *chances);
    for (int64_t k = 0; chances && k < carry->n_listed; k++)
        bgr_position_chances(carry->nodes->home, carry->nodes->node[carry->list[k]].position, chances[k]);
    return chances;
}

/* Find the number that blends preserve: the mean of a position, less a multiple of its chance to win or, for a side
 * that cannot win, to save the gammon.  Far ahead or behind, that chance is not linear in the mean: blends that
 * preserve the mean alone would all err to the same side, and layer by layer a nearly lost race would look many times
 * as good.  For saving the gammon turn by turn the variance of the rolls to the last checker is used, since no other is
 * known.  kept [out] by index in the list, from 1 on. */
static void find_kept(const carrier *carry, const listed_chances *last, double *kept)
{
    int turn = carry->reach->n_layers - 1;
    const double *in_time = carry->options->in_time;
    double all = 0, mean = 0, left = 0;
    for (int n = 0; n + turn < BGR_OFF_WIDTH; n++)
        left += in_time[n + turn];
    for (int64_t k = 1; k < carry->n_listed; k++) {
        const bgr_node *node = &carry->nodes->node[carry->list[k]];
        kept[k] = 0;
        for (int n = 0; n + turn < BGR_OFF_WIDTH; n++)
            if (in_time[n + turn] > 0)
                kept[k] += in_time[n + turn] * (last->chances ? (double)chances_at(last, k)[n]
                                                              : bgr_chance_within(node->mean, node->variance, n));
        all += carry->chance[k];
        mean += carry->chance[k] * kept[k];
    }
    mean /= all > 0 ? all : 1;
    double open = sqrt(fmax(mean * (left - mean), 0)), by_chance = open > 0 ? tuned_by_chance / open : 0;
    for (int64_t k = 1; k < carry->n_listed; k++)
        kept[k] = (carry->nodes->node[carry->list[k]].mean - by_chance * kept[k]) /
                  (1 + tuned_chance_of_roll * by_chance * open);
}

static bgr_status list_alike(const carrier *carry, const listed_chances *last, likeness *l)
{
    const bgr_nodes *nodes = carry->nodes;
    const listed_chances to_first = {(const bgr_off_chances *)nodes->off.first, carry->list};
    int64_t n = carry->n_listed;
    int low = 0, n_last = 0, low_first = 0, n_first = 0;
    if (last->chances)
        find_range(last, n, &low, &n_last);
    if (nodes->off.first)
        find_range(&to_first, n, &low_first, &n_first);
    l->n_numbers = n_last + (nodes->off.last ? n_first : 1);
    l->alike = malloc((size_t)n * sizeof *l->alike);
    l->numbers = malloc((size_t)(n * l->n_numbers + 1) * sizeof *l->numbers);
    l->kept = malloc((size_t)n * sizeof *l->kept);
    if (!l->alike || !l->numbers || !l->kept)
        return BGR_ERR_MEMORY;
    find_kept(carry, last, l->kept);
    for (int64_t k = 1; k < n; k++) {
        const bgr_node *node = &nodes->node[carry->list[k]];
        int full = !bgr_packed_any_off(node->position);
        double first = full && carry->options->first_checker && !carry->options->cannot_win
                           ? bgr_position_first(nodes->home, node->position)
                           : 0;
        float *shape = l->numbers + k * l->n_numbers, *more = shape + n_last;
        int kind = kind_of(carry->options, node->position);
        l->alike[k] = (bgr_alike){l->kept[k], first > 0 ? first : node->variance, carry->chance[k], kind, shape};
        if (last->chances)
            memcpy(shape, chances_at(last, k) + low, (size_t)n_last * sizeof *shape);
        if (nodes->off.first)
            memcpy(more, chances_at(&to_first, k) + low_first, (size_t)n_first * sizeof *shape);
        else if (!nodes->off.last)
            *more =
                carry->options->cannot_win ? tuned_by_variance * (float)node->variance : tuned_by_first * (float)first;
    }
    return BGR_OK;
}

static bgr_status find_likeness(const carrier *carry, likeness *l)
{
    memset(l, 0, sizeof *l);
    listed_chances last = {0};
    bgr_off_chances *estimated = NULL;
    if (!carry->options->cannot_win) {
        if (!carry->nodes->off.last && !(estimated = estimate_chances(carry)))
            return BGR_ERR_MEMORY;
        last = carry->nodes->off.last ? (listed_chances){(const bgr_off_chances *)carry->nodes->off.last, carry->list}
                                      : (listed_chances){(const bgr_off_chances *)estimated, NULL};
    }
    bgr_status status = list_alike(carry, &last, l);
    free(estimated);
    return status;
}

/* Give local numbers to positions that stay, then to blends. */
static void place_blends(carrier *carry, const uint8_t *stays, const bgr_blend *blends, bgr_reach_layer *next)
{
    int32_t n = 0, n_blends = 0;
    for (int64_t k = 0; k < carry->n_listed; k++)
        if (stays[k])
            carry->local_number[k] = n++;
    for (int64_t k = 0; k < carry->n_listed; k++) {
        if (stays[k])
            continue;
        bgr_blend *blend = &next->blends[n_blends];
        *blend = blends[k];
        for (int part = 0; part < BGR_BLEND_PARTS; part++) {
            int64_t from = blend->part[part] + 1; /* blends do not count the empty board */
            carry->chance[from] += carry->chance[k] * (double)blend->share[part];
            blend->part[part] = carry->local_number[from];
        }
        carry->local_number[k] = n + n_blends++;
    }
    next->n = n;
    next->n_blends = n_blends;
}

/* Merge the next layer down to about `max_positions` positions. */
static bgr_status merge_next(carrier *carry, int64_t max_positions, bgr_reach_layer *next)
{
    int64_t n = carry->n_listed;
    likeness l;
    bgr_blend *blends = malloc((size_t)n * sizeof *blends);
    uint8_t *stays = malloc((size_t)n);
    next->blends = malloc((size_t)n * sizeof *next->blends);
    bgr_status status = find_likeness(carry, &l);
    if (status == BGR_OK && !(blends && stays && next->blends))
        status = BGR_ERR_MEMORY;
    if (status == BGR_OK) /* the empty board stays */
        status = bgr_merge(l.alike + 1, n - 1, l.n_numbers, max_positions - 1, stays + 1, blends + 1);
    if (status == BGR_OK) {
        stays[0] = 1;
        place_blends(carry, stays, blends, next);
    }
    BGR_FREE(l.alike, l.numbers, l.kept, blends, stays);
    return status;
}

/* ------------------------------------------------------------------ rows */

typedef struct {
    int32_t result;
    float ways;
} mixed;

/* List or only count the results of row i of a mixture; equal results are added up. */
static int64_t list_mixture(const carrier *carry, const bgr_reach_layer *layer, int32_t i, int64_t n)
{
    mixed parts[BGR_N_ROLLS];
    kept_results r = results_of(carry, layer->node[i]);
    int n_parts = 0, n_kept;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        const uint32_t *edges = next_roll(&r, &n_kept);
        mixed one = {carry->local_number[carry->list_index[bgr_edge_node(edges[0])]], bgr_rolls[roll].weight};
        int at = n_parts;
        while (at > 0 && parts[at - 1].result > one.result)
            at--;
        if (at > 0 && parts[at - 1].result == one.result) {
            parts[at - 1].ways += one.ways;
            continue;
        }
        memmove(parts + at + 1, parts + at, (size_t)(n_parts++ - at) * sizeof *parts);
        parts[at] = one;
    }
    for (int k = 0; layer->result && k < n_parts; k++) {
        layer->result[n + k] = parts[k].result;
        layer->ways[n + k] = parts[k].ways;
    }
    return n_parts;
}

/* List or only count the results of row i of choices. */
static int64_t list_choices(const carrier *carry, const bgr_reach_layer *layer, int32_t i, int64_t n,
                            int64_t *shape_end)
{
    const uint32_t *edges[BGR_N_ROLLS];
    int32_t n_kept[BGR_N_ROLLS];
    int order[BGR_N_ROLLS];
    kept_results r = results_of(carry, layer->node[i]);
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
            *result++ = carry->local_number[carry->list_index[bgr_edge_node(edges[order[at]][k])]];
    return n - before;
}

/* List the rows of a layer if its arrays are allocated; returns the number of results, or -1 to stop. */
static int64_t list_rows(const carrier *carry, const bgr_reach_layer *layer)
{
    int64_t n = 0, shape_end = 0;
    for (int32_t i = 0; i < layer->n; i++) {
        if (stopped(carry, i))
            return -1;
        if (layer->start)
            layer->start[i] = n;
        n += layer->choices ? list_choices(carry, layer, i, n, &shape_end) : list_mixture(carry, layer, i, n);
    }
    if (layer->start)
        layer->start[layer->n] = n;
    return n;
}

static bgr_status fill_rows(const carrier *carry, bgr_reach_layer *layer)
{
    if ((layer->n_results = list_rows(carry, layer)) < 0)
        return BGR_ERR_STOPPED;
    size_t n = (size_t)layer->n, n_results = (size_t)layer->n_results;
    layer->result = malloc(n_results * sizeof *layer->result);
    layer->start = malloc((n + 1) * sizeof *layer->start);
    if (layer->choices) {
        layer->shape_start = malloc(n * sizeof *layer->shape_start);
        layer->shape = malloc(n * BGR_MAX_SHAPE * sizeof *layer->shape);
    } else
        layer->ways = malloc(n_results * sizeof *layer->ways);
    if (!layer->result || !layer->start || !(layer->choices ? layer->shape_start && layer->shape : layer->ways != NULL))
        return BGR_ERR_MEMORY;
    return list_rows(carry, layer) < 0 ? BGR_ERR_STOPPED : BGR_OK;
}

/* ------------------------------------------------------------------ layers */

static bgr_reach_layer *add_layer(carrier *carry)
{
    bgr_reach *r = carry->reach;
    if (!bgr_make_room((void **)&r->layers, &carry->layer_room, r->n_layers + 1, sizeof *r->layers))
        return NULL;
    bgr_reach_layer *layer = &r->layers[r->n_layers++];
    memset(layer, 0, sizeof *layer);
    return layer;
}

/* Fill the next layer's arrays from the list. */
static bgr_status fill_layer(const carrier *carry, bgr_reach_layer *layer)
{
    layer->node = malloc((size_t)layer->n * sizeof *layer->node);
    layer->chance = malloc((size_t)layer->n * sizeof *layer->chance);
    if (!layer->node || !layer->chance)
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k < carry->n_listed; k++)
        if (carry->local_number[k] < layer->n) {
            layer->chance[carry->local_number[k]] = carry->chance[k];
            layer->node[carry->local_number[k]] = carry->list[k];
        }
    for (int32_t i = 0; i < layer->n; i++) {
        const bgr_node *node = &carry->nodes->node[layer->node[i]];
        if (node->home_index >= 0)
            for (int checkers = BGR_MAX_CHECKERS - (int)(node->position.near >> 60); checkers <= BGR_MAX_CHECKERS;
                 checkers++)
                layer->n_within[checkers]++;
    }
    return BGR_OK;
}

static bgr_status make_index_room(carrier *carry)
{
    if (carry->index_room >= carry->nodes->n)
        return BGR_OK;
    int64_t room = carry->nodes->n + carry->nodes->n / 2 + 64;
    int32_t *larger = realloc(carry->list_index, (size_t)room * sizeof *larger);
    if (!larger)
        return BGR_ERR_MEMORY;
    for (int64_t i = carry->index_room; i < room; i++)
        larger[i] = -1;
    carry->list_index = larger;
    carry->index_room = room;
    return BGR_OK;
}

/* Find the results of a layer's nodes. */
static bgr_status expand_layer(carrier *carry, const bgr_reach_layer *layer)
{
    for (int32_t i = 0; i < layer->n; i++) {
        if (bgr_expanded(&carry->nodes->node[layer->node[i]]))
            continue;
        BGR_TRY(bgr_nodes_expand(carry->nodes, layer->node[i], bgr_margin_by_turn(carry->options)));
        carry->nodes->work.done += tuned_work_of_stand * carry->nodes->finder.by_die.n;
    }
    return BGR_OK;
}

/* The work of the remaining turns, in units of the next one's.  The work of a turn is proportional to the square of the
 * rolls left, since nearer home more positions between two dice are the same. */
static double turns_like_next(const carrier *carry)
{
    int turn = carry->reach->n_layers - 1;
    double rolls = fmax(carry->nodes->node[BGR_START].mean - turn, 1);
    double last = carry->options->max_turns ? fmax(rolls - (carry->options->max_turns - turn), 0) / rolls : 0;
    return fmax(rolls / 3 * (1 - last * last * last), 1);
}

/* Turn by turn: limit the positions of later layers by the work that is left. */
static void limit_positions(carrier *carry, const bgr_reach_layer *layer, double work_before)
{
    bgr_nodes *nodes = carry->nodes;
    nodes->work.done += tuned_work_of_listed * (double)carry->n_listed;
    if (!(carry->max_work > 0))
        return;
    double work_of_position = (nodes->work.done - work_before) / layer->n * turns_like_next(carry);
    double positions = fmin((carry->max_work - nodes->work.done) / work_of_position, (double)carry->max_positions);
    carry->max_positions = (int64_t)fmax(positions, TUNED_MIN_POSITIONS);
}

/* Add a layer. */
static bgr_status carry_on(carrier *carry)
{
    bgr_reach *r = carry->reach;
    bgr_reach_layer *next = add_layer(carry); /* may move the other layers */
    if (!next)
        return BGR_ERR_MEMORY;
    bgr_reach_layer *layer = next - 1;
    double work_before = carry->nodes->work.done;
    if (carry->by_turn)
        BGR_TRY(expand_layer(carry, layer));
    BGR_TRY(make_index_room(carry));
    BGR_TRY(list_results(carry, layer, &layer->choices));
    if (carry->by_turn)
        limit_positions(carry, layer, work_before);
    BGR_TRY(carry_chances(carry, layer));
    next->n = (int32_t)carry->n_listed;
    /* Results that a player chooses from now are not merged. */
    int64_t max_positions = carry->options->first_roll && r->n_layers == 2 ? 0 : carry->max_positions;
    if (carry->only_sizes) {
        if ((layer->n_results = list_rows(carry, layer)) < 0)
            return BGR_ERR_STOPPED;
    } else {
        if (max_positions && carry->n_listed > max_positions)
            BGR_TRY(merge_next(carry, max_positions, next));
        BGR_TRY(fill_rows(carry, layer));
    }
    r->n_merged += next->n_blends;
    return fill_layer(carry, next);
}

static bgr_status carry_first(carrier *carry)
{
    bgr_reach_layer *layer = add_layer(carry);
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

/* ------------------------------------------------------------------ all layers */

static int over(const carrier *carry)
{
    int t = carry->reach->n_layers - 1;
    return t > 0 && (t == carry->options->max_turns || carry->reach->layers[t].n == 1);
}

/* Number the nodes that are in some layer, in order, and describe them. */
static bgr_status describe_nodes(carrier *carry)
{
    bgr_reach *r = carry->reach;
    int64_t n = 0;
    BGR_TRY(make_index_room(carry));
    memset(carry->list_index, -1, (size_t)carry->index_room * sizeof *carry->list_index);
    for (int t = 0; t < r->n_layers; t++)
        for (int32_t i = 0; i < r->layers[t].n; i++)
            if (carry->list_index[r->layers[t].node[i]] < 0) {
                carry->list_index[r->layers[t].node[i]] = 0;
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
    for (int64_t i = 0; i < carry->nodes->n; i++)
        if (carry->list_index[i] >= 0)
            list[n++] = (int32_t)i;
    bgr_status status = bgr_nodes_sort(carry->nodes, list, n);
    for (int64_t i = 0; status == BGR_OK && i < n; i++) {
        const bgr_node *node = &carry->nodes->node[list[i]];
        int8_t places[BGR_MAX_POINTS + 1];
        carry->list_index[list[i]] = (int32_t)i;
        bgr_unpack(node->position, places);
        memcpy(r->counts[i], places + 1, BGR_MAX_POINTS);
        r->home_index[i] = node->home_index;
        r->checkers[i] = (uint8_t)(BGR_MAX_CHECKERS - places[0]);
    }
    free(list);
    for (int t = 0; t < r->n_layers; t++)
        for (int32_t i = 0; i < r->layers[t].n; i++)
            r->layers[t].node[i] = carry->list_index[r->layers[t].node[i]];
    return status;
}

/* ------------------------------------------------------------------ all of it */

/* Make all layers. */
static bgr_status carry_layers(carrier *carry, bgr_candidates *c, double least_gain)
{
    bgr_reach *r = carry->reach;
    if (c->by_turn) {
        BGR_TRY(bgr_candidates_start(c));
    } else {
        r->delta = c->delta;
        r->least_gain = c->weighed ? least_gain : 0;
        bgr_nodes_keep(&c->nodes, least_gain);
        if (r->max_layer && !c->nodes.off.last)
            BGR_TRY(bgr_nodes_find_chances(&c->nodes, c->options.first_checker));
    }
    BGR_TRY(carry_first(carry));
    while (!over(carry))
        BGR_TRY(carry_on(carry));
    return describe_nodes(carry);
}

bgr_status bgr_reach_of(bgr_candidates *c, double least_gain, int64_t max_layer, int only_sizes, bgr_reach **reach)
{
    int few = c->by_turn && !max_layer;
    carrier carry = {.options = &c->options,
                     .only_sizes = only_sizes && !c->by_turn,
                     .by_turn = c->by_turn,
                     .nodes = &c->nodes,
                     .max_positions = few ? c->max_positions : max_layer,
                     .max_work = few ? c->max_work : 0};
    *reach = NULL;
    carry.reach = calloc(1, sizeof *carry.reach);
    if (!carry.reach)
        return BGR_ERR_MEMORY;
    carry.reach->max_layer = max_layer;
    bgr_status status = carry_layers(&carry, c, least_gain);
    if (few)
        c->max_positions = carry.max_positions;
    BGR_FREE(carry.list_index, carry.list, carry.chance, carry.local_number);
    BGR_HAND_OVER(status, carry.reach, reach, bgr_reach_free);
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
