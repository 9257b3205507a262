/* Databases of files that are open already. */
#pragma once

#include "probe/tables.h"

/* bgr_open of one open file, which belongs to the database from now on, also if this fails. */
bgr_status bgr_open_file(const bgr_file *file, bgr_access access, bgr_db **db);

/* The tables of a file, 0 .. bgr_n_files - 1. */
const bgr_tables *bgr_tables_of(const bgr_db *db, int file);

/* A pair of a file, 0 .. bgr_n_files - 1, by its indices, which are at least 0, and not both 0.  BGR_ERR_COVERAGE for a
 * pair beyond the table; what reading can return. */
bgr_status bgr_equities_at(const bgr_db *db, int file, int64_t on_roll, int64_t opponent, bgr_equities *equities);
