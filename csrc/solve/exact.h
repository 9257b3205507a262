/* Two players in double precision, for any list of planes. */
#pragma once

#include "base/path.h"
#include "solve/graph.h"

/* Memory that a solution worked in, for the next one: the system need not clear it anew, which takes a fifth of the
 * time of a small solution. */
typedef struct bgr_exact_memory {
    void *start; /* or NULL */
    size_t n_bytes;
} bgr_exact_memory;

/* How to solve pairs in double precision.  Start from zeros and fill in what is wanted; planes are needed. */
typedef struct bgr_exact_options {
    const bgr_plane *planes;  /* without their beavers */
    int n_planes;             /* 1 .. BGR_MAX_PLANES */
    const int *exchanged;     /* with one graph: the number of each plane with the sides exchanged */
    int gammon_checkers;      /* a loser with this many checkers left loses a gammon; 0: nobody does */
    bgr_path path;            /* one that this machine can take; the bytes don't depend on it */
    bgr_exact_memory *memory; /* or NULL; if it is of a fitting size it is taken, and its start is NULL from then on */
    bgr_work work;            /* told of levels that are solved now */
} bgr_exact_options;

/* All pairs of a position of graph a and a position of graph b, solved in double precision: money, one game of a match,
 * with gammons or without.  Opaque; owned by the caller; read by any number of threads. */
typedef struct bgr_exact bgr_exact;

/* Solve.  Graph a is that of side 0 of the planes, b that of side 1.  With b NULL both sides come from graph a, and
 * side 0 of the planes and one table say everything.  The graphs must live as long as the solution, which takes 8 bytes
 * for each plane of each pair (the opponent's positions of equal pips rounded up to whole eights), for either side on
 * roll.
 * table [out] size of a x size of b x n_planes: value of rolling now without doubling, with side 0 on roll; or NULL.
 * Free the solution with bgr_exact_free.
 * BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_exact_new(const bgr_graph *a, const bgr_graph *b, const bgr_exact_options *options, double *table,
                         bgr_exact **exact);
void bgr_exact_free(bgr_exact *exact); /* NULL is allowed */

/* Free a solution, or NULL, but for the memory that it worked in; pass that on to another one or to
 * bgr_exact_free_memory. */
bgr_exact_memory bgr_exact_close(bgr_exact *exact);
void bgr_exact_free_memory(bgr_exact_memory memory);

/* The values of one pair, the same bits as in the tables.  side: 0 if a's position is on roll, 1 if b's is; with one
 * graph 0.  values [out] n_planes. */
void bgr_exact_values(const bgr_exact *exact, int side, int64_t rank, int64_t opponent_rank, double *values);
