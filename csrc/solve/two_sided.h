/* Two players in 16 bits: every pair of positions, for money. */
#pragma once

#include "solve/two_sided_options.h"

/* Solve all pairs of positions of a graph, in 16 bits: equity times `scale`.
 *
 * A value is rounded once, to the nearest step (halves to even), from the exact mean of 36 stored values.  Money, with
 * a cube without limit. table [out] size x size x BGR_N_PLANES, [rank on roll][rank of the opponent][plane].  A player
 * on roll without checkers has won, singly or doubly; a player on roll against a side without checkers has lost.  With
 * BGR_GNUBG a value v stands for the equity (v + 1/2) / 32767.5.  BGR_ERR_SIZE if an option is out of range or the
 * graph is too large, BGR_ERR_MEMORY, BGR_ERR_STOPPED, BGR_ERR_WRITE. */
bgr_status bgr_two_sided(const bgr_graph *graph, const bgr_two_sided_options *options, int16_t *table);
