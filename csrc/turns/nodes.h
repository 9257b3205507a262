/* The positions that one side can come to: the results of a roll (results.c), the positions that they lead to, each
 * once (nodes.c), and which of them to choose from (candidates.c). */
#ifndef BGR_TURNS_NODES_H
#define BGR_TURNS_NODES_H

#include "base/position.h"
#include "base/tuning.h"
#include "turns/home_board.h"

/* ------------------------------------------------------------------ the results of a roll */

typedef struct {
    bgr_packed position;
    double mean; /* exact in the home board, an estimate outside */
} bgr_result;

/* The aim of play: few rolls to the last checker, or to the first of 15. */
typedef enum { BGR_LAST_CHECKER, BGR_FIRST_CHECKER, BGR_N_AIMS } bgr_aim;

/* A position between two dice, with what a step of one checker adds to its estimate, but for levels: so far before a
 * point (`within`), at the point that the checker comes to, and at the one that it leaves. */
typedef struct {
    bgr_packed position;
    double estimate; /* the estimate, but for levels */
    int8_t places[BGR_MAX_POINTS + 1], sums[BGR_MAX_POINTS + 2];
    int highest, n_outside, pips;
    float within[BGR_MAX_POINTS + 1], arrive[BGR_MAX_POINTS + 1], leave[BGR_MAX_POINTS + 1];
} bgr_stand;

/* Positions after one die. */
typedef struct {
    int n; /* 0: not looked at yet */
    bgr_stand stand[TUNED_MAX_STANDS];
} bgr_stands;

/* Finds the results of rolls from a position.  Callers set `home` and `outcomes`, and read what is found and looked at:
 * outcomes, n_found, least, sums and n_stands. */
typedef struct {
    const bgr_home_board *home;
    bgr_packed position;
    int8_t places[BGR_MAX_POINTS + 1]; /* off, 1, .. 24 */
    int8_t sums[BGR_MAX_POINTS + 2];   /* checkers on a point or beyond */
    double estimate, pairs_worth;      /* the estimate, and that but for levels */
    const bgr_pip_levels *levels;      /* of what a roll leaves */
    int pips;
    double margin, least;
    int unweighed;        /* 1: every result is wanted, without its mean */
    bgr_result *outcomes; /* room for BGR_MAX_PLAYS */
    int n_found;
    int n_stands; /* positions between two dice that were looked at */
    bgr_stands start[BGR_N_AIMS], after[BGR_N_AIMS][6];
} bgr_result_finder;

/* The mean of a position: exact in the home board, an estimate outside. */
double bgr_position_mean(const bgr_home_board *home, bgr_packed position);

/* An estimate of the mean number of rolls to the first of 15 checkers; exact in the home board. */
double bgr_position_first(const bgr_home_board *home, bgr_packed position);

/* The variance of the number of rolls to the last checker, as the mean. */
double bgr_position_variance(const bgr_home_board *home, bgr_packed position);

/* About how many rolls bring the last checker out of points 19 to 24. */
double bgr_position_straggler(const bgr_home_board *home, bgr_packed position);

/* Set the position of a finder whose `home` and `outcomes` are set. */
void bgr_find_results_from(bgr_result_finder *finder, bgr_packed position);

/* Find every distinct result of a roll whose mean is within `margin` of the least, into finder->outcomes. */
void bgr_find_results(bgr_result_finder *finder, int roll, double margin);

/* Find every distinct result of a roll, without means, in a third of the time. */
void bgr_find_every_result(bgr_result_finder *finder, int roll);

/* Find results as bgr_find_results does, ten times as quickly, outside the home board: by estimates between the dice,
 * for a finite margin, the same for all rolls of a position.  A position that looks poor after one die is not followed,
 * so now and then a result is missed. */
void bgr_find_results_quickly(bgr_result_finder *finder, bgr_aim aim, int roll, double margin);

/* Results of a roll, the one with the least mean first. */
enum { BGR_MAX_BEST = 3 };
typedef struct {
    int n;
    bgr_packed result[BGR_MAX_BEST];
} bgr_best;

/* The result of each roll that has the least mean: to the last checker in the home board, to what is aimed at outside,
 * by estimates; then others within `margin`, 0 for none.  best [out] BGR_N_ROLLS.  BGR_ERR_MEMORY. */
bgr_status bgr_best_of_rolls(const bgr_home_board *home, bgr_packed position, bgr_aim aim, double margin,
                             bgr_best *best);

/* ------------------------------------------------------------------ positions */

/* Chances to be off within 0, 1, .. rolls, every play chosen for that number; nobody in a race that is not merged takes
 * more. */
enum { BGR_OFF_WIDTH = 48 };
typedef float bgr_off_chances[BGR_OFF_WIDTH];

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
    int less_is_better; /* 1: losing less is better for the side, as with any match equity table that makes sense.  0:
                         * no position is hopeless */
    int hope_turns;     /* turns after which the opponent is off but for tuned_no_hope.  A position that cannot save the
                         * gammon by then is marked hopeless: only its checkers on points 19 to 24 count.  0: use
                         * max_turns */
    int cannot_win;     /* 1: it only matters whether and when a checker is borne off.  So results with 15 checkers are
                         * compared by the rolls to the first one off, and with fewer all are one (BGR_SAVED); needs
                         * max_turns, and delta below INFINITY */
    int first_roll;     /* 1 + a roll, 0 .. 20: keep every legal result of it from the position itself, whatever its
                         * mean: a player chooses from these now, and they are never merged.  0: no such roll;
                         * BGR_EVERY_FIRST_ROLL: of every roll */
    double in_time[BGR_OFF_WIDTH]; /* about the chance that exactly k of its rolls, from the position on, come before
                                    * the other side is off; positions are merged by it.  Zeros: not known */
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

enum { BGR_MAX_NODES = BGR_EDGE_AIM - 1 };

/* Which results of a roll are found: those with means near the least; the same, but with 15 checkers every one, because
 * what saves a gammon in time is hard to tell; or every one. */
typedef enum bgr_find { BGR_FIND_NEAR_BEST, BGR_FIND_EVERY_TO_SAVE, BGR_FIND_EVERY } bgr_find;

typedef struct {
    const bgr_home_board *home;
    bgr_space all;  /* every position */
    bgr_node *node; /* BGR_EMPTY_BOARD, BGR_START, .. */
    int64_t n, room, limit;
    int32_t *slot; /* nodes outside the home board by hash, or -1 */
    int64_t n_slots, n_outside, max_outside;
    int32_t *at_home;                          /* node by home index, or -1 */
    int32_t with_pips[BGR_MAX_BOARD_PIPS + 1]; /* the latest node with each number of pips, or -1 */
    uint32_t *edge;                            /* by node and roll, the best result first */
    uint16_t *n_edges;                         /* by row and roll */
    uint16_t *n_kept;                          /* how many of these are kept: the first ones */
    float *gain;                               /* by edge, once they are weighed; else NULL */
    bgr_off_chances *last, *first; /* by node, once they are found: of all checkers, of the first of 15; else NULL */
    int64_t n_all_edges, edge_room, n_rows, row_room, kept_room;
    bgr_result_finder finder;
    int start_hopeless;                    /* the position can neither win nor save a gammon that it may lose */
    int max_pips[TUNED_TURNS_OF_HOPE + 1]; /* by rolls, if the options have hope_turns */
    double work, max_work;                 /* see BGR_ERR_SIZE below; 0: no limit */
    bgr_reach_options options;             /* what it was begun with */
    bgr_find find;
    int with_chances; /* 1: chances to come by are carried along */
} bgr_nodes;

/* The first nodes: the empty board; the position that all the others come from; and for a side that cannot win that of
 * every position with fewer than 15 checkers, but for results of the start.  It leads to itself. */
enum { BGR_EMPTY_BOARD, BGR_START, BGR_SAVED };

/* No nodes but the empty board and a position.  Free it even if this fails.  BGR_ERR_SIZE comes
 * back from what would make more nodes than `limit`, or once `max_work` is exceeded.  BGR_ERR_MEMORY. */
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

/* ------------------------------------------------------------------ candidates: what is found before it is chosen
 * which to keep */

/* No side takes more turns: see BGR_MAX_RACE_ROLLS. */
#define BGR_REACH_MAX_TURNS BGR_MAX_RACE_ROLLS

/* Owned by the caller. */
typedef struct bgr_candidates {
    const bgr_home_board *home;
    bgr_reach_options options;
    bgr_packed position;
    double delta;          /* what was looked at */
    int look;              /* how far, up to BGR_FINEST_LOOK, if within max_work; 0: at the best results only */
    int by_turn;           /* 1: there are too many, so results are found while layers are made */
    int64_t max_positions; /* by turn: of a layer, unless bgr_reach_of is given a number, or there is work for fewer */
    double max_work;       /* by turn: about nodes.work with all layers; 0: no limit */
    int weighed;
    bgr_nodes nodes;
    double spent; /* work done in vain before these nodes were found, as nodes.work */
} bgr_candidates;

/* counts: BGR_MAX_POINTS numbers, not all of them 0; max_layer is not looked at.  Free it with bgr_candidates_free.
 * BGR_ERR_POSITION, BGR_ERR_SIZE if an option is out of range or beyond max_nodes with delta INFINITY, BGR_ERR_MEMORY.
 */
bgr_status bgr_candidates_new(const bgr_home_board *home, const int8_t *counts, const bgr_reach_options *options,
                              bgr_candidates **candidates);
void bgr_candidates_free(bgr_candidates *candidates); /* NULL is allowed */

/* How many positions with all 15 checkers on the board there are below one that has them: BGR_MAX_POINTS counts. */
double bgr_positions_with_all(const int8_t *counts);

/* Find results turn by turn, whether or not there are too many.  Nothing may be weighed then. */
void bgr_candidates_by_turn(bgr_candidates *candidates);

/* How far from the best, in rolls, results found turn by turn are kept: only a side that cannot win chooses. */
static inline double bgr_margin_by_turn(const bgr_reach_options *options)
{
    return options->cannot_win ? tuned_margin_to_save : 0;
}

/* Where results are found turn by turn: make nodes to begin with, unless there are some from the last time, whose
 * results need not be found again.  BGR_ERR_MEMORY. */
bgr_status bgr_candidates_start(bgr_candidates *candidates);

/* The same, and how many results the first roll has. */
bgr_status bgr_candidates_results(bgr_candidates *candidates, int64_t *n);

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

/* Keep the edges that gain more than this; INFINITY: the best, and those that are always kept.
 * Before they are weighed: all of them, or with INFINITY the best. */
void bgr_nodes_keep(bgr_nodes *nodes, double least_gain);

#endif
