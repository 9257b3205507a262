/* A table of pairs in a file: written rectangle by rectangle, in large pieces, with a checksum of each row on the way,
 * and read likewise.
 *
 * Tables of the whole bearoff are larger than most memories.  Writing to a mapping of the file costs a page fault for
 * every 4 KB, and once more after the system has written the page out: several times as much of the system's time as
 * writing the same bytes by calls.  The rows of a small table grow by so few pairs at a time that it is the other way
 * round: it is written to its mapping. */
#pragma once

#include "base/crc32.h"
#include "solve/pairs.h"

typedef struct {
    int descriptor;      /* open for reading and writing */
    int64_t offset;      /* of the table */
    uint32_t *row_crc32; /* by rank on roll: CRC-32 of the part of the row that is in the file, which grows from left to
                            right */
    unsigned char *mapped; /* the table, mapped, which is written to and read instead; NULL: calls do that */
    int64_t pairs_at_once; /* how many to write at once: enough for large writes, and for threads to meet seldom */
    int error;             /* errno of the call that failed */
} bgr_pair_file;

/* Write the pairs of a rectangle, BGR_N_PLANES values each, into a table of n_ranks by n_ranks, and go on with the
 * checksums of their rows.  crc: as bgr_crc32_init leaves it.  BGR_ERR_WRITE. */
bgr_status bgr_pair_file_write(bgr_pair_file *file, const bgr_crc32 *crc, int64_t n_ranks,
                               const bgr_rectangle *rectangle, const int16_t *pairs);

/* Read them.  BGR_ERR_READ. */
bgr_status bgr_pair_file_read(bgr_pair_file *file, int64_t n_ranks, const bgr_rectangle *rectangle, int16_t *pairs);

/* CRC-32 of the table, from those of all rows. */
uint32_t bgr_pair_table_crc32(const uint32_t *row_crc32, int64_t n_ranks);
