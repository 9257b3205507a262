/* What the C files share.  Never installed. */
#ifndef BGR_INTERNAL_H
#define BGR_INTERNAL_H

#include "base/core.h"

#include <stddef.h>

/* In front of a function: compile it for several vector widths, where the loader can choose between them. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define BGR_EVERY_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BGR_EVERY_WIDTH
#endif

/* Larger die, smaller die, weight out of 36, in the order that bgr_roll documents. */
typedef struct {
    int8_t larger, smaller, weight;
} bgr_roll_kind;
extern const bgr_roll_kind bgr_rolls[BGR_N_ROLLS];

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

/* For qsort over int64_t. */
static inline int bgr_compare_indices(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Results of playing one die from a position that is not empty, as indices; at most one for each point.  The chosen
 * order, lowest source point first, is a fact that callers may use. */
int bgr_single_die(const bgr_space *space, const int8_t *counts, int64_t index, int die, int64_t *results);

/* Positions in the order in which they can be solved: by pips, then by index.  Every play lowers the pips, so the
 * positions of a level (those with equal pips) don't depend on each other. */
typedef struct {
    int32_t *index; /* rank -> index */
    int64_t *start; /* n_levels + 1: the first rank with a given pip count */
    int n_levels;   /* greatest pip count + 1 */
} bgr_levels;

/* sorted: n rising indices, or NULL for 0 .. n - 1.  All must be below 2^31.  BGR_ERR_MEMORY. */
bgr_status bgr_levels_new(const bgr_space *space, const int64_t *sorted, int64_t n, bgr_levels *levels);
void bgr_levels_free(bgr_levels *levels);

/* Means of different positions differ by at least 3.77e-7 rolls on six points unless their distributions are equal;
 * equal ones differ by rounding only. */
#define BGR_TIE 1e-10

struct bgr_graph {
    int64_t n;
    uint8_t *checkers; /* n: how many checkers each rank has */
    bgr_levels levels;
    int64_t *start;  /* n * BGR_N_ROLLS + 1: where the results of a roll begin */
    int32_t *result; /* ranks */
};

/* Memory that is zero, that can be given back piece by piece, and whose untouched parts cost nothing.  NULL if there is
 * no room.  Where the system can't do that, giving back does nothing.  `whole` says that most of it will be touched and
 * none given back: then it comes in large pages, if the system has them. */
void *bgr_reserve(size_t n_bytes, int whole);
void bgr_give_back(void *start, size_t n_bytes); /* whole pages within the range; they read as zero, or as before */
void bgr_will_read(const void *start, size_t n_bytes); /* a hint that a mapped file had better be read in long strips */
void bgr_unreserve(void *start, size_t n_bytes);       /* NULL is allowed */

#endif
