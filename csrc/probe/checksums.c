/* Every byte of a database file held against the checksums in its directory. */

#include "probe/checksums.h"

#include "base/try.h"

static bgr_status verify(const bgr_tables *tables)
{
    const bgr_table *sorted[BGR_N_TABLES];
    int n_tables = bgr_tables_by_offset(tables, sorted);
    bgr_crc32 metadata, crc;
    bgr_crc32_init(&metadata);
    bgr_crc32_init(&crc);
    uint64_t place = BGR_DIRECTORY_SIZE;
    for (int k = 0; k < n_tables; k++) {
        uint64_t past = sorted[k]->offset + sorted[k]->n_bytes;
        BGR_TRY(bgr_file_add_crc(&tables->file, place, sorted[k]->offset, &metadata));
        crc.value = 0;
        BGR_TRY(bgr_file_add_crc(&tables->file, sorted[k]->offset, past, &crc));
        if (crc.value != sorted[k]->crc32)
            return BGR_ERR_DAMAGED;
        place = past;
    }
    BGR_TRY(bgr_file_add_crc(&tables->file, place, tables->file.size, &metadata));
    return metadata.value == tables->metadata_crc32 ? BGR_OK : BGR_ERR_DAMAGED;
}

bgr_status bgr_tables_verify(const bgr_tables *tables)
{
    bgr_status status = verify(tables), changed = bgr_file_unchanged(&tables->file);
    return changed == BGR_OK ? status : changed;
}
