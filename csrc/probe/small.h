/* Pairs of a small file.
 *
 * A plane of its table is the product of two narrow matrices, as in a packed file (probe/packed.h), and what the
 * product would miss by more than the file allows is listed: the exceptions.  How far values are off at most stands in
 * the file's directory, because every pair was compared.  docs/small-tables.md says more. */
#ifndef BGR_SMALL_PAIRS_H
#define BGR_SMALL_PAIRS_H

#include "probe/directory.h"

/* The values of a pair, 16 bits each, as a file that is not packed has them, or with `win` twice the chance to win less
 * one, in the lowest 16 bits.  `place` is that of bgr_tables_pair().  BGR_ERR_COVERAGE if the file has chances to win
 * only, BGR_ERR_DAMAGED, BGR_ERR_READ, BGR_ERR_CHANGED. */
bgr_status bgr_small_values(const bgr_tables *tables, uint64_t place, int win, uint64_t *values);

#endif
