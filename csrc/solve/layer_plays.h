/* The plays of a layer's positions: what single dice make of one, and the best result of each roll. */
#ifndef BGR_LAYER_PLAYS_H
#define BGR_LAYER_PLAYS_H

#include "base/position.h"
#include "solve/layer_slots.h"
#include "solve/one_sided.h"

/* A position that is not home, and what single dice make of it. */
typedef struct {
    int t[BGR_MAX_POINTS + 1];
    int64_t lowered[BGR_MAX_POINTS]; /* by how much the local index falls when t[1] .. t[j] do */
    int32_t result[6][BGR_MAX_POINTS];
    int n_results[6];
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
        int32_t *result = v->result[d - 1];
        while (sources[k] < d)
            k++;
        v->n_results[d - 1] = n - k;
        for (int i = k; i < n; i++)
            result[i - k] = slot - (int32_t)(v->lowered[sources[i]] - v->lowered[sources[i] - d]);
    }
}

typedef struct {
    int32_t slot;
    double mean;
} layer_result;

/* The best result of each roll. */
typedef struct {
    int32_t slot[BGR_N_ROLLS];
    double mean[BGR_N_ROLLS];
} layer_choices;

static inline void consider(const double *mean, int32_t slot, layer_result *best)
{
    double difference = mean[slot] - best->mean;
    int better = (difference < -BGR_TIE) | ((difference <= BGR_TIE) & (slot < best->slot));
    best->slot = better ? slot : best->slot;
    best->mean = better ? mean[slot] : best->mean;
}

/* The best result of each roll; with chain, the best results of one, two and three dice as well.  Two dice can be
 * played in either order with the same results unless one of them brings the last checker home, after which the other
 * may bear off: with more checkers outside it is enough to play the larger die, which has fewer results, first. */
static inline void choose(const bgr_layer *l, const visit *v, int32_t *chain, layer_choices *chosen)
{
    const double *mean = l->mean;
    const int32_t *chains = l->chains;
    int any_order = v->t[BGR_HOME_POINTS] > 1;
    layer_result both[6][6]; /* the best after die a, then die b; a double: four times */
    for (int a = 0; a < 6; a++) {
        const int32_t *result = v->result[a];
        const int32_t *next = chains + (int64_t)result[0] * BGR_N_CHAINS;
        layer_result one = {result[0], mean[result[0]]}, two = {next[BGR_ONE_DIE + a], mean[next[BGR_ONE_DIE + a]]},
                     three = {next[BGR_TWO_DICE + a], mean[next[BGR_TWO_DICE + a]]};
        int past = any_order ? a + 1 : 6;
        for (int b = 0; b < past; b++) {
            int32_t slot = next[a == b ? BGR_THREE_DICE + a : BGR_ONE_DIE + b];
            both[a][b] = (layer_result){slot, mean[slot]};
        }
        for (int k = 1; k < v->n_results[a]; k++) {
            next = chains + (int64_t)result[k] * BGR_N_CHAINS;
            if (chain) {
                consider(mean, result[k], &one);
                consider(mean, next[BGR_ONE_DIE + a], &two);
                consider(mean, next[BGR_TWO_DICE + a], &three);
            }
            for (int b = 0; b < past; b++)
                consider(mean, next[a == b ? BGR_THREE_DICE + a : BGR_ONE_DIE + b], &both[a][b]);
        }
        if (chain) {
            chain[BGR_ONE_DIE + a] = one.slot;
            chain[BGR_TWO_DICE + a] = two.slot;
            chain[BGR_THREE_DICE + a] = three.slot;
        }
    }
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int a = bgr_rolls[roll].larger - 1, b = bgr_rolls[roll].smaller - 1;
        layer_result best = both[a][b];
        if (a != b && !any_order)
            consider(mean, both[b][a].slot, &best);
        chosen->slot[roll] = best.slot;
        chosen->mean[roll] = best.mean;
    }
}

#endif
