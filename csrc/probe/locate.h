/* A database: files in the order of preference, and the places of positions in them.  All functions are inlined into
 * those that answer questions. */
#pragma once

#include "base/bytes.h"
#include "probe/tables.h"

struct bgr_db {
    int n_files;
    bgr_tables *tables; /* n_files, in the order of the paths */
    /* Numbers of files in the order of preference. */
    int *for_one, *for_pairs, *for_win; /* for_pairs: with equities; for_win: with equities or chances */
    int n_for_one, n_for_pairs, n_for_win;
};

/* ------------------------------------------------------------------ positions */

/* One player's checkers as the index needs them: how many stand on each point or beyond. */
typedef struct {
    int points; /* listed points */
    int n_checkers;
    uint64_t low;                     /* of the first eight points, a byte each, the ace point in the lowest */
    uint8_t high[BGR_MAX_POINTS - 8]; /* of listed points beyond */
} suffix_sums;

/* Counts of fewer than eight points, a byte each. */
BGR_RARE static uint64_t load_few(int points, const unsigned char *p)
{
    uint64_t word = 0;
    for (int j = 0; j < points; j++)
        word |= (uint64_t)p[j] << 8 * j;
    return word;
}

/* Find the sums of the points beyond the eighth; returns their checkers, -1 if not a position. */
BGR_RARE static int read_beyond(int points, const int8_t *counts, suffix_sums *s)
{
    int beyond = 0;
    for (int j = points - 1; j >= 8; j--) {
        if (counts[j] < 0 || counts[j] > BGR_MAX_CHECKERS)
            return -1;
        beyond += counts[j];
        s->high[j - 8] = (uint8_t)beyond;
        if (beyond > BGR_MAX_CHECKERS)
            return -1;
    }
    return beyond;
}

/* Find all eight sums at once, by a multiplication, without branches that random positions could mispredict. */
static inline bgr_status read_counts(int points, const int8_t *counts, suffix_sums *s)
{
    const unsigned char *p = (const unsigned char *)counts;
    int beyond = 0;
    uint64_t word;
    s->points = points;
    s->n_checkers = 0;
    s->low = 0;
    if (points == 6)
        word = (uint64_t)get_u32(p) | (uint64_t)((unsigned)p[4] | (unsigned)p[5] << 8) << 32;
    else if (points < 8)
        word = load_few(points, p);
    else
        word = get_u64(p);
    if (points > 8) {
        beyond = read_beyond(points, counts, s);
        if (beyond < 0)
            return BGR_ERR_POSITION;
    }
    if (word & BGR_OUTSIDE) /* negative, or more than 15 */
        return BGR_ERR_POSITION;
    /* Checkers on each point or below; at most 8 x 15, so no byte overflows. */
    uint64_t up_to = word * BGR_EVERY_BYTE;
    int sum = (int)(up_to >> 56) + beyond;
    s->low = (uint64_t)sum * BGR_EVERY_BYTE - (up_to << 8);
    s->n_checkers = sum;
    return sum <= BGR_MAX_CHECKERS ? BGR_OK : BGR_ERR_POSITION;
}

/* Checkers on point j + 1 or beyond; j below the number of points that were listed. */
static inline int sum_at(const suffix_sums *s, int j) { return j < 8 ? (int)(s->low >> 8 * j & 0xFF) : s->high[j - 8]; }

static inline int fits(const bgr_tables *tables, const suffix_sums *s, int most_checkers)
{
    int points = tables->info.points;
    return s->n_checkers <= most_checkers && (s->points <= points || sum_at(s, points) == 0);
}

/* The index on more than eight points. */
BGR_RARE static int64_t long_index_of(const bgr_tables *tables, const suffix_sums *s)
{
    int64_t index = 0;
    for (int j = 0; j < tables->info.points && j < s->points; j++)
        index += tables->space.term[j][sum_at(s, j)];
    return index;
}

static inline int64_t index_of(const bgr_tables *tables, const suffix_sums *s)
{
    if (tables->info.points > 8)
        return long_index_of(tables, s);
    uint64_t couples = s->low | s->low >> 4; /* two sums in every other byte */
    return (int64_t)tables->couple[0][couples & 0xFF] + tables->couple[1][couples >> 16 & 0xFF] +
           tables->couple[2][couples >> 32 & 0xFF] + tables->couple[3][couples >> 48 & 0xFF];
}

/* Find the file that answers about one position, and its index there. */
static inline bgr_status find_one(const bgr_db *db, const suffix_sums *s, const bgr_tables **tables, int64_t *index)
{
    for (int k = 0; k < db->n_for_one; k++) {
        const bgr_tables *t = &db->tables[db->for_one[k]];
        if (fits(t, s, t->info.checkers)) {
            *tables = t;
            *index = index_of(t, s);
            return BGR_OK;
        }
    }
    return BGR_ERR_COVERAGE;
}

static inline bgr_status locate(const bgr_db *db, int points, const int8_t *counts, const bgr_tables **tables,
                                int64_t *index)
{
    suffix_sums s;
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    bgr_status status = read_counts(points, counts, &s);
    return status == BGR_OK ? find_one(db, &s, tables, index) : status;
}

/* Read both sides of a pair; not both may be empty. */
static inline bgr_status read_pair(int points, const int8_t *on_roll, const int8_t *opponent, suffix_sums *mine,
                                   suffix_sums *theirs)
{
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    bgr_status a = read_counts(points, on_roll, mine), b = read_counts(points, opponent, theirs);
    return a != BGR_OK || b != BGR_OK || mine->n_checkers + theirs->n_checkers == 0 ? BGR_ERR_POSITION : BGR_OK;
}

/* Find the first of some files that has a pair, and the pair's place there. */
static inline bgr_status find_among(const bgr_db *db, const int *files, int n_files, const suffix_sums *mine,
                                    const suffix_sums *theirs, const bgr_tables **tables, bgr_pair *pair)
{
    for (int k = 0; k < n_files; k++) {
        const bgr_tables *t = &db->tables[files[k]];
        int most = t->info.two_sided_checkers;
        if (fits(t, mine, most) && fits(t, theirs, most)) {
            *tables = t;
            *pair = bgr_tables_pair(t, index_of(t, mine), index_of(t, theirs));
            return BGR_OK;
        }
    }
    return BGR_ERR_COVERAGE;
}

/* ------------------------------------------------------------------ pieces of a batch */

/* Find the indices of n positions; returns 0 if one is not a position, or not in the tables.  Errors are checked after
 * the loop.  Inlined with a constant number of points, an iteration takes a few dozen instructions. */
static inline int rank_all(const bgr_tables *tables, int most_checkers, int points, const int8_t *counts, int n,
                           int64_t *index)
{
    int wrong = 0;
    for (int k = 0; k < n; k++) {
        suffix_sums s;
        wrong |= (int)read_counts(points, counts + (ptrdiff_t)k * points, &s) | !fits(tables, &s, most_checkers);
        index[k] = index_of(tables, &s);
    }
    return !wrong;
}

static inline int rank_piece(const bgr_tables *tables, int most_checkers, int points, const int8_t *counts, int n,
                             int64_t *index)
{
    enum { HOME = BGR_HOME_POINTS };
    if (points < 1 || points > 8 || tables->info.points > 8)
        return 0;
    if (points == HOME && tables->info.points == HOME)
        return bgr_halves_index(&tables->halves, most_checkers, counts, n, index);
    if (points == HOME)
        return rank_all(tables, most_checkers, HOME, counts, n, index);
    return rank_all(tables, most_checkers, points, counts, n, index);
}
