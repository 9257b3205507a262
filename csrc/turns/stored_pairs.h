/* The values of pairs of positions at home from a database: the boundary for pairs of equal turns. */
#pragma once

#include "base/stakes.h"
#include "probe/tables.h"

/* The table of pairs of a database that a solver looks values up in.  All zeros: none. */
typedef struct bgr_stored {
    const bgr_tables *tables; /* of the database's file with most pairs */
    int checkers;             /* they have the pairs with at most this many checkers a side, none with gammons */
    int in_place;             /* 1: values are in memory; 0: they are read or unpacked */
    int32_t *index;           /* the file's indices by indices on six points; NULL if they are the same */
    int n_planes;
    bgr_cube cube[2][BGR_MAX_PLANES]; /* by side on roll and plane: the position of the cube */
    int64_t status;                   /* bgr_status of the last value that could not be read, else BGR_OK */
} bgr_stored;

/* Open the table.  db: NULL is allowed.  Close it even if this fails.  BGR_ERR_COVERAGE if there are no pairs on six
 * points or more, approximate files ignored; BGR_ERR_MEMORY. */
bgr_status bgr_stored_open(const bgr_db *db, bgr_stored *stored);
void bgr_stored_close(bgr_stored *stored);

/* The approximate row operations (as in bgr_pairs_size) that looking a pair up costs. */
int bgr_stored_work(const bgr_stored *stored);

/* Prepare to look up some planes.  Returns the checkers a side up to which pairs are there, 0 if the stakes are not
 * money. */
int bgr_stored_find(bgr_stored *stored, const bgr_planes *planes);

/* The function of a bgr_boundary whose context is a bgr_stored.  Values that cannot be read are 0, and set `status`. */
void bgr_stored_values(void *stored, int first, int32_t on_roll, const int32_t *opponent, int m, double *values);
