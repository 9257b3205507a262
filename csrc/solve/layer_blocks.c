/* How many positions a layer has, and the order in which they are solved.
 *
 * Order.  Positions with the same t_2 .. t_d form a block, which is a run of local indices.  A play either stays in its
 * block and lowers the local index, or lowers t_2 + ... + t_d.  So blocks of equal sum (a level) don't depend on each
 * other and go to the threads, and a block is solved from its first position to its last: the positions that are looked
 * up for one are neighbours of those looked up for the last, which keeps them in the cache. */

#include "solve/layer.h"

#include <stdlib.h>
#include <string.h>

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

bgr_status bgr_layer_init(const bgr_home *home, int points, const int8_t *most, bgr_layer *l)
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

bgr_status bgr_layer_size(const bgr_home *home, int points, const int8_t *most, int64_t *size)
{
    bgr_layer l;
    bgr_status status = bgr_layer_init(home, points, most, &l);
    if (status == BGR_OK)
        *size = l.size;
    return status;
}

void bgr_blocks_free(bgr_blocks *b)
{
    free(b->first);
    free(b->start);
    free(b->solved);
}

bgr_status bgr_blocks_new(const bgr_layer *l, bgr_blocks *b)
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
        bgr_blocks_free(b);
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
