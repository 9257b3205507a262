/* Pairs of a packed file, and of an approximate one.
 *
 * Each plane, as a matrix of the rank on roll by the opponent's, is nearly the product of two narrow ones,
 * whose rows are a position's *factors*.  The remainders, values minus products, are small: a packed file has all of
 * them, in blocks (probe/block.h); an approximate file lists only the pairs whose remainder exceeds its error.  All
 * numbers are integers, so values are the same on every machine.  See docs/small-tables.md. */
#pragma once

#include "probe/directory.h"

/* Get the first `n_planes` values of a pair, 16 bits each, as in a file that is not packed.  place: from
 * bgr_tables_pair().  BGR_ERR_DAMAGED, BGR_ERR_READ, BGR_ERR_CHANGED. */
bgr_status bgr_packed_values(const bgr_tables *tables, uint64_t place, int n_planes, uint64_t *values);

/* Prefetch what a later bgr_packed_values() reads: first the factors and the place of the block, then the block.  A
 * batch does so this many pairs ahead; no effect if the file is not in memory. */
enum { BGR_PACKED_AHEAD = 16 };
void bgr_packed_expect(const bgr_tables *tables, uint64_t place, int n_planes);
void bgr_packed_expect_block(const bgr_tables *tables, uint64_t place);

/* The same for a file that is read by ranges: list what to fetch. */
void bgr_packed_want(const bgr_tables *tables, uint64_t place, bgr_wanted *wanted);
bgr_status bgr_packed_want_block(const bgr_tables *tables, uint64_t place, bgr_wanted *wanted);

/* Get the values of a pair of an approximate file, as bgr_packed_values() does, or with `win` twice the chance to win
 * less one, in the lowest 16 bits.  The same statuses; BGR_ERR_COVERAGE if the file has only chances to win. */
bgr_status bgr_approximate_values(const bgr_tables *tables, uint64_t place, int win, uint64_t *values);
