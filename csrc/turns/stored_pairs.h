/* The values of pairs of positions at home as a database has them: a boundary for pairs of equal turns. */
#pragma once

#include "base/stakes.h"

/* The tables of pairs of a database, as a solver looks values up in them.  All zeros: there are none. */
typedef struct bgr_stored {
    const bgr_db *db;
    int file;       /* which of the database's files has most pairs */
    int checkers;   /* pairs with at most this many a side are there, and nobody can lose a gammon in them */
    int in_place;   /* 1: a pair's values lie in memory; 0: they are read or unpacked */
    int32_t *index; /* the file's, by those on six points, which a solver knows; NULL if they are the same */
    int n_planes, n_followers;
    bgr_cube cube[2][BGR_MAX_PLANES]; /* by the side on roll and the plane: the place of the cube whose value it is */
    int64_t status;                   /* bgr_status of a value that could not be read, else BGR_OK */
} bgr_stored;

/* db: NULL is allowed.  Close it even if this fails: BGR_ERR_COVERAGE if no pairs are on six points or more, small
 * files left out, BGR_ERR_MEMORY. */
bgr_status bgr_stored_open(const bgr_db *db, bgr_stored *stored);
void bgr_stored_close(bgr_stored *stored);

/* About how many row operations (as in bgr_pairs_size) it takes to look a pair up. */
int bgr_stored_work(const bgr_stored *stored);

/* Get ready for some planes: how many checkers a side can be looked up, 0 if the stakes are not money. */
int bgr_stored_find(bgr_stored *stored, const bgr_planes *planes, unsigned followers);

/* For bgr_boundary, whose context is a bgr_stored.  Values that cannot be read are 0, and set `status`. */
void bgr_stored_values(void *stored, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                       double *values);
