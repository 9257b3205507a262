/* The algebra that finds factors.  Sums are taken in a fixed order, by one thread each: the same bits everywhere. */
#ifndef BGR_PACK_LINEAR_H
#define BGR_PACK_LINEAR_H

#include "bgrace.h"

/* Eigenvalues of a symmetric n x n matrix, falling, and row k of `vectors` the eigenvector of number k, of length 1.
 * The matrix is overwritten.  BGR_ERR_MEMORY; BGR_ERR_SIZE if n is not positive, or the matrix has no eigenvalues that
 * can be found, as with an infinity in it. */
bgr_status bgr_eigen(double *matrix, int64_t n, double *values, double *vectors);

/* Solve G x = b for every row b of an n x r array, in place; G, positive definite, is overwritten by its Cholesky
 * factor.  An unknown that the others determine, up to rounding, is taken as 0. */
bgr_status bgr_solve_rows(double *gram, int64_t r, double *rows, int64_t n, int n_threads);

#endif
