/* The positions of a layer: how they are numbered, and their tables.
 *
 * Numbering.  With t_j checkers on point j or beyond, a layer is the set of t_1 >= t_2 >= ... >= t_p with t_1 the
 * number of checkers and t_j at most a given most_j.  In order of t_2, then t_3, ... the local index is
 *
 *     sum over j = 2 .. p of N_j(0) + ... + N_j(t_j - 1),    N_j(v) = number of t_{j+1} >= ... >= t_p up to v.
 *
 * Without limits (most_j = t_1) that is the index less the number of positions with fewer checkers; with most_j those
 * of one position, the layer has the positions that it can reach before a checker comes off.  A die lowers a run of t_j
 * by one, and so the local index by a few N_j.
 *
 * Slots.  Home positions with fewer checkers keep their index on six points; after all of those (home->space.size) come
 * the local indices.  Slots rise with the index. */
#pragma once

#include "base/position.h"
#include "solve/one_sided.h"

/* ------------------------------------------------------------------ the home board */

/* The home board solved: every position of at most `checkers` checkers on six points.  Opaque; owned by the caller. */
typedef struct bgr_layer_home bgr_layer_home;

/* Solve it, until fewer than `stop` checkers are on the board, as bgr_one_sided_means does.  Free it with
 * bgr_layer_home_free. BGR_ERR_CHECKERS, BGR_ERR_MEMORY. */
bgr_status bgr_layer_home_new(int checkers, int stop, int n_threads, bgr_layer_home **home);
void bgr_layer_home_free(bgr_layer_home *home); /* NULL is allowed */

/* The chance 1 in distributions of 16 bits. */
#define BGR_CHANCE_SCALE 65535

/* The members of a home board, for layers. */
enum { BGR_RING = 32 };

/* The elements of a ring that are not 0. */
typedef struct {
    uint8_t first, length;
} bgr_span;

struct bgr_layer_home {
    bgr_space space;
    int stop;
    double *mean, *variance;
    int32_t *chains;
    double *distribution; /* space.size x width */
    int width;
    uint16_t *rings; /* space.size x BGR_RING */
    bgr_span *span;
};

/* ------------------------------------------------------------------ a layer */

/* Positions with one number of checkers, solved.  Opaque; owned by the caller.  They have most[0] checkers, at most
 * most[j] of these on point j + 1 or beyond.  If all of `most` are equal, these are all positions with that number of
 * checkers; if `most` has the sums of one position, those that it can reach before a checker comes off. */
typedef struct bgr_layer bgr_layer;

/* Count the positions of a layer.  points: 7 .. BGR_MAX_POINTS; most: `points` numbers that never rise, the first in 1
 * .. checkers of `home`.  BGR_ERR_POINTS, BGR_ERR_CHECKERS, BGR_ERR_POSITION. */
bgr_status bgr_layer_size(const bgr_layer_home *home, int points, const int8_t *most, int64_t *size);

struct bgr_layer {
    const bgr_layer_home *home;
    int points, checkers;
    int8_t most[BGR_MAX_POINTS];
    int64_t size;
    int64_t count[BGR_MAX_POINTS][BGR_MAX_CHECKERS + 1]; /* N_{j + 1}(v) */
    int64_t n_slots;
    int width; /* of the widest distribution */
    /* By slot: */
    double *mean, *variance;
    int32_t *chains;
    uint16_t *rings;
    bgr_span *span;
};

/* Set all members except the tables by slot. */
bgr_status bgr_layer_init(const bgr_layer_home *home, int points, const int8_t *most, bgr_layer *l);

/* Convert t to the local index, and back. */
static inline int64_t local_index(const bgr_layer *l, const int *t)
{
    int64_t index = 0;
    for (int j = 1; j < l->points; j++)
        for (int v = 0; v < t[j]; v++)
            index += l->count[j][v];
    return index;
}

static inline void local_position(const bgr_layer *l, int64_t index, int *t)
{
    t[0] = l->checkers;
    for (int j = 1; j < l->points; j++)
        for (t[j] = 0; index >= l->count[j][t[j]]; t[j]++)
            index -= l->count[j][t[j]];
}

/* Go to the next local index; returns the first j that changed, or 0 after the last. */
static inline int next_position(const bgr_layer *l, int last, int *t)
{
    int j = last;
    while (j > 0 && (t[j] == l->most[j] || t[j] == t[j - 1]))
        t[j--] = 0;
    if (j > 0)
        t[j]++;
    return j;
}

/* ------------------------------------------------------------------ the order of solving, and the lifetime of chains
 */

typedef struct {
    int last;        /* positions of a block have equal t[1] .. t[last] */
    int64_t *first;  /* local index of the first position of each, by level */
    int64_t *start;  /* n_levels + 1: the first block of each level */
    int64_t *solved; /* n_levels: positions up to and with each level */
    int n_levels;
} bgr_layer_blocks;

/* Free it with bgr_layer_blocks_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_layer_blocks_new(const bgr_layer *l, bgr_layer_blocks *b);
void bgr_layer_blocks_free(bgr_layer_blocks *b);

/* Pieces of the memory of the chains. */
typedef struct {
    size_t n_bytes; /* of a piece */
    int32_t *piece; /* pieces, by the level after which they are not read, then by place */
    int64_t *start; /* n_levels + 2: the first piece of each level, and the first that is always needed */
    int64_t most;   /* greatest bytes of pieces needed at a time */
} bgr_chain_pieces;

/* Free it with bgr_chain_pieces_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_chain_pieces_new(const bgr_layer *l, const bgr_layer_blocks *b, bgr_chain_pieces *pieces);
void bgr_chain_pieces_free(bgr_chain_pieces *pieces);

/* Find the greatest bytes of chains needed at a time while a layer is solved, if memory can be freed in pieces; else of
 * all.  BGR_ERR_MEMORY. */
bgr_status bgr_layer_chain_bytes(const bgr_layer *l, int64_t *n_bytes);

/* Free the pieces that are not read after a level. */
void bgr_chain_pieces_give_back(const bgr_layer *l, const bgr_chain_pieces *pieces, int level);

/* ------------------------------------------------------------------ plays: the results of single dice, and the best
 * result of each roll */

/* A position outside the home board, and its results of single dice. */
typedef struct {
    int t[BGR_MAX_POINTS + 1];
    int64_t lowered[BGR_MAX_POINTS]; /* by how much the local index falls when t[1] .. t[j] fall by 1 */
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

/* Choose as choose_best does.  Two dice can be played in either order with the same results unless one of them brings
 * the last checker home, after which the other may bear off. */
static inline void choose(const bgr_layer *l, const visit *v, int32_t *chain, play_choices *chosen)
{
    choose_best(l->mean, l->chains, &v->dice, v->t[BGR_HOME_POINTS] > 1 ? 6 : 0, chain, chosen);
}
