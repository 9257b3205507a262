/* The algebra that finds factors.  Sums are taken in a fixed order, by one thread each: the same bits everywhere. */
#ifndef BGR_PACK_LINEAR_H
#define BGR_PACK_LINEAR_H

#include "solve/solver.h"

/* The `count` greatest eigenvalues of a symmetric n x n matrix that has none below 0, falling, and row k of `vectors`,
 * count x n, nearly the eigenvector of number k: by iteration of a subspace (Rutishauser, "Simultaneous iteration
 * method for symmetric matrices", 1970), which is about as good a basis as the eigenvectors long before it is theirs.
 * `progress` is called after each turn, of which every one takes a part of a second.  BGR_ERR_MEMORY; BGR_ERR_STOPPED;
 * BGR_ERR_SIZE if not 1 <= count <= n, or numbers in the matrix are not finite. */
bgr_status bgr_leading_vectors(const double *matrix, int64_t n, int64_t count, int n_threads, bgr_progress progress,
                               void *context, double *values, double *vectors);

/* Solve G x = b for every row b of an n x r array, in place; G, positive definite, is overwritten by its Cholesky
 * factor.  An unknown that the others determine, up to rounding, is taken as 0. */
bgr_status bgr_solve_rows(double *gram, int64_t r, double *rows, int64_t n, int n_threads);

#endif
