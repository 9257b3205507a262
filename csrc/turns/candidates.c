/* Find all positions that the plays near the least mean can reach, with the results of each roll and their means
 * (nodes.c), before the choice of results to keep.
 *
 * The results of a roll do not depend on the turn, so candidates have no turns.  If there are too many positions,
 * results are found turn by turn while layers are made, by estimated means, and only from positions that stay. */

#include "turns/candidates.h"

#include "base/try.h"
#include "solve/graph.h"
#include "turns/weigh.h"

#include <math.h>
#include <stdlib.h>

/* Parameters of a search for positions: results within delta of the least mean, with a margin for estimates; how widely
 * to search; limits of nodes, of nodes outside the home board, and of work (0: no limit). */
typedef struct {
    bgr_find find;
    double delta, margin;
    int look;
    int64_t max_nodes, max_outside;
    double max_work;
} search;

/* Run a search.  BGR_ERR_SIZE if a limit is exceeded. */
static bgr_status search_nodes(const bgr_candidates *c, const search *s, bgr_nodes *nodes)
{
    int64_t limit = s->max_nodes ? s->max_nodes : INT32_MAX;
    bgr_status status = bgr_nodes_start(c->home, c->position, &c->options, limit, nodes);
    if (s->find == BGR_FIND_EVERY_TO_SAVE)
        nodes->find = s->find;
    if (s->max_outside)
        nodes->places.max_outside = s->max_outside;
    nodes->work.most = s->max_work;
    BGR_TRY(status);
    BGR_TRY(bgr_nodes_expand_all(nodes, s->delta, s->margin, s->look));
    bgr_nodes_improve(nodes, s->delta, s->look);
    return BGR_OK;
}

static void forget_nodes(bgr_candidates *c)
{
    c->spent += c->nodes.work.done;
    bgr_nodes_free(&c->nodes);
}

/* Run a search in place of the previous one. */
static bgr_status try_search(bgr_candidates *c, search s)
{
    forget_nodes(c);
    c->delta = s.delta;
    c->look = s.look;
    return search_nodes(c, &s, &c->nodes);
}

/* Find all positions before layers are made, by the widest search that fits; if none fits, results are found turn by
 * turn. */
static bgr_status find_nodes(bgr_candidates *c)
{
    const bgr_reach_options *o = &c->options;
    if (isinf(o->delta))
        return try_search(c, (search){.delta = o->delta,
                                      .margin = tuned_widest_margin,
                                      .max_nodes = o->max_nodes,
                                      .max_work = o->max_work});
    const search ways[] = {
        {.delta = o->delta, .margin = INFINITY, .max_nodes = o->max_nodes, .max_outside = tuned_few_nodes},
        {.delta = o->delta, .margin = tuned_widest_margin, .max_nodes = o->max_nodes ? o->max_nodes / 3 + 2 : 0},
        {.delta = o->delta, .max_nodes = o->max_nodes},
        {.delta = 0, .max_nodes = o->max_nodes}};
    bgr_status status = BGR_ERR_SIZE;
    for (int k = 0; k < (o->delta > 0 ? 4 : 3) && status == BGR_ERR_SIZE; k++)
        status = try_search(c, ways[k]);
    c->by_turn = status == BGR_ERR_SIZE;
    return c->by_turn ? BGR_OK : status;
}

/* Search more widely than the best results, as far as time allows, judging by the work of that search. */
static bgr_status look_further(bgr_candidates *c)
{
    const bgr_reach_options *o = &c->options;
    double left = o->max_work * tuned_most_tries;
    for (int look = BGR_FINEST_LOOK; look > 0 && !c->look; look--) {
        bgr_nodes more;
        double more_work = (o->cannot_win ? tuned_more_to_save : tuned_more_work)[look];
        if (!(more_work > 0) || c->nodes.work.done * more_work > fmin(o->max_work, left))
            continue;
        double delta = o->delta * (o->cannot_win ? tuned_delta_to_save[look] : 1);
        int every = look == BGR_FINEST_LOOK;
        const search s = {.find = every ? BGR_FIND_EVERY_TO_SAVE : BGR_FIND_NEAR_BEST,
                          .delta = delta,
                          .look = look,
                          .max_work = every ? tuned_every_share * o->max_work : fmin(left, o->max_work)};
        bgr_status status = search_nodes(c, &s, &more);
        if (status == BGR_OK) {
            bgr_nodes held = c->nodes;
            c->nodes = more;
            more = held;
            c->look = look;
            c->delta = delta;
        }
        left -= more.work.done;
        c->spent += more.work.done;
        bgr_nodes_free(&more);
        if (status != BGR_OK && status != BGR_ERR_SIZE)
            return status;
    }
    return BGR_OK;
}

/* Find positions within max_work: first those of the best results, which is quick and shows the cost of wider searches.
 */
static bgr_status find_common_nodes(bgr_candidates *c)
{
    const bgr_reach_options *o = &c->options;
    int8_t places[BGR_MAX_POINTS + 1];
    bgr_unpack(c->position, places);
    if (o->first_checker && o->max_turns && o->max_turns <= TUNED_TURNS_TO_LOOK &&
        bgr_positions_with_all(places + 1) * tuned_work_of_full < o->max_work) {
        bgr_status status = try_search(c, (search){.find = BGR_FIND_EVERY_TO_SAVE,
                                                   .delta = o->delta,
                                                   .look = BGR_FINEST_LOOK,
                                                   .max_work = 3 * o->max_work});
        if (status != BGR_ERR_SIZE)
            return status;
    }
    /* Estimates are fitted to positions that occur in play; they are poor for stacks with few checkers outside, but
     * these lead to few positions. */
    double share = tuned_estimated_share * o->max_work, outside = share / tuned_work_of_estimated;
    bgr_status status = try_search(c, (search){.delta = o->delta,
                                               .margin = INFINITY,
                                               .look = BGR_FINEST_LOOK,
                                               .max_nodes = o->max_nodes,
                                               .max_outside = (int64_t)fmax(outside, (double)tuned_few_nodes),
                                               .max_work = share});
    if (status != BGR_ERR_SIZE)
        return status;
    status = try_search(c, (search){.max_nodes = o->max_nodes, .max_work = o->max_work / 2});
    c->by_turn = status == BGR_ERR_SIZE;
    if (c->by_turn)
        return BGR_OK;
    BGR_TRY(status);
    BGR_TRY(look_further(c));
    c->by_turn = !c->look && !o->cannot_win && bgr_pips(BGR_MAX_POINTS, places + 1) > TUNED_LONG_RACE;
    return BGR_OK;
}

bgr_status bgr_candidates_new(const bgr_home_board *home, const int8_t *counts, const bgr_reach_options *options,
                              bgr_candidates **candidates)
{
    *candidates = NULL;
    bgr_candidates *c = calloc(1, sizeof *c);
    if (!c)
        return BGR_ERR_MEMORY;
    c->home = home;
    c->options = *options;
    c->max_positions = TUNED_FEW_POSITIONS;
    c->position = bgr_packed_of(counts);
    bgr_status status = options->max_work > 0 && !isinf(options->delta) ? find_common_nodes(c) : find_nodes(c);
    if (c->by_turn)
        bgr_candidates_by_turn(c);
    BGR_HAND_OVER(status, c, candidates, bgr_candidates_free);
}

void bgr_candidates_free(bgr_candidates *candidates)
{
    if (!candidates)
        return;
    bgr_nodes_free(&candidates->nodes);
    free(candidates);
}

void bgr_candidates_by_turn(bgr_candidates *c)
{
    forget_nodes(c);
    c->by_turn = 1;
    c->look = 0;
    c->delta = 0;
}

bgr_status bgr_candidates_start(bgr_candidates *c)
{
    if (c->nodes.n > tuned_most_by_turn)
        forget_nodes(c);
    return c->nodes.n ? BGR_OK : bgr_nodes_start(c->home, c->position, &c->options, INT32_MAX, &c->nodes);
}

bgr_status bgr_candidates_results(bgr_candidates *c, int64_t *n)
{
    BGR_TRY(bgr_candidates_start(c));
    if (!bgr_expanded(&c->nodes.node[BGR_START]))
        BGR_TRY(bgr_nodes_expand(&c->nodes, BGR_START, bgr_margin_by_turn(&c->options)));
    *n = c->nodes.n - (BGR_START + 1);
    return BGR_OK;
}

bgr_status bgr_candidates_longest(const bgr_candidates *candidates, int *turns)
{
    const bgr_nodes *nodes = &candidates->nodes;
    *turns = 0;
    if (candidates->by_turn)
        return BGR_OK;
    int16_t *longest = calloc((size_t)nodes->n, sizeof *longest);
    if (!longest)
        return BGR_ERR_MEMORY;
    for (int pips = 1; pips <= BGR_MAX_BOARD_PIPS; pips++)
        for (int32_t i = nodes->with_pips[pips]; i >= 0; i = nodes->node[i].next) {
            const uint16_t *n_edges;
            int16_t most = 0;
            if (!bgr_expanded(&nodes->node[i]))
                continue;
            const uint32_t *edge = bgr_edges_of(nodes, i, &n_edges);
            for (int roll = 0; roll < BGR_N_ROLLS; roll++)
                for (int k = 0; k < n_edges[roll]; k++, edge++)
                    most = longest[bgr_edge_node(*edge)] > most ? longest[bgr_edge_node(*edge)] : most;
            longest[i] = (int16_t)(most + 1);
        }
    *turns = longest[BGR_START];
    free(longest);
    return BGR_OK;
}

bgr_status bgr_candidates_weigh(bgr_candidates *candidates, const double *in_time, int n, int gammons)
{
    candidates->weighed = 0;
    if (candidates->by_turn)
        return BGR_OK;
    bgr_status status = bgr_nodes_weigh(&candidates->nodes, in_time, n, gammons);
    candidates->weighed = status == BGR_OK;
    return status;
}
