/* One player alone on more than six points: a layer, all positions of one number of checkers, at a time.
 *
 * No checker is borne off while one is outside the home board, so positions of a layer outside the home board depend
 * only on each other and on home positions.  The home board is solved first, exactly, on its own six points
 * (bgr_layer_home); then each layer by itself, so the memory needed is that of the largest layer.
 *
 * Distributions are kept in 16 bits, one cache line a position: the chance of k rolls, in units of 1 /
 * BGR_CHANCE_SCALE, is element k % 32, so rows of different positions add up without being shifted.  A row is the mean
 * of 36 rows, rounded once: its partial sums to the nearest integer, halves to even.  So each row sums to exactly one,
 * and the chance of being off in at most k rolls, whatever k is, is rounded without bias. */

#include "solve/layer.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/threads.h"
#include "base/try.h"

#include <string.h>

enum {
    MAX_COUNTED = 1 << 29, /* slots; up to this the greatest number of chains needed at a time is counted quickly */
    SLOT_BYTES = BGR_RING * (int)sizeof(uint16_t) + 2 * (int)sizeof(double) + (int)sizeof(bgr_span) /* without chains */
};

int bgr_layer_slot_bytes(void) { return (int)sizeof(double) + BGR_N_CHAINS * (int)sizeof(int32_t); }

bgr_status bgr_layer_bytes(int points, int checkers, int64_t *n_bytes)
{
    bgr_layer_home home = {.stop = 1};
    bgr_layer layer;
    int8_t most[BGR_MAX_POINTS];
    int64_t of_chains;
    memset(most, checkers, sizeof most);
    BGR_TRY(bgr_space_init(BGR_HOME_POINTS, checkers, &home.space));
    BGR_TRY(bgr_layer_init(&home, points, most, &layer));
    if (layer.n_slots > MAX_COUNTED)
        of_chains = layer.n_slots * BGR_N_CHAINS * (int64_t)sizeof(int32_t);
    else
        BGR_TRY(bgr_layer_chain_bytes(&layer, &of_chains));
    *n_bytes = of_chains + SLOT_BYTES * layer.n_slots;
    return BGR_OK;
}

/* ------------------------------------------------------------------ one position */

/* Add up the rings of the chosen results, and round.  Returns 0 if they do not fit into a ring. */
static inline int add_rings(const bgr_layer *l, const play_choices *chosen, int32_t slot)
{
    uint32_t sums[BGR_RING], doubles[BGR_RING];
    int start = 255, past = 0;
    memset(sums, 0, sizeof sums);
    memset(doubles, 0, sizeof doubles);
#pragma GCC unroll 21 /* so that the weight of each roll is known */
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        int32_t from = chosen->place[roll];
        const uint16_t *ring = l->rings + (int64_t)from * BGR_RING;
        int first = l->span[from].first, beyond = first + l->span[from].length;
        start = first < start ? first : start;
        past = beyond > past ? beyond : past;
        uint32_t *to = bgr_rolls[roll].weight == 1 ? doubles : sums;
        for (int k = 0; k < BGR_RING; k++)
            to[k] += ring[k];
    }
    if (past - start > BGR_RING - 1)
        return 0;
    uint16_t *ring = l->rings + (int64_t)slot * BGR_RING;
    memset(ring, 0, BGR_RING * sizeof *ring);
    uint32_t sum = 0, before = 0;
    int first = 0, last = 0;
    for (int k = start; k < past; k++) {
        sum += 2 * sums[k % BGR_RING] + doubles[k % BGR_RING];
        uint32_t now = sum / 36, rest = sum % 36;
        now += (rest > 18) | ((rest == 18) & now & 1);
        ring[(k + 1) % BGR_RING] = (uint16_t)(now - before);
        if (now > before) {
            first = before ? first : k + 1;
            last = k + 1;
        }
        before = now;
    }
    l->span[slot] = (bgr_span){(uint8_t)first, (uint8_t)(last - first + 1)};
    return 1;
}

/* Solve the positions of a block, whose local indices begin at `first`.  Returns 0 if a distribution does not fit into
 * its ring. */
BGR_EVERY_WIDTH
static int solve_block(const bgr_layer *l, const bgr_layer_blocks *b, int64_t first)
{
    visit v;
    play_choices chosen;
    int64_t n_home = l->home->space.size;
    int changed = 1;
    memset(&v, 0, sizeof v);
    local_position(l, first, v.t);
    int64_t past = first + l->count[b->last][v.t[b->last]];
    for (int64_t local = first; local < past; local++) {
        int32_t slot = (int32_t)(n_home + local);
        if (v.t[BGR_HOME_POINTS] > 0) {
            find_results(l, slot, changed, &v);
            choose(l, &v, l->chains + (int64_t)slot * BGR_N_CHAINS, &chosen);
            double mean = 0;
            for (int roll = 0; roll < BGR_N_ROLLS; roll++)
                mean += bgr_rolls[roll].weight * chosen.mean[roll];
            mean /= 36;
            l->mean[slot] = 1 + mean;
            if (l->rings) {
                double variance = 0;
                for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
                    double off = chosen.mean[roll] - mean;
                    variance += bgr_rolls[roll].weight * (l->variance[chosen.place[roll]] + off * off);
                }
                l->variance[slot] = variance / 36;
                if (!add_rings(l, &chosen, slot))
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

/* Fill the slots of home positions, with fewer checkers and in the layer. */
static void copy_home(bgr_layer *l)
{
    const bgr_layer_home *h = l->home;
    int64_t n_home = h->space.size, n_fewer = h->space.term[0][l->checkers];
    int64_t past = l->checkers < h->space.checkers ? h->space.term[0][l->checkers + 1] : n_home;
    memcpy(l->mean, h->mean, (size_t)n_fewer * sizeof *l->mean);
    memcpy(l->chains, h->chains, (size_t)n_fewer * BGR_N_CHAINS * sizeof *l->chains);
    if (l->rings) {
        memcpy(l->variance, h->variance, (size_t)n_fewer * sizeof *l->variance);
        memcpy(l->rings, h->rings, (size_t)n_fewer * BGR_RING * sizeof *l->rings);
        memcpy(l->span, h->span, (size_t)n_fewer * sizeof *l->span);
    }
    /* Two passes, since chains refer to slots.  The first stores each position's slot in place of its first chain. */
    for (int pass = 0; pass < 2; pass++)
        for (int64_t index = n_fewer; index < past; index++) {
            int8_t counts[BGR_HOME_POINTS] = {0};
            int t[BGR_MAX_POINTS] = {0}, outside = 0;
            bgr_position(&h->space, index, counts);
            bgr_suffix_sums(BGR_HOME_POINTS, counts, t);
            for (int j = 0; j < BGR_HOME_POINTS; j++)
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
                memcpy(l->rings + slot * BGR_RING, h->rings + index * BGR_RING, BGR_RING * sizeof *l->rings);
                l->span[slot] = h->span[index];
            }
        }
}

static void *reserve(int64_t n, size_t size) { return bgr_reserve((size_t)n * size, BGR_LARGE_PAGES); }

static void let_go(void *start, int64_t n, size_t size) { bgr_unreserve(start, (size_t)n * size); }

void bgr_layer_free(bgr_layer *layer)
{
    if (!layer)
        return;
    let_go(layer->mean, layer->n_slots, sizeof *layer->mean);
    let_go(layer->variance, layer->n_slots, sizeof *layer->variance);
    let_go(layer->chains, layer->n_slots * BGR_N_CHAINS, sizeof *layer->chains);
    let_go(layer->rings, layer->n_slots * BGR_RING, sizeof *layer->rings);
    let_go(layer->span, layer->n_slots, sizeof *layer->span);
    free(layer);
}

typedef struct {
    const bgr_layer *layer;
    const bgr_layer_blocks *blocks;
    int64_t too_wide; /* 1: a distribution did not fit into a ring */
} layer_work;

static void solve_nth_block(void *of, int64_t k)
{
    layer_work *work = of;
    if (!solve_block(work->layer, work->blocks, work->blocks->first[k]))
        bgr_write(&work->too_wide, 1);
}

static bgr_status solve_layer(const bgr_layer *l, const bgr_layer_options *options)
{
    enum { BETWEEN_TELLS = 1 << 11 }; /* blocks: a tenth of a second at most */
    bgr_layer_blocks b;
    bgr_chain_pieces pieces = {0};
    bgr_status status = bgr_layer_blocks_new(l, &b);
    if (status == BGR_OK && l->rings)
        status = bgr_chain_pieces_new(l, &b, &pieces);
    bgr_parallel threads;
    const bgr_parallel *parallel = bgr_threads_begin(&threads, options->n_threads);
    for (int level = 0; status == BGR_OK && level < b.n_levels; level++) {
        layer_work work = {l, &b, 0};
        int64_t end = b.start[level + 1];
        for (int64_t first = b.start[level], past; status == BGR_OK && first < end; first = past) {
            past = first + BETWEEN_TELLS < end ? first + BETWEEN_TELLS : end;
            bgr_each(parallel, first, past, 1, solve_nth_block, &work);
            int64_t done = past == end ? b.solved[level] : level ? b.solved[level - 1] : 0;
            if (work.too_wide)
                status = BGR_ERR_SIZE;
            else if (options->progress && options->progress(options->context, level, done, l->size))
                status = BGR_ERR_STOPPED;
        }
        if (l->rings)
            bgr_chain_pieces_give_back(l, &pieces, level);
    }
    bgr_threads_end(&threads);
    bgr_chain_pieces_free(&pieces);
    bgr_layer_blocks_free(&b);
    return status;
}

int bgr_layer_width(const bgr_layer *layer) { return layer->width; }

static int widest(const bgr_layer *l)
{
    int width = 1;
    for (int64_t slot = l->home->space.size; slot < l->n_slots; slot++)
        if (l->span[slot].length > width)
            width = l->span[slot].length;
    return width;
}

static bgr_status make_layer(const bgr_layer_home *home, int points, const int8_t *most,
                             const bgr_layer_options *options, bgr_layer *l)
{
    int distributions = options->distributions;
    BGR_TRY(bgr_layer_init(home, points, most, l));
    if (l->n_slots > INT32_MAX)
        return BGR_ERR_SIZE;
    l->mean = reserve(l->n_slots, sizeof *l->mean);
    /* With distributions no plays are asked for, and chains are freed as the work goes on. */
    l->chains = bgr_reserve((size_t)l->n_slots * BGR_N_CHAINS * sizeof *l->chains,
                            distributions ? BGR_SMALL_PAGES : BGR_LARGE_PAGES);
    if (distributions) {
        l->variance = reserve(l->n_slots, sizeof *l->variance);
        l->rings = reserve(l->n_slots * BGR_RING, sizeof *l->rings);
        l->span = reserve(l->n_slots, sizeof *l->span);
    }
    if (!l->mean || !l->chains || (distributions && (!l->variance || !l->rings || !l->span)))
        return BGR_ERR_MEMORY;
    copy_home(l);
    BGR_TRY(solve_layer(l, options));
    if (distributions) {
        let_go(l->chains, l->n_slots * BGR_N_CHAINS, sizeof *l->chains);
        l->chains = NULL;
        l->width = widest(l);
    }
    return BGR_OK;
}

bgr_status bgr_layer_new(const bgr_layer_home *home, int points, const int8_t *most, const bgr_layer_options *options,
                         bgr_layer **layer)
{
    bgr_layer *fresh = calloc(1, sizeof *fresh);
    bgr_status status = fresh ? make_layer(home, points, most, options, fresh) : BGR_ERR_MEMORY;
    BGR_HAND_OVER(status, fresh, layer, bgr_layer_free);
}

static void fill_row(void *of, int64_t i)
{
    const bgr_layer_rows *to = of;
    const bgr_layer *layer = to->layer;
    int64_t slot = layer->home->space.size + to->first + i;
    const uint16_t *ring = layer->rings + slot * BGR_RING;
    int first = layer->span[slot].first;
    if (to->mean_rolls)
        to->mean_rolls[i] = layer->mean[slot];
    if (to->variance_rolls)
        to->variance_rolls[i] = layer->variance[slot];
    to->first_roll[i] = (uint8_t)first;
    for (int k = 0; k < to->width; k++)
        to->chances[i * to->width + k] = k < BGR_RING ? ring[(first + k) % BGR_RING] : 0;
}

bgr_status bgr_layer_tables(const bgr_layer_rows *rows, int n_threads)
{
    if (rows->width < bgr_layer_width(rows->layer))
        return BGR_ERR_SIZE;
    bgr_run(n_threads, rows->n, 1 << 14, fill_row, (void *)rows);
    return BGR_OK;
}
