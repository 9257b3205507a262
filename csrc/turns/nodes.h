/* The positions that one can come to, each once, and the results of every roll that are worth keeping. */
#ifndef BGR_TURNS_NODES_H
#define BGR_TURNS_NODES_H

#include "turns/results.h"

enum { BGR_EVERY_FIRST_ROLL = 22 };

/* Which results are worth keeping, and how many positions may come of it.  Start from zeros and fill in what is
 * wanted: that is the rule of the least mean, without a limit. */
typedef struct bgr_reach_options {
    double delta;       /* rolls: keep results whose mean is within this of the least.  0: one for each roll, of equals
                         * the one with the smaller index; INFINITY: every legal result */
    int max_turns;      /* the horizon: the other side is certainly off by then.  0: none */
    int first_checker;  /* 1: with 15 checkers keep, besides, the result that bears off the first one soonest (a gammon
                         * may be lost) */
    int last_straggler; /* 1: with checkers on points 19 to 24 keep, besides, the result that brings the last of them
                         * out soonest (a backgammon may be lost) */
    int cannot_win;     /* 1: it only matters whether and when a checker is borne off.  So results with 15 checkers are
                         * compared by the rolls to the first one off, and with fewer all are one (BGR_SAVED); needs
                         * max_turns, and delta below INFINITY */
    int first_roll;     /* 1 + a roll, 0 .. 20: keep every legal result of it from the position itself, whatever its
                         * mean: what a player chooses from now, and what is never merged.  0: no such roll;
                         * BGR_EVERY_FIRST_ROLL: of every roll */
    int64_t max_layer; /* 2 or more: of a layer of more positions about as many stay, a few more at most, and the others
                        * become blends.  0: no limit */
    int64_t max_nodes; /* no more nodes than this are made before fewer results are compared, then delta is 0, and
                        * then results are found turn by turn (max_layer 0: with layers of 256); or
                        * BGR_ERR_SIZE with delta INFINITY.  0: no limit */
    double max_work;   /* about how many microseconds of a common processor finding nodes may take: then what is looked
                        * at within delta is less where play hardly ever comes by, or nothing.  0: no limit */
    int (*progress)(void *context, double done); /* now and then, with 0; or NULL; anything but 0 stops */
    void *context;                               /* for progress */
} bgr_reach_options;

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

/* Chances to be off within 0, 1, .. rolls, every play chosen for that number; nobody in a race that is not merged takes
 * more. */
enum { BGR_OFF_WIDTH = 48 };
typedef float bgr_off_chances[BGR_OFF_WIDTH];

enum { BGR_MAX_NODES = BGR_EDGE_AIM - 1 };

enum { BGR_MAX_BOARD_PIPS = BGR_MAX_POINTS * BGR_MAX_CHECKERS };

typedef struct {
    const bgr_reach_home *home;
    bgr_space all;  /* every position */
    bgr_node *node; /* BGR_EMPTY_BOARD, BGR_START, .. */
    int64_t n, room, limit;
    int32_t *slot; /* nodes outside the home board by hash, or -1 */
    int64_t n_slots, n_outside, most_outside;
    int32_t *at_home;                          /* node by home index, or -1 */
    int32_t with_pips[BGR_MAX_BOARD_PIPS + 1]; /* the latest node with each number of pips, or -1 */
    uint32_t *edge;                            /* by node and roll, the best result first */
    uint16_t *n_edges;                         /* by row and roll */
    uint16_t *n_kept;                          /* how many of these are kept: the first ones */
    float *gain;                               /* by edge, once they are weighed: see turns/candidates.h; else NULL */
    int32_t *rank, *in_order;                  /* by node and back, once there are no more nodes to come; else NULL */
    bgr_off_chances *last, *first; /* by node, once they are found: of all checkers, of the first of 15; else NULL */
    int64_t n_edge, edge_room, n_rows, row_room, kept_room;
    bgr_player player;
    double estimate_square; /* what estimates were off by, squared and added up over the nodes that have them */
    double work, most_work; /* see BGR_ERR_SIZE below; 0: no limit */
    int (*progress)(void *context, double done);
    void *context;
    int with_first, with_straggler, cannot_win, first_roll, max_turns;
    int every;         /* 1: every result of every roll is wanted */
    int every_to_save; /* 1: with 15 checkers every result is wanted: what saves a gammon in time is hard to tell */
    int with_chances;  /* 1: chances to come by are carried along, because how far to look depends on them */
} bgr_nodes;

/* The first nodes: the empty board; the position that all the others come from; and for a side that cannot win that of
 * every position with fewer than 15 checkers, but for results of the start.  It leads to itself. */
enum { BGR_EMPTY_BOARD, BGR_START, BGR_SAVED };

/* No nodes but the empty board and a position.  Free it even if this fails.  BGR_ERR_SIZE comes
 * back from what would make more nodes than `limit`, or once `most_work` is exceeded.  BGR_ERR_MEMORY. */
bgr_status bgr_nodes_start(const bgr_reach_home *home, bgr_packed position, const bgr_reach_options *options,
                           int64_t limit, bgr_nodes *nodes);
void bgr_nodes_free(bgr_nodes *nodes);

/* What a side's results are compared by: the mean rolls to its last checker, or if it cannot win to the first of 15;
 * exact in the home board, an estimate outside. */
double bgr_aimed_mean(const bgr_reach_home *home, int cannot_win, bgr_packed position);

/* Find the results of each roll from a node: those with a mean within `margin` of the least, and those that the options
 * want besides.  BGR_ERR_SIZE, BGR_ERR_MEMORY, BGR_ERR_STOPPED if the options' progress asks for it. */
bgr_status bgr_nodes_expand(bgr_nodes *nodes, int32_t number, double margin);

/* The node of a position; -1: there is none. */
int32_t bgr_nodes_find(const bgr_nodes *nodes, bgr_packed position);

/* Take the results of a node from others that were found before: those that are kept, the best first.  number: of the
 * same position in `from`, where it is expanded.  BGR_ERR_SIZE, BGR_ERR_MEMORY. */
bgr_status bgr_nodes_take(bgr_nodes *nodes, int32_t number, const bgr_nodes *from, int32_t number_there);

/* Expand every node that can be come to, keeping what is within delta of the least mean and what might be.  look: 0, or
 * look less far where play hardly ever comes by, and further where few checkers are left: BGR_FINEST_LOOK, or less for
 * less. */
bgr_status bgr_nodes_expand_all(bgr_nodes *nodes, double delta, double margin, int look);

/* Means and variances of all nodes from those of their results; the best result of each roll becomes the first, and
 * those with means beyond delta of it go. */
void bgr_nodes_improve(bgr_nodes *nodes, double delta, int look);

/* Number all nodes by their order; none may be added afterwards.  BGR_ERR_MEMORY. */
bgr_status bgr_nodes_rank(bgr_nodes *nodes);

/* Sort a list of different nodes by their order: quickly once they are ranked.  BGR_ERR_MEMORY. */
bgr_status bgr_nodes_sort(const bgr_nodes *nodes, int32_t *list, int64_t n);

/* Whether results of a node are known. */
static inline int bgr_expanded(const bgr_node *node) { return node->edges >= 0; }

#endif
