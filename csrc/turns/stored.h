/* Pairs that a database file has: a boundary for pairs of equal turns. */
#ifndef BGR_TURNS_STORED_H
#define BGR_TURNS_STORED_H

#include "turns/pairs.h"

/* The tables of pairs of a database, as a solver looks values up in them.  All zeros: there are none. */
typedef struct bgr_stored {
    const bgr_db *db;
    int checkers;  /* pairs with at most so many a side are there, and nobody can lose a gammon in them */
    bgr_space six; /* whose indices a solver knows */
    int n_planes, n_followers;
    int place[2][BGR_MAX_PLANES]; /* which value of a pair a plane is, by the side on roll */
    bgr_status status;            /* of the first value that could not be read */
} bgr_stored;

/* db: NULL is allowed.  BGR_ERR_COVERAGE if no pairs are on six points or more, BGR_ERR_SCORE if all that have pairs
 * are for a match score. */
bgr_status bgr_stored_open(const bgr_db *db, bgr_stored *stored);

/* Get ready for some planes: how many checkers a side can be looked up, 0 if the stakes are not money. */
int bgr_stored_find(bgr_stored *stored, const bgr_planes *planes, unsigned followers);

/* For bgr_boundary, whose context is a bgr_stored.  What cannot be read is 0, and told by bgr_stored_status. */
void bgr_stored_values(void *stored, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                       double *values);
bgr_status bgr_stored_status(bgr_stored *stored);

#endif
