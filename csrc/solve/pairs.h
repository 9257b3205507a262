/* Shared by the solvers of pairs: two sides in blocks, and the order in which their pairs are solved.
 *
 * Every play lowers the pips, so all pairs can be solved level by level: first every position of a new level on roll
 * against that level and all higher ones, then every higher position on roll against the new level.  All pairs that
 * these can reach are known: one side is on a lower level, or the first half has solved them.  Within either half no
 * pair depends on another, and blocks of positions against blocks of positions are solved in parallel.
 *
 * The halves read V only in a window of the 24 levels below, the most that a roll can go down.  The first half reads
 * windows against the positions of the level and above, so memory needs only these: at most a fifth of all pairs.  An
 * order by all pairs of lower levels would need half of them.
 *
 * A roll has at least 3 pips, and few positions can waste any of them.  So most levels can be solved three at a time: a
 * band is a run of levels with no play from one to another.  The first half then reads a stripe once for three levels.
 */
#pragma once

#include "solve/graph.h"

/* The positions of one side in blocks of ranks of one band; the last block of a band may be smaller. */
typedef struct {
    const bgr_graph *graph;
    int64_t n;        /* blocks; block 0 is the empty board */
    int64_t *band;    /* n_bands + 1: the first block of each band */
    int64_t *rank;    /* n: the first rank of each block */
    uint8_t *n_ranks; /* n: ranks of each block, at least 1 */
} bgr_pair_blocks;

typedef struct {
    bgr_pair_blocks sides[2]; /* the second one unused if both players come from one graph */
    int n_sides;
    int n_bands;
    int *level; /* n_bands + 1: the first level of each band; last, the greater number of levels of the two sides */
    int block_size;
} bgr_pairs;

/* Put the positions into blocks of block_size (at most 255) ranks.  b: NULL if both players come from a.  band_levels:
 * the maximum number of levels in a band.  Free it with bgr_pairs_free, also if this fails.  BGR_ERR_MEMORY. */
bgr_status bgr_pairs_init(bgr_pairs *pairs, const bgr_graph *a, const bgr_graph *b, int block_size, int band_levels);
void bgr_pairs_free(bgr_pairs *pairs);

/* The number of a side's opponent. */
static inline int bgr_other_side(const bgr_pairs *pairs, int side) { return pairs->n_sides - 1 - side; }

/* The number of ranks of a graph up to and including a level. */
int64_t bgr_ranks_up_to(const bgr_graph *graph, int level);

/* The block of a rank. */
int64_t bgr_block_of(const bgr_pairs *pairs, int side, int64_t rank);

/* A task: blocks first .. last - 1 of a side, on roll, against one block of the other side. */
typedef struct {
    int roller;
    int64_t first, last;
    int64_t against;
} bgr_pair_task;

/* Pairs of one graph that are solved together: half of a band, or less if the solver saves rectangles. */
typedef struct {
    int64_t first_rank, n_ranks;      /* on roll */
    int64_t first_against, n_against; /* ranks of the opponent */
} bgr_rectangle;

/* The functions of a solver.  `solver` is its state, `room` the working memory of a thread. */
typedef struct {
    void (*begin_band)(void *solver, int band);        /* or NULL */
    bgr_status (*end_band)(void *solver, int band);    /* or NULL */
    void *(*new_room)(const void *solver);             /* returns NULL if memory is out */
    void (*free_room)(const void *solver, void *room); /* or NULL: free */
    void (*solve)(void *solver, const bgr_pair_task *task, void *room);
    int task_blocks; /* maximum blocks of a task of the second half; in the first half a task is one opponent's block */
    int few_tiles;   /* fewer pairs of blocks than this are solved by one thread, since waking others takes longer */
    /* Only for solvers that stream pairs to a file; otherwise 0 and NULL. */
    int64_t save_pairs; /* maximum pairs of a rectangle, which has at least one block against a band; for one graph */
    void (*begin_rectangle)(void *solver, const bgr_rectangle *pairs);
    /* Saves the previous rectangle while one is solved, on a thread of its own, since it may wait for a disk; with
     * `last`, the one that was solved last. */
    bgr_status (*save)(void *solver, int last);
} bgr_pair_steps;

/* Solve all pairs.  Progress is by level: all pairs whose sides have at most that many pips are solved and saved.  The
 * last report may be repeated, so that the function can stop the work.  BGR_ERR_MEMORY, BGR_ERR_STOPPED, or a status
 * that a step returns. */
bgr_status bgr_solve_pairs(const bgr_pairs *pairs, const bgr_pair_steps *steps, void *solver, const bgr_work *work);
