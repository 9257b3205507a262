/* The plays of a layer's positions: what single dice make of one, and the best result of each roll. */
#ifndef BGR_LAYER_PLAYS_H
#define BGR_LAYER_PLAYS_H

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

static inline void consider(const double *mean, int32_t slot, layer_result *best)
{
    double difference = mean[slot] - best->mean;
    int better = (difference < -BGR_TIE) | ((difference <= BGR_TIE) & (slot < best->slot));
    best->slot = better ? slot : best->slot;
    best->mean = better ? mean[slot] : best->mean;
}

/* The best result of each roll; with chain, the best results of one, two and three dice as well. */
static inline void choose(const bgr_layer *l, const visit *v, layer_result *chosen, int32_t *chain)
{
    const double *mean = l->mean;
    const int32_t *chains = l->chains;
    layer_result both[6][6]; /* the best after die a, then die b; a double: four times */
    for (int a = 0; a < 6; a++) {
        const int32_t *result = v->result[a];
        const int32_t *next = chains + (int64_t)result[0] * BGR_N_CHAINS;
        layer_result one = {result[0], mean[result[0]]}, two = {next[a], mean[next[a]]},
                     three = {next[6 + a], mean[next[6 + a]]};
        for (int b = 0; b < 6; b++) {
            int32_t slot = next[a == b ? 12 + a : b];
            both[a][b] = (layer_result){slot, mean[slot]};
        }
        for (int k = 1; k < v->n_results[a]; k++) {
            next = chains + (int64_t)result[k] * BGR_N_CHAINS;
            if (chain) {
                consider(mean, result[k], &one);
                consider(mean, next[a], &two);
                consider(mean, next[6 + a], &three);
            }
            for (int b = 0; b < 6; b++)
                consider(mean, next[a == b ? 12 + a : b], &both[a][b]);
        }
        if (chain) {
            chain[a] = one.slot;
            chain[6 + a] = two.slot;
            chain[12 + a] = three.slot;
        }
    }
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int a = bgr_rolls[roll].larger - 1, b = bgr_rolls[roll].smaller - 1;
        chosen[roll] = both[a][b];
        if (a != b)
            consider(mean, both[b][a].slot, &chosen[roll]);
    }
}

#endif
