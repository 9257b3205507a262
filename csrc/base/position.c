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

#include "bgrace.h"

#include <stdlib.h>
#include <string.h>

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

#define DEFINE_INDEX_BATCH(name, count_t, one, first_way)                                                              \
    bgr_status name(const bgr_space *space, const count_t *counts, int64_t n, int64_t *indices, int64_t *n_done)       \
    {                                                                                                                  \
        for (int64_t i = first_way(space, counts, n, indices); i < n; i++) {                                           \
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

/* Home positions in bytes, the way most arrays are given: a position fits into a word, whose multiplication by ones
 * adds up all suffixes at once, and needs no branch.  Gives how many are done, up to the first that is none, or to the
 * last, behind which there may be nothing to read. */
static int64_t index_home(const bgr_space *space, const int8_t *counts, int64_t n, int64_t *indices)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && defined(__GNUC__)
    enum { POINTS = 6 };
    if (space->points != POINTS)
        return 0;
    for (int64_t i = 0; i + 1 < n; i++) {
        uint64_t word;
        memcpy(&word, counts + i * POINTS, sizeof word); /* two bytes are of the next position, and drop out */
        word = __builtin_bswap64(word << 16);            /* the highest point in the lowest byte */
        uint64_t sums = word * 0x010101010101U;
        if (word & 0xF0F0F0F0F0F0U || (int)(sums >> 40 & 0xFF) > space->checkers)
            return i;
        int64_t index = 0;
        for (int j = 0; j < POINTS; j++)
            index += space->term[j][sums >> 8 * (POINTS - 1 - j) & 0xFF];
        indices[i] = index;
    }
    return n > 0 ? n - 1 : 0;
#else
    (void)space, (void)counts, (void)n, (void)indices;
    return 0;
#endif
}

static inline int64_t index_none(const bgr_space *space, const int64_t *counts, int64_t n, int64_t *indices)
{
    (void)space, (void)counts, (void)n, (void)indices;
    return 0;
}

DEFINE_INDEX_BATCH(bgr_index_batch_i8, int8_t, index_i8, index_home)
DEFINE_INDEX_BATCH(bgr_index_batch_i64, int64_t, index_i64, index_none)

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
