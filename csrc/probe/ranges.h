/* Files that a function of the caller reads by ranges, for example from a web server: every page of a table is checked
 * against its checksum, and some are cached. */
#pragma once

#include "bgrace.h"

typedef struct bgr_ranges bgr_ranges;

/* Bytes at the head that are read first and kept: the directory, and small tables after it. */
enum { BGR_HEAD_BYTES = 24576 };

/* Bytes of a table with one checksum. */
enum { BGR_PAGE_BYTES = 2048 };

/* Read the head.  BGR_ERR_SIZE, BGR_ERR_ARGUMENT, BGR_ERR_MEMORY, BGR_ERR_READ. */
bgr_status bgr_ranges_new(const bgr_reader *reader, bgr_ranges **ranges);
void bgr_ranges_free(bgr_ranges *ranges); /* NULL is allowed */

/* A table: its pages have the numbers `first_page` and so on. */
typedef struct bgr_paged {
    uint64_t offset, n_bytes, first_page;
} bgr_paged;

enum { BGR_MAX_PAGED = 64 };

/* Set the places of tables, in the order of the file, and the offset of the checksums of their pages.  Before this call
 * nothing is checked. */
void bgr_ranges_set_pages(bgr_ranges *ranges, const bgr_paged *tables, int n, uint64_t checksums);

/* Read n bytes within the file; bytes of tables are checked.  BGR_ERR_READ, BGR_ERR_DAMAGED, BGR_ERR_MEMORY. */
bgr_status bgr_ranges_read(bgr_ranges *ranges, uint64_t offset, size_t n, void *out);

/* Pages that will be read soon, to be fetched in one call. */
enum { BGR_MAX_WANTED = 1024 };
typedef struct bgr_wanted {
    bgr_ranges *ranges;
    int n;
    uint64_t page[BGR_MAX_WANTED];
} bgr_wanted;

/* Add the pages of n bytes; if there is no room left, they are not added, and are read later. */
void bgr_want(bgr_wanted *wanted, uint64_t offset, uint64_t n);
bgr_status bgr_fetch_wanted(bgr_wanted *wanted); /* empties the list */
