/* One player alone on more than six points: a layer, all positions of one number of checkers, at a time.
 *
 * As long as a checker is outside the home board no checker comes off, so the positions of a layer that are not home
 * depend on each other and on home positions, and on nothing else.  The home board is solved first, exactly, on its own
 * six points (bgr_home); then each layer by itself, so the memory needed is that of the largest layer.
 *
 * Numbering.  With t_j checkers on point j or beyond, a layer is the set of t_1 >= t_2 >= ... >= t_p with t_1 the
 * number of checkers and t_j at most a given most_j.  In order of t_2, then t_3, ... it has the local index sum over j
 * = 2 .. p of N_j(0) + ... + N_j(t_j - 1),   N_j(v) = how many t_{j+1} >= ... >= t_p there are below v. Without limits
 * (most_j = t_1) that is the index less the number of positions with fewer checkers; with most_j those of one position,
 * the layer is what can become of that position before a checker comes off.  A die lowers a run of t_j by one, and so
 * the local index by a few N_j.
 *
 * Slots.  Home positions with fewer checkers keep their index on six points; after all of those (home->space.size) come
 * the local indices.  Slots rise with the index.
 *
 * Order.  Positions with the same t_2 .. t_d form a block, which is a run of local indices.  A play either stays in its
 * block and lowers the local index, or lowers t_2 + ... + t_d.  So blocks of equal sum (a level) don't depend on each
 * other and go to the threads, and a block is solved from its first position to its last: the positions that are looked
 * up for one are neighbours of those looked up for the last, which keeps them in the cache.
 *
 * Distributions are kept in 16 bits, one cache line a position: the chance of k rolls, in units of 1 /
 * BGR_CHANCE_SCALE, is element k % 32, so rows of different positions add up without being shifted.  A row is the mean
 * of 36 rows, rounded once: its partial sums to the nearest integer, halves to even.  So each row sums to exactly one,
 * and the chance of being off in at most k rolls, whatever k is, is rounded without a bias. */

#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { HOME = 6, RING = 32, BLOCK = 64 };

struct bgr_home {
    bgr_space space;
    int stop;
    double *mean, *variance;
    int32_t *chains;
    double *distribution; /* space.size x width */
    int width;
    uint16_t *rings; /* space.size x RING */
    uint8_t *first, *length;
};

struct bgr_layer {
    const bgr_home *home;
    int points, checkers;
    int8_t most[BGR_MAX_POINTS];
    int64_t size;
    int64_t count[BGR_MAX_POINTS][BGR_MAX_CHECKERS + 1]; /* N_{j + 1}(v) */
    int64_t n_slots;
    /* By slot: */
    double *mean, *variance;
    int32_t *chains;
    uint16_t *rings;
    uint8_t *first, *length; /* of the part of a ring that is not 0 */
};

/* ------------------------------------------------------------------ the home board */

/* Round the cumulative sums of chances[0 .. n - 1] into a ring. */
static void ring_of(const double *chances, int n, uint16_t *ring, uint8_t *first, uint8_t *length)
{
    double sum = 0;
    int before = 0, start = -1, last = 0;
    memset(ring, 0, RING * sizeof *ring);
    for (int k = 0; k < n; k++) {
        sum += chances[k];
        int now = k == n - 1 ? BGR_CHANCE_SCALE : (int)(sum * BGR_CHANCE_SCALE + 0.5);
        if (now > before) {
            ring[k % RING] = (uint16_t)(now - before);
            if (start < 0)
                start = k;
            last = k;
        }
        before = now;
    }
    *first = (uint8_t)start;
    *length = (uint8_t)(last - start + 1);
}

bgr_status bgr_home_new(int checkers, int stop, int n_threads, bgr_home **home)
{
    bgr_home *h = calloc(1, sizeof *h);
    if (!h)
        return BGR_ERR_MEMORY;
    bgr_status status = bgr_space_init(HOME, checkers, &h->space);
    if (status != BGR_OK) {
        free(h);
        return status;
    }
    h->stop = stop;
    size_t n = (size_t)h->space.size;
    int32_t *best = malloc(n * BGR_N_ROLLS * sizeof *best);
    uint8_t *longest = malloc(n);
    h->mean = malloc(n * sizeof *h->mean);
    h->variance = malloc(n * sizeof *h->variance);
    h->chains = malloc(n * BGR_N_CHAINS * sizeof *h->chains);
    h->rings = malloc(n * RING * sizeof *h->rings);
    h->first = malloc(n);
    h->length = malloc(n);
    status = BGR_ERR_MEMORY;
    if (best && longest && h->mean && h->variance && h->chains && h->rings && h->first && h->length)
        status = bgr_one_sided_chains(&h->space, stop, n_threads, h->mean, best, longest, h->chains);
    if (status == BGR_OK) {
        for (size_t i = 0; i < n; i++)
            if (longest[i] >= h->width)
                h->width = longest[i] + 1;
        h->distribution = malloc(n * (size_t)h->width * sizeof *h->distribution);
        status = h->distribution ? bgr_one_sided_distributions(&h->space, stop, n_threads, best, longest, h->width,
                                                               h->distribution, h->variance)
                                 : BGR_ERR_MEMORY;
    }
    for (size_t i = 0; status == BGR_OK && i < n; i++)
        ring_of(h->distribution + i * (size_t)h->width, h->width, h->rings + i * RING, h->first + i, h->length + i);
    free(best);
    free(longest);
    if (status != BGR_OK) {
        bgr_home_free(h);
        return status;
    }
    *home = h;
    return BGR_OK;
}

void bgr_home_free(bgr_home *home)
{
    if (!home)
        return;
    free(home->mean);
    free(home->variance);
    free(home->chains);
    free(home->distribution);
    free(home->rings);
    free(home->first);
    free(home->length);
    free(home);
}

/* ------------------------------------------------------------------ numbers */

/* How many sequences t_2 .. t_n there are, and count[j][v] for j = 0 .. n - 1: how many for t_{j+2} .. t_n, all at most
 * v. */
static int64_t count_sequences(int checkers, const int8_t *most, int n, int64_t count[][BGR_MAX_CHECKERS + 1])
{
    for (int v = 0; v <= checkers; v++)
        count[n - 1][v] = 1;
    for (int j = n - 2; j >= 0; j--) {
        int64_t sum = 0;
        for (int v = 0; v <= checkers; v++) {
            if (v <= most[j + 1])
                sum += count[j + 1][v];
            count[j][v] = sum;
        }
    }
    return count[0][checkers];
}

static bgr_status layer_init(const bgr_home *home, int points, const int8_t *most, bgr_layer *l)
{
    memset(l, 0, sizeof *l);
    if (points <= HOME || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    if (most[0] < home->stop || most[0] > home->space.checkers)
        return BGR_ERR_CHECKERS;
    for (int j = 1; j < points; j++)
        if (most[j] < 0 || most[j] > most[j - 1])
            return BGR_ERR_POSITION;
    l->home = home;
    l->points = points;
    l->checkers = most[0];
    memcpy(l->most, most, (size_t)points);
    l->size = count_sequences(l->checkers, l->most, points, l->count);
    l->n_slots = home->space.size + l->size;
    return BGR_OK;
}

/* The local index of t, and the inverse. */
static int64_t local_index(const bgr_layer *l, const int *t)
{
    int64_t index = 0;
    for (int j = 1; j < l->points; j++)
        for (int v = 0; v < t[j]; v++)
            index += l->count[j][v];
    return index;
}

static void local_position(const bgr_layer *l, int64_t index, int *t)
{
    t[0] = l->checkers;
    for (int j = 1; j < l->points; j++)
        for (t[j] = 0; index >= l->count[j][t[j]]; t[j]++)
            index -= l->count[j][t[j]];
}

/* Go to the next local index; gives the first j that changed, or 0 after the last. */
static int next_position(const bgr_layer *l, int last, int *t)
{
    int j = last;
    while (j > 0 && (t[j] == l->most[j] || t[j] == t[j - 1]))
        t[j--] = 0;
    if (j > 0)
        t[j]++;
    return j;
}

bgr_status bgr_layer_size(const bgr_home *home, int points, const int8_t *most, int64_t *size)
{
    bgr_layer l;
    bgr_status status = layer_init(home, points, most, &l);
    if (status == BGR_OK)
        *size = l.size;
    return status;
}

int bgr_layer_slot_bytes(int distributions)
{
    int means = (int)sizeof(double) + BGR_N_CHAINS * (int)sizeof(int32_t);
    return distributions ? means + (int)sizeof(double) + RING * (int)sizeof(uint16_t) + 2 : means;
}

/* ------------------------------------------------------------------ blocks */

typedef struct {
    int last;        /* a block is what t[1] .. t[last] say */
    int64_t *first;  /* local index of the first position of each, by level */
    int64_t *start;  /* n_levels + 1: the first block of each level */
    int64_t *solved; /* n_levels: how many positions a level and those before it have */
    int n_levels;
} blocks;

static void blocks_free(blocks *b)
{
    free(b->first);
    free(b->start);
    free(b->solved);
}

static bgr_status blocks_new(const bgr_layer *l, blocks *b)
{
    /* Long enough to be worth a visit, and enough of them to keep all threads busy on most levels. */
    enum { MEAN_LENGTH = 64 };
    int64_t count[BGR_MAX_POINTS][BGR_MAX_CHECKERS + 1], n = 1;
    b->last = 0;
    while (b->last < l->points - 1) {
        int64_t more = count_sequences(l->checkers, l->most, b->last + 2, count);
        if (more > 1 && more > l->size / MEAN_LENGTH)
            break;
        n = more;
        b->last++;
    }
    b->n_levels = 1;
    for (int j = 1; j <= b->last; j++)
        b->n_levels += l->most[j];
    b->first = malloc((size_t)n * sizeof *b->first);
    b->start = calloc((size_t)b->n_levels + 1, sizeof *b->start);
    b->solved = calloc((size_t)b->n_levels, sizeof *b->solved);
    if (!b->first || !b->start || !b->solved) {
        blocks_free(b);
        return BGR_ERR_MEMORY;
    }
    for (int pass = 0; pass < 2; pass++) {
        int t[BGR_MAX_POINTS] = {l->checkers};
        int64_t first = 0;
        do {
            int level = 0;
            for (int j = 1; j <= b->last; j++)
                level += t[j];
            int64_t length = l->count[b->last][t[b->last]];
            if (pass == 0) {
                b->start[level + 1]++;
                b->solved[level] += length;
            } else {
                b->first[b->start[level]++] = first;
            }
            first += length;
        } while (next_position(l, b->last, t) > 0);
        if (pass == 0)
            for (int k = 0; k < b->n_levels; k++)
                b->start[k + 1] += b->start[k];
    }
    /* Each start has moved to the end of its level, where the next one began. */
    memmove(b->start + 1, b->start, (size_t)b->n_levels * sizeof *b->start);
    b->start[0] = 0;
    for (int k = 1; k < b->n_levels; k++)
        b->solved[k] += b->solved[k - 1];
    return BGR_OK;
}

/* ------------------------------------------------------------------ one position */

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
} candidate;

static inline void consider(const double *mean, int32_t slot, candidate *best)
{
    double difference = mean[slot] - best->mean;
    int better = (difference < -BGR_TIE) | ((difference <= BGR_TIE) & (slot < best->slot));
    best->slot = better ? slot : best->slot;
    best->mean = better ? mean[slot] : best->mean;
}

/* The best result of each roll; with chain, the best results of one, two and three dice as well. */
static inline void choose(const bgr_layer *l, const visit *v, candidate *chosen, int32_t *chain)
{
    const double *mean = l->mean;
    const int32_t *chains = l->chains;
    candidate both[6][6]; /* the best after die a, then die b; a double: four times */
    for (int a = 0; a < 6; a++) {
        const int32_t *result = v->result[a];
        const int32_t *next = chains + (int64_t)result[0] * BGR_N_CHAINS;
        candidate one = {result[0], mean[result[0]]}, two = {next[a], mean[next[a]]},
                  three = {next[6 + a], mean[next[6 + a]]};
        for (int b = 0; b < 6; b++) {
            int32_t slot = next[a == b ? 12 + a : b];
            both[a][b] = (candidate){slot, mean[slot]};
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

/* Add up the rings of the chosen results, and round.  0 if they don't fit into a ring. */
static inline int add_rings(const bgr_layer *l, const candidate *chosen, int32_t slot)
{
    uint32_t sums[RING], doubles[RING];
    int start = 255, past = 0;
    memset(sums, 0, sizeof sums);
    memset(doubles, 0, sizeof doubles);
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int32_t from = chosen[roll].slot;
        const uint16_t *ring = l->rings + (int64_t)from * RING;
        int first = l->first[from], beyond = first + l->length[from];
        start = first < start ? first : start;
        past = beyond > past ? beyond : past;
        uint32_t *to = bgr_rolls[roll].weight == 1 ? doubles : sums;
        for (int k = 0; k < RING; k++)
            to[k] += ring[k];
    }
    if (past - start > RING - 1)
        return 0;
    uint16_t *ring = l->rings + (int64_t)slot * RING;
    memset(ring, 0, RING * sizeof *ring);
    uint32_t sum = 0, before = 0;
    int first = 0, last = 0;
    for (int k = start; k < past; k++) {
        sum += 2 * sums[k % RING] + doubles[k % RING];
        uint32_t now = sum / 36, rest = sum % 36;
        now += (rest > 18) | ((rest == 18) & now & 1);
        ring[(k + 1) % RING] = (uint16_t)(now - before);
        if (now > before) {
            first = before ? first : k + 1;
            last = k + 1;
        }
        before = now;
    }
    l->first[slot] = (uint8_t)first;
    l->length[slot] = (uint8_t)(last - first + 1);
    return 1;
}

/* Solve the positions of a block.  0 if a distribution doesn't fit. */
BGR_EVERY_WIDTH
static int solve_block(const bgr_layer *l, const blocks *b, int64_t first)
{
    visit v;
    candidate chosen[BGR_N_ROLLS];
    int64_t n_home = l->home->space.size;
    int changed = 1;
    memset(&v, 0, sizeof v);
    local_position(l, first, v.t);
    int64_t past = first + l->count[b->last][v.t[b->last]];
    for (int64_t local = first; local < past; local++) {
        int32_t slot = (int32_t)(n_home + local);
        if (v.t[HOME] > 0) {
            find_results(l, slot, changed, &v);
            choose(l, &v, chosen, l->chains + (int64_t)slot * BGR_N_CHAINS);
            double mean = 0;
            for (int roll = 0; roll < BGR_N_ROLLS; roll++)
                mean += bgr_rolls[roll].weight * chosen[roll].mean;
            mean /= 36;
            l->mean[slot] = 1 + mean;
            if (l->rings) {
                double variance = 0;
                for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
                    double off = chosen[roll].mean - mean;
                    variance += bgr_rolls[roll].weight * (l->variance[chosen[roll].slot] + off * off);
                }
                l->variance[slot] = variance / 36;
                if (!add_rings(l, chosen, slot))
                    return 0;
            }
            changed = l->points;
        } else {
            changed = 1;
        }
        int j = next_position(l, l->points - 1, v.t);
        changed = j < changed ? j : changed;
    }
    return 1;
}

/* ------------------------------------------------------------------ a layer */

/* Slots of home positions: those with fewer checkers, and, of those in the layer, the ones with as many. */
static void copy_home(bgr_layer *l)
{
    const bgr_home *h = l->home;
    int64_t n_home = h->space.size, n_fewer = h->space.term[0][l->checkers];
    int64_t past = l->checkers < h->space.checkers ? h->space.term[0][l->checkers + 1] : n_home;
    memcpy(l->mean, h->mean, (size_t)n_fewer * sizeof *l->mean);
    memcpy(l->chains, h->chains, (size_t)n_fewer * BGR_N_CHAINS * sizeof *l->chains);
    if (l->rings) {
        memcpy(l->variance, h->variance, (size_t)n_fewer * sizeof *l->variance);
        memcpy(l->rings, h->rings, (size_t)n_fewer * RING * sizeof *l->rings);
        memcpy(l->first, h->first, (size_t)n_fewer);
        memcpy(l->length, h->length, (size_t)n_fewer);
    }
    /* Twice: chains lead from one to another.  The first pass leaves each one's slot in place of its first chain. */
    for (int pass = 0; pass < 2; pass++)
        for (int64_t index = n_fewer; index < past; index++) {
            int8_t counts[HOME];
            int t[BGR_MAX_POINTS] = {0}, outside = 0;
            bgr_position(&h->space, index, counts);
            bgr_suffix_sums(HOME, counts, t);
            for (int j = 0; j < HOME; j++)
                outside |= t[j] > l->most[j];
            if (outside)
                continue;
            int64_t slot = n_home + local_index(l, t);
            if (pass == 0) {
                l->chains[index * BGR_N_CHAINS] = (int32_t)slot;
                continue;
            }
            for (int k = 0; k < BGR_N_CHAINS; k++) {
                int32_t to = h->chains[index * BGR_N_CHAINS + k];
                l->chains[slot * BGR_N_CHAINS + k] = to < n_fewer ? to : l->chains[(int64_t)to * BGR_N_CHAINS];
            }
            l->mean[slot] = h->mean[index];
            if (l->rings) {
                l->variance[slot] = h->variance[index];
                memcpy(l->rings + slot * RING, h->rings + index * RING, RING * sizeof *l->rings);
                l->first[slot] = h->first[index];
                l->length[slot] = h->length[index];
            }
        }
}

static void *reserve(int64_t n, size_t size) { return bgr_reserve((size_t)n * size, 1); }

static void let_go(void *start, int64_t n, size_t size) { bgr_unreserve(start, (size_t)n * size); }

void bgr_layer_free(bgr_layer *layer)
{
    if (!layer)
        return;
    let_go(layer->mean, layer->n_slots, sizeof *layer->mean);
    let_go(layer->variance, layer->n_slots, sizeof *layer->variance);
    let_go(layer->chains, layer->n_slots * BGR_N_CHAINS, sizeof *layer->chains);
    let_go(layer->rings, layer->n_slots * RING, sizeof *layer->rings);
    let_go(layer->first, layer->n_slots, 1);
    let_go(layer->length, layer->n_slots, 1);
    free(layer);
}

static bgr_status solve_layer(const bgr_layer *l, int n_threads, bgr_progress progress, void *context)
{
    blocks b;
    bgr_status status = blocks_new(l, &b);
    int too_wide = 0;
    (void)n_threads;
    for (int level = 0; status == BGR_OK && level < b.n_levels; level++) {
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1) reduction(| : too_wide)
        for (int64_t k = b.start[level]; k < b.start[level + 1]; k++)
            too_wide |= !solve_block(l, &b, b.first[k]);
        if (too_wide)
            status = BGR_ERR_SIZE;
        else if (progress && progress(context, level, b.solved[level], l->size))
            status = BGR_ERR_STOPPED;
    }
    if (status != BGR_ERR_MEMORY)
        blocks_free(&b);
    return status;
}

bgr_status bgr_layer_new(const bgr_home *home, int points, const int8_t *most, int distributions, int n_threads,
                         bgr_progress progress, void *context, bgr_layer **layer)
{
    bgr_layer *l = malloc(sizeof *l);
    if (!l)
        return BGR_ERR_MEMORY;
    bgr_status status = layer_init(home, points, most, l);
    if (status == BGR_OK && l->n_slots > INT32_MAX)
        status = BGR_ERR_SIZE;
    if (status != BGR_OK) {
        free(l);
        return status;
    }
    l->mean = reserve(l->n_slots, sizeof *l->mean);
    l->chains = reserve(l->n_slots * BGR_N_CHAINS, sizeof *l->chains);
    if (distributions) {
        l->variance = reserve(l->n_slots, sizeof *l->variance);
        l->rings = reserve(l->n_slots * RING, sizeof *l->rings);
        l->first = reserve(l->n_slots, 1);
        l->length = reserve(l->n_slots, 1);
    }
    if (!l->mean || !l->chains || (distributions && (!l->variance || !l->rings || !l->first || !l->length))) {
        status = BGR_ERR_MEMORY;
    } else {
        copy_home(l);
        status = solve_layer(l, n_threads, progress, context);
    }
    if (status != BGR_OK) {
        bgr_layer_free(l);
        return status;
    }
    *layer = l;
    return BGR_OK;
}

int bgr_layer_width(const bgr_layer *layer)
{
    int width = 1;
    for (int64_t slot = layer->home->space.size; layer->rings && slot < layer->n_slots; slot++)
        if (layer->length[slot] > width)
            width = layer->length[slot];
    return width;
}

bgr_status bgr_layer_tables(bgr_layer *layer, int width, int n_threads, double *mean_rolls, double *variance_rolls,
                            uint8_t *first_roll, uint16_t *chances)
{
    int64_t n_home = layer->home->space.size;
    if (width < bgr_layer_width(layer))
        return BGR_ERR_SIZE;
    /* Nothing needs them any more, and the tables to be filled may be as large. */
    let_go(layer->chains, layer->n_slots * BGR_N_CHAINS, sizeof *layer->chains);
    layer->chains = NULL;
    (void)n_threads;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (int64_t i = 0; i < layer->size; i++) {
        int64_t slot = n_home + i;
        const uint16_t *ring = layer->rings + slot * RING;
        int first = layer->first[slot];
        if (mean_rolls)
            mean_rolls[i] = layer->mean[slot];
        if (variance_rolls)
            variance_rolls[i] = layer->variance[slot];
        first_roll[i] = (uint8_t)first;
        for (int k = 0; k < width; k++)
            chances[i * width + k] = k < RING ? ring[(first + k) % RING] : 0;
    }
    return BGR_OK;
}

/* ------------------------------------------------------------------ the position that a layer ends with */

bgr_status bgr_layer_mean(const bgr_layer *layer, const int8_t *counts, double *mean_rolls)
{
    const bgr_home *h = layer->home;
    int t[BGR_MAX_POINTS] = {0};
    int64_t index;
    for (int j = 0; j < layer->points; j++)
        if (counts[j] < 0 || counts[j] > BGR_MAX_CHECKERS)
            return BGR_ERR_POSITION;
    bgr_suffix_sums(layer->points, counts, t);
    if (t[0] < layer->checkers && t[HOME] == 0) {
        bgr_status status = bgr_index(&h->space, counts, &index);
        if (status == BGR_OK)
            *mean_rolls = h->mean[index];
        return status;
    }
    if (t[0] != layer->checkers)
        return BGR_ERR_POSITION;
    for (int j = 0; j < layer->points; j++)
        if (t[j] > layer->most[j])
            return BGR_ERR_POSITION;
    *mean_rolls = layer->mean[h->space.size + local_index(layer, t)];
    return BGR_OK;
}

/* Where the probability is after a number of rolls: slots, each once, and how much is there. */
typedef struct {
    double *chance; /* n_slots; 0 where there is none */
    int32_t *slot;
    int64_t n, room;
} crowd;

static int crowd_add(crowd *c, int32_t slot, double chance)
{
    if (c->chance[slot] == 0) {
        if (c->n == c->room) {
            int64_t room = 2 * c->room + 1024;
            int32_t *larger = realloc(c->slot, (size_t)room * sizeof *larger);
            if (!larger)
                return 0;
            c->slot = larger;
            c->room = room;
        }
        c->slot[c->n++] = slot;
    }
    c->chance[slot] += chance;
    return 1;
}

/* Move one slot's share on by a roll, or, if it is home, to where its distribution has it. */
static int pass_on(const bgr_layer *l, int32_t slot, double chance, int n_rolls, crowd *after, double *distribution)
{
    const bgr_home *h = l->home;
    int64_t home_index = slot, n_home = h->space.size;
    visit v;
    candidate chosen[BGR_N_ROLLS];
    memset(&v, 0, sizeof v);
    if (slot >= n_home) {
        local_position(l, slot - n_home, v.t);
        if (v.t[HOME] > 0) {
            find_results(l, slot, 1, &v);
            choose(l, &v, chosen, NULL);
            for (int roll = 0; roll < BGR_N_ROLLS; roll++)
                if (!crowd_add(after, chosen[roll].slot, bgr_rolls[roll].weight * chance / 36))
                    return 0;
            return 1;
        }
        home_index = 0;
        for (int j = 0; j < HOME; j++)
            home_index += h->space.term[j][v.t[j]];
    }
    const double *row = h->distribution + home_index * h->width;
    for (int k = 0; k < h->width && n_rolls + k < BGR_MOST_ROLLS; k++)
        distribution[n_rolls + k] += chance * row[k];
    return 1;
}

bgr_status bgr_layer_distribution(const bgr_layer *layer, double *distribution)
{
    if (!layer->chains)
        return BGR_ERR_MEMORY;
    crowd both[2] = {{0}, {0}};
    int there_is_room = 1;
    for (int k = 0; k < 2; k++) {
        both[k].chance = bgr_reserve((size_t)layer->n_slots * sizeof *both[k].chance, 0);
        there_is_room &= both[k].chance != NULL;
    }
    memset(distribution, 0, BGR_MOST_ROLLS * sizeof *distribution);
    there_is_room = there_is_room && crowd_add(&both[0], (int32_t)(layer->n_slots - 1), 1);
    for (int n_rolls = 0; there_is_room && both[n_rolls % 2].n > 0; n_rolls++) {
        crowd *now = &both[n_rolls % 2], *after = &both[(n_rolls + 1) % 2];
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
