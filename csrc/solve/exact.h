/* Two players in double precision, for any list of planes. */
#pragma once

#include "base/path.h"
#include "solve/graph.h"

/* The working memory of a solution, to be used again by the next one: clearing new memory takes the system a fifth of
 * the time of a small solution. */
typedef struct bgr_exact_memory {
    void *start; /* or NULL */
    size_t n_bytes;
} bgr_exact_memory;

/* How to solve pairs in double precision.  Start from zeros; planes are required. */
typedef struct bgr_exact_options {
    const bgr_plane *planes;  /* beavers are ignored */
    int n_planes;             /* 1 .. BGR_MAX_PLANES */
    const int *exchanged;     /* with one graph: the number of each plane with the sides exchanged */
    int gammon_checkers;      /* a loser with this many checkers left loses a gammon; 0: no gammons */
    bgr_path path;            /* one that this machine supports; results do not depend on it */
    bgr_exact_memory *memory; /* or NULL; if its size fits, the solution takes it and sets its start to NULL */
    bgr_work work;            /* progress is by level */
} bgr_exact_options;

/* All pairs of a position of graph a and a position of graph b, solved in double precision: money, one game of a match,
 * with gammons or without.  Opaque; owned by the caller; read by any number of threads. */
typedef struct bgr_exact bgr_exact;

/* Solve.  Graph a is that of side 0 of the planes, b that of side 1.  With b NULL both sides come from graph a, and
 * side 0 of the planes and one table are enough.  The graphs must live as long as the solution, which takes 8 bytes for
 * each plane of each pair (the opponent's positions of equal pips rounded up to whole eights), for either side on roll.
 * table [out] size of a x size of b x n_planes: value of rolling now without doubling, with side 0 on roll; or NULL.
 * Free the solution with bgr_exact_free.
 * BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_exact_new(const bgr_graph *a, const bgr_graph *b, const bgr_exact_options *options, double *table,
                         bgr_exact **exact);
void bgr_exact_free(bgr_exact *exact); /* NULL is allowed */

/* Free a solution, or NULL, and return its working memory, for another solution or bgr_exact_free_memory. */
bgr_exact_memory bgr_exact_close(bgr_exact *exact);
void bgr_exact_free_memory(bgr_exact_memory memory);

/* Get the values of one pair, bit by bit as in the tables.  side: 0 if a's position is on roll, 1 if b's is; 0 with one
 * graph.  values [out] n_planes. */
void bgr_exact_values(const bgr_exact *exact, int side, int64_t rank, int64_t opponent_rank, double *values);
