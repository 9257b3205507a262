/* Pairs of few checkers at home whose values are known: boundaries for pairs of equal turns. */
#ifndef BGR_TURNS_ENDGAME_TABLE_H
#define BGR_TURNS_ENDGAME_TABLE_H

#include "turns/pairs.h"

enum { BGR_KNOWN_CHECKERS = 8 }; /* at most */

/* Every pair of positions of at most `checkers` checkers on six points, for every cube state of some planes.  Opaque;
 * owned by the caller; read by any number of threads. */
typedef struct bgr_known bgr_known;

/* The latest tables that were made for questions alone.  Opaque; owned by the caller; used by one thread at a time. */
typedef struct bgr_kept_tables bgr_kept_tables;

/* What a table takes, and about how many row operations (as in bgr_pairs_size) it costs to make one. */
void bgr_known_measure(const bgr_planes *planes, int checkers, int64_t *bytes, int64_t *operations);

/* BGR_ERR_CHECKERS, BGR_ERR_MEMORY. */
bgr_status bgr_known_new(const bgr_planes *planes, int checkers, bgr_known **known);
void bgr_known_free(bgr_known *known); /* NULL is allowed */

int bgr_known_checkers(const bgr_known *known);

/* Whether a table of these planes would have the same bits: 1 or 0. */
int bgr_known_is_of(const bgr_known *known, const bgr_planes *planes);

/* Planes looked up in a table, whatever planes it was made for; then followers, which are 0. */
typedef struct bgr_known_view {
    const bgr_known *known;
    int n_planes, n_followers;
    int state[2][BGR_MAX_PLANES];
} bgr_known_view;

/* Whether a table has every cube state of these planes: 1 or 0. */
int bgr_known_find(const bgr_known *known, const bgr_planes *planes, int n_followers, bgr_known_view *view);

/* For bgr_boundary, whose context is a bgr_known_view. */
void bgr_known_values(void *view, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                      double *values);

/* The tables of pairs of a database, as a solver looks values up in them.  All zeros: there are none. */
typedef struct bgr_stored {
    const bgr_db *db;
    int file;       /* which of the database's files has most pairs */
    int checkers;   /* pairs with at most this many a side are there, and nobody can lose a gammon in them */
    int in_place;   /* 1: a pair's values lie in memory; 0: they are read or unpacked */
    int32_t *index; /* the file's, by those on six points, which a solver knows; NULL if they are the same */
    int n_planes, n_followers;
    int place[2][BGR_MAX_PLANES]; /* which value of a pair a plane is, by the side on roll */
    bgr_status status;            /* of the first value that could not be read */
} bgr_stored;

/* db: NULL is allowed.  Close it even if this fails: BGR_ERR_COVERAGE if no pairs are on six points or more, small
 * files left out, BGR_ERR_SCORE if all that have pairs are for a match score, BGR_ERR_MEMORY. */
bgr_status bgr_stored_open(const bgr_db *db, bgr_stored *stored);
void bgr_stored_close(bgr_stored *stored);

/* About how many row operations (as in bgr_pairs_size) it takes to look a pair up. */
int bgr_stored_work(const bgr_stored *stored);

/* Get ready for some planes: how many checkers a side can be looked up, 0 if the stakes are not money. */
int bgr_stored_find(bgr_stored *stored, const bgr_planes *planes, unsigned followers);

/* For bgr_boundary, whose context is a bgr_stored.  What cannot be read is 0, and told by bgr_stored_status. */
void bgr_stored_values(void *stored, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                       double *values);
bgr_status bgr_stored_status(bgr_stored *stored);

#endif
