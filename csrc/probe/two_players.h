/* Pairs of a file by their indices. */
#ifndef BGR_TWO_PLAYERS_H
#define BGR_TWO_PLAYERS_H

#include "bgrace.h"

/* BGR_ERR_INDEX for a missing file or index, BGR_ERR_COVERAGE for a pair beyond the table, BGR_ERR_POSITION if both
 * indices are 0. */
bgr_status bgr_equities_at(const bgr_db *db, int file, int64_t on_roll, int64_t opponent, bgr_equities *equities);

#endif
