/* Pairs of a packed file, and of an approximate one.
 *
 * Each plane, as a matrix of the rank on roll by the opponent's, is nearly the product of two narrow ones,
 * whose rows are a position's *factors*.  The rest beside the products is small: a packed file has it all, in blocks
 * (probe/block.h); an approximate one lists the pairs that the products would miss by more than the file allows.  All
 * of it is whole numbers, so every machine finds the same values.  docs/small-tables.md says more. */
#pragma once

#include "probe/directory.h"

/* The first `n_planes` values of a pair, 16 bits each, as a file that is not packed has them.  `place` is that of
 * bgr_tables_pair().  BGR_ERR_DAMAGED, BGR_ERR_READ, BGR_ERR_CHANGED. */
bgr_status bgr_packed_values(const bgr_tables *tables, uint64_t place, int n_planes, uint64_t *values);

/* Ask memory for what a later bgr_packed_values() reads: first for the factors and where the block is, then, when that
 * has come, for the block.  A batch does so this many pairs ahead; without effect if the file is not in memory. */
enum { BGR_PACKED_AHEAD = 16 };
void bgr_packed_expect(const bgr_tables *tables, uint64_t place, int n_planes);
void bgr_packed_expect_block(const bgr_tables *tables, uint64_t place);

/* The same for a file that is read by ranges: what is to be fetched. */
void bgr_packed_want(const bgr_tables *tables, uint64_t place, bgr_wanted *wanted);
bgr_status bgr_packed_want_block(const bgr_tables *tables, uint64_t place, bgr_wanted *wanted);

/* The values of a pair of an approximate file, as bgr_packed_values() has them, or with `win` twice the chance to win
 * less one, in the lowest 16 bits.  The same statuses; BGR_ERR_COVERAGE if the file has chances to win only. */
bgr_status bgr_approximate_values(const bgr_tables *tables, uint64_t place, int win, uint64_t *values);
