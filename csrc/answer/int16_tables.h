/* All pairs in 16 bits, for money: what the library for engines does without. */
#ifndef BGR_INT16_TABLES_H
#define BGR_INT16_TABLES_H

#include "answer/sides.h"

/* Tables of all pairs as bgr_two_sided has them, which the caller frees, also if this fails.  b: NULL if both sides
 * come from a.  table [out] one for either side on roll, the second NULL with one graph. */
bgr_status bgr_int16_tables(const bgr_graph *a, const bgr_graph *b, int scale, int gammons, unsigned single_planes,
                            const bgr_pairs_work *work, int16_t **table);

#endif
