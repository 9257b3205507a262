/* The values of every pair of positions of few checkers at home, solved: a boundary for pairs of equal turns. */
#pragma once

#include "base/lock.h"
#include "base/stakes.h"

enum { BGR_TABLE_CHECKERS = 8 }; /* at most */

/* Every pair of positions of at most `checkers` checkers on six points, for either side's view of some planes.  Opaque;
 * owned by the caller; read by any number of threads. */
typedef struct bgr_pair_table bgr_pair_table;

/* The bytes of a table, and about how many row operations (as in bgr_pairs_size) it costs to make one. */
void bgr_pair_table_measure(const bgr_planes *planes, int checkers, int64_t *bytes, int64_t *operations);

/* checkers: 1 .. BGR_TABLE_CHECKERS.  BGR_ERR_MEMORY. */
bgr_status bgr_pair_table_new(const bgr_planes *planes, int checkers, bgr_pair_table **table);
void bgr_pair_table_free(bgr_pair_table *table); /* NULL is allowed; lets go, if others hold it */
bgr_pair_table *bgr_pair_table_hold(bgr_pair_table *table);

int bgr_pair_table_checkers(const bgr_pair_table *table);

/* Whether a table of these planes would have the same bits: 1 or 0. */
int bgr_pair_table_is_of(const bgr_pair_table *table, const bgr_planes *planes);

/* Planes looked up in a table, whatever planes it was made for; then followers, which are 0. */
typedef struct bgr_pair_lookup {
    const bgr_pair_table *table;
    int n_planes, n_followers;
    int plane[2][BGR_MAX_PLANES]; /* by the side on roll and the plane asked for, the plane of the table */
} bgr_pair_lookup;

/* Whether a table has the values of these planes: 1 or 0. */
int bgr_pair_table_find(const bgr_pair_table *table, const bgr_planes *planes, int n_followers,
                        bgr_pair_lookup *lookup);

/* For bgr_boundary, whose context is a bgr_pair_lookup. */
void bgr_pair_table_values(void *lookup, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                           double *values);

enum { BGR_KEPT_TABLES = 3 };

/* The latest tables that were made for questions alone, for later ones; for any number of threads.  Where all is zeros
 * but `lock`, which belongs to the cache, none are kept yet. */
typedef struct bgr_kept_tables {
    bgr_lock *lock;
    bgr_pair_table *table[BGR_KEPT_TABLES];
    int oldest;
} bgr_kept_tables;
