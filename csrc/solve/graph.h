/* Sets of positions that no play leaves. */
#pragma once

#include "base/levels.h"
#include "base/lock.h"
#include "simd/row.h"
#include "solve/solver.h"

/* A set of positions that no play leaves, with every result of every roll.  Opaque; owned by the caller. */
typedef struct bgr_graph bgr_graph;

/* Count the positions that single dice can reach from one, with itself and the empty board: a set that no play leaves.
 * n [out].  Takes microseconds.  BGR_ERR_POINTS, BGR_ERR_POSITION. */
bgr_status bgr_count_reachable(int points, const int8_t *counts, double *n);

/* Count the positions reachable from one with most[j] checkers on point j + 1 or beyond: for each, `sign` is added to
 * at_pips at its pips.  pips: of the position; or 0 to add all to at_pips[0]. */
void bgr_count_by_pips(int points, const int *most, int pips, double sign, double *at_pips);

/* The number of positions with all 15 checkers on the board that a position of 15 checkers can reach. */
double bgr_positions_with_all(const int8_t *counts);

/* List the positions that bgr_count_reachable counts.  indices [out]: rising. */
void bgr_list_reachable(const bgr_space *space, int64_t index, int64_t *indices);

/* Whether an array by index, of `span` elements, would cost more than the n positions themselves. */
static inline int bgr_is_sparse(int64_t span, double n) { return (double)span > 256 * n; }

/* Find whether all pairs that two positions can reach, with n_values each, can be solved within `seconds` of a common
 * processor: counted, not timed.  Three milliseconds are always allowed.  Both positions have BGR_MAX_POINTS counts.
 * few [out]: 0 or 1.  BGR_ERR_POSITION. */
bgr_status bgr_pairs_are_few(const int8_t *counts_a, const int8_t *counts_b, int n_values, double seconds, int *few);

/* Make the graph of the n positions with these indices (in any order, each once).  Free it with bgr_graph_free.
 * work: its progress is called from time to time with 0 done, so that it can stop the work.
 * BGR_ERR_INDEX, BGR_ERR_CLOSED if a play leaves the set, BGR_ERR_SIZE, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_graph_new(const bgr_space *space, const int64_t *indices, int64_t n, const bgr_work *work,
                         bgr_graph **graph);
void bgr_graph_free(bgr_graph *graph); /* NULL is allowed; freed when its last holder does so */

/* Number of positions. */
int64_t bgr_graph_size(const bgr_graph *graph);

/* Get the index of each rank, in order of pips, then index; rank 0 is the empty board.  indices [out] size. */
void bgr_graph_indices(const bgr_graph *graph, int64_t *indices);

/* The results of each rank's rolls that have to be compared, in the form of bgr_row_rolls of simd/row.h. */
typedef struct bgr_choices {
    int64_t *start;       /* where each rank's results begin */
    int64_t *shape_start; /* where their shape begins */
    int32_t *result;
    uint16_t *shape;
} bgr_choices;

void bgr_choices_free(bgr_choices *choices); /* frees the members and sets them to NULL */

/* The members of a graph, for solvers. */
struct bgr_graph {
    bgr_holders holders;
    int64_t n;
    uint8_t *checkers; /* n: checkers of each rank */
    bgr_levels levels;
    int64_t *start;  /* n * BGR_N_ROLLS + 1: where the results of a roll begin */
    int32_t *result; /* ranks */
    /* Set by bgr_graph_compare; else NULL: */
    int32_t *kept;   /* the results of each roll to compare, from the roll's start on, as in `result` */
    int32_t *n_kept; /* n * BGR_N_ROLLS: their number */
    bgr_choices best;
    int gammon_checkers; /* as given to bgr_graph_compare */
};

/* ------------------------------------------------------------------ which results have to be compared */

/* Choose every result of every roll of a graph.  Free it with bgr_choices_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_choices_all(const bgr_graph *graph, bgr_choices *choices);

/* Find the results that no other result of the same roll beats, or equals and precedes, for any position of the
 * opponent and of the cube, provided that a win never pays less than a loss, nor a gammon less than a single win;
 * solutions in double precision then skip the others.  To be called once for a graph, which must not be in use.
 *
 * A position beats another if, for each roll, each result of the other is beaten by some result of the first, and if it
 * does not lose a gammon (with gammon_checkers checkers; 0: no gammons) unless the other does: so from the first
 * position one can do as well, roll by roll to the end.  Values are means of greatest values, and rounding preserves
 * order: skipped results would change only the order in which values are added.
 *
 * work: its progress is called before each level with 0 done, so that it can stop the work.
 *
 * BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_graph_compare(bgr_graph *graph, int gammon_checkers, const bgr_work *work);

static inline bgr_row_rolls bgr_rolls_of(const bgr_choices *choices, int64_t rank)
{
    return (bgr_row_rolls){choices->result + choices->start[rank], choices->shape + choices->shape_start[rank]};
}
