/* Files open for reading: the one that talks to the system. */
#pragma once

#include "base/crc32.h"
#include "probe/ranges.h"

/* Blocks of a file, apart and in order, each held against its checksum before anything of it is first read. */
typedef struct bgr_block_sums {
    int64_t n;
    const uint64_t *start, *past; /* bytes */
    const uint32_t *crc32;
    int64_t *is_right; /* 0 until it was */
} bgr_block_sums;

/* A file open for reading, or bytes in memory, or ranges that a function of the caller's reads. */
typedef struct bgr_file {
    const unsigned char *bytes; /* all of the file; NULL if it is to be read */
    uint64_t size;
    int64_t changed[2];   /* time of the last change when it was opened */
    intptr_t handle;      /* file descriptor or HANDLE; -1 for bytes in memory */
    int mapped;           /* `bytes` is a mapping of ours, to be undone */
    int loaded;           /* `bytes` is a copy of ours, to be freed */
    bgr_block_sums *sums; /* of what is read, or NULL */
    bgr_ranges *ranges;   /* NULL if the bytes are elsewhere */
} bgr_file;

/* BGR_ERR_OPEN. */
bgr_status bgr_file_open(const char *path, bgr_file *file);

/* Open once more what the system has open as `handle`, a file descriptor or HANDLE, whatever has its name by now.
 * BGR_ERR_OPEN. */
bgr_status bgr_file_share(intptr_t handle, bgr_file *file);

/* Map an open file; without effect where that is not possible. */
void bgr_file_map(bgr_file *file);

/* Copy the file into memory, and let go of it.  BGR_ERR_MEMORY, BGR_ERR_READ, BGR_ERR_CHANGED. */
bgr_status bgr_file_load(bgr_file *file);

/* Copy n bytes that lie within the file; BGR_ERR_READ, BGR_ERR_CHANGED, and with `sums` BGR_ERR_DAMAGED. */
bgr_status bgr_file_read(const bgr_file *file, uint64_t offset, size_t n, void *out);

/* The same, but for one look at the end of several such: bgr_file_unchanged() then says whether all of it is of the
 * file that was opened. */
bgr_status bgr_file_read_part(const bgr_file *file, uint64_t offset, size_t n, void *out);

/* Go on with a checksum over the bytes first .. past - 1, which are not held against `sums`.  BGR_ERR_READ,
 * BGR_ERR_CHANGED, BGR_ERR_MEMORY. */
bgr_status bgr_file_add_crc(const bgr_file *file, uint64_t first, uint64_t past, bgr_crc32 *crc);

/* Have n bytes of a file that is read fetched from the disk while others are read, where the system can. */
void bgr_file_expect(const bgr_file *file, uint64_t offset, size_t n);

/* BGR_ERR_CHANGED, BGR_ERR_READ. */
bgr_status bgr_file_unchanged(const bgr_file *file);

void bgr_file_close(bgr_file *file);
