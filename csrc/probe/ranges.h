/* Files that a function of the caller's reads, range by range, as from a web host: every page of a table is held
 * against its checksum, and some are kept. */
#pragma once

#include "bgrace.h"

typedef struct bgr_ranges bgr_ranges;

/* Bytes at the head that are read at once, and kept: the directory, and small tables behind it. */
enum { BGR_HEAD_BYTES = 24576 };

/* Of a table, that share a checksum. */
enum { BGR_PAGE_BYTES = 2048 };

/* BGR_ERR_SIZE, BGR_ERR_ARGUMENT, BGR_ERR_MEMORY. */
bgr_status bgr_ranges_new(const bgr_reader *reader, bgr_ranges **ranges);
void bgr_ranges_free(bgr_ranges *ranges); /* NULL is allowed */

/* A table: its pages have the numbers `first_page` and so on. */
typedef struct bgr_paged {
    uint64_t offset, n_bytes, first_page;
} bgr_paged;

enum { BGR_MAX_PAGED = 64 };

/* Where tables lie, in the order of the file, and where the checksums of their pages begin.  Before this nothing is
 * checked here. */
void bgr_ranges_set_pages(bgr_ranges *ranges, const bgr_paged *tables, int n, uint64_t checksums);

/* n bytes that lie within the file.  Within a table they have been checked.  BGR_ERR_READ, BGR_ERR_DAMAGED,
 * BGR_ERR_MEMORY. */
bgr_status bgr_ranges_read(bgr_ranges *ranges, uint64_t offset, size_t n, void *out);

/* Pages that are soon to be read, and are fetched at once. */
enum { BGR_MAX_WANTED = 1024 };
typedef struct bgr_wanted {
    bgr_ranges *ranges;
    int n;
    uint64_t page[BGR_MAX_WANTED];
} bgr_wanted;

/* Beyond the room for it nothing is wanted: it is read later. */
void bgr_want(bgr_wanted *wanted, uint64_t offset, uint64_t n);
bgr_status bgr_fetch_wanted(bgr_wanted *wanted); /* nothing is wanted any more */
