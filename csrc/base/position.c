/* Positions and their numbers: the perfect hash of Ross, Benjamin and Munson.
 *
 * Positions are listed in decreasing lexicographic order of (borne off, on the ace point, on the two point, ...).  With
 * t_j checkers on point j or beyond, the numbers t_j + points - j strictly decrease, so they are a subset of
 * {0, .., checkers + points - 1}, and the index is the rank of that subset in the combinatorial number system:
 *
 *     index = sum over j = 1 .. points of C(t_j + points - j, points - j + 1).
 *
 * Every term grows with t_j and every play lowers some t_j and raises none, so every play lowers the index; and the
 * number of checkers allowed does not enter, so positions with fewer checkers come first. */

#include "base/internal.h"

#include <stdlib.h>
#include <string.h>

const char *bgr_strerror(bgr_status status)
{
    switch (status) {
    case BGR_OK:
        return "no error";
    case BGR_ERR_POINTS:
        return "the number of points must be 1 to 24";
    case BGR_ERR_CHECKERS:
        return "the number of checkers must be 1 to 15, in a table at most those of its space";
    case BGR_ERR_POSITION:
        return "a count is negative, there are too many checkers, or neither player has any";
    case BGR_ERR_INDEX:
        return "no position has this index";
    case BGR_ERR_ROLL:
        return "a die must be 1 to 6";
    case BGR_ERR_SIZE:
        return "a size that this function cannot work with";
    case BGR_ERR_MEMORY:
        return "out of memory";
    case BGR_ERR_OPEN:
        return "cannot open the file";
    case BGR_ERR_READ:
        return "the system failed to read the file";
    case BGR_ERR_FORMAT:
        return "not a bgrace database";
    case BGR_ERR_VERSION:
        return "a database of a version, or with a table, that this library does not know";
    case BGR_ERR_COMPRESSED:
        return "an HDF5 file without a directory: compressed, for one score of a match, unfinished, or not made by "
               "bgrace; build a database for money without compression";
    case BGR_ERR_DAMAGED:
        return "the database is damaged: it contradicts itself, or fails a checksum; build it again";
    case BGR_ERR_CHANGED:
        return "the file was changed after it was opened; open it again";
    case BGR_ERR_COVERAGE:
        return "no table reaches these positions";
    case BGR_ERR_CLOSED:
        return "some play leaves this set of positions";
    case BGR_ERR_STOPPED:
        return "stopped on request";
    case BGR_ERR_CONTACT:
        return "the two sides have not passed each other: this is not a race";
    case BGR_ERR_STAKES:
        return "no such score, cube or rules, or a match equity table that does not reach so far";
    case BGR_N_STATUS:
        break;
    }
    return "unknown status";
}

bgr_status bgr_space_init(int points, int checkers, bgr_space *space)
{
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    if (checkers < 1 || checkers > BGR_MAX_CHECKERS)
        return BGR_ERR_CHECKERS;
    space->points = points;
    space->checkers = checkers;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        for (int t = 0; t <= BGR_MAX_CHECKERS; t++)
            space->term[j][t] = 0;
    /* C(t + m - 1, m) by C(t + m - 1, m) = C(t + m - 2, m) + C(t + m - 2, m - 1); with one point left it is t. */
    for (int m = 1; m <= points; m++)
        for (int t = 1; t <= BGR_MAX_CHECKERS; t++)
            space->term[points - m][t] = m == 1 ? t : space->term[points - m][t - 1] + space->term[points - m + 1][t];
    int64_t size = 1;
    for (int k = 1; k <= points; k++)
        size = size * (checkers + k) / k;
    space->size = size;
    return BGR_OK;
}

/* One body for the two types in which counts arrive. */
#define DEFINE_INDEX(name, count_t)                                                                                    \
    static inline int64_t name(const bgr_space *space, const count_t *counts)                                          \
    {                                                                                                                  \
        int64_t above = 0, index = 0;                                                                                  \
        for (int j = space->points - 1; j >= 0; j--) {                                                                 \
            if (counts[j] < 0 || counts[j] > space->checkers)                                                          \
                return -1;                                                                                             \
            above += counts[j];                                                                                        \
            if (above > space->checkers)                                                                               \
                return -1;                                                                                             \
            index += space->term[j][above];                                                                            \
        }                                                                                                              \
        return index;                                                                                                  \
    }

#define DEFINE_INDEX_BATCH(name, count_t, one)                                                                         \
    bgr_status name(const bgr_space *space, const count_t *counts, int64_t n, int64_t *indices, int64_t *n_done)       \
    {                                                                                                                  \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            int64_t index = one(space, counts + i * space->points);                                                    \
            if (index < 0) {                                                                                           \
                *n_done = i;                                                                                           \
                return BGR_ERR_POSITION;                                                                               \
            }                                                                                                          \
            indices[i] = index;                                                                                        \
        }                                                                                                              \
        *n_done = n;                                                                                                   \
        return BGR_OK;                                                                                                 \
    }

DEFINE_INDEX(index_i8, int8_t)
DEFINE_INDEX(index_i64, int64_t)
DEFINE_INDEX_BATCH(bgr_index_batch_i8, int8_t, index_i8)
DEFINE_INDEX_BATCH(bgr_index_batch_i64, int64_t, index_i64)

bgr_status bgr_index(const bgr_space *space, const int8_t *counts, int64_t *index)
{
    int64_t n_done;
    return bgr_index_batch_i8(space, counts, 1, index, &n_done);
}

/* The greatest t with term[t] <= index.  A count over the whole row needs no branch that a random position could
 * mispredict. */
static inline int greatest_sum(const int64_t *term, int64_t index)
{
    int t = 0;
    for (int k = 1; k <= BGR_MAX_CHECKERS; k++)
        t += term[k] <= index;
    return t;
}

bgr_status bgr_position(const bgr_space *space, int64_t index, int8_t *counts)
{
    if (index < 0 || index >= space->size)
        return BGR_ERR_INDEX;
    int above = 0;
    for (int j = 0; j < space->points; j++) {
        int t = greatest_sum(space->term[j], index);
        index -= space->term[j][t];
        if (j > 0)
            counts[j - 1] = (int8_t)(above - t);
        above = t;
    }
    counts[space->points - 1] = (int8_t)above;
    return BGR_OK;
}

/* What is left of an index after the first points is the index of the rest of the position in a space of fewer points.
 * So for many positions at once the last four points come from a table: at most C(15 + 4, 4) = 3,876 entries. */
enum { TAIL = 4, MANY = 4096 };

static int8_t *tail_table(const bgr_space *space)
{
    bgr_space tail;
    if (bgr_space_init(TAIL, space->checkers, &tail) != BGR_OK)
        return NULL;
    int8_t *table = malloc((size_t)tail.size * TAIL);
    for (int64_t i = 0; table && i < tail.size; i++)
        bgr_position(&tail, i, table + i * TAIL);
    return table;
}

static void position_with_tail(const bgr_space *space, const int8_t *table, int64_t index, int8_t *counts)
{
    int n_head = space->points - TAIL, above = 0;
    for (int j = 0; j < n_head; j++) {
        int t = greatest_sum(space->term[j], index);
        index -= space->term[j][t];
        if (j > 0)
            counts[j - 1] = (int8_t)(above - t);
        above = t;
    }
    const int8_t *tail = table + index * TAIL;
    counts[n_head - 1] = (int8_t)(above - tail[0] - tail[1] - tail[2] - tail[3]);
    memcpy(counts + n_head, tail, TAIL);
}

bgr_status bgr_position_batch(const bgr_space *space, const int64_t *indices, int64_t n, int8_t *counts,
                              int64_t *n_done)
{
    int8_t *table = n >= MANY && space->points > TAIL ? tail_table(space) : NULL;
    bgr_status status = BGR_OK;
    int64_t i = 0;
    for (; i < n; i++) {
        if (indices[i] < 0 || indices[i] >= space->size) {
            status = BGR_ERR_INDEX;
            break;
        }
        if (table)
            position_with_tail(space, table, indices[i], counts + i * space->points);
        else
            bgr_position(space, indices[i], counts + i * space->points);
    }
    free(table);
    *n_done = i;
    return status;
}
