/* The mean and the distribution of the last position of a layer. */

#include "solve/layer.h"

#include "base/memory.h"

#include <string.h>

double bgr_layer_mean(const bgr_layer *layer, const int8_t *counts)
{
    const bgr_layer_home *h = layer->home;
    int t[BGR_MAX_POINTS] = {0};
    int64_t index = 0;
    bgr_suffix_sums(layer->points, counts, t);
    if (t[0] == layer->checkers)
        return layer->mean[h->space.size + local_index(layer, t)];
    (void)bgr_index(&h->space, counts, &index);
    return h->mean[index];
}

/* The probability after a number of rolls: slots that have some, each once. */
typedef struct {
    double *chance; /* by slot */
    int32_t *slot;
    int64_t n, room;
} layer_chances;

static int add_chance(layer_chances *c, int32_t slot, double chance)
{
    if (c->chance[slot] == 0) {
        if (!bgr_make_room((void **)&c->slot, &c->room, c->n + 1, sizeof *c->slot))
            return 0;
        c->slot[c->n++] = slot;
    }
    c->chance[slot] += chance;
    return 1;
}

/* Spread the probability of a slot over its results, or, if it is home, over its distribution. */
static int pass_on(const bgr_layer *l, int32_t slot, double chance, int n_rolls, layer_chances *after,
                   double *distribution)
{
    const bgr_layer_home *h = l->home;
    int64_t home_index = slot, n_home = h->space.size;
    visit v;
    play_choices chosen;
    memset(&v, 0, sizeof v);
    if (slot >= n_home) {
        local_position(l, slot - n_home, v.t);
        if (v.t[BGR_HOME_POINTS] > 0) {
            find_results(l, slot, 1, &v);
            choose(l, &v, NULL, &chosen);
            for (int roll = 0; roll < BGR_N_ROLLS; roll++)
                if (!add_chance(after, chosen.place[roll], bgr_rolls[roll].weight * chance / 36))
                    return 0;
            return 1;
        }
        home_index = 0;
        for (int j = 0; j < BGR_HOME_POINTS; j++)
            home_index += h->space.term[j][v.t[j]];
    }
    const double *row = h->distribution + home_index * h->width;
    for (int k = 0; k < h->width && n_rolls + k < BGR_MAX_RACE_ROLLS; k++)
        distribution[n_rolls + k] += chance * row[k];
    return 1;
}

bgr_status bgr_layer_distribution(const bgr_layer *layer, double *distribution)
{
    layer_chances both[2] = {{0}, {0}};
    int there_is_room = 1;
    for (int k = 0; k < 2; k++) {
        both[k].chance = bgr_reserve((size_t)layer->n_slots * sizeof *both[k].chance, BGR_ANY_PAGES);
        there_is_room &= both[k].chance != NULL;
    }
    memset(distribution, 0, BGR_MAX_RACE_ROLLS * sizeof *distribution);
    there_is_room = there_is_room && add_chance(&both[0], (int32_t)(layer->n_slots - 1), 1);
    for (int n_rolls = 0; there_is_room && both[n_rolls % 2].n > 0; n_rolls++) {
        layer_chances *now = &both[n_rolls % 2], *after = &both[(n_rolls + 1) % 2];
        for (int64_t k = 0; there_is_room && k < now->n; k++) {
            double chance = now->chance[now->slot[k]];
            now->chance[now->slot[k]] = 0;
            there_is_room = pass_on(layer, now->slot[k], chance, n_rolls, after, distribution);
        }
        now->n = 0;
    }
    for (int k = 0; k < 2; k++) {
        bgr_unreserve(both[k].chance, (size_t)layer->n_slots * sizeof *both[k].chance);
        free(both[k].slot);
    }
    return there_is_room ? BGR_OK : BGR_ERR_MEMORY;
}
