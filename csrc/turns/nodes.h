/* The positions that one side can reach, each once, as nodes, with edges to the results of every roll. */
#pragma once

#include "base/dice.h"
#include "turns/reach_options.h"
#include "turns/results.h"

typedef struct {
    bgr_packed position;
    double mean, variance; /* of the number of rolls to the last checker (for a side that cannot win, to the first of
                            * 15), if the best result is always played */
    double chance;         /* of reaching the node; set while results are searched, if with_chances */
    uint64_t order;        /* sort key: the empty board, then home positions by index, then the others by pips and
                            * index */
    int64_t edges;         /* where this node's edges start, or -1 if its results are not known */
    int32_t row;           /* its numbers of edges begin at 21 * row */
    int32_t home_index;    /* or -1 */
    int32_t next;          /* another node with as many pips, or -1 */
    int16_t turns;         /* the least number of own rolls that reach the node */
} bgr_node;

/* An edge is the number of a node, with flags if it is kept regardless of its mean: since every result of its roll is
 * kept, or since it bears off the first checker, or brings out the last straggler, soonest. */
#define BGR_EDGE_ALWAYS 0x80000000u
#define BGR_EDGE_AIM 0x40000000u
static inline int32_t bgr_edge_node(uint32_t edge) { return (int32_t)(edge & ~(BGR_EDGE_ALWAYS | BGR_EDGE_AIM)); }

enum { BGR_MAX_NODES = BGR_EDGE_AIM - 1 };

/* The results of a roll to find: those with means near the least; the same, but with 15 checkers all, since it is hard
 * to know which ones save a gammon in time; or all. */
typedef enum bgr_find { BGR_FIND_NEAR_BEST, BGR_FIND_EVERY_TO_SAVE, BGR_FIND_EVERY } bgr_find;

/* Nodes by position. */
typedef struct {
    bgr_space all; /* of all positions */
    int32_t *slot; /* nodes outside the home board by hash, or -1 */
    int64_t n_slots, n_outside, max_outside;
    int32_t *at_home; /* node by home index, or -1 */
} bgr_node_places;

/* The edges of all nodes. */
typedef struct {
    uint32_t *edge;      /* by node and roll, that of the best result first */
    uint16_t *n_of_roll; /* by row and roll */
    uint16_t *n_kept;    /* number of these that are kept, which come first */
    float *gain;         /* by edge, after weighing; else NULL */
    int64_t n, room, n_rows, row_room, kept_room;
} bgr_edges;

/* Chances to be off, by node: of all checkers, and of the first of 15; NULL: not found. */
typedef struct {
    bgr_off_chances *last, *first;
} bgr_node_chances;

/* Work of finding nodes, done and allowed (0: no limit), in microseconds of a common processor. */
typedef struct {
    double done, most;
} bgr_node_work;

typedef struct {
    const bgr_home_board *home;
    bgr_reach_options options; /* as given to bgr_nodes_start */
    bgr_find find;
    int with_chances; /* 1: nodes have their chances */
    bgr_node *node;   /* BGR_EMPTY_BOARD, BGR_START, .. */
    int64_t n, room, limit;
    int32_t with_pips[BGR_MAX_BOARD_PIPS + 1]; /* the latest node with each number of pips, or -1 */
    bgr_node_places places;
    bgr_edges edges;
    bgr_node_chances off; /* once found */
    bgr_result_finder finder;
    int no_hope_at_start; /* 1: the side can neither win nor save the gammon even from the first position */
    bgr_node_work work;   /* see BGR_ERR_SIZE below */
} bgr_nodes;

enum { BGR_BETWEEN_TELLS = 1000 }; /* nodes */

/* Whether the options' progress asks to stop after n_done nodes.  It is called for one number in `between`. */
static inline int bgr_nodes_stopped(const bgr_nodes *nodes, int64_t n_done, int between)
{
    return nodes->options.progress && n_done % between == between - 1 &&
           nodes->options.progress(nodes->options.context, 0);
}

/* The first nodes: the empty board; the first position; and, for a side that cannot win, the node of all positions with
 * fewer than 15 checkers, except results of the first position.  BGR_SAVED leads to itself. */
enum { BGR_EMPTY_BOARD, BGR_START, BGR_SAVED };

/* Start with the empty board and a position.  Free the nodes even if this fails.  Functions return BGR_ERR_SIZE if
 * there would be more nodes than `limit`, or if more work has been done than work.most, and BGR_ERR_STOPPED if the
 * options' progress asks for it.  BGR_ERR_MEMORY. */
bgr_status bgr_nodes_start(const bgr_home_board *home, bgr_packed position, const bgr_reach_options *options,
                           int64_t limit, bgr_nodes *nodes);
void bgr_nodes_free(bgr_nodes *nodes);

/* Find the results of each roll from a node: those with a mean within `margin` of the least, and others that the
 * options ask for.  BGR_ERR_SIZE, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_nodes_expand(bgr_nodes *nodes, int32_t number, double margin);

/* The least number of dice that bring all checkers home. */
int bgr_dice_to_home(bgr_packed position);

/* Whether a position cannot save the gammon within a number of turns, even with 4 dice in each. */
int bgr_no_hope(bgr_packed position, int turns);

/* Expand every node that can be reached, with results within delta, plus margin, of the least mean.  look: 0 for the
 * same delta everywhere; 1 .. BGR_FINEST_LOOK for a smaller delta at unlikely nodes and a wider one where few checkers
 * are left, greater numbers searching more. */
bgr_status bgr_nodes_expand_all(bgr_nodes *nodes, double delta, double margin, int look);

/* Compute means and variances of all nodes from those of their results; put the best result of each roll first, and
 * drop those whose mean is more than delta above it. */
void bgr_nodes_improve(bgr_nodes *nodes, double delta, int look);

/* Sort a list of different nodes by their order.  BGR_ERR_MEMORY. */
bgr_status bgr_nodes_sort(const bgr_nodes *nodes, int32_t *list, int64_t n);

/* Whether a node has been expanded. */
static inline int bgr_expanded(const bgr_node *node) { return node->edges >= 0; }

/* The edges of an expanded node, and their number for each roll. */
static inline const uint32_t *bgr_edges_of(const bgr_nodes *nodes, int32_t i, const uint16_t **n_edges)
{
    *n_edges = nodes->edges.n_of_roll + (int64_t)nodes->node[i].row * BGR_N_ROLLS;
    return nodes->edges.edge + nodes->node[i].edges;
}
