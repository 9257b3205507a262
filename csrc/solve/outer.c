/* The places of a side's checkers outside the home board, by rules that lump some of them, and their steps of single
 * dice. */

#include "solve/outer.h"

#include "base/memory.h"
#include "base/try.h"

#include <string.h>

enum { OUTER_POINTS = BGR_MAX_POINTS - BGR_HOME_POINTS, OUTER_DICE = 6, NO_PLACE = -1 };

/* Checkers on points 7 to 24, then those beyond `apart` and their pips. */
typedef struct {
    uint8_t on[OUTER_POINTS];
    uint8_t beyond;
    uint16_t pips_beyond;
} outer_place;

typedef struct {
    bgr_outer *outer;
    bgr_outer_rule rule;
    int highest;                    /* highest point with a checker at the start */
    int most[BGR_MAX_CHECKERS + 1]; /* by number of checkers: pips of as many checkers, the farthest at the start */
    outer_place *place;
    int32_t *slot; /* numbers of places by hash */
    int64_t n_slots, room, n_steps, step_room;
    const double *weight;
    double weights, limit;
} outer_search;

static uint64_t hash_place(const outer_place *place)
{
    uint64_t hash = place->pips_beyond * 31U + place->beyond;
    for (int k = 0; k < OUTER_POINTS; k++)
        hash = (hash ^ place->on[k]) * 0x9E3779B97F4A7C15U;
    return hash ^ hash >> 32;
}

static int same_place(const outer_place *a, const outer_place *b)
{
    return memcmp(a->on, b->on, OUTER_POINTS) == 0 && a->beyond == b->beyond && a->pips_beyond == b->pips_beyond;
}

/* The slot of a place; if it has none, the empty slot for it. */
static int32_t *slot_of(const outer_search *s, const outer_place *place)
{
    uint64_t at = hash_place(place) & (uint64_t)(s->n_slots - 1);
    while (s->slot[at] != NO_PLACE && !same_place(&s->place[s->slot[at]], place))
        at = (at + 1) & (uint64_t)(s->n_slots - 1);
    return &s->slot[at];
}

static int resize(void **array, int64_t n, size_t size)
{
    int64_t none = 0;
    return bgr_make_room(array, &none, n, size);
}

static bgr_status grow_places(outer_search *s)
{
    int64_t room = s->room ? 2 * s->room : 256;
    bgr_outer *o = s->outer;
    s->n_slots = 2 * room;
    if (!resize((void **)&s->place, room, sizeof *s->place) || !resize((void **)&o->checkers, room, 1) ||
        !resize((void **)&o->pips, room, sizeof *o->pips) ||
        !resize((void **)&o->start, room * OUTER_DICE + 1, sizeof *o->start) ||
        !resize((void **)&s->slot, s->n_slots, sizeof *s->slot))
        return BGR_ERR_MEMORY;
    memset(s->slot, NO_PLACE, (size_t)s->n_slots * sizeof *s->slot);
    for (int32_t k = 0; k < o->n; k++)
        *slot_of(s, &s->place[k]) = k;
    s->room = room;
    return BGR_OK;
}

/* Get the number of a place; add it if it is new. */
static bgr_status number_place(outer_search *s, const outer_place *place, int32_t *number)
{
    bgr_outer *o = s->outer;
    if (o->n >= s->room)
        BGR_TRY(grow_places(s));
    int32_t *slot = slot_of(s, place);
    *number = *slot;
    if (*slot != NO_PLACE)
        return BGR_OK;
    int checkers = place->beyond, pips = place->pips_beyond;
    for (int k = 0; k < OUTER_POINTS; k++) {
        checkers += place->on[k];
        pips += place->on[k] * (BGR_HOME_POINTS + 1 + k);
    }
    s->weights += s->weight[checkers];
    if (s->weights > s->limit)
        return BGR_ERR_SIZE;
    *number = *slot = o->n;
    s->place[o->n] = *place;
    o->checkers[o->n] = (uint8_t)checkers;
    o->pips[o->n] = (int16_t)pips;
    o->n++;
    return BGR_OK;
}

static bgr_status add_outer_step(outer_search *s, const outer_place *place, int entered)
{
    bgr_outer *o = s->outer;
    int32_t number;
    BGR_TRY(number_place(s, place, &number));
    if (!bgr_make_room((void **)&o->step, &s->step_room, s->n_steps + 1, sizeof *o->step))
        return BGR_ERR_MEMORY;
    o->step[s->n_steps++] = number * 8 + entered;
    return BGR_OK;
}

/* Record the place after a checker has moved to `point`. */
static bgr_status arrive_at(outer_search *s, outer_place place, int point)
{
    if (point <= BGR_HOME_POINTS)
        return add_outer_step(s, &place, point);
    place.on[point - BGR_HOME_POINTS - 1]++;
    return add_outer_step(s, &place, 0);
}

/* List the steps of checkers beyond `apart`, if any. */
static bgr_status step_from_beyond(outer_search *s, const outer_place *from, int die)
{
    int least = s->rule.apart + 1, n = from->beyond, pips = from->pips_beyond;
    if (n && pips - die >= least * n) {
        outer_place place = *from;
        place.pips_beyond = (uint16_t)(pips - die);
        BGR_TRY(add_outer_step(s, &place, 0));
    }
    for (int point = least; n && point < least + die && point <= s->highest; point++) {
        int left = pips - point;
        if (left < least * (n - 1) || left > s->most[n - 1])
            continue;
        outer_place place = *from;
        place.beyond--;
        place.pips_beyond = (uint16_t)left;
        BGR_TRY(arrive_at(s, place, point - die));
    }
    return BGR_OK;
}

static bgr_status step_from_points(outer_search *s, const outer_place *from, int die)
{
    int movers = s->rule.movers - (from->beyond > 0);
    for (int n = 0; n < OUTER_POINTS; n++) {
        int k = s->rule.near ? n : OUTER_POINTS - 1 - n, point = BGR_HOME_POINTS + 1 + k;
        if (!from->on[k] || (movers-- <= 0 && (s->rule.near || point - die > BGR_HOME_POINTS)))
            continue;
        outer_place place = *from;
        place.on[k]--;
        BGR_TRY(arrive_at(s, place, point - die));
    }
    return BGR_OK;
}

static bgr_status find_outer_steps(outer_search *s, bgr_listener *listener)
{
    for (int32_t number = 0; number < s->outer->n; number++) {
        for (int die = 1; die <= OUTER_DICE; die++) {
            outer_place from = s->place[number];
            s->outer->start[(int64_t)number * OUTER_DICE + die - 1] = s->n_steps;
            BGR_TRY(step_from_beyond(s, &from, die));
            BGR_TRY(step_from_points(s, &from, die));
        }
        if (bgr_is_stopped(listener, 1))
            return BGR_ERR_STOPPED;
    }
    s->outer->start[(int64_t)s->outer->n * OUTER_DICE] = s->n_steps;
    return BGR_OK;
}

/* List the first place, or all places with `known` checkers outside. */
static bgr_status start_search(outer_search *s, const int8_t *counts)
{
    outer_place place = {{0}, 0, 0};
    int32_t number, n = 0;
    for (int point = BGR_MAX_POINTS; point > BGR_HOME_POINTS; point--) {
        int n_on = counts[point - 1];
        if (n_on && !s->highest)
            s->highest = point;
        for (int k = 0; k < n_on; k++, n++)
            s->most[n + 1] = s->most[n] + point;
        if (point <= s->rule.apart)
            place.on[point - BGR_HOME_POINTS - 1] = (uint8_t)n_on;
        else {
            place.beyond = (uint8_t)(place.beyond + n_on);
            place.pips_beyond = (uint16_t)(place.pips_beyond + n_on * point);
        }
    }
    int known = s->rule.known;
    if (n <= known)
        return number_place(s, &place, &number);
    for (int pips = known * (BGR_HOME_POINTS + 1); pips <= s->most[known]; pips++) {
        const outer_place next = {{0}, (uint8_t)known, (uint16_t)pips};
        BGR_TRY(number_place(s, &next, &number));
    }
    return BGR_OK;
}

bgr_status bgr_outer_new(const int8_t *counts, bgr_outer_rule rule, const double *weight, double limit,
                         bgr_listener *listener, double *weights, bgr_outer **outer)
{
    outer_search s = {.rule = rule, .weight = weight, .limit = limit};
    *outer = NULL;
    s.outer = calloc(1, sizeof *s.outer);
    bgr_status status = s.outer ? start_search(&s, counts) : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = find_outer_steps(&s, listener);
    BGR_FREE(s.place, s.slot);
    *weights = s.weights;
    BGR_HAND_OVER(status, s.outer, outer, bgr_outer_free);
}

void bgr_outer_free(bgr_outer *outer)
{
    if (!outer)
        return;
    BGR_FREE(outer->checkers, outer->pips, outer->start, outer->step, outer);
}
