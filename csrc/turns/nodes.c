/* The graph of positions that one side can reach, each once, with the results of every roll that are worth keeping.
 *
 * Every play lowers the pips.  So nodes are expanded by falling pips: when a node is expanded, all nodes that lead to
 * it are known.  Means are improved by rising pips.  In the home board means are exact, and only results within delta
 * are added; outside, results are added by estimates, with a margin for their errors, and kept by the means found
 * later.  The margin is widest at the likeliest nodes, since the cost of an error is proportional to its chance.
 *
 * A side that cannot win plays only to save the gammon.  Its means are of the rolls to the first checker off; after
 * that all positions are worth the same and are one node (BGR_SAVED), whose position no play can reach and no table
 * has.  That leaves a few hundred nodes of hundreds of thousands.
 *
 * A side that cannot save the gammon either plays only to save a backgammon.  Only its checkers in the other side's
 * home board matter, so positions with the same checkers there are one node, and every play between these few nodes is
 * compared. */

#include "turns/nodes.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/plays.h"
#include "base/sort.h"
#include "base/try.h"
#include "solve/one_sided.h"

#include <math.h>
#include <string.h>

static inline uint64_t hash(bgr_packed p)
{
    uint64_t x = p.near ^ (p.far * 0x9E3779B97F4A7C15u);
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    return x ^ x >> 32;
}

/* The slot of a position outside the home board; if it has none, the empty slot for it. */
static uint64_t slot_of(const bgr_nodes *nodes, bgr_packed position)
{
    const bgr_node_places *places = &nodes->places;
    uint64_t mask = (uint64_t)(places->n_slots - 1), at = hash(position) & mask;
    while (places->slot[at] >= 0 && !bgr_packed_same(nodes->node[places->slot[at]].position, position))
        at = (at + 1) & mask;
    return at;
}

static bgr_status grow_slots(bgr_nodes *nodes)
{
    bgr_node_places *places = &nodes->places;
    int32_t *slot = bgr_malloc_large((size_t)places->n_slots * 2 * sizeof *slot);
    if (!slot)
        return BGR_ERR_MEMORY;
    free(places->slot);
    places->slot = slot;
    places->n_slots *= 2;
    memset(slot, -1, (size_t)places->n_slots * sizeof *slot);
    for (int64_t i = 0; i < nodes->n; i++)
        if (nodes->node[i].home_index < 0)
            slot[slot_of(nodes, nodes->node[i].position)] = (int32_t)i;
    return BGR_OK;
}

/* Estimate the rolls to bring all checkers home and bear one off: a sum over checkers outside, by point.  Once all are
 * home any die bears off. */
static double rolls_to_save(const bgr_home_board *home, bgr_packed position)
{
    double rolls = tuned_to_save[0];
    for (int point = BGR_HOME_POINTS + 1; point <= BGR_MAX_POINTS; point++)
        rolls += (double)bgr_packed_count(position, point) * home->to_bring_home[point];
    return rolls;
}

/* The mean by which a side's results are compared: of the rolls to its last checker, or, if it cannot win, to the first
 * of 15.  Exact in the home board, an estimate outside. */
static double aimed_mean(const bgr_home_board *home, int cannot_win, bgr_packed position)
{
    if (!cannot_win)
        return bgr_position_mean(home, position);
    if (bgr_packed_any_off(position))
        return 0;
    return bgr_packed_home(position) ? bgr_position_first(home, position) : rolls_to_save(home, position);
}

/* Whether a side that cannot win has saved the gammon. */
static int saved(const bgr_nodes *nodes, bgr_packed position)
{
    return nodes->options.cannot_win && bgr_packed_any_off(position);
}

int bgr_dice_to_home(bgr_packed position)
{
    int dice = 0;
    for (int point = BGR_HOME_POINTS + 1; point <= BGR_MAX_POINTS; point++)
        dice += bgr_packed_count(position, point) * ((point - 1) / BGR_HOME_POINTS);
    return dice;
}

int bgr_no_hope(bgr_packed position, int turns)
{
    /* One more die bears a checker off. */
    return !bgr_packed_any_off(position) && bgr_dice_to_home(position) + 1 > 4 * turns;
}

static int pips_outside(bgr_packed position)
{
    int pips = 0;
    for (int point = BGR_HOME_POINTS + 1; point <= BGR_MAX_POINTS; point++)
        pips += bgr_packed_count(position, point) * (point - BGR_HOME_POINTS);
    return pips;
}

/* Whether the side can neither win nor save the gammon from a node. */
static int is_hopeless(const bgr_nodes *nodes, const bgr_node *node)
{
    const bgr_reach_options *o = &nodes->options;
    if (!o->first_checker || !o->less_is_better || !o->max_turns || bgr_packed_any_off(node->position))
        return 0;
    if (bgr_packed_hopeless(node->position) || (nodes->no_hope_at_start && node->turns <= 1))
        return 1;
    int turns = (o->hope_turns ? o->hope_turns : o->max_turns) - node->turns;
    turns = turns < 0 ? 0 : turns;
    return bgr_no_hope(node->position, turns) || (o->hope_turns && turns <= TUNED_TURNS_OF_HOPE &&
                                                  pips_outside(node->position) >= nodes->home->pips_of_hope[turns]);
}

/* Whether the roll on which the first checker is borne off matters, too. */
static int wants_first(const bgr_nodes *nodes, bgr_packed position)
{
    return nodes->options.first_checker && !nodes->options.cannot_win && !bgr_packed_any_off(position);
}

/* Whether a result is better than another: by the mean, and if equal, by the smaller index. */
static int is_better(double mean, bgr_packed position, double other_mean, bgr_packed other)
{
    return mean < other_mean - BGR_TIE || (mean <= other_mean + BGR_TIE && bgr_packed_before(position, other));
}

static bgr_status add_node(bgr_nodes *nodes, bgr_packed position, int32_t home_index, double mean, int32_t *number)
{
    if (nodes->n >= nodes->limit)
        return BGR_ERR_SIZE;
    if (!bgr_make_room((void **)&nodes->node, &nodes->room, nodes->n + 1, sizeof *nodes->node))
        return BGR_ERR_MEMORY;
    int8_t places[BGR_MAX_POINTS + 1];
    bgr_unpack(position, places);
    int32_t new = (int32_t)nodes->n++;
    int pips = bgr_pips(BGR_MAX_POINTS, places + 1);
    int unknown = (nodes->find == BGR_FIND_EVERY && home_index < 0) || saved(nodes, position);
    double variance = unknown ? 0 : bgr_position_variance(nodes->home, position);
    uint64_t order = (uint64_t)home_index;
    if (home_index < 0) {
        int64_t index = 0;
        bgr_index(&nodes->places.all, places + 1, &index);
        order = (uint64_t)(pips + 1) << 40 | (uint64_t)index;
    }
    nodes->node[new] =
        (bgr_node){position, mean, variance, 0, order, -1, -1, home_index, nodes->with_pips[pips], INT16_MAX};
    nodes->with_pips[pips] = new;
    *number = new;
    return BGR_OK;
}

/* Get the node of a position; make it if there is none. */
static bgr_status find_node(bgr_nodes *nodes, bgr_packed position, double mean, int32_t *number)
{
    bgr_node_places *places = &nodes->places;
    if (bgr_packed_home(position)) {
        int32_t index = bgr_packed_index(nodes->home, position);
        *number = places->at_home[index];
        if (*number >= 0)
            return BGR_OK;
        BGR_TRY(add_node(nodes, position, index, mean, number));
        places->at_home[index] = *number;
        return BGR_OK;
    }
    uint64_t at = slot_of(nodes, position);
    *number = places->slot[at];
    if (*number >= 0)
        return BGR_OK;
    int room = places->n_outside < places->max_outside || bgr_packed_hopeless(position);
    BGR_TRY(room ? add_node(nodes, position, -1, mean, number) : BGR_ERR_SIZE);
    places->slot[at] = *number;
    return 2 * ++places->n_outside > places->n_slots ? grow_slots(nodes) : BGR_OK;
}

bgr_status bgr_nodes_start(const bgr_home_board *home, bgr_packed position, const bgr_reach_options *options,
                           int64_t limit, bgr_nodes *nodes)
{
    const bgr_packed empty = {(uint64_t)BGR_MAX_CHECKERS << 60, 0};
    const int8_t one_off[BGR_MAX_POINTS] = {[BGR_MAX_POINTS - 1] = BGR_MAX_CHECKERS - 1};
    bgr_node_places *places = &nodes->places;
    const bgr_space *space = &home->space;
    int checkers = BGR_MAX_CHECKERS - bgr_packed_count(position, 0);
    /* Positions with more checkers have higher indices. */
    int64_t n_at_home = checkers < BGR_MAX_CHECKERS ? space->term[0][checkers + 1] : space->size;
    int32_t number;
    memset(nodes, 0, sizeof *nodes);
    nodes->home = home;
    nodes->limit = limit < BGR_MAX_NODES ? limit : BGR_MAX_NODES;
    nodes->options = *options;
    nodes->find = isinf(options->delta) ? BGR_FIND_EVERY : BGR_FIND_NEAR_BEST;
    (void)bgr_space_init(BGR_MAX_POINTS, BGR_MAX_CHECKERS, &places->all);
    places->max_outside = INT32_MAX;
    places->n_slots = 1024;
    places->slot = malloc((size_t)places->n_slots * sizeof *places->slot);
    places->at_home = malloc((size_t)n_at_home * sizeof *places->at_home);
    nodes->finder.home = home;
    nodes->finder.outcomes = malloc(BGR_MAX_PLAYS * sizeof *nodes->finder.outcomes);
    if (!places->slot || !places->at_home || !nodes->finder.outcomes)
        return BGR_ERR_MEMORY;
    memset(places->slot, -1, (size_t)places->n_slots * sizeof *places->slot);
    memset(places->at_home, -1, (size_t)n_at_home * sizeof *places->at_home);
    memset(nodes->with_pips, -1, sizeof nodes->with_pips);
    BGR_TRY(find_node(nodes, empty, 0, &number));
    BGR_TRY(find_node(nodes, position, aimed_mean(home, options->cannot_win, position), &number));
    nodes->node[number].turns = 0;
    nodes->node[number].chance = 1;
    nodes->no_hope_at_start = is_hopeless(nodes, &nodes->node[number]);
    if (!options->cannot_win)
        return BGR_OK;
    BGR_TRY(find_node(nodes, bgr_packed_of(one_off), 0, &number));
    return bgr_nodes_expand(nodes, BGR_SAVED, 0);
}

void bgr_nodes_free(bgr_nodes *nodes)
{
    const bgr_edges *edges = &nodes->edges;
    BGR_FREE(nodes->node, nodes->places.slot, nodes->places.at_home, edges->edge, edges->n_of_roll, edges->n_kept,
             edges->gain, nodes->off.last, nodes->off.first, nodes->finder.outcomes);
    memset(nodes, 0, sizeof *nodes);
}

/* The index of the found result with the least criterion; ties are broken by the mean, then by the index of the
 * position. */
static int least_by(const bgr_result_finder *f, double (*criterion)(const bgr_home_board *, bgr_packed))
{
    int chosen = 0;
    double least = criterion(f->home, f->outcomes[0].position);
    for (int k = 1; k < f->n_found; k++) {
        const bgr_result *a = &f->outcomes[k], *b = &f->outcomes[chosen];
        double value = criterion(f->home, a->position);
        if (value < least - BGR_TIE ||
            (value <= least + BGR_TIE && is_better(a->mean, a->position, b->mean, b->position))) {
            least = value;
            chosen = k;
        }
    }
    return chosen;
}

/* Add an edge from a node to another. */
static bgr_status join(bgr_nodes *nodes, int32_t from, int32_t number, uint32_t always)
{
    bgr_edges *edges = &nodes->edges;
    if (!bgr_make_room((void **)&edges->edge, &edges->room, edges->n + 1, sizeof *edges->edge))
        return BGR_ERR_MEMORY;
    edges->edge[edges->n++] = (uint32_t)number | always;
    int turns = nodes->node[from].turns + 1;
    if (turns < nodes->node[number].turns)
        nodes->node[number].turns = (int16_t)turns;
    return BGR_OK;
}

static bgr_status add_edge(bgr_nodes *nodes, int32_t from, const bgr_result *to, uint32_t always)
{
    int32_t number = BGR_SAVED;
    /* Results of the first position stay distinct, since players choose among them, and so does the empty board. */
    if (from <= BGR_START || !saved(nodes, to->position))
        BGR_TRY(find_node(nodes, to->position, to->mean, &number));
    return join(nodes, from, number, always);
}

/* Whether every result of a roll is kept, since players choose from them now. */
static int wants_every(const bgr_nodes *nodes, int32_t from, int roll)
{
    int first_roll = nodes->options.first_roll;
    return from == BGR_START && (first_roll == roll + 1 || first_roll == BGR_EVERY_FIRST_ROLL);
}

/* Find all results of a roll, for a side that cannot win: a play that looks poor after one die sometimes saves the
 * gammon. */
static void find_to_save(bgr_nodes *nodes, int roll)
{
    bgr_result_finder *f = &nodes->finder;
    bgr_find_every_result(f, roll);
    nodes->work.done += tuned_share_to_save * tuned_work_of_result * f->n_found;
    f->least = INFINITY;
    for (int k = 0; k < f->n_found; k++) {
        f->outcomes[k].mean = aimed_mean(nodes->home, 1, f->outcomes[k].position);
        f->least = fmin(f->least, f->outcomes[k].mean);
    }
}

/* Add all results of one roll.  Means are known at home; outside they are computed when all nodes are known. */
static bgr_status expand_every(bgr_nodes *nodes, int32_t from, int roll)
{
    bgr_result_finder *f = &nodes->finder;
    bgr_find_every_result(f, roll);
    for (int k = 0; k < f->n_found; k++) {
        if (bgr_packed_home(f->outcomes[k].position))
            f->outcomes[k].mean = bgr_position_mean(nodes->home, f->outcomes[k].position);
        BGR_TRY(add_edge(nodes, from, &f->outcomes[k], from == BGR_START ? BGR_EDGE_ALWAYS : 0));
    }
    return BGR_OK;
}

static bgr_node *node_at(const bgr_nodes *nodes, int64_t edge)
{
    return &nodes->node[bgr_edge_node(nodes->edges.edge[edge])];
}

/* Exchange the last edge with the first one of its roll. */
static void put_first(const bgr_edges *edges, int64_t start)
{
    uint32_t edge = edges->edge[edges->n - 1];
    edges->edge[edges->n - 1] = edges->edge[start];
    edges->edge[start] = edge;
}

/* Add the results of one roll that differ in stragglers, for a side that can neither win nor save the gammon.  Results
 * of the start are not reduced, since players choose among them. */
static bgr_status expand_hopeless(bgr_nodes *nodes, int32_t from, int roll)
{
    const bgr_result_finder *f = &nodes->finder;
    int64_t start = nodes->edges.n;
    double least = INFINITY;
    bgr_find_every_result(&nodes->finder, roll);
    nodes->work.done += tuned_share_to_save * tuned_work_of_result * f->n_found;
    for (int k = 0; k < f->n_found; k++) {
        bgr_packed position = f->outcomes[k].position, alike = bgr_packed_stragglers(position);
        double mean = bgr_position_straggler(nodes->home, position);
        int64_t at = wants_every(nodes, from, roll) ? nodes->edges.n : start;
        while (at < nodes->edges.n && !bgr_packed_same(alike, bgr_packed_stragglers(node_at(nodes, at)->position)))
            at++;
        if (at < nodes->edges.n)
            continue;
        BGR_TRY(add_edge(nodes, from, &(bgr_result){from == BGR_START ? position : alike, mean}, BGR_EDGE_ALWAYS));
        if (mean < least) {
            put_first(&nodes->edges, start);
            least = mean;
        }
    }
    return BGR_OK;
}

/* Found results that are kept regardless of their means. */
typedef struct {
    int first, stragglers; /* first: index of that which bears off the first checker soonest, or -1.  stragglers: 1
                            * to keep those of saves_best */
} aimed_at;

/* Find the results of a roll from outside the home board by estimates, and the one that bears off the first checker
 * soonest. */
static void find_quickly(bgr_nodes *nodes, int roll, double margin, int with_first, aimed_at *aimed)
{
    bgr_result_finder *f = &nodes->finder;
    bgr_result soonest = {0};
    if (with_first) {
        bgr_find_results_quickly(f, BGR_FIRST_CHECKER, roll, BGR_TIE);
        soonest = f->outcomes[least_by(f, bgr_position_first)];
        soonest.mean = bgr_position_mean(nodes->home, soonest.position);
        nodes->work.done += tuned_work_of_first;
    }
    bgr_find_results_quickly(f, BGR_LAST_CHECKER, roll, margin + BGR_TIE);
    if (!with_first)
        return;
    for (aimed->first = 0; aimed->first < f->n_found; aimed->first++)
        if (bgr_packed_same(f->outcomes[aimed->first].position, soonest.position))
            return;
    f->outcomes[f->n_found++] = soonest;
}

/* Find the results of a roll that are within the margin or serve another aim. */
static aimed_at find_near_best(bgr_nodes *nodes, const bgr_node *node, int roll, double margin)
{
    bgr_result_finder *f = &nodes->finder;
    aimed_at aimed = {-1, 0};
    int straggler = nodes->options.last_straggler && f->sums[BGR_OTHER_HOME],
        first = wants_first(nodes, node->position);
    if (nodes->options.cannot_win) {
        find_to_save(nodes, roll);
    } else if (node->home_index < 0 && !straggler && !isinf(margin)) {
        find_quickly(nodes, roll, margin, first, &aimed);
    } else {
        bgr_find_results(f, roll, first || straggler ? INFINITY : margin + BGR_TIE);
        nodes->work.done += tuned_work_of_result * f->n_found;
        if (first)
            aimed.first = least_by(f, bgr_position_first);
    }
    aimed.stragglers = straggler;
    return aimed;
}

/* Whether a result brings its checkers out of the other side's home board about as soon as the best, and has the least
 * mean of those that leave the same checkers there. */
static int saves_best(const bgr_nodes *nodes, int k)
{
    const bgr_result_finder *f = &nodes->finder;
    const bgr_result *result = &f->outcomes[k];
    bgr_packed alike = bgr_packed_stragglers(result->position);
    double rolls = bgr_position_straggler(f->home, result->position);
    for (int other = 0; other < f->n_found; other++) {
        const bgr_result *o = &f->outcomes[other];
        if (bgr_position_straggler(f->home, o->position) < rolls - tuned_other_stragglers)
            return 0;
        if (other != k && bgr_packed_same(alike, bgr_packed_stragglers(o->position)) &&
            is_better(o->mean, o->position, result->mean, result->position))
            return 0;
    }
    return 1;
}

/* Add edges to the found results that are to be kept, the best first. */
static bgr_status add_edges(bgr_nodes *nodes, int32_t from, int every, double margin, aimed_at aimed)
{
    const bgr_result_finder *f = &nodes->finder;
    const bgr_result *outcomes = f->outcomes;
    int64_t start = nodes->edges.n;
    int best = 0;
    for (int k = 1; k < f->n_found; k++)
        if (is_better(outcomes[k].mean, outcomes[k].position, outcomes[best].mean, outcomes[best].position))
            best = k;
    if (from != BGR_START && saved(nodes, outcomes[best].position))
        return add_edge(nodes, from, &outcomes[best], 0);
    for (int k = 0; k < f->n_found; k++) {
        uint32_t always = every || (aimed.stragglers && saves_best(nodes, k)) ? BGR_EDGE_ALWAYS
                          : k == aimed.first                                  ? BGR_EDGE_AIM
                                                                              : 0;
        if (k == best || always || (margin > 0 && outcomes[k].mean <= f->least + margin + BGR_TIE))
            BGR_TRY(add_edge(nodes, from, &outcomes[k], always));
        if (k == best)
            put_first(&nodes->edges, start);
    }
    return BGR_OK;
}

/* Add the results of one roll that are to be kept. */
static bgr_status expand_roll(bgr_nodes *nodes, int32_t from, int roll, double margin)
{
    const bgr_node *node = &nodes->node[from];
    int every = wants_every(nodes, from, roll);
    if (every)
        margin = INFINITY;
    if (saved(nodes, node->position) && !every)
        return add_edge(nodes, from, &(bgr_result){node->position, 0}, 0);
    if (margin == 0 && node->home_index >= 0 && !wants_first(nodes, node->position) && !nodes->options.cannot_win) {
        int32_t best = nodes->home->best[(int64_t)node->home_index * BGR_N_ROLLS + roll];
        return add_edge(nodes, from, &(bgr_result){nodes->home->packed[best], nodes->home->mean[best]}, 0);
    }
    return add_edges(nodes, from, every, margin, find_near_best(nodes, node, roll, margin));
}

/* Microseconds to expand the node that the finder holds. */
static double work_of(const bgr_nodes *nodes, int32_t number, double margin)
{
    const bgr_node *node = &nodes->node[number];
    if (node->home_index < 0)
        return tuned_work_outside;
    int to_save = (nodes->options.first_checker || nodes->options.cannot_win) && !bgr_packed_any_off(node->position);
    return margin > 0 || to_save ? tuned_work_at_home : tuned_work_of_best;
}

/* Make room for the numbers of edges of one more node. */
static int make_row(bgr_edges *edges)
{
    int64_t rows = (edges->n_rows + 1) * BGR_N_ROLLS;
    return bgr_make_room((void **)&edges->n_of_roll, &edges->row_room, rows, sizeof *edges->n_of_roll) &&
           bgr_make_room((void **)&edges->n_kept, &edges->kept_room, rows, sizeof *edges->n_kept);
}

/* Add the chance of a node and this roll to the results, whose edges begin at `start`. */
static void pass_chance_on(const bgr_nodes *nodes, int32_t number, int64_t start, double chance)
{
    bgr_node *best = node_at(nodes, start);
    best->chance += best != &nodes->node[number] ? chance : 0;
    for (int64_t k = start + 1; k < nodes->edges.n; k++) {
        bgr_node *other = node_at(nodes, k);
        other->chance +=
            chance * tuned_other_share * bgr_exp(fmax((best->mean - other->mean) / tuned_other_width, -700));
    }
}

bgr_status bgr_nodes_expand(bgr_nodes *nodes, int32_t number, double margin)
{
    static const int between_tells = 64; /* far from home a node may take 2 milliseconds */
    bgr_edges *edges = &nodes->edges;
    if (!make_row(edges))
        return BGR_ERR_MEMORY;
    int64_t start = edges->n, row = edges->n_rows * BGR_N_ROLLS;
    if (nodes->work.most > 0 && nodes->work.done > nodes->work.most)
        return BGR_ERR_SIZE;
    if (bgr_nodes_stopped(nodes, edges->n_rows, between_tells))
        return BGR_ERR_STOPPED;
    bgr_packed position = nodes->node[number].position;
    int hopeless = is_hopeless(nodes, &nodes->node[number]), only_stragglers = hopeless && number != BGR_START;
    if (only_stragglers)
        position = bgr_packed_stragglers(position);
    int over = number == BGR_EMPTY_BOARD || (number == BGR_SAVED && nodes->options.cannot_win) ||
               (only_stragglers && !bgr_packed_any_straggler(position));
    bgr_find_results_from(&nodes->finder, position);
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int64_t before = edges->n;
        if (over)
            BGR_TRY(add_edge(nodes, number, &(bgr_result){position, 0}, 0));
        else if (hopeless)
            BGR_TRY(expand_hopeless(nodes, number, roll));
        else if (nodes->find == BGR_FIND_EVERY)
            BGR_TRY(expand_every(nodes, number, roll));
        else
            BGR_TRY(expand_roll(nodes, number, roll, margin));
        edges->n_of_roll[row + roll] = edges->n_kept[row + roll] = (uint16_t)(edges->n - before);
        if (nodes->with_chances)
            pass_chance_on(nodes, number, before, nodes->node[number].chance * bgr_rolls[roll].weight / 36);
    }
    double work = work_of(nodes, number, margin) + tuned_work_of_edge * (double)(edges->n - start);
    nodes->work.done += nodes->options.cannot_win ? tuned_share_to_save * work : work;
    nodes->node[number].edges = start;
    nodes->node[number].row = (int32_t)edges->n_rows++;
    return BGR_OK;
}

/* The delta at a node. */
static double delta_at(const bgr_nodes *nodes, const bgr_node *node, double delta, int look)
{
    double chance = nodes->options.cannot_win ? node->chance * tuned_lucky_rolls : node->chance;
    if (nodes->find == BGR_FIND_EVERY_TO_SAVE && !bgr_packed_any_off(node->position))
        return INFINITY;
    if (!look)
        return delta;
    double powers = bgr_log10(fmax(chance, 1e-30) / tuned_common[look].chance);
    double wide =
        (int)(node->position.near >> 60) >= BGR_MAX_CHECKERS - TUNED_FEW_CHECKERS ? delta * tuned_wider : delta;
    return wide * fmin(fmax(1 + powers / tuned_common[look].powers, 0), 1);
}

/* The margin at a node for errors of estimates, 0 in the home board: widest at the likeliest nodes. */
static double margin_at(const bgr_node *node, double margin)
{
    if (node->home_index >= 0 || isinf(margin))
        return node->home_index >= 0 ? 0 : margin;
    double widest = bgr_packed_any_off(node->position) ? tuned_fewer_checkers : 1;
    double scale = sqrt(node->chance * 100) * widest;
    return scale > tuned_least_margin ? margin * fmin(scale, widest) : 0;
}

bgr_status bgr_nodes_expand_all(bgr_nodes *nodes, double delta, double margin, int look)
{
    int max_turns = nodes->options.max_turns ? nodes->options.max_turns : INT16_MAX;
    nodes->with_chances = nodes->find != BGR_FIND_EVERY;
    for (int pips = BGR_MAX_BOARD_PIPS; pips >= 0; pips--)
        for (int32_t i = nodes->with_pips[pips]; i >= 0; i = nodes->node[i].next) {
            const bgr_node *node = &nodes->node[i];
            if (bgr_expanded(node) || (i != BGR_EMPTY_BOARD && node->turns >= max_turns))
                continue; /* except the empty board, whose edges are always needed */
            BGR_TRY(bgr_nodes_expand(nodes, i, delta_at(nodes, node, delta, look) + margin_at(node, margin)));
        }
    return BGR_OK;
}

/* Move the best of a list to the front; the others keep their order. */
static void put_best_first(const bgr_nodes *nodes, uint32_t *edges, int n)
{
    int best = 0;
    for (int k = 1; k < n; k++) {
        const bgr_node *a = &nodes->node[bgr_edge_node(edges[k])], *b = &nodes->node[bgr_edge_node(edges[best])];
        if (is_better(a->mean, a->position, b->mean, b->position))
            best = k;
    }
    uint32_t chosen = edges[best];
    for (int k = best; k > 0; k--)
        edges[k] = edges[k - 1];
    edges[0] = chosen;
}

static void improve(bgr_nodes *nodes, bgr_node *node, double delta)
{
    uint16_t *n_edges = nodes->edges.n_of_roll + (int64_t)node->row * BGR_N_ROLLS;
    uint32_t *edges = nodes->edges.edge + node->edges, *kept = edges;
    double sum = 0, squares = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        put_best_first(nodes, edges, n_edges[roll]);
        const bgr_node *best = &nodes->node[bgr_edge_node(edges[0])];
        int n = 0, n_before = n_edges[roll];
        sum += bgr_rolls[roll].weight * best->mean;
        squares += bgr_rolls[roll].weight * (best->variance + best->mean * best->mean);
        for (int k = 0; k < n_before; k++) {
            uint32_t edge = edges[k];
            int near = delta > 0 && nodes->node[bgr_edge_node(edge)].mean <= best->mean + delta + BGR_TIE;
            if (k == 0 || near || (edge & (BGR_EDGE_ALWAYS | BGR_EDGE_AIM)))
                kept[n++] = edge;
        }
        n_edges[roll] = (uint16_t)n;
        nodes->edges.n_kept[(int64_t)node->row * BGR_N_ROLLS + roll] = (uint16_t)n;
        kept += n;
        edges += n_before;
    }
    /* Hopeless positions keep their estimated mean, for comparisons with others. */
    int marked = bgr_packed_hopeless(node->position);
    if (saved(nodes, node->position) ||
        (is_hopeless(nodes, node) && !(marked && bgr_packed_any_straggler(node->position))))
        return;
    if (node->home_index < 0)
        node->mean = 1 + sum / 36;
    if (node->home_index < 0 || nodes->options.cannot_win)
        node->variance = squares / 36 - sum / 36 * (sum / 36);
}

void bgr_nodes_improve(bgr_nodes *nodes, double delta, int look)
{
    int by_mean = nodes->options.cannot_win && !nodes->options.last_straggler; /* exact by now, so delta needs no
                                                                                * allowance for errors */
    for (int pips = 1; pips <= BGR_MAX_BOARD_PIPS; pips++)
        for (int32_t i = nodes->with_pips[pips]; i >= 0; i = nodes->node[i].next) {
            bgr_node *node = &nodes->node[i];
            if (bgr_expanded(node)) {
                improve(nodes, node, look && !by_mean ? fmax(delta_at(nodes, node, delta, look), delta) : delta);
            } else if (nodes->find == BGR_FIND_EVERY) { /* not expanded: beyond the horizon */
                node->mean = bgr_position_mean(nodes->home, node->position);
                node->variance = bgr_position_variance(nodes->home, node->position);
            }
        }
}

/* ------------------------------------------------------------------ order */

bgr_status bgr_nodes_sort(const bgr_nodes *nodes, int32_t *list, int64_t n)
{
    bgr_keyed *keyed = malloc((size_t)(2 * n) * sizeof *keyed);
    if (!keyed)
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k < n; k++)
        keyed[k] = (bgr_keyed){nodes->node[list[k]].order, list[k]};
    bgr_sort_keyed(keyed, keyed + n, n);
    for (int64_t k = 0; k < n; k++)
        list[k] = keyed[k].number;
    free(keyed);
    return BGR_OK;
}
