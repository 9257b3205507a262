/* The results of a roll.
 *
 * Two facts make plays simple in a bearoff.  As long as a checker is left every die can be played, because the
 * rearmost checker either moves or, once all are home, is borne off; so a roll is always played in full, and only plays
 * that empty the board leave dice unused.  And a die moves a checker from point j to j - d by lowering the suffix sums
 * t_{j-d+1} .. t_j by one, so the index of the result follows from at most six differences of terms, without looking at
 * the other points. */

#include "base/plays.h"

#include "base/position.h"
#include "base/try.h"

#include <stdlib.h>
#include <string.h>

int bgr_single_die(const bgr_space *space, const int8_t *counts, int64_t index, int die, int64_t *results)
{
    int t[BGR_MAX_POINTS];
    int n = 0, highest = bgr_highest(space->points, counts) - 1;
    bgr_suffix_sums(space->points, counts, t);
    int home = highest < BGR_HOME_POINTS;
    /* A die that is larger than every point bears off from the highest. */
    int exact = die - 1 < highest ? die - 1 : highest;
    for (int source = home ? exact : die; source <= highest; source++) {
        if (!counts[source])
            continue;
        int64_t lowered = index;
        for (int j = source; j >= 0 && j > source - die; j--)
            lowered -= space->term[j][t[j]] - space->term[j][t[j] - 1];
        results[n++] = lowered;
    }
    return n;
}

static int sort_distinct(int64_t *values, int n)
{
    int kept = 0;
    if (n > 64)
        qsort(values, (size_t)n, sizeof *values, bgr_compare_indices);
    else /* nearly sorted, as the results of rising indices are */
        for (int k = 1; k < n; k++) {
            int64_t value = values[k];
            int place = k;
            for (; place > 0 && values[place - 1] > value; place--)
                values[place] = values[place - 1];
            values[place] = value;
        }
    for (int k = 0; k < n; k++)
        if (kept == 0 || values[k] != values[kept - 1])
            values[kept++] = values[k];
    return kept;
}

/* Play one die from each of n positions, and replace them by the distinct results; returns their number.  room: for the
 * results before duplicates are dropped. */
static int play_die(const bgr_space *space, int die, int64_t *indices, int n, int64_t *room)
{
    int total = 0;
    int8_t counts[BGR_MAX_POINTS];
    for (int k = 0; k < n; k++) {
        if (indices[k] == 0) {
            room[total++] = 0;
            continue;
        }
        bgr_position(space, indices[k], counts);
        total += bgr_single_die(space, counts, indices[k], die, room + total);
    }
    total = sort_distinct(room, total);
    memcpy(indices, room, (size_t)total * sizeof *indices);
    return total;
}

bgr_status bgr_plays(const bgr_space *space, int64_t index, int die1, int die2, int64_t *results, int *n_results)
{
    /* Three dice of a double give at most C(points + 2, 3) positions, each with at most as many results of the fourth
     * as there are points. */
    enum { HOME_ROOM = 56 * BGR_HOME_POINTS, ROOM = 2600 * BGR_MAX_POINTS };
    int64_t home_room[HOME_ROOM];
    if (index < 0 || index >= space->size)
        return BGR_ERR_INDEX;
    if (die1 < 1 || die1 > 6 || die2 < 1 || die2 > 6)
        return BGR_ERR_ROLL;
    int64_t *room = space->points <= BGR_HOME_POINTS ? home_room : malloc(ROOM * sizeof *room);
    if (!room)
        return BGR_ERR_MEMORY;
    int n = 1;
    results[0] = index;
    if (die1 == die2) {
        for (int k = 0; k < 4; k++)
            n = play_die(space, die1, results, n, room);
    } else {
        int64_t other[BGR_MAX_POINTS * BGR_MAX_POINTS];
        other[0] = index;
        int n_other = play_die(space, die2, other, 1, room);
        n_other = play_die(space, die1, other, n_other, room);
        n = play_die(space, die1, results, 1, room);
        n = play_die(space, die2, results, n, room);
        memcpy(results + n, other, (size_t)n_other * sizeof *other);
        n = sort_distinct(results, n + n_other);
    }
    if (room != home_room)
        free(room);
    *n_results = n;
    return BGR_OK;
}

bgr_status bgr_results_of_roll(const int8_t *counts, int die1, int die2, int8_t (**results)[BGR_MAX_POINTS], int *n)
{
    int home = bgr_highest(BGR_MAX_POINTS, counts) <= BGR_HOME_POINTS;
    bgr_space space;
    int64_t index;
    *results = NULL;
    *n = 0;
    (void)bgr_space_init(home ? BGR_HOME_POINTS : BGR_MAX_POINTS, BGR_MAX_CHECKERS, &space);
    BGR_TRY(bgr_index(&space, counts, &index));
    int64_t *indices = malloc((home ? BGR_MAX_HOME_PLAYS : BGR_MAX_PLAYS) * sizeof *indices);
    bgr_status status = indices ? bgr_plays(&space, index, die1, die2, indices, n) : BGR_ERR_MEMORY;
    if (status == BGR_OK && !(*results = calloc((size_t)*n, sizeof **results)))
        status = BGR_ERR_MEMORY;
    for (int k = 0; status == BGR_OK && k < *n; k++)
        status = bgr_position(&space, indices[k], (*results)[k]);
    free(indices);
    return status;
}

static int compare_plays(const void *a, const void *b)
{
    const bgr_weighed_play *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    if (x->cubeless != y->cubeless)
        return x->cubeless < y->cubeless ? 1 : -1;
    return x->pips != y->pips ? x->pips - y->pips : x->number - y->number;
}

void bgr_rank_plays(bgr_weighed_play *plays, int64_t n) { qsort(plays, (size_t)n, sizeof *plays, compare_plays); }
