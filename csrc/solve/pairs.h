/* Shared by the solvers of pairs: two sides in blocks, and the order in which their pairs are solved.
 *
 * Every play lowers the pips, so all pairs can be solved level by level: first every position of a new level on roll
 * against that level and all higher ones, then every higher position on roll against the new level.  All pairs that
 * these can come to are known: one side is on a lower level, or the first half has solved them.  Within
 * either half nothing depends on anything else, and blocks of positions against blocks of positions go to the threads.
 *
 * The part of V that the halves read is a window of the 24 levels below, the most that a roll can bring.  The first
 * half reads one against each position of the level and above, so memory has to hold windows against those alone: at
 * the most a fifth of all pairs, where going on with all pairs of lower levels would take half of them.
 *
 * A roll has 3 pips at least, and few positions can waste some of them.  So most levels can be taken three at a time:
 * a band is a run of levels in which no play leads from one to another.  One reading of a stripe by the first half
 * then serves three levels. */
#pragma once

#include "solve/graph.h"

/* The positions of one side, a number of ranks of one band to a block; the last block of a band may have fewer. */
typedef struct {
    const bgr_graph *graph;
    int64_t n;        /* blocks; block 0 is the empty board */
    int64_t *band;    /* n_bands + 1: the first block of each band */
    int64_t *rank;    /* n: the first rank of each block */
    uint8_t *n_ranks; /* n: how many ranks it holds, at least 1 */
} bgr_pair_blocks;

typedef struct {
    bgr_pair_blocks sides[2]; /* the second one unused if both players come from one graph */
    int n_sides;
    int n_bands;
    int *level; /* n_bands + 1: the first level of each band; in the end the levels of the side that has more */
    int block_size;
} bgr_pairs;

/* Put the positions into blocks of block_size (at most 255) ranks.  b: NULL if both players come from a.  band_levels:
 * the maximum number of levels in a band.  Free it with bgr_pairs_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_pairs_init(bgr_pairs *pairs, const bgr_graph *a, const bgr_graph *b, int block_size, int band_levels);
void bgr_pairs_free(bgr_pairs *pairs);

/* The number of the side that a side plays against. */
static inline int bgr_other_side(const bgr_pairs *pairs, int side) { return pairs->n_sides - 1 - side; }

/* How many ranks a graph has up to and including a level. */
int64_t bgr_ranks_up_to(const bgr_graph *graph, int level);

/* The block in which a rank is. */
int64_t bgr_block_of(const bgr_pairs *pairs, int side, int64_t rank);

/* A part of the work: blocks first .. last - 1 of a side, on roll, against one block of the other side. */
typedef struct {
    int roller;
    int64_t first, last;
    int64_t against;
} bgr_pair_task;

/* Pairs of one graph that are solved together: half of a band, or less where the solver saves them elsewhere. */
typedef struct {
    int64_t first_rank, n_ranks;      /* on roll */
    int64_t first_against, n_against; /* ranks of the opponent */
} bgr_rectangle;

/* The work of a solver at each step.  `solver` is its own state, `room` the memory that one thread works in. */
typedef struct {
    void (*begin_band)(void *solver, int band);        /* or NULL */
    bgr_status (*end_band)(void *solver, int band);    /* or NULL */
    void *(*new_room)(const void *solver);             /* NULL if there is no memory */
    void (*free_room)(const void *solver, void *room); /* or NULL: free */
    void (*solve)(void *solver, const bgr_pair_task *task, void *room);
    int task_blocks; /* maximum blocks of a task of the second half; the first has one for each opponent */
    int few_tiles;   /* waking the other threads takes longer than solving fewer pairs of blocks than that */
    /* Only for solvers that stream pairs to a file; otherwise 0 and NULL. */
    int64_t save_pairs; /* maximum pairs of a rectangle, or a single block against a band; for one graph */
    void (*begin_rectangle)(void *solver, const bgr_rectangle *pairs);
    /* While a rectangle is solved, the one before it goes where it belongs: on a thread of its own, because that may
     * wait for a disk. */
    bgr_status (*save_rectangle)(void *solver);
    bgr_status (*save_last)(void *solver); /* in the end */
} bgr_pair_steps;

/* Solve all pairs.  Progress is by level: of a level with which all pairs are solved, and saved, in which a side has no
 * more pips; what was reported last may be reported again, so that the function can stop the work.  BGR_ERR_MEMORY,
 * BGR_ERR_STOPPED, or a status that a step returns. */
bgr_status bgr_solve_pairs(const bgr_pairs *pairs, const bgr_pair_steps *steps, void *solver, const bgr_work *work);
