#include "rollout/blend_lookup.h"

#include "base/memory.h"
#include "base/try.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NUMBERS = BGR_OFF_WIDTH + 1 };

typedef struct {
    bgr_packed position;
    int32_t number;
} listed;

/* One layer but the empty board: its positions by local number, with their numbers: chances to be off within low,
 * low + 1, .. rolls, as far as they differ, and one more.  A side that cannot win has only that. */
typedef struct {
    int32_t n;
    int low, n_chances;
    bgr_alike *alike;
    float *numbers;
    int32_t *by_mean; /* by kind, and then by mean; those of a kind begin here: */
    int32_t start[BGR_N_KINDS + 1];
    listed *listed; /* sorted by position */
} layer_standing;

struct bgr_standing {
    const bgr_reach_home *home;
    bgr_reach_options options;
    int n_layers;
    layer_standing *layers;
};

/* Nobody asks for those of a side that cannot win. */
static void find_chances(const bgr_standing *s, bgr_packed position, bgr_off_chances chances)
{
    memset(chances, 0, sizeof(bgr_off_chances));
    if (!s->options.cannot_win)
        bgr_position_chances(s->home, position, chances);
}

/* All that a position is told apart by; numbers [out] MAX_NUMBERS at most. */
static bgr_alike alike_of(const bgr_standing *s, const layer_standing *l, bgr_packed position, const float *chances,
                          float *numbers)
{
    const bgr_reach_options *o = &s->options;
    int full = !bgr_packed_any_off(position);
    double first = full && o->first_checker && !o->cannot_win ? bgr_position_first(s->home, position) : 0;
    double variance = full && o->cannot_win ? bgr_position_variance(s->home, position) : 0;
    memcpy(numbers, chances + l->low, (size_t)l->n_chances * sizeof *numbers);
    numbers[l->n_chances] = bgr_likeness(o, first, variance);
    return (bgr_alike){bgr_aimed_mean(s->home, o->cannot_win, position), first, 0, bgr_kind_of(o, position), numbers};
}

/* ------------------------------------------------------------------ a layer */

static int compare_listed(const void *a, const void *b)
{
    bgr_packed x = ((const listed *)a)->position, y = ((const listed *)b)->position;
    return bgr_packed_same(x, y) ? 0 : bgr_packed_before(x, y) ? -1 : 1;
}

static bgr_status fill(const bgr_standing *s, const bgr_reach *reach, int turn, layer_standing *l)
{
    const bgr_reach_layer *layer = &reach->layers[turn];
    size_t n = (size_t)layer->n;
    bgr_off_chances *chances = malloc(n * sizeof *chances);
    bgr_keyed *room = malloc(2 * n * sizeof *room);
    l->n = layer->n - 1;
    l->alike = malloc(n * sizeof *l->alike);
    l->by_mean = malloc(n * sizeof *l->by_mean);
    l->listed = malloc(n * sizeof *l->listed);
    bgr_status status = chances && room && l->alike && l->by_mean && l->listed ? BGR_OK : BGR_ERR_MEMORY;
    for (int32_t k = 0; status == BGR_OK && k < l->n; k++) {
        l->listed[k] = (listed){bgr_packed_of(reach->counts[layer->node[k + 1]]), k + 1};
        find_chances(s, l->listed[k].position, chances[k]);
    }
    if (status == BGR_OK) {
        const bgr_listed_chances all = {(const bgr_off_chances *)chances, NULL};
        bgr_find_range(&all, 0, l->n, &l->low, &l->n_chances);
        l->numbers = malloc(n * (size_t)(l->n_chances + 1) * sizeof *l->numbers);
        status = l->numbers ? BGR_OK : BGR_ERR_MEMORY;
    }
    for (int32_t k = 0; status == BGR_OK && k < l->n; k++) {
        float *numbers = l->numbers + (int64_t)(k + 1) * (l->n_chances + 1);
        l->alike[k + 1] = alike_of(s, l, l->listed[k].position, chances[k], numbers);
        for (int kind = l->alike[k + 1].kind + 1; kind <= BGR_N_KINDS; kind++)
            l->start[kind]++;
    }
    if (status == BGR_OK) {
        bgr_sort_alike(l->alike + 1, l->n, 1, room, l->by_mean);
        for (int32_t k = 0; k < l->n; k++)
            l->by_mean[k]++;
        qsort(l->listed, (size_t)l->n, sizeof *l->listed, compare_listed);
    }
    free(chances);
    free(room);
    return status;
}

bgr_status bgr_standing_new(const bgr_reach_home *home, const bgr_reach *reach, const bgr_reach_options *options,
                            bgr_standing **standing)
{
    *standing = NULL;
    bgr_standing *s = calloc(1, sizeof *s);
    if (!s)
        return BGR_ERR_MEMORY;
    s->home = home;
    s->options = *options;
    s->n_layers = reach->n_layers;
    s->layers = calloc((size_t)s->n_layers, sizeof *s->layers);
    bgr_status status = s->layers ? BGR_OK : BGR_ERR_MEMORY;
    for (int t = 1; status == BGR_OK && t < s->n_layers; t++)
        status = fill(s, reach, t, &s->layers[t]);
    BGR_HAND_OVER(status, s, standing, bgr_standing_free);
}

void bgr_standing_free(bgr_standing *standing)
{
    if (!standing)
        return;
    for (int t = 0; standing->layers && t < standing->n_layers; t++) {
        layer_standing *l = &standing->layers[t];
        BGR_FREE(l->alike, l->numbers, l->by_mean, l->listed);
    }
    free(standing->layers);
    free(standing);
}

int32_t bgr_standing_itself(const bgr_standing *s, int turn, bgr_packed position)
{
    const listed sought = {position, 0};
    if (turn >= s->n_layers)
        return -1;
    const layer_standing *l = &s->layers[turn];
    const listed *itself = bsearch(&sought, l->listed, (size_t)l->n, sizeof sought, compare_listed);
    return itself ? itself->number : -1;
}

int bgr_standing_of(const bgr_standing *s, int turn, bgr_packed position, bgr_blend *blend)
{
    bgr_off_chances chances;
    float numbers[MAX_NUMBERS];
    int32_t itself = bgr_standing_itself(s, turn, position);
    if (turn >= s->n_layers)
        return 0;
    if (itself >= 0) {
        *blend = (bgr_blend){{itself}, {1}};
        return 1;
    }
    const layer_standing *l = &s->layers[turn];
    find_chances(s, position, chances);
    bgr_alike x = alike_of(s, l, position, chances, numbers);
    int32_t start = l->start[x.kind], n = l->start[x.kind + 1] - start;
    if (n)
        *blend = bgr_blend_among(l->alike, l->by_mean + start, n, l->n_chances + 1, &x);
    return n > 0;
}
