/* Which results of a roll have to be compared, and the shape in which rows of values are summed. */
#ifndef BGR_CHOICES_H
#define BGR_CHOICES_H

#include "simd/row.h"
#include "solve/graph.h"

/* Every result of every roll of a graph.  Free it with bgr_choices_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_choices_all(const bgr_graph *graph, bgr_choices *choices);

/* Find those results of a graph that no other result of the same roll beats, or equals before them, whatever the
 * opponent has and wherever the cube is, provided that winning never pays less than losing, nor a gammon less than
 * winning singly: solutions in double precision then pass over the others.  Nobody else may use the graph meanwhile.
 *
 * A position beats another one if each result of each roll of that one is beaten by some result of the same roll here,
 * and it does not lose a gammon, of gammon_checkers checkers (0: nobody does), where the other one does not: whatever
 * can be done from there, something as good can then be done from here, roll by roll to the end.  Values are means of
 * greatest values, and rounding keeps order: what is left out would not change any of those, only the order in which
 * they are added.
 *
 * BGR_ERR_MEMORY. */
bgr_status bgr_graph_compare(bgr_graph *graph, int gammon_checkers, int n_threads);

static inline bgr_row_rolls bgr_rolls_of(const bgr_choices *choices, int64_t rank)
{
    return (bgr_row_rolls){choices->result + choices->start[rank], choices->shape + choices->shape_start[rank]};
}

#endif
