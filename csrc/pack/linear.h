/* The algebra that finds factors.  Sums are taken in a fixed order, by one thread each: the same bits everywhere. */
#pragma once

#include "solve/solver.h"

/* Directions, the rows of `vectors`, count x n, in which a symmetric n x n matrix that has no eigenvalue below 0 is
 * greatest: of length 1, at right angles, and nearly its leading eigenvectors.  values[k] is what the matrix makes of
 * row k, v' M v: nearly an eigenvalue, and nearly falling.  By orthogonal iteration (Golub and Van Loan, "Matrix
 * Computations", section 8.2.4), a few turns of it: what rows span matters, not how near they come to eigenvectors.
 * Progress is told after each turn, of which every one takes a part of a second.  count: 1 .. n.  BGR_ERR_MEMORY,
 * BGR_ERR_STOPPED. */
bgr_status bgr_leading_vectors(const double *matrix, int64_t n, int64_t count, const bgr_work *work, double *values,
                               double *vectors);

/* Solve G x = b for every row b of an n x r array, in place; G, positive definite, is overwritten by its Cholesky
 * factor.  An unknown that the others determine, up to rounding, is taken as 0.  BGR_ERR_MEMORY. */
bgr_status bgr_solve_rows(double *gram, int64_t r, double *rows, int64_t n, int n_threads);
