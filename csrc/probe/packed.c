/* Pairs of a packed file looked up: factors multiplied, and what they leave added. */

#include "probe/packed.h"

#include "probe/block.h"
#include "probe/bytes.h"

/* n bytes of the file, as bgr_file_read(), but without copying what is in memory. */
static bgr_status bytes_at(const bgr_file *file, uint64_t offset, size_t n, unsigned char *buffer, const unsigned char **p)
{
    *p = file->bytes ? file->bytes + offset : buffer;
    return file->bytes ? BGR_OK : bgr_file_read(file, offset, n, buffer);
}

static bgr_status decode_packed(const bgr_packing *packing, const unsigned char *on_roll, const unsigned char *opponent,
                         const bgr_block_plane *planes, int place, int n_planes, uint64_t *values)
{
    uint64_t found = 0;
    for (int k = 0; k < n_planes; k++) {
        int first = 2 * packing->plane[k].first, left;
        bgr_status status = bgr_block_value(&planes[k], place, &left);
        if (status != BGR_OK)
            return status;
        int32_t sum = bgr_dot(on_roll + first, opponent + first, packing->plane[k].count);
        found |= (uint64_t)(uint16_t)bgr_stored_value(bgr_product(sum, packing->plane[k].shift), left) << 16 * k;
    }
    *values = found;
    return BGR_OK;
}

bgr_status bgr_packed_values(const bgr_tables *tables, uint64_t place, int n_planes, uint64_t *values)
{
    /* Room for what a file that is not in memory is read into. */
    unsigned char mine[2 * BGR_MAX_FACTORS], theirs[2 * BGR_MAX_FACTORS], ends[16], code[BGR_MAX_BLOCK_BYTES];
    const unsigned char *on_roll, *opponent, *p;
    const bgr_table *table = tables->table, *codes = &table[BGR_TABLE_PACKED_CODES];
    const bgr_packing *packing = &tables->packing;
    const bgr_file *file = &tables->file;
    uint64_t number = place / 8, n = (uint64_t)tables->n_pairs, row = number / n, column = number % n;
    uint64_t block = row / BGR_BLOCK_SIDE * (uint64_t)packing->side + column / BGR_BLOCK_SIDE;
    size_t width = 2 * (size_t)packing->n_factors;
    bgr_block_plane planes[BGR_N_PLANES];
    bgr_status status = bytes_at(file, table[BGR_TABLE_PACKED_STARTS].offset + 8 * block, sizeof ends, ends, &p);
    if (status != BGR_OK)
        return status;
    uint64_t start = get_u64(p), stop = get_u64(p + 8);
    if (start > stop || stop > codes->n_bytes || stop - start > BGR_MAX_BLOCK_BYTES)
        return BGR_ERR_DAMAGED;
    status = bytes_at(file, codes->offset + start, (size_t)(stop - start), code, &p);
    if (status == BGR_OK)
        status = bytes_at(file, table[BGR_TABLE_PACKED_ON_ROLL].offset + width * row, width, mine, &on_roll);
    if (status == BGR_OK)
        status = bytes_at(file, table[BGR_TABLE_PACKED_OPPONENT].offset + width * column, width, theirs, &opponent);
    if (status == BGR_OK)
        status = bgr_block_read(p, (size_t)(stop - start), planes);
    int in_block = (int)(row % BGR_BLOCK_SIDE * BGR_BLOCK_SIDE + column % BGR_BLOCK_SIDE);
    return status == BGR_OK ? decode_packed(packing, on_roll, opponent, planes, in_block, n_planes, values) : status;
}
