/* The positions that one side can come to, each once: nodes, and the edges that lead from each to the results of every
 * roll. */
#pragma once

#include "base/dice.h"
#include "turns/reach_options.h"
#include "turns/results.h"

typedef struct {
    bgr_packed position;
    double mean, variance; /* of the rolls to the last checker, or for a side that cannot win to the first of 15, if the
                            * best result is always played */
    double chance;         /* to come by, while results are looked for, if that matters */
    uint64_t order;        /* the empty board, then home positions by index, then the others by pips and index */
    int64_t edges;         /* where this node's edges start, or -1 if its results are not known */
    int32_t row;           /* where the numbers of edges are: 21 * row */
    int32_t home_index;    /* or -1 */
    int32_t next;          /* another one with as many pips, or -1 */
    int16_t pips;
    int16_t turns; /* the least number of own rolls that lead here */
} bgr_node;

/* An edge is a node, and whether it is kept whatever its mean: it belongs to a roll of which every result is wanted, or
 * it bears off the first checker soonest, or brings the last straggler out soonest. */
#define BGR_EDGE_ALWAYS 0x80000000u
#define BGR_EDGE_AIM 0x40000000u
static inline int32_t bgr_edge_node(uint32_t edge) { return (int32_t)(edge & ~(BGR_EDGE_ALWAYS | BGR_EDGE_AIM)); }

enum { BGR_MAX_NODES = BGR_EDGE_AIM - 1 };

/* Which results of a roll are found: those with means near the least; the same, but with 15 checkers every one, because
 * what saves a gammon in time is hard to tell; or every one. */
typedef enum bgr_find { BGR_FIND_NEAR_BEST, BGR_FIND_EVERY_TO_SAVE, BGR_FIND_EVERY } bgr_find;

/* Where the node of a position is. */
typedef struct {
    bgr_space all; /* every position */
    int32_t *slot; /* nodes outside the home board by hash, or -1 */
    int64_t n_slots, n_outside, max_outside;
    int32_t *at_home; /* node by home index, or -1 */
} bgr_node_places;

/* The edges of all nodes. */
typedef struct {
    uint32_t *edge;      /* by node and roll, the best result first */
    uint16_t *n_of_roll; /* by row and roll */
    uint16_t *n_kept;    /* how many of these are kept: the first ones */
    float *gain;         /* by edge, once they are weighed; else NULL */
    int64_t n, room, n_rows, row_room, kept_room;
} bgr_edges;

/* Chances to be off by node: of all checkers, of the first of 15; else NULL. */
typedef struct {
    bgr_off_chances *last, *first;
} bgr_node_chances;

/* Microseconds of a common processor that finding nodes has taken, and may take: 0: no limit. */
typedef struct {
    double done, most;
} bgr_node_work;

/* What tells that a side that may lose a gammon can neither win nor save it. */
typedef struct {
    int none_at_start;                     /* nor from the position that all others come from */
    int max_pips[TUNED_TURNS_OF_HOPE + 1]; /* by rolls, if the options have hope_turns */
} bgr_hope;

typedef struct {
    const bgr_home_board *home;
    bgr_reach_options options; /* what it was begun with */
    bgr_find find;
    int with_chances; /* 1: chances to come by are carried along */
    bgr_node *node;   /* BGR_EMPTY_BOARD, BGR_START, .. */
    int64_t n, room, limit;
    int32_t with_pips[BGR_MAX_BOARD_PIPS + 1]; /* the latest node with each number of pips, or -1 */
    bgr_node_places places;
    bgr_edges edges;
    bgr_node_chances off; /* once they are found */
    bgr_result_finder finder;
    bgr_hope hope;
    bgr_node_work work; /* see BGR_ERR_SIZE below */
} bgr_nodes;

/* The first nodes: the empty board; the position that all the others come from; and for a side that cannot win that of
 * every position with fewer than 15 checkers, but for results of the start.  It leads to itself. */
enum { BGR_EMPTY_BOARD, BGR_START, BGR_SAVED };

/* No nodes but the empty board and a position.  Free it even if this fails.  BGR_ERR_SIZE comes
 * back from what would make more nodes than `limit`, or once more work is done than `most`.  BGR_ERR_MEMORY. */
bgr_status bgr_nodes_start(const bgr_home_board *home, bgr_packed position, const bgr_reach_options *options,
                           int64_t limit, bgr_nodes *nodes);
void bgr_nodes_free(bgr_nodes *nodes);

/* Find the results of each roll from a node: those with a mean within `margin` of the least, and those that the options
 * want besides.  BGR_ERR_SIZE, BGR_ERR_MEMORY, BGR_ERR_STOPPED if the options' progress asks for it. */
bgr_status bgr_nodes_expand(bgr_nodes *nodes, int32_t number, double margin);

/* The dice that it takes to bring all checkers home, at the least. */
int bgr_dice_to_home(bgr_packed position);

/* Whether a position can neither win nor save the gammon, as far as a number of turns tells: 4 dice each at most. */
int bgr_no_hope(bgr_packed position, int turns);

/* Expand every node that can be come to, keeping what is within delta of the least mean and what might be.  look: 0, or
 * look less far where play hardly ever comes by, and further where few checkers are left: BGR_FINEST_LOOK, or less for
 * less. */
bgr_status bgr_nodes_expand_all(bgr_nodes *nodes, double delta, double margin, int look);

/* Means and variances of all nodes from those of their results; the best result of each roll becomes the first, and
 * those with means beyond delta of it go. */
void bgr_nodes_improve(bgr_nodes *nodes, double delta, int look);

/* Sort a list of different nodes by their order.  BGR_ERR_MEMORY. */
bgr_status bgr_nodes_sort(const bgr_nodes *nodes, int32_t *list, int64_t n);

/* Whether results of a node are known. */
static inline int bgr_expanded(const bgr_node *node) { return node->edges >= 0; }

/* The edges of a node whose results are known, and how many each roll has. */
static inline const uint32_t *bgr_edges_of(const bgr_nodes *nodes, int32_t i, const uint16_t **n_edges)
{
    *n_edges = nodes->edges.n_of_roll + (int64_t)nodes->node[i].row * BGR_N_ROLLS;
    return nodes->edges.edge + nodes->node[i].edges;
}
