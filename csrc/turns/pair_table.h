/* The values of every pair of positions of few checkers at home, solved: the boundary for pairs of equal turns. */
#pragma once

#include "base/lock.h"
#include "base/stakes.h"
#include "solve/solver.h"

enum { BGR_TABLE_CHECKERS = 8 }; /* at most */

/* Every pair of positions of at most `checkers` checkers on six points, for planes as either side sees them.  Opaque;
 * owned by the caller; read by any number of threads. */
typedef struct bgr_pair_table bgr_pair_table;

/* Measure the bytes of a table, and the approximate row operations (as in bgr_pairs_size) to make it. */
void bgr_pair_table_measure(const bgr_planes *planes, int checkers, int64_t *bytes, int64_t *operations);

/* checkers: 1 .. BGR_TABLE_CHECKERS.  BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_pair_table_new(const bgr_planes *planes, int checkers, const bgr_work *work, bgr_pair_table **table);
void bgr_pair_table_free(bgr_pair_table *table); /* NULL is allowed; freed when its last holder does so */
bgr_pair_table *bgr_pair_table_hold(bgr_pair_table *table);

int bgr_pair_table_checkers(const bgr_pair_table *table);

/* Return 1 if a table of these planes would have the same bits, else 0. */
int bgr_pair_table_is_of(const bgr_pair_table *table, const bgr_planes *planes);

/* How values of planes are looked up in a table that may have been made for others. */
typedef struct bgr_pair_lookup {
    const bgr_pair_table *table;
    int n_planes;
    int plane[2][BGR_MAX_PLANES]; /* the table's plane, by side on roll and plane of the question */
} bgr_pair_lookup;

/* Return 1 if a table has the values of these planes, else 0. */
int bgr_pair_table_find(const bgr_pair_table *table, const bgr_planes *planes, bgr_pair_lookup *lookup);

/* The function of a bgr_boundary whose context is a bgr_pair_lookup. */
void bgr_pair_table_values(void *lookup, int first, int32_t on_roll, const int32_t *opponent, int m, double *values);

enum { BGR_KEPT_TABLES = 3 };

/* The latest tables that were made for single questions, kept for later ones; for any number of threads.  All zeros:
 * none; `lock` belongs to the cache. */
typedef struct bgr_kept_tables {
    bgr_lock *lock;
    bgr_pair_table *table[BGR_KEPT_TABLES];
    int oldest;
} bgr_kept_tables;
