/* Pairs of few checkers at home, solved once and for all: a boundary for pairs of equal turns. */
#ifndef BGR_TURNS_KNOWN_H
#define BGR_TURNS_KNOWN_H

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

#endif
