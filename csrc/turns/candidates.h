/* What a position can come to before choosing which to keep: results within options->delta. */
#ifndef BGR_TURNS_CANDIDATES_H
#define BGR_TURNS_CANDIDATES_H

#include "solve/layer_position.h"
#include "turns/nodes.h"

/* No side takes more turns: see BGR_MAX_RACE_ROLLS. */
#define BGR_REACH_MAX_TURNS BGR_MAX_RACE_ROLLS

/* Owned by the caller. */
typedef struct bgr_candidates {
    const bgr_reach_home *home;
    bgr_reach_options options;
    bgr_packed position;
    double delta;  /* what was looked at */
    int look;      /* how far, up to BGR_FINEST_LOOK, if within max_work; 0: at the best results only */
    int by_turn;   /* there are too many: results are found while layers are made */
    int estimated; /* estimates outside the home board decided which results were looked at there */
    int weighed;
    bgr_nodes nodes;
    double spent; /* what was done in vain before these nodes were found, as nodes.work */
} bgr_candidates;

/* counts: BGR_MAX_POINTS numbers, not all of them 0; max_layer is not looked at.  Free it with bgr_candidates_free.
 * BGR_ERR_POSITION, BGR_ERR_SIZE if an option is out of range or beyond max_nodes with delta INFINITY, BGR_ERR_MEMORY.
 */
bgr_status bgr_candidates_new(const bgr_reach_home *home, const int8_t *counts, const bgr_reach_options *options,
                              bgr_candidates **candidates);
void bgr_candidates_free(bgr_candidates *candidates); /* NULL is allowed */

/* How many positions with all 15 checkers on the board there are below one that has them: BGR_MAX_POINTS counts. */
double bgr_positions_with_all(const int8_t *counts);

/* Find results turn by turn, whether or not there are too many.  Nothing may be weighed then. */
void bgr_candidates_by_turn(bgr_candidates *candidates);

/* Where results are found turn by turn: make nodes to begin with, unless there are some from the last time, whose
 * results need not be found again.  BGR_ERR_MEMORY. */
bgr_status bgr_candidates_start(bgr_candidates *candidates);

/* The most rolls that it can take until everybody is off; 0: not known, because there are too many positions. */
bgr_status bgr_candidates_longest(const bgr_candidates *candidates, int *turns);

/* Weigh the results against the time that the other side leaves: how much each adds, at most, to the chance to win of
 * the position that all come from, if those before it are kept.
 *
 * in_time: the chance that exactly k rolls, k = 0 .. n - 1, count: that the other side is off before the next one.
 * gammons: 1 if a gammon may be lost, which is weighed as well.
 * BGR_ERR_MEMORY. */
bgr_status bgr_candidates_weigh(bgr_candidates *candidates, const double *in_time, int n, int gammons);

/* The chances of every node to be off within n rolls, and with `gammons` to have borne off a checker.
 * BGR_ERR_MEMORY. */
bgr_status bgr_nodes_find_chances(bgr_nodes *nodes, int gammons);

/* Keep the edges that gain more than this; INFINITY: the best, and those that are always kept.  Gives what all others
 * would gain at most.  Before they are weighed: all of them, or with INFINITY the best, and 0. */
double bgr_nodes_keep(bgr_nodes *nodes, double least_gain);

#endif
