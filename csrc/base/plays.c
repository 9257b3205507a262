/* Dice, and what a roll can do to a position.
 *
 * Two facts make plays simple in a bearoff.  As long as a checker is left every die can be played, because the
 * rearmost checker either moves or, once all are home, is borne off; so a roll is always played in full, and the only
 * plays that leave a die over are those that empty the board.  And a die moves a checker from point j to j - d by
 * lowering the suffix sums t_{j-d+1} .. t_j by one, so the index of the result follows from at most six differences
 * of terms, without looking at the other points. */

#include "base/internal.h"

#include <stdlib.h>
#include <string.h>

const bgr_roll_kind bgr_rolls[BGR_N_ROLLS] = {
    {1, 1, 1}, {2, 1, 2}, {2, 2, 1}, {3, 1, 2}, {3, 2, 2}, {3, 3, 1}, {4, 1, 2},
    {4, 2, 2}, {4, 3, 2}, {4, 4, 1}, {5, 1, 2}, {5, 2, 2}, {5, 3, 2}, {5, 4, 2},
    {5, 5, 1}, {6, 1, 2}, {6, 2, 2}, {6, 3, 2}, {6, 4, 2}, {6, 5, 2}, {6, 6, 1},
};

bgr_status bgr_roll(int roll, int *larger, int *smaller, int *weight)
{
    if (roll < 0 || roll >= BGR_N_ROLLS)
        return BGR_ERR_ROLL;
    *larger = bgr_rolls[roll].larger;
    *smaller = bgr_rolls[roll].smaller;
    *weight = bgr_rolls[roll].weight;
    return BGR_OK;
}

int bgr_single_die(const bgr_space *space, const int8_t *counts, int64_t index, int die, int64_t *results)
{
    int t[BGR_MAX_POINTS];
    int n = 0, highest = space->points - 1;
    bgr_suffix_sums(space->points, counts, t);
    while (highest > 0 && counts[highest] == 0)
        highest--;
    int home = highest < 6;
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
    qsort(values, (size_t)n, sizeof *values, bgr_compare_indices);
    for (int k = 0; k < n; k++)
        if (kept == 0 || values[k] != values[kept - 1])
            values[kept++] = values[k];
    return kept;
}

/* Play one die from each of n positions, in place of which stand the distinct results.  `room` takes the results
 * before duplicates are dropped. */
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
    /* Three dice of a double give at most C(26, 3) positions, each with at most 24 results of the fourth. */
    enum { ROOM = 2600 * BGR_MAX_POINTS };
    if (index < 0 || index >= space->size)
        return BGR_ERR_INDEX;
    if (die1 < 1 || die1 > 6 || die2 < 1 || die2 > 6)
        return BGR_ERR_ROLL;
    int64_t *room = malloc(ROOM * sizeof *room);
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
    free(room);
    *n_results = n;
    return BGR_OK;
}
