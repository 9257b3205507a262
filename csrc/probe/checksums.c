/* Every byte of a database file held against the checksums in its directory. */

#include "probe/checksums.h"

#include "base/crc32.h"
#include "base/try.h"

#include <stdlib.h>

/* Go on with a checksum over the bytes first .. past - 1. */
static bgr_status add_range(const bgr_file *file, uint64_t first, uint64_t past, unsigned char *buffer, size_t room,
                            bgr_crc32 *crc)
{
    while (first < past) {
        size_t n = past - first < room ? (size_t)(past - first) : room;
        /* Read, even if mapped: a file that is cut short meanwhile must not end the process. */
        BGR_TRY(bgr_file_read(file, first, n, buffer));
        bgr_crc32_add(crc, buffer, n);
        first += n;
    }
    return BGR_OK;
}

static int by_offset(const void *a, const void *b)
{
    uint64_t x = (*(const bgr_table *const *)a)->offset, y = (*(const bgr_table *const *)b)->offset;
    return (x > y) - (x < y);
}

bgr_status bgr_tables_verify(const bgr_tables *tables)
{
    enum { ROOM = 1 << 18 };
    unsigned char *buffer = malloc(ROOM);
    if (!buffer)
        return BGR_ERR_MEMORY;
    const bgr_table *sorted[BGR_N_TABLES];
    int n_tables = 0;
    for (int kind = 0; kind < BGR_N_TABLES; kind++)
        if (tables->table[kind].n_bytes)
            sorted[n_tables++] = &tables->table[kind];
    qsort(sorted, (size_t)n_tables, sizeof sorted[0], by_offset);
    bgr_crc32 metadata, crc;
    bgr_crc32_init(&metadata);
    bgr_crc32_init(&crc);
    uint64_t place = BGR_DIRECTORY_SIZE;
    bgr_status status = BGR_OK;
    for (int k = 0; k < n_tables && status == BGR_OK; k++) {
        uint64_t past = sorted[k]->offset + sorted[k]->n_bytes;
        status = add_range(&tables->file, place, sorted[k]->offset, buffer, ROOM, &metadata);
        crc.value = 0;
        if (status == BGR_OK)
            status = add_range(&tables->file, sorted[k]->offset, past, buffer, ROOM, &crc);
        if (status == BGR_OK && crc.value != sorted[k]->crc32)
            status = BGR_ERR_DAMAGED;
        place = past;
    }
    if (status == BGR_OK)
        status = add_range(&tables->file, place, tables->file.size, buffer, ROOM, &metadata);
    if (status == BGR_OK && metadata.value != tables->metadata_crc32)
        status = BGR_ERR_DAMAGED;
    free(buffer);
    return status;
}
