/* Pairs of a small file looked up: factors multiplied, unless a pair is an exception. */

#include "probe/small.h"

#include "base/bytes.h"
#include "probe/block.h"

/* n bytes of a table, from so many on. */
static bgr_status table_bytes(const bgr_tables *tables, int kind, uint64_t from, size_t n, unsigned char *buffer,
                              const unsigned char **p)
{
    uint64_t offset = tables->table[kind].offset + from;
    *p = tables->file.bytes ? tables->file.bytes + offset : buffer;
    return tables->file.bytes ? BGR_OK : bgr_file_read(&tables->file, offset, n, buffer);
}

/* Look for a pair among the exceptions of a plane. */
static bgr_status find_exception(const bgr_tables *tables, int plane, uint64_t row, uint64_t column, int *found,
                                 int *value)
{
    unsigned char buffer[8];
    const unsigned char *p;
    uint64_t at = (uint64_t)plane * (uint64_t)tables->n_pairs + row;
    bgr_status status = table_bytes(tables, BGR_TABLE_SMALL_STARTS, 4 * at, 8, buffer, &p);
    if (status != BGR_OK)
        return status;
    uint64_t low = get_u32(p), past = get_u32(p + 4), high = past;
    *found = 0;
    if (low > past || past > tables->table[BGR_TABLE_SMALL_COLUMNS].shape[0])
        return BGR_ERR_DAMAGED;
    while (low < high && !*found) {
        uint64_t middle = low + (high - low) / 2;
        status = table_bytes(tables, BGR_TABLE_SMALL_COLUMNS, 2 * middle, 2, buffer, &p);
        if (status != BGR_OK)
            return status;
        uint64_t here = get_u16(p);
        *found = here == column;
        if (here < column)
            low = middle + 1;
        else
            high = middle;
    }
    if (!*found)
        return BGR_OK;
    status = table_bytes(tables, BGR_TABLE_SMALL_VALUES, 2 * high, 2, buffer, &p);
    if (status == BGR_OK)
        *value = bgr_stored_value((int)get_u16(p), 0);
    return status;
}

static bgr_status plane_value(const bgr_tables *tables, int plane, uint64_t row, uint64_t column, int *value)
{
    unsigned char mine[2 * BGR_MAX_FACTORS], theirs[2 * BGR_MAX_FACTORS];
    const unsigned char *on_roll, *opponent;
    const bgr_small *small = &tables->small;
    int found, count = small->plane[plane].count;
    uint64_t first = 2 * (uint64_t)small->plane[plane].first, width = 2 * (uint64_t)small->n_factors;
    bgr_status status = find_exception(tables, plane, row, column, &found, value);
    if (status != BGR_OK || found)
        return status;
    status = table_bytes(tables, BGR_TABLE_SMALL_ON_ROLL, width * row + first, 2 * (size_t)count, mine, &on_roll);
    if (status == BGR_OK)
        status =
            table_bytes(tables, BGR_TABLE_SMALL_OPPONENT, width * column + first, 2 * (size_t)count, theirs, &opponent);
    if (status != BGR_OK)
        return status;
    int most = plane < BGR_N_PLANES ? tables->most_steps : tables->unit_steps;
    int product = bgr_product(bgr_dot(on_roll, opponent, count), small->plane[plane].shift);
    *value = product > most ? most : product < -most ? -most : product;
    return BGR_OK;
}

bgr_status bgr_small_values(const bgr_tables *tables, uint64_t place, int win, uint64_t *values)
{
    uint64_t number = place / 8, n = (uint64_t)tables->n_pairs, row = number / n, column = number % n;
    int first = win ? tables->small.win : 0, n_planes = win ? 1 : BGR_N_PLANES;
    if (tables->small.n_planes < n_planes)
        return BGR_ERR_COVERAGE;
    *values = 0;
    for (int k = 0; k < n_planes; k++) {
        int value = 0;
        bgr_status status = plane_value(tables, first + k, row, column, &value);
        if (status != BGR_OK)
            return status;
        *values |= (uint64_t)(uint16_t)value << 16 * k;
    }
    return BGR_OK;
}
