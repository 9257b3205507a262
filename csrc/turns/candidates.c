/* What a position can come to before it is decided what of it to keep.
 *
 * Every position that the rule can come to, the results of each roll, and their means (nodes.c).  A roll makes the same
 * of a position whenever it is thrown, so this knows nothing of turns.  Where there are too many positions, results are
 * found turn by turn while layers are made, by the estimated means, only from positions that stay. */

#include "turns/candidates.h"

#include "turns/gains.h"

#include <math.h>
#include <stdlib.h>

/* Results this far from the best by the estimate, in rolls, are looked at where play is likely to come by. */
static const double widest_margin = 0.06;

/* With no more nodes outside the home board than this all results are looked at, and the means are exact. */
static const int64_t few_nodes = 300;

/* Found turn by turn, nodes are forgotten once there are more than this. */
static const int64_t most_by_turn = 2000000;

/* All tries to look further together may take so many times the work that one may. */
static const double most_tries = 1.2;

/* How much more work it is, about, to look further than at the best results. */
static const double more_work[BGR_FINEST_LOOK + 1] = {1, INFINITY, INFINITY, 2.5, 4.5, 6};

/* The least that it is for a side that cannot win. */
static const double more_to_save[BGR_FINEST_LOOK + 1] = {1, 5, 7, 10, 14, 23};

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
                  o->max_work >= 0 && (o->max_layer == 0 || o->max_layer >= 2) &&
                  !(o->cannot_win && (!o->max_turns || isinf(o->delta)));
    return numbers ? BGR_OK : BGR_ERR_SIZE;
}

/* One try: BGR_ERR_SIZE if it makes too many nodes, or too much work. */
static bgr_status try_nodes(bgr_candidates *c, double delta, double margin, int look, int64_t most,
                            int64_t most_outside, double most_work, bgr_nodes *nodes)
{
    bgr_status status = bgr_nodes_start(c->home, c->position, &c->options, most, nodes);
    nodes->most_outside = most_outside;
    nodes->most_work = most_work;
    if (status == BGR_OK)
        status = bgr_nodes_expand_all(nodes, delta, margin, look);
    if (status == BGR_OK)
        bgr_nodes_improve(nodes, delta, look);
    return status;
}

static void forget_nodes(bgr_candidates *c)
{
    c->spent += c->nodes.work;
    bgr_nodes_free(&c->nodes);
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
                 {o->delta, widest_margin, o->max_nodes ? limit / 3 + 2 : limit, INT32_MAX},
                 {o->delta, 0, limit, INT32_MAX},
                 {0, 0, limit, INT32_MAX}};
    bgr_status status = BGR_ERR_SIZE;
    for (int k = isinf(o->delta); k < (o->delta > 0 ? 4 : 3) && status == BGR_ERR_SIZE; k++) {
        if (k > 1 && isinf(o->delta))
            return BGR_ERR_SIZE;
        forget_nodes(c);
        c->delta = tries[k].delta;
        int64_t most = isinf(o->delta) ? limit : tries[k].most;
        status = try_nodes(c, c->delta, tries[k].margin, 0, most, tries[k].most_outside, 0, &c->nodes);
    }
    c->by_turn = status == BGR_ERR_SIZE;
    return c->by_turn ? BGR_OK : status;
}

/* The same within max_work: first the best results only, which is quick and tells what more would take. */
static bgr_status find_common_nodes(bgr_candidates *c)
{
    const bgr_reach_options *o = &c->options;
    int64_t limit = o->max_nodes ? o->max_nodes : INT32_MAX;
    bgr_status status = try_nodes(c, o->delta, INFINITY, BGR_FINEST_LOOK, limit, few_nodes, o->max_work, &c->nodes);
    c->look = BGR_FINEST_LOOK;
    c->delta = o->delta;
    if (status != BGR_ERR_SIZE)
        return status;
    forget_nodes(c);
    c->look = 0;
    c->delta = 0;
    status = try_nodes(c, 0, 0, 0, limit, INT32_MAX, o->max_work / 2, &c->nodes);
    c->by_turn = status == BGR_ERR_SIZE;
    double left = o->max_work * most_tries;
    for (int look = BGR_FINEST_LOOK; status == BGR_OK && look > 0 && !c->look; look--) {
        bgr_nodes more;
        if (c->nodes.work * (o->cannot_win ? more_to_save : more_work)[look] > fmin(o->max_work, left))
            continue;
        status = try_nodes(c, o->delta, 0, look, INT32_MAX, INT32_MAX, left, &more);
        if (status == BGR_OK) {
            bgr_nodes held = c->nodes;
            c->nodes = more;
            more = held;
            c->look = look;
            c->delta = o->delta;
        }
        left -= more.work;
        c->spent += more.work;
        bgr_nodes_free(&more);
        status = status == BGR_ERR_SIZE ? BGR_OK : status;
    }
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
    status = options->max_work > 0 ? find_common_nodes(c) : find_nodes(c);
    if (c->by_turn)
        bgr_candidates_by_turn(c);
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

void bgr_candidates_by_turn(bgr_candidates *c)
{
    forget_nodes(c);
    c->by_turn = 1;
    c->look = 0;
    c->delta = 0;
}

bgr_status bgr_candidates_start(bgr_candidates *c)
{
    if (c->nodes.n > most_by_turn)
        forget_nodes(c);
    return c->nodes.n ? BGR_OK : bgr_nodes_start(c->home, c->position, &c->options, INT32_MAX, &c->nodes);
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
