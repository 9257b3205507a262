/* Files open for reading; only this module calls the system. */
#pragma once

#include "base/crc32.h"
#include "probe/ranges.h"

/* Blocks of a file, disjoint and in order, each checked against its checksum before its first use. */
typedef struct bgr_block_sums {
    int64_t n;
    const uint64_t *start, *past; /* bytes */
    const uint32_t *crc32;
    int64_t *is_right; /* 0 until it was checked */
} bgr_block_sums;

/* A file open for reading, bytes in memory, or a file that a function of the caller reads by ranges. */
typedef struct bgr_file {
    const unsigned char *bytes; /* the whole file; NULL if it has to be read */
    uint64_t size;
    int64_t changed[2];   /* time of the last change when it was opened */
    intptr_t handle;      /* file descriptor or HANDLE; -1 for bytes in memory */
    int mapped;           /* 1: `bytes` is a mapping to unmap */
    int loaded;           /* 1: `bytes` is a copy to free */
    bgr_block_sums *sums; /* of what is read, or NULL */
    bgr_ranges *ranges;   /* NULL if the file is not read by ranges */
} bgr_file;

/* BGR_ERR_OPEN. */
bgr_status bgr_file_open(const char *path, bgr_file *file);

/* Open the file of an open `handle`, a file descriptor or HANDLE, again, even if another file has its name by now.
 * BGR_ERR_OPEN. */
bgr_status bgr_file_share(intptr_t handle, bgr_file *file);

/* Map an open file; no effect if that is not possible. */
void bgr_file_map(bgr_file *file);

/* Copy the file into memory, and close it.  BGR_ERR_MEMORY, BGR_ERR_READ, BGR_ERR_CHANGED. */
bgr_status bgr_file_load(bgr_file *file);

/* Copy n bytes that lie within the file; BGR_ERR_READ, BGR_ERR_CHANGED, and with `sums` BGR_ERR_DAMAGED. */
bgr_status bgr_file_read(const bgr_file *file, uint64_t offset, size_t n, void *out);

/* The same without the check for changes: after several calls, bgr_file_unchanged() checks all of them. */
bgr_status bgr_file_read_part(const bgr_file *file, uint64_t offset, size_t n, void *out);

/* Continue a checksum over the bytes first .. past - 1, without a check against `sums`.  BGR_ERR_READ, BGR_ERR_CHANGED,
 * BGR_ERR_MEMORY. */
bgr_status bgr_file_add_crc(const bgr_file *file, uint64_t first, uint64_t past, bgr_crc32 *crc);

/* Prefetch n bytes of a file that is read, if the system can. */
void bgr_file_expect(const bgr_file *file, uint64_t offset, size_t n);

/* BGR_ERR_CHANGED, BGR_ERR_READ. */
bgr_status bgr_file_unchanged(const bgr_file *file);

void bgr_file_close(bgr_file *file);
