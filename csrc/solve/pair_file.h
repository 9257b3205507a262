/* A table of pairs in a file: written and read rectangle by rectangle, in large pieces, with a checksum of each row.
 *
 * Tables of the whole bearoff are larger than most memories.  Writing to a mapping of the file costs a page fault for
 * every 4 KB, and once more after the system has written the page out: that takes several times as much system time as
 * write calls.  For a small table, whose rows grow by few pairs at a time, the mapping is faster, and is used. */
#pragma once

#include "base/crc32.h"
#include "solve/pairs.h"

typedef struct {
    int descriptor;        /* open for reading and writing */
    int64_t offset;        /* of the table */
    uint32_t *row_crc32;   /* by rank on roll: CRC-32 of the part of the row written so far, from the left */
    unsigned char *mapped; /* the mapped table, if it is read and written by its mapping; NULL: by calls */
    int64_t pairs_at_once; /* pairs to write at once: enough for large writes, and for threads to wait rarely */
    int error;             /* errno of the call that failed */
} bgr_pair_file;

/* Write the pairs of a rectangle, BGR_N_PLANES values each, into a table of n_ranks by n_ranks, and continue the
 * checksums of their rows.  crc: set up by bgr_crc32_init.  BGR_ERR_WRITE. */
bgr_status bgr_pair_file_write(bgr_pair_file *file, const bgr_crc32 *crc, int64_t n_ranks,
                               const bgr_rectangle *rectangle, const int16_t *pairs);

/* Read the pairs of a rectangle.  BGR_ERR_READ. */
bgr_status bgr_pair_file_read(bgr_pair_file *file, int64_t n_ranks, const bgr_rectangle *rectangle, int16_t *pairs);

/* The CRC-32 of the table, from those of all rows. */
uint32_t bgr_pair_table_crc32(const uint32_t *row_crc32, int64_t n_ranks);
