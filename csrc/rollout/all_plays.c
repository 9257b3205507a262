/* Everywhere that the legal plays of one side lead to, roll by roll and die by die. */

#include "rollout/all_plays.h"

#include "base/dice.h"
#include "base/memory.h"
#include "base/try.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_EDGES = 1 << 27, /* of a game */
    MAX_STEPS = 4 * BGR_MAX_RACE_ROLLS
};

static uint64_t slot_of(const bgr_all_plays *w, bgr_packed p)
{
    uint64_t x = p.near ^ (p.far * 0x9E3779B97F4A7C15u);
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    x = (x ^ x >> 32) & (uint64_t)(w->n_slots - 1);
    while (w->slot[x] >= 0 && !bgr_packed_same(w->position[w->set.first + w->slot[x]], p))
        x = (x + 1) & (uint64_t)(w->n_slots - 1);
    return x;
}

static bgr_status set_slots(bgr_all_plays *w, int64_t n)
{
    for (w->n_slots = 1024; w->n_slots < 2 * n; w->n_slots *= 2)
        ;
    if (!bgr_make_room((void **)&w->slot, &w->slot_room, w->n_slots, sizeof *w->slot))
        return BGR_ERR_MEMORY;
    memset(w->slot, -1, (size_t)w->n_slots * sizeof *w->slot);
    for (int64_t k = 0; k < w->set.n; k++)
        w->slot[slot_of(w, w->position[w->set.first + k])] = (int32_t)k;
    return BGR_OK;
}

static bgr_status begin_set(bgr_all_plays *w, int64_t about)
{
    w->set = (bgr_position_set){w->n, 0};
    return set_slots(w, about);
}

static bgr_status add_edge(bgr_all_plays *w, bgr_packed to)
{
    uint64_t at = slot_of(w, to);
    if (w->slot[at] < 0) {
        if (!bgr_make_room((void **)&w->position, &w->room, w->n + 1, sizeof *w->position))
            return BGR_ERR_MEMORY;
        w->position[w->n++] = to;
        w->slot[at] = (int32_t)w->set.n++;
    }
    if (!bgr_make_room((void **)&w->edge, &w->edge_room, w->n_edges + 1, sizeof *w->edge))
        return BGR_ERR_MEMORY;
    w->edge[w->n_edges++] = w->slot[at];
    return 2 * w->set.n > w->n_slots ? set_slots(w, 2 * w->set.n) : BGR_OK;
}

/* Every step of one checker; without checkers there is nothing to move. */
static bgr_status step_one(bgr_all_plays *w, bgr_packed p, int die)
{
    int home = bgr_packed_home(p), highest = home ? BGR_HOME_POINTS : BGR_MAX_POINTS;
    if (bgr_packed_same(p, bgr_empty_board))
        return add_edge(w, p);
    while (!bgr_packed_count(p, highest))
        highest--;
    for (int from = highest; from > 0; from--) {
        if (!bgr_packed_count(p, from) || !(from > die || (home && (from == die || from == highest))))
            continue;
        int to = from > die ? from - die : 0;
        bgr_packed moved = p;
        *(from < 16 ? &moved.near : &moved.far) -= bgr_packed_one(from);
        *(to < 16 ? &moved.near : &moved.far) += bgr_packed_one(to);
        BGR_TRY(add_edge(w, moved));
    }
    return BGR_OK;
}

/* The results of a die from a set, into the set that is being made; nothing of positions where the game is over against
 * `other`, if that is given. */
static bgr_status step_all(bgr_all_plays *w, bgr_position_set from, int die, const bgr_packed *other)
{
    bgr_die_step *step = &w->steps[w->n_steps++];
    *step = (bgr_die_step){.from = from, .start = w->n_starts};
    if (!bgr_make_room((void **)&w->start, &w->start_room, w->n_starts + from.n + 1, sizeof *w->start))
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k < from.n; k++) {
        bgr_packed p = w->position[from.first + k];
        w->start[w->n_starts++] = w->n_edges;
        if (!other || !bgr_is_over(w->question, p, *other))
            BGR_TRY(step_one(w, p, die));
        if (w->n_edges > MAX_EDGES)
            return BGR_ERR_SIZE;
    }
    w->start[w->n_starts++] = w->n_edges;
    step->to = w->set;
    return BGR_OK;
}

bgr_status bgr_all_plays_begin(bgr_all_plays *w, const bgr_question *question, bgr_packed position,
                               bgr_position_set *layer)
{
    if (!w->steps && !(w->steps = malloc(MAX_STEPS * sizeof *w->steps)))
        return BGR_ERR_MEMORY;
    w->question = question;
    w->n = w->n_starts = w->n_edges = 0;
    w->n_steps = 0;
    BGR_TRY(begin_set(w, 1));
    BGR_TRY(add_edge(w, position));
    *layer = w->set;
    return BGR_OK;
}

/* All legal plays of a roll.  Nothing is in the way in a race, and every die can be played as long as there are
 * checkers: so they are all plays of one die after the other, in either order. */
bgr_status bgr_all_plays_of(bgr_all_plays *w, int roll, const bgr_packed *other, bgr_position_set *layer)
{
    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
    bgr_position_set from = *layer, middle[2];
    if (larger == smaller)
        for (int k = 0; k < 4; k++) {
            BGR_TRY(begin_set(w, 2 * from.n));
            BGR_TRY(step_all(w, from, larger, k ? NULL : other));
            from = w->set;
        }
    else {
        for (int k = 0; k < 2; k++) {
            BGR_TRY(begin_set(w, 2 * from.n));
            BGR_TRY(step_all(w, from, k ? smaller : larger, other));
            middle[k] = w->set;
        }
        BGR_TRY(begin_set(w, 2 * (middle[0].n + middle[1].n)));
        for (int k = 0; k < 2; k++)
            BGR_TRY(step_all(w, middle[k], k ? larger : smaller, NULL));
        for (int k = w->n_steps - 2; k < w->n_steps; k++)
            w->steps[k].to = w->set;
    }
    *layer = w->set;
    return BGR_OK;
}

/* The greatest values of what a die leads to. */
void bgr_take_greatest(const bgr_all_plays *w, const bgr_die_step *step, int n, double *value)
{
    for (int64_t k = 0; k < step->from.n; k++) {
        double *values = value + (step->from.first + k) * n;
        for (int64_t e = w->start[step->start + k]; e < w->start[step->start + k + 1]; e++) {
            const double *after = value + (step->to.first + w->edge[e]) * n;
            for (int j = 0; j < n; j++)
                values[j] = after[j] > values[j] ? after[j] : values[j];
        }
    }
}

void bgr_all_plays_free(bgr_all_plays *w) { BGR_FREE(w->steps, w->position, w->start, w->edge, w->slot); }
