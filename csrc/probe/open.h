/* Databases of files that are open already. */
#ifndef BGR_OPEN_H
#define BGR_OPEN_H

#include "probe/tables.h"

/* bgr_open of one open file, which belongs to the database from now on, also if this fails. */
bgr_status bgr_open_file(const bgr_file *file, bgr_access access, bgr_db **db);

/* Whether pairs of a file, 0 .. bgr_n_files - 1, are where they can be looked up by a load. */
int bgr_file_in_place(const bgr_db *db, int file);

/* The tables of a file that is read by ranges; NULL of any other. */
const bgr_tables *bgr_tables_by_ranges(const bgr_db *db, int file);

/* A pair of a file, 0 .. bgr_n_files - 1, by its indices, which are at least 0, and not both 0.  BGR_ERR_COVERAGE for a
 * pair beyond the table; what reading can return. */
bgr_status bgr_equities_at(const bgr_db *db, int file, int64_t on_roll, int64_t opponent, bgr_equities *equities);

#endif
