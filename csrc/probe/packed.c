/* Look up pairs of a packed or an approximate file: multiply factors, and add remainders or use exceptions. */

#include "probe/packed.h"

#include "base/bytes.h"
#include "base/try.h"
#include "probe/block.h"

/* Get n bytes of the file, as bgr_file_read_part(), but without a copy if they are in memory. */
static bgr_status bytes_at(const bgr_file *file, uint64_t offset, size_t n, unsigned char *buffer,
                           const unsigned char **p)
{
    *p = file->bytes ? file->bytes + offset : buffer;
    return file->bytes ? BGR_OK : bgr_file_read_part(file, offset, n, buffer);
}

/* The data from which a pair is decoded. */
typedef struct {
    const unsigned char *on_roll, *opponent; /* factors */
    const unsigned char *block;
    size_t n_bytes;
    int place; /* in the block */
} packed_parts;

static bgr_status decode_packed(const bgr_factored *packing, const packed_parts *of, int n_planes, uint64_t *values)
{
    /* The factors arrive first: multiply them while the block is still being loaded. */
    int product[BGR_N_PLANES];
    uint64_t packed = 0;
    for (int k = 0; k < n_planes; k++) {
        int first = 2 * packing->plane[k].first;
        int32_t sum = bgr_dot(of->on_roll + first, of->opponent + first, packing->plane[k].count);
        product[k] = bgr_product(sum, packing->plane[k].shift);
    }
    bgr_block_plane planes[BGR_N_PLANES];
    BGR_TRY(bgr_block_read(of->block, of->n_bytes, planes));
    for (int k = 0; k < n_planes; k++) {
        int left;
        BGR_TRY(bgr_block_value(&planes[k], of->place, &left));
        packed |= (uint64_t)(uint16_t)bgr_stored_value(product[k], left) << 16 * k;
    }
    *values = packed;
    return BGR_OK;
}

/* The offsets of a pair in a packed file. */
typedef struct {
    uint64_t on_roll, opponent; /* of the factors of both */
    uint64_t start;             /* of the two numbers where its block begins and ends */
    int in_block;
} packed_place;

static inline packed_place find_place(const bgr_tables *tables, uint64_t place)
{
    uint64_t number = place / 8, n = (uint64_t)tables->n_pairs, row = number / n, column = number % n;
    uint64_t block = row / BGR_BLOCK_SIDE * (uint64_t)tables->packing.side + column / BGR_BLOCK_SIDE;
    uint64_t width = 2 * (uint64_t)tables->packing.n_factors;
    return (packed_place){tables->table[BGR_TABLE_PACKED_ON_ROLL].offset + width * row,
                          tables->table[BGR_TABLE_PACKED_OPPONENT].offset + width * column,
                          tables->table[BGR_TABLE_PACKED_STARTS].offset + 8 * block,
                          (int)(row % BGR_BLOCK_SIDE * BGR_BLOCK_SIDE + column % BGR_BLOCK_SIDE)};
}

static void expect_factors(const bgr_tables *tables, const packed_place *at, int n_planes)
{
    const unsigned char *bytes = tables->file.bytes;
    const bgr_factored *packing = &tables->packing;
    /* The factors of one plane, or of all. */
    size_t first = n_planes == 1 ? 2 * (size_t)packing->plane[0].first : 0;
    size_t width = 2 * (size_t)(n_planes == 1 ? packing->plane[0].count : packing->n_factors);
    bgr_expect(bytes + at->on_roll + first, width);
    bgr_expect(bytes + at->opponent + first, width);
}

void bgr_packed_expect(const bgr_tables *tables, uint64_t place, int n_planes)
{
    if (!tables->file.bytes)
        return;
    packed_place at = find_place(tables, place);
    bgr_expect(tables->file.bytes + at.start, 1);
    expect_factors(tables, &at, n_planes);
}

void bgr_packed_expect_block(const bgr_tables *tables, uint64_t place)
{
    const bgr_table *codes = &tables->table[BGR_TABLE_PACKED_CODES];
    if (!tables->file.bytes)
        return;
    const unsigned char *p = tables->file.bytes + find_place(tables, place).start;
    uint64_t start = get_u64(p), stop = get_u64(p + 8);
    if (start <= stop && stop <= codes->n_bytes && stop - start <= BGR_MAX_BLOCK_BYTES)
        bgr_expect(tables->file.bytes + codes->offset + start, (size_t)(stop - start));
}

void bgr_packed_want(const bgr_tables *tables, uint64_t place, bgr_wanted *wanted)
{
    packed_place at = find_place(tables, place);
    uint64_t width = 2 * (uint64_t)tables->packing.n_factors;
    bgr_want(wanted, at.start, 16);
    bgr_want(wanted, at.on_roll, width);
    bgr_want(wanted, at.opponent, width);
}

bgr_status bgr_packed_want_block(const bgr_tables *tables, uint64_t place, bgr_wanted *wanted)
{
    unsigned char ends[16];
    const bgr_table *codes = &tables->table[BGR_TABLE_PACKED_CODES];
    BGR_TRY(bgr_file_read_part(&tables->file, find_place(tables, place).start, sizeof ends, ends));
    uint64_t start = get_u64(ends), stop = get_u64(ends + 8);
    if (start > stop || stop > codes->n_bytes || stop - start > BGR_MAX_BLOCK_BYTES)
        return BGR_ERR_DAMAGED;
    bgr_want(wanted, codes->offset + start, stop - start);
    return BGR_OK;
}

static inline bgr_status packed_values(const bgr_tables *tables, uint64_t place, int n_planes, uint64_t *values)
{
    /* Buffers for a file that is not in memory. */
    unsigned char mine[2 * BGR_MAX_FACTORS], theirs[2 * BGR_MAX_FACTORS], ends[16], code[BGR_MAX_BLOCK_BYTES];
    const unsigned char *p;
    const bgr_table *codes = &tables->table[BGR_TABLE_PACKED_CODES];
    const bgr_file *file = &tables->file;
    packed_place at = find_place(tables, place);
    size_t width = 2 * (size_t)tables->packing.n_factors;
    if (!file->bytes) { /* three places are read in parallel, so there are two waits for the disk */
        bgr_file_expect(file, at.on_roll, width);
        bgr_file_expect(file, at.opponent, width);
    }
    BGR_TRY(bytes_at(file, at.start, sizeof ends, ends, &p));
    uint64_t start = get_u64(p), stop = get_u64(p + 8);
    if (file->bytes)
        expect_factors(tables, &at, n_planes); /* fetched while the place of the block is not yet known */
    if (start > stop || stop > codes->n_bytes || stop - start > BGR_MAX_BLOCK_BYTES)
        return BGR_ERR_DAMAGED;
    if (file->bytes)
        bgr_expect(file->bytes + codes->offset + start, (size_t)(stop - start));
    packed_parts of = {.n_bytes = (size_t)(stop - start), .place = at.in_block};
    BGR_TRY(bytes_at(file, codes->offset + start, of.n_bytes, code, &of.block));
    BGR_TRY(bytes_at(file, at.on_roll, width, mine, &of.on_roll));
    BGR_TRY(bytes_at(file, at.opponent, width, theirs, &of.opponent));
    return decode_packed(&tables->packing, &of, n_planes, values);
}

/* If parts of a file that is not in memory do not agree, the file may have changed. */
static bgr_status if_unchanged(const bgr_tables *tables, bgr_status status)
{
    if (tables->file.bytes || status == BGR_ERR_READ)
        return status;
    bgr_status changed = bgr_file_unchanged(&tables->file);
    return changed == BGR_OK ? status : changed;
}

bgr_status bgr_packed_values(const bgr_tables *tables, uint64_t place, int n_planes, uint64_t *values)
{
    return if_unchanged(tables, packed_values(tables, place, n_planes, values));
}

/* ---------------------------------------------------------------- approximate files */

/* Get n bytes of a table, from an offset on. */
static bgr_status table_bytes(const bgr_tables *tables, int kind, uint64_t from, size_t n, unsigned char *buffer,
                              const unsigned char **p)
{
    return bytes_at(&tables->file, tables->table[kind].offset + from, n, buffer, p);
}

/* Look for a pair among the exceptions of a plane. */
static bgr_status find_exception(const bgr_tables *tables, int plane, uint64_t row, uint64_t column, int *is_listed,
                                 int *value)
{
    unsigned char buffer[8];
    const unsigned char *p;
    uint64_t at = (uint64_t)plane * (uint64_t)tables->n_pairs + row;
    BGR_TRY(table_bytes(tables, BGR_TABLE_SMALL_STARTS, 4 * at, 8, buffer, &p));
    uint64_t low = get_u32(p), past = get_u32(p + 4), high = past;
    *is_listed = 0;
    if (low > past || past > tables->table[BGR_TABLE_SMALL_COLUMNS].shape[0])
        return BGR_ERR_DAMAGED;
    while (low < high && !*is_listed) {
        uint64_t middle = low + (high - low) / 2;
        BGR_TRY(table_bytes(tables, BGR_TABLE_SMALL_COLUMNS, 2 * middle, 2, buffer, &p));
        uint64_t middle_column = get_u16(p);
        *is_listed = middle_column == column;
        if (middle_column < column)
            low = middle + 1;
        else
            high = middle;
    }
    if (!*is_listed)
        return BGR_OK;
    BGR_TRY(table_bytes(tables, BGR_TABLE_SMALL_VALUES, 2 * high, 2, buffer, &p));
    *value = bgr_stored_value((int)get_u16(p), 0);
    return BGR_OK;
}

static bgr_status plane_value(const bgr_tables *tables, int plane, uint64_t row, uint64_t column, int *value)
{
    unsigned char mine[2 * BGR_MAX_FACTORS], theirs[2 * BGR_MAX_FACTORS];
    const unsigned char *on_roll, *opponent;
    const bgr_factored *f = &tables->approximate;
    int is_listed = 0, count = f->plane[plane].count;
    uint64_t first = 2 * (uint64_t)f->plane[plane].first, width = 2 * (uint64_t)f->n_factors;
    BGR_TRY(find_exception(tables, plane, row, column, &is_listed, value));
    if (is_listed)
        return BGR_OK;
    size_t n = 2 * (size_t)count;
    BGR_TRY(table_bytes(tables, BGR_TABLE_SMALL_ON_ROLL, width * row + first, n, mine, &on_roll));
    BGR_TRY(table_bytes(tables, BGR_TABLE_SMALL_OPPONENT, width * column + first, n, theirs, &opponent));
    int most = plane < BGR_N_PLANES ? tables->steps.most : tables->steps.unit;
    int product = bgr_product(bgr_dot(on_roll, opponent, count), f->plane[plane].shift);
    *value = product > most ? most : product < -most ? -most : product;
    return BGR_OK;
}

bgr_status bgr_approximate_values(const bgr_tables *tables, uint64_t place, int win, uint64_t *values)
{
    uint64_t number = place / 8, n = (uint64_t)tables->n_pairs, row = number / n, column = number % n;
    int first = win ? tables->approximate.win : 0, n_planes = win ? 1 : BGR_N_PLANES;
    bgr_status status = tables->approximate.n_planes < n_planes ? BGR_ERR_COVERAGE : BGR_OK;
    *values = 0;
    for (int k = 0; k < n_planes && status == BGR_OK; k++) {
        int value = 0;
        status = plane_value(tables, first + k, row, column, &value);
        *values |= (uint64_t)(uint16_t)value << 16 * k;
    }
    return status == BGR_ERR_COVERAGE ? status : if_unchanged(tables, status);
}
