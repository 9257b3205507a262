/* Database files held against their checksums. */
#ifndef BGR_CHECKSUMS_H
#define BGR_CHECKSUMS_H

#include "probe/directory.h"

/* Compare every table, and what lies between them, with its checksum. */
bgr_status bgr_tables_verify(const bgr_tables *tables);

#endif
