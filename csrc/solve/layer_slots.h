/* The positions of a layer: how they are numbered, and their tables.
 *
 * Numbering.  With t_j checkers on point j or beyond, a layer is the set of t_1 >= t_2 >= ... >= t_p with t_1 the
 * number of checkers and t_j at most a given most_j.  In order of t_2, then t_3, ... it has the local index sum over j
 * = 2 .. p of N_j(0) + ... + N_j(t_j - 1),   N_j(v) = how many t_{j+1} >= ... >= t_p there are below v. Without limits
 * (most_j = t_1) that is the index less the number of positions with fewer checkers; with most_j those of one position,
 * the layer is what can become of that position before a checker comes off.  A die lowers a run of t_j by one, and so
 * the local index by a few N_j.
 *
 * Slots.  Home positions with fewer checkers keep their index on six points; after all of those (home->space.size) come
 * the local indices.  Slots rise with the index. */
#ifndef BGR_LAYER_SLOTS_H
#define BGR_LAYER_SLOTS_H

#include "solve/home.h"

/* Positions with one number of checkers, solved.  Opaque; owned by the caller.  `most` says which: those with most[0]
 * checkers, at most most[j] of them on point j + 1 or beyond.  With all of `most` equal that is every position of the
 * space with `checkers` checkers; with the sums of one position, whatever can become of it before a checker comes off.
 */
typedef struct bgr_layer bgr_layer;

/* How many positions a layer has.  points: 7 .. BGR_MAX_POINTS; most: `points` numbers that never rise, the first at
 * least 1 and at most the checkers of `home`.  BGR_ERR_POINTS, BGR_ERR_CHECKERS, BGR_ERR_POSITION. */
bgr_status bgr_layer_size(const bgr_home *home, int points, const int8_t *most, int64_t *size);

struct bgr_layer {
    const bgr_home *home;
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

/* How many sequences t_2 .. t_n there are, and count[j][v] for j = 0 .. n - 1: how many for t_{j+2} .. t_n, all at most
 * v. */
int64_t bgr_count_sequences(int checkers, const int8_t *most, int n, int64_t count[][BGR_MAX_CHECKERS + 1]);

/* Sets everything but the tables by slot. */
bgr_status bgr_layer_init(const bgr_home *home, int points, const int8_t *most, bgr_layer *l);

/* The local index of t, and the inverse. */
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

/* Go to the next local index; gives the first j that changed, or 0 after the last. */
static inline int next_position(const bgr_layer *l, int last, int *t)
{
    int j = last;
    while (j > 0 && (t[j] == l->most[j] || t[j] == t[j - 1]))
        t[j--] = 0;
    if (j > 0)
        t[j]++;
    return j;
}

#endif
