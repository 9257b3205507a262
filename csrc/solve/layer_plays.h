/* The plays of a layer's positions: what single dice make of one, and the best result of each roll. */
#ifndef BGR_LAYER_PLAYS_H
#define BGR_LAYER_PLAYS_H

#include "base/position.h"
#include "solve/layer_slots.h"
#include "solve/play_choices.h"

/* A position that is not home, and what single dice make of it. */
typedef struct {
    int t[BGR_MAX_POINTS + 1];
    int64_t lowered[BGR_MAX_POINTS]; /* by how much the local index falls when t[1] .. t[j] do */
    dice_results dice;
} visit;

static inline void find_results(const bgr_layer *l, int32_t slot, int changed, visit *v)
{
    int sources[BGR_MAX_POINTS], n = 0;
    for (int j = changed; j < l->points; j++)
        v->lowered[j] = v->lowered[j - 1] + (v->t[j] ? l->count[j][v->t[j] - 1] : 0);
    for (int j = 1; j < l->points; j++) {
        sources[n] = j;
        n += v->t[j] > v->t[j + 1];
    }
    for (int d = 1, k = 0; d <= 6; d++) {
        int32_t *result = v->dice.result[d - 1];
        while (sources[k] < d)
            k++;
        v->dice.n_results[d - 1] = n - k;
        for (int i = k; i < n; i++)
            result[i - k] = slot - (int32_t)(v->lowered[sources[i]] - v->lowered[sources[i] - d]);
    }
}

/* As choose_best has it.  Two dice can be played in either order with the same results unless one of them brings the
 * last checker home, after which the other may bear off. */
static inline void choose(const bgr_layer *l, const visit *v, int32_t *chain, play_choices *chosen)
{
    choose_best(l->mean, l->chains, &v->dice, v->t[BGR_HOME_POINTS] > 1 ? 6 : 0, chain, chosen);
}

#endif
