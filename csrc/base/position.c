/* Positions and their indices: the perfect hash of Ross, Benjamin and Munson.
 *
 * Positions are listed in decreasing lexicographic order of (borne off, on the ace point, on the two point, ...).  With
 * t_j checkers on point j or beyond, the numbers t_j + points - j strictly decrease, so they are a subset of
 * {0, .., checkers + points - 1}, and the index is the rank of that subset in the combinatorial number system:
 *
 *     index = sum over j = 1 .. points of C(t_j + points - j, points - j + 1).
 *
 * Every term grows with t_j and every play lowers some t_j and raises none, so every play lowers the index; and the
 * greatest number of checkers does not enter, so positions with fewer checkers come first. */

#include "base/position.h"

#include "base/bytes.h"

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

/* Home positions as words, with which the terms of three points are looked up at once.
 *
 * The counts c_1 .. c_6 are bytes 2 .. 7 of the word, so that nothing is above them.  The last three terms depend on
 * c_4, c_5 and c_6 alone, the first three on c_1, c_2 and t_3 = c_3 + .. + c_6.  A multiplication puts these into the
 * highest twelve bits, four bits each; below is nothing that carries if there are at most 15 checkers. */

/* The two bytes after the position are shifted out. */
static inline uint64_t home_word(const int8_t *counts) { return get_u64((const unsigned char *)counts) << 16; }

/* The same if nothing may be read after the position. */
static inline uint64_t last_home_word(const int8_t *counts)
{
    const unsigned char *p = (const unsigned char *)counts;
    return (uint64_t)get_u32(p + 2) << 32 | (uint64_t)get_u16(p) << 16;
}

/* From the highest bits down: c_2, t_3, c_1; and c_5, c_6, c_4. */
static inline uint64_t low_half(uint64_t word) { return word * 0x1001010101U >> (64 - 12); }
static inline uint64_t high_half(uint64_t word) { return word * 0x1001U >> (64 - 12); }

void bgr_halves_init(bgr_halves *halves)
{
    bgr_space space;
    (void)bgr_space_init(BGR_HOME_POINTS, BGR_MAX_CHECKERS, &space);
    memset(halves, 0, sizeof *halves);
    for (int8_t a = 0; a <= BGR_MAX_CHECKERS; a++)
        for (int8_t b = 0; a + b <= BGR_MAX_CHECKERS; b++)
            for (int8_t c = 0; a + b + c <= BGR_MAX_CHECKERS; c++) {
                const int8_t near_home[] = {a, b, c, 0, 0, 0}, beyond[] = {0, 0, 0, a, b, c};
                int64_t low = space.term[0][a + b + c] + space.term[1][b + c] + space.term[2][c];
                int64_t high = space.term[3][a + b + c] + space.term[4][b + c] + space.term[5][c];
                halves->low[low_half(last_home_word(near_home))] = (uint16_t)low;
                halves->high[high_half(last_home_word(beyond))] = (uint16_t)high;
            }
}

/* Errors of a piece, checked after it, so that there are no branches in the loop. */
typedef struct {
    uint64_t words; /* has a bit of BGR_OUTSIDE if a count is negative or too large */
    uint64_t sums;  /* else has the highest bit if there are too many checkers */
} piece_check;

static inline int64_t halves_one(const bgr_halves *halves, uint64_t word, uint64_t room, piece_check *check)
{
    check->words |= word;
    check->sums |= word * BGR_EVERY_BYTE + room;
    return (uint32_t)halves->low[low_half(word)] + halves->high[high_half(word)];
}

int bgr_halves_index(const bgr_halves *halves, int checkers, const int8_t *counts, int64_t n, int64_t *indices)
{
    const uint64_t room = (uint64_t)(127 - checkers) << 56; /* for the sum of all counts, in the highest byte */
    piece_check check = {0, 0};
    int64_t i = 0;
    for (; i + 1 < n; i++)
        indices[i] = halves_one(halves, home_word(counts + i * BGR_HOME_POINTS), room, &check);
    if (i < n)
        indices[i] = halves_one(halves, last_home_word(counts + i * BGR_HOME_POINTS), room, &check);
    return !((check.words & BGR_OUTSIDE) | check.sums >> 63);
}

/* One body for the two types of counts. */
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

#define DEFINE_INDEX_BATCH(name, count_t, one, n_indexed)                                                              \
    bgr_status name(const bgr_space *space, const count_t *counts, int64_t n, int64_t *indices, int64_t *n_done)       \
    {                                                                                                                  \
        for (int64_t i = n_indexed; i < n; i++) {                                                                      \
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

/* Find indices of a few home positions in bytes; nothing may be read after the last.  Returns how many were converted
 * before the first that is not a position. */
static int64_t index_few(const bgr_space *space, const int8_t *counts, int64_t n, int64_t *indices)
{
    for (int64_t i = 0; i + 1 < n; i++) {
        uint64_t word = home_word(counts + i * BGR_HOME_POINTS), up_to = word * BGR_EVERY_BYTE, all = up_to >> 56;
        if (word & BGR_OUTSIDE || (int)all > space->checkers)
            return i;
        uint64_t beyond = all * BGR_EVERY_BYTE - (up_to << 8); /* byte j + 2: the checkers on points[j] and beyond */
        int64_t index = 0;
        for (int j = 0; j < BGR_HOME_POINTS; j++)
            index += space->term[j][beyond >> 8 * (j + 2) & 0xFF];
        indices[i] = index;
    }
    return n > 0 ? n - 1 : 0;
}

/* The same for many, for which tables pay off.  Before one that is not a position, up to a piece may be left undone. */
static int64_t index_many(const bgr_space *space, const int8_t *counts, int64_t n, int64_t *indices)
{
    enum { PIECE = 256 };
    bgr_halves halves;
    bgr_halves_init(&halves);
    for (int64_t i = 0; i < n; i += PIECE)
        if (!bgr_halves_index(&halves, space->checkers, counts + i * BGR_HOME_POINTS, n - i < PIECE ? n - i : PIECE,
                              indices + i))
            return i;
    return n;
}

static int64_t index_home(const bgr_space *space, const int8_t *counts, int64_t n, int64_t *indices)
{
    enum { MANY = 512 };
    if (space->points != BGR_HOME_POINTS)
        return 0;
    return n < MANY ? index_few(space, counts, n, indices) : index_many(space, counts, n, indices);
}

DEFINE_INDEX_BATCH(bgr_index_batch_i8, int8_t, index_i8, index_home(space, counts, n, indices))
DEFINE_INDEX_BATCH(bgr_index_batch_i64, int64_t, index_i64, 0)

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

/* Find the counts of the first n - 1 points; returns the checkers on point n or beyond.  *index becomes the index of
 * the other points. */
static inline int first_counts(const bgr_space *space, int n, int64_t *index, int8_t *counts)
{
    int above = 0;
    for (int j = 0; j < n; j++) {
        int t = greatest_sum(space->term[j], *index);
        *index -= space->term[j][t];
        if (j > 0)
            counts[j - 1] = (int8_t)(above - t);
        above = t;
    }
    return above;
}

bgr_status bgr_position(const bgr_space *space, int64_t index, int8_t *counts)
{
    int last = space->points - 1;
    if (index < 0 || index >= space->size || last < 0)
        return BGR_ERR_INDEX;
    counts[last] = (int8_t)first_counts(space, last + 1, &index, counts);
    return BGR_OK;
}

/* The rest of an index after the first points is the index of the other points in a space of fewer points.
 * So for many positions at once the last four points come from a table: at most C(15 + 4, 4) = 3,876 entries. */
enum { TAIL = 4, MANY = 4096 };

static int8_t *tail_table(const bgr_space *space)
{
    bgr_space tail;
    (void)bgr_space_init(TAIL, space->checkers, &tail);
    int8_t *table = malloc((size_t)tail.size * TAIL);
    for (int64_t i = 0; table && i < tail.size; i++)
        bgr_position(&tail, i, table + i * TAIL);
    return table;
}

static void position_with_tail(const bgr_space *space, const int8_t *table, int64_t index, int8_t *counts)
{
    int n_head = space->points - TAIL, above = first_counts(space, n_head, &index, counts);
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
