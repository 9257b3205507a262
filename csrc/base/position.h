/* Sums over a position, beside its index (bgrace.h), and the indices of many. */
#pragma once

#include "bgrace.h"

/* The number of points of the home board; and the lowest point of the other side's home board. */
enum { BGR_HOME_POINTS = 6, BGR_OTHER_HOME = BGR_MAX_POINTS - BGR_HOME_POINTS + 1 };

enum { BGR_MAX_BOARD_PIPS = BGR_MAX_POINTS * BGR_MAX_CHECKERS };

/* No bearoff of 15 checkers takes this many rolls: outside the home board each brings at least three pips. */
#define BGR_MAX_RACE_ROLLS 192

/* Suffix sums: t[j] checkers stand on point j + 1 or beyond. */
static inline void bgr_suffix_sums(int points, const int8_t *counts, int *t)
{
    int above = 0;
    for (int j = points - 1; j >= 0; j--)
        t[j] = above += counts[j];
}

static inline int bgr_pips(int points, const int8_t *counts)
{
    int pips = 0;
    for (int j = 0; j < points; j++)
        pips += (j + 1) * counts[j];
    return pips;
}

/* The highest point with a checker; 0: none. */
static inline int bgr_highest(int points, const int8_t *counts)
{
    while (points > 0 && !counts[points - 1])
        points--;
    return points;
}

static inline int bgr_n_checkers(int points, const int8_t *counts)
{
    int checkers = 0;
    for (int j = 0; j < points; j++)
        checkers += counts[j];
    return checkers;
}

/* The same for counts that may be invalid; -1 if they are not a position of at most BGR_MAX_CHECKERS. */
static inline int bgr_checked_checkers(int points, const int8_t *counts)
{
    int checkers = 0;
    for (int j = 0; j < points; j++) {
        if (counts[j] < 0)
            return -1;
        checkers += counts[j];
    }
    return checkers <= BGR_MAX_CHECKERS ? checkers : -1;
}

/* Counts in a word, a byte each: multiplied by the first, each byte holds the sum of itself and those below; the second
 * has the bits that a count sets only if it is negative or more than BGR_MAX_CHECKERS. */
#define BGR_EVERY_BYTE 0x0101010101010101U
#define BGR_OUTSIDE 0xF0F0F0F0F0F0F0F0U

/* The parts of a home position's index from points 1 to 3 and from points 4 to 6, each looked up by a number of twelve
 * bits: see position.c. */
enum { BGR_HALF = 1 << 12 };

typedef struct bgr_halves {
    uint16_t low[BGR_HALF], high[BGR_HALF];
} bgr_halves;

/* Set up the tables, for any number of checkers. */
void bgr_halves_init(bgr_halves *halves);

/* Find the indices of n home positions of at most `checkers` checkers; returns 0, with undefined indices, if one is not
 * such a position. */
int bgr_halves_index(const bgr_halves *halves, int checkers, const int8_t *counts, int64_t n, int64_t *indices);

/* bgr_index and bgr_position of n positions stored one after another.  *n_done: number before the first that cannot be
 * converted; n if and only if the status is BGR_OK. */
bgr_status bgr_index_batch_i8(const bgr_space *space, const int8_t *counts, int64_t n, int64_t *indices,
                              int64_t *n_done);
bgr_status bgr_index_batch_i64(const bgr_space *space, const int64_t *counts, int64_t n, int64_t *indices,
                               int64_t *n_done);
bgr_status bgr_position_batch(const bgr_space *space, const int64_t *indices, int64_t n, int8_t *counts,
                              int64_t *n_done);

/* For qsort over int64_t. */
static inline int bgr_compare_indices(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}
