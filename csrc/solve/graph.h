/* Sets of positions that no play leaves. */
#pragma once

#include "base/levels.h"
#include "base/lock.h"
#include "simd/row.h"
#include "solve/solver.h"

/* A set of positions that no play leaves, with every result of every roll.  Opaque; owned by the caller. */
typedef struct bgr_graph bgr_graph;

/* How many positions single dice can make of one, itself and the empty board among them: a set that no play leaves.
 * n [out].  Takes microseconds.  BGR_ERR_POINTS, BGR_ERR_POSITION. */
bgr_status bgr_count_reachable(int points, const int8_t *counts, double *n);

/* Those of a position with most[j] checkers from point j + 1 up: `sign` is added for each to the number of those with
 * as many pips.  pips: of the position; or 0, and all are added to the first number. */
void bgr_count_by_pips(int points, const int *most, int pips, double sign, double *at_pips);

/* How many positions with all 15 checkers on the board there are below one that has them: BGR_MAX_POINTS counts. */
double bgr_positions_with_all(const int8_t *counts);

/* The positions that bgr_count_reachable counts.  indices [out] as many as it says, rising. */
void bgr_list_reachable(const bgr_space *space, int64_t index, int64_t *indices);

/* Whether so few of the indices below `span` are taken that an array by index would cost more than they do. */
static inline int bgr_is_sparse(int64_t span, double n) { return (double)span > 256 * n; }

/* Whether all pairs that two positions can come to, with n_values each, are few enough to be solved within
 * `seconds` of a common processor: counted, not timed.  Three milliseconds are always allowed.  Both have
 * BGR_MAX_POINTS counts.  few [out]: 0 or 1.  BGR_ERR_POSITION. */
bgr_status bgr_pairs_are_few(const int8_t *counts_a, const int8_t *counts_b, int n_values, double seconds, int *few);

/* The graph of the n positions with these indices (any order, no index twice).  Free it with bgr_graph_free.
 * work: told of nothing done now and then, so that it can stop.
 * BGR_ERR_INDEX, BGR_ERR_CLOSED if a play leaves the set, BGR_ERR_SIZE, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_graph_new(const bgr_space *space, const int64_t *indices, int64_t n, const bgr_work *work,
                         bgr_graph **graph);
void bgr_graph_free(bgr_graph *graph); /* NULL is allowed; lets go, if others hold it */

/* Number of positions. */
int64_t bgr_graph_size(const bgr_graph *graph);

/* indices [out] size: the index of each rank, in order of pips, then index; rank 0 is the empty board. */
void bgr_graph_indices(const bgr_graph *graph, int64_t *indices);

/* For each rank the results of its rolls that have to be compared, as bgr_row_rolls of simd/row.h has them. */
typedef struct bgr_choices {
    int64_t *start;       /* of each rank's results */
    int64_t *shape_start; /* and of their shape */
    int32_t *result;
    uint16_t *shape;
} bgr_choices;

void bgr_choices_free(bgr_choices *choices); /* its members: all NULL then */

/* Its members, for solvers. */
struct bgr_graph {
    bgr_holders holders;
    int64_t n;
    uint8_t *checkers; /* n: how many checkers each rank has */
    bgr_levels levels;
    int64_t *start;  /* n * BGR_N_ROLLS + 1: where the results of a roll begin */
    int32_t *result; /* ranks */
    /* After bgr_graph_compare; else all NULL. */
    int32_t *kept;   /* what is left of each roll's results, at the beginning of their place in `result` */
    int32_t *n_kept; /* n * BGR_N_ROLLS: how many that are */
    bgr_choices best;
    int gammon_checkers; /* with which that was called */
};

/* ------------------------------------------------------------------ which results have to be compared */

/* Every result of every roll of a graph.  Free it with bgr_choices_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_choices_all(const bgr_graph *graph, bgr_choices *choices);

/* Find those results of a graph that no other result of the same roll beats, or equals before them, whatever the
 * opponent has and wherever the cube is, provided that winning never pays less than losing, nor a gammon less than
 * winning singly: solutions in double precision then pass over the others.  Once for a graph, which nobody
 * else may use meanwhile.
 *
 * A position beats another one if each result of each roll of that one is beaten by some result of the same roll here,
 * and it does not lose a gammon, of gammon_checkers checkers (0: nobody does), where the other one does not: whatever
 * can be done from there, something as good can then be done from here, roll by roll to the end.  Values are means of
 * greatest values, and rounding keeps order: what is left out would not change any of those, only the order in which
 * they are added.
 *
 * work: told of nothing done before each level, so that it can stop.
 *
 * BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_graph_compare(bgr_graph *graph, int gammon_checkers, const bgr_work *work);

static inline bgr_row_rolls bgr_rolls_of(const bgr_choices *choices, int64_t rank)
{
    return (bgr_row_rolls){choices->result + choices->start[rank], choices->shape + choices->shape_start[rank]};
}
