/* The algebra that finds factors.  Sums are taken in a fixed order, by one thread each: the same bits everywhere. */
#pragma once

#include "solve/solver.h"

/* Approximate the leading eigenvectors of a positive semidefinite n x n matrix: the rows of `vectors`, count x n, are
 * orthonormal.  values[k] is v' M v for row k: nearly an eigenvalue, and nearly falling.  A few steps of orthogonal
 * iteration (Golub and Van Loan, "Matrix Computations", section 8.2.4): only the span of the rows matters, not their
 * distance to eigenvectors.  Progress is reported after each step, which takes a part of a second.  count: 1 .. n.
 * BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_leading_vectors(const double *matrix, int64_t n, int64_t count, const bgr_work *work, double *values,
                               double *vectors);

/* Solve G x = b for every row b of an n x r array, in place; G, positive definite, is overwritten by its Cholesky
 * factor.  An unknown that depends on the others, up to rounding, is set to 0.  BGR_ERR_MEMORY. */
bgr_status bgr_solve_rows(double *gram, int64_t r, double *rows, int64_t n, int n_threads);
