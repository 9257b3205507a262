/* The number of positions of a layer, and the order in which they are solved.
 *
 * Positions with the same t_2 .. t_d form a block, which is a run of local indices.  A play either stays in its
 * block and lowers the local index, or lowers t_2 + ... + t_d.  So blocks of equal sum (a level) do not depend on each
 * other and are solved in parallel, each from its first position to its last: successive positions look up neighbouring
 * slots, which stay in the cache.
 *
 * Chains take half of the memory of a position.  They are looked up only for results of a single die, which lowers the
 * level of the block by at most six.  So a level needs the chains of itself and of the six before it.  Neighbouring
 * blocks have neighbouring levels: memory is freed in pieces of a few blocks, after the last level that reads a piece.
 */

#include "solve/layer_slots.h"

#include "base/memory.h"
#include "base/try.h"

#include <string.h>

/* Count the sequences t_2 .. t_n.  count [out]: [j][v] for j = 0 .. n - 1, the number of sequences t_{j+2} .. t_n of
 * numbers up to v. */
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

bgr_status bgr_layer_init(const bgr_layer_home *home, int points, const int8_t *most, bgr_layer *l)
{
    memset(l, 0, sizeof *l);
    if (points <= BGR_HOME_POINTS || points > BGR_MAX_POINTS)
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

bgr_status bgr_layer_size(const bgr_layer_home *home, int points, const int8_t *most, int64_t *size)
{
    bgr_layer l;
    BGR_TRY(bgr_layer_init(home, points, most, &l));
    *size = l.size;
    return BGR_OK;
}

/* ------------------------------------------------------------------ blocks */

void bgr_layer_blocks_free(bgr_layer_blocks *b) { BGR_FREE(b->first, b->start, b->solved); }

bgr_status bgr_layer_blocks_new(const bgr_layer *l, bgr_layer_blocks *b)
{
    /* Long enough for little overhead, and numerous enough to keep all threads busy on most levels. */
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
    b->start = calloc((size_t)b->n_levels + 2, sizeof *b->start);
    b->solved = calloc((size_t)b->n_levels, sizeof *b->solved);
    if (!b->first || !b->start || !b->solved)
        return BGR_ERR_MEMORY;
    /* Each start is stored one place higher, and advances to the next one's value. */
    for (int pass = 0; pass < 2; pass++) {
        int t[BGR_MAX_POINTS] = {l->checkers};
        int64_t first = 0;
        do {
            int level = 0;
            for (int j = 1; j <= b->last; j++)
                level += t[j];
            int64_t length = l->count[b->last][t[b->last]];
            if (pass == 0) {
                b->start[level + 2]++;
                b->solved[level] += length;
            } else {
                b->first[b->start[level + 1]++] = first;
            }
            first += length;
        } while (next_position(l, b->last, t) > 0);
        if (pass == 0)
            for (int k = 0; k <= b->n_levels; k++)
                b->start[k + 1] += b->start[k];
    }
    for (int k = 1; k < b->n_levels; k++)
        b->solved[k] += b->solved[k - 1];
    return BGR_OK;
}

/* ------------------------------------------------------------------ chains */

enum {
    MIN_PIECE = 16 << 10, /* bytes of a piece, at least */
    CHAIN_BYTES = BGR_N_CHAINS * (int)sizeof(int32_t),
    MAX_MOVE = 6,
    NO_LEVEL = INT16_MAX
};

typedef struct {
    int16_t first, last;
} level_range;

static int64_t n_pieces(const bgr_layer *l, int64_t n_bytes)
{
    return (l->n_slots * CHAIN_BYTES + n_bytes - 1) / n_bytes;
}

/* Find the levels of the blocks that each piece overlaps. */
static void find_levels(const bgr_layer *l, const bgr_layer_blocks *b, int64_t n_bytes, level_range *levels)
{
    int64_t n = n_pieces(l, n_bytes), n_home = l->home->space.size * CHAIN_BYTES, first = 0;
    int t[BGR_MAX_POINTS] = {l->checkers};
    for (int64_t k = 0; k < n; k++)
        levels[k] = (level_range){NO_LEVEL, -1};
    do {
        int level = 0;
        for (int j = 1; j <= b->last; j++)
            level += t[j];
        int64_t past = first + l->count[b->last][t[b->last]];
        for (int64_t k = (n_home + first * CHAIN_BYTES) / n_bytes; k <= (n_home + past * CHAIN_BYTES - 1) / n_bytes;
             k++) {
            if (level < levels[k].first)
                levels[k].first = (int16_t)level;
            if (level > levels[k].last)
                levels[k].last = (int16_t)level;
        }
        first = past;
    } while (next_position(l, b->last, t) > 0);
    /* Positions with fewer checkers are always needed. */
    for (int64_t k = 0; k * n_bytes < n_home; k++)
        levels[k] = (level_range){0, NO_LEVEL - MAX_MOVE};
}

static int last_needed(const level_range *levels, int n_levels)
{
    int last = levels->last + MAX_MOVE;
    return last < n_levels ? last : n_levels; /* n_levels: until the layer is freed */
}

/* The greatest number of pieces needed at a time. */
static int64_t most_pieces(const level_range *levels, int64_t n, int64_t *change, int n_levels)
{
    int64_t now = 0, most = 0;
    for (int64_t k = 0; k < n; k++) {
        change[levels[k].first]++;
        change[last_needed(&levels[k], n_levels) + 1]--;
    }
    for (int level = 0; level < n_levels; level++) {
        now += change[level];
        most = now > most ? now : most;
    }
    return most;
}

void bgr_chain_pieces_free(bgr_chain_pieces *pieces) { BGR_FREE(pieces->piece, pieces->start); }

bgr_status bgr_chain_pieces_new(const bgr_layer *l, const bgr_layer_blocks *b, bgr_chain_pieces *pieces)
{
    size_t page = bgr_page_bytes(); /* a piece is at least a page */
    int64_t n_bytes = page > MIN_PIECE ? (int64_t)page : MIN_PIECE, n = n_pieces(l, n_bytes);
    level_range *levels = malloc((size_t)n * sizeof *levels);
    int64_t *change = calloc((size_t)b->n_levels + 2, sizeof *change);
    pieces->piece = malloc((size_t)n * sizeof *pieces->piece);
    pieces->start = calloc((size_t)b->n_levels + 3, sizeof *pieces->start);
    if (!levels || !change || !pieces->piece || !pieces->start) {
        BGR_FREE(levels, change);
        return BGR_ERR_MEMORY;
    }
    find_levels(l, b, n_bytes, levels);
    pieces->n_bytes = (size_t)n_bytes;
    pieces->most = most_pieces(levels, n, change, b->n_levels) * n_bytes;
    for (int64_t k = 0; k < n; k++) /* as for blocks */
        pieces->start[last_needed(&levels[k], b->n_levels) + 2]++;
    for (int level = 0; level <= b->n_levels + 1; level++)
        pieces->start[level + 1] += pieces->start[level];
    for (int64_t k = 0; k < n; k++)
        pieces->piece[pieces->start[last_needed(&levels[k], b->n_levels) + 1]++] = (int32_t)k;
    BGR_FREE(levels, change);
    return BGR_OK;
}

void bgr_chain_pieces_give_back(const bgr_layer *l, const bgr_chain_pieces *pieces, int level)
{
    for (int64_t k = pieces->start[level], next; k < pieces->start[level + 1]; k = next) {
        for (next = k + 1; next < pieces->start[level + 1] && pieces->piece[next] == pieces->piece[next - 1] + 1;)
            next++;
        bgr_give_back((char *)l->chains + (size_t)pieces->piece[k] * pieces->n_bytes,
                      (size_t)(next - k) * pieces->n_bytes);
    }
}

bgr_status bgr_layer_chain_bytes(const bgr_layer *l, int64_t *n_bytes)
{
    bgr_layer_blocks b;
    bgr_chain_pieces pieces = {0};
    *n_bytes = l->n_slots * CHAIN_BYTES;
    if (!bgr_page_bytes())
        return BGR_OK;
    bgr_status status = bgr_layer_blocks_new(l, &b);
    if (status == BGR_OK)
        status = bgr_chain_pieces_new(l, &b, &pieces);
    bgr_layer_blocks_free(&b);
    /* Home positions of the layer have their chains from the start, at worst each on a page of its own. */
    const bgr_space *home = &l->home->space;
    int64_t at_home = (home->size - home->term[0][l->checkers]) * (int64_t)bgr_page_bytes();
    if (status == BGR_OK && pieces.most + at_home < *n_bytes)
        *n_bytes = pieces.most + at_home;
    bgr_chain_pieces_free(&pieces);
    return status;
}
