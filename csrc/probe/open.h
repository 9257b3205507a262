/* Databases of open files. */
#pragma once

#include "probe/tables.h"

/* As bgr_open, for an open file, which is taken over, also if this fails. */
bgr_status bgr_open_file(const bgr_file *file, bgr_access access, bgr_db **db);

/* The tables of a file, 0 .. bgr_n_files - 1. */
const bgr_tables *bgr_tables_of(const bgr_db *db, int file);
