/* The tables of one database file: found through the directory in its first 4096 bytes, checked, and looked up.
 *
 * docs/file-format.md gives the layout.  Numbers in the file are little-endian and may stand at any address, so they
 * are put together from bytes; compilers make one load of that. */

#include "database.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { DIRECTORY_SIZE = 4096, HEADER_SIZE = 56, ENTRY_SIZE = 104, NAME_SIZE = 40, CRC_PLACE = 48, VERSION = 2 };
enum { TYPE_FLOAT64 = 1, TYPE_INT16 = 2, TYPE_INT32 = 3, TYPE_UINT8 = 4, TYPE_UINT16 = 5, TYPE_INT64 = 6 };
enum { FLAG_GAMMONS = 1, FLAG_JACOBY = 2, FLAG_ARCHIVE = 4 };

static const unsigned char MAGIC[8] = {0x93, 'B', 'G', 'R', 'A', 'C', 'E', '\n'};
static const unsigned char HDF5_MAGIC[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};

static const struct {
    char name[NAME_SIZE];
    int type, size, axes;
} KINDS[BGR_N_TABLES] = {
    [BGR_TABLE_EPC] = {"one_sided/epc", TYPE_FLOAT64, 8, 1},
    [BGR_TABLE_MEAN] = {"one_sided/mean_rolls", TYPE_FLOAT64, 8, 1},
    [BGR_TABLE_VARIANCE] = {"one_sided/variance_rolls", TYPE_FLOAT64, 8, 1},
    [BGR_TABLE_DISTRIBUTION] = {"one_sided/roll_distribution", TYPE_FLOAT64, 8, 2},
    [BGR_TABLE_FIRST_ROLL] = {"one_sided/first_roll", TYPE_UINT8, 1, 1},
    [BGR_TABLE_CHANCES] = {"one_sided/roll_chances", TYPE_UINT16, 2, 2},
    [BGR_TABLE_CHECKER_DISTRIBUTION] = {"one_sided/first_checker_distribution", TYPE_FLOAT64, 8, 2},
    [BGR_TABLE_CHECKER_FIRST_ROLL] = {"one_sided/first_checker_first_roll", TYPE_UINT8, 1, 1},
    [BGR_TABLE_CHECKER_CHANCES] = {"one_sided/first_checker_chances", TYPE_UINT16, 2, 2},
    [BGR_TABLE_ORDER] = {"two_sided/order", TYPE_INT32, 4, 1},
    [BGR_TABLE_EQUITIES] = {"two_sided/equities", TYPE_INT16, 2, 3},
    [BGR_TABLE_COLUMNS] = {"gammon/columns", TYPE_INT32, 4, 1},
    [BGR_TABLE_WINNING_STARTS] = {"gammon/winning_starts", TYPE_INT64, 8, 1},
    [BGR_TABLE_WINNING] = {"gammon/winning", TYPE_INT16, 2, 2},
    [BGR_TABLE_LOSING_STARTS] = {"gammon/losing_starts", TYPE_INT64, 8, 1},
    [BGR_TABLE_LOSING] = {"gammon/losing", TYPE_INT16, 2, 2},
};

static inline double get_f64(const unsigned char *p)
{
    uint64_t bits = get_u64(p);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ------------------------------------------------------------------ the directory */

static bgr_status read_entry(const unsigned char *p, uint64_t file_size, bgr_tables *tables)
{
    int kind = 0;
    while (kind < BGR_N_TABLES && memcmp(p, KINDS[kind].name, NAME_SIZE) != 0)
        kind++;
    if (kind == BGR_N_TABLES)
        return BGR_ERR_VERSION;
    bgr_table *table = &tables->table[kind];
    if (table->there) /* twice */
        return BGR_ERR_DAMAGED;
    if (get_u32(p + NAME_SIZE) != (uint32_t)KINDS[kind].type || get_u32(p + 44) != (uint32_t)KINDS[kind].axes)
        return BGR_ERR_VERSION;
    uint64_t n_bytes = (uint64_t)KINDS[kind].size;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t length = get_u64(p + 48 + 8 * axis);
        if (axis >= KINDS[kind].axes) {
            if (length != 0)
                return BGR_ERR_DAMAGED;
            continue;
        }
        if (length == 0 && axis == 0 && (kind == BGR_TABLE_WINNING || kind == BGR_TABLE_LOSING))
            n_bytes = 0;                                      /* no pair may be listed */
        else if (length == 0 || n_bytes > file_size / length) /* the product cannot overflow */
            return BGR_ERR_DAMAGED;
        table->shape[axis] = length;
        n_bytes *= length;
    }
    table->offset = get_u64(p + 72);
    table->scale = get_f64(p + 88);
    table->crc32 = get_u32(p + 96);
    if (get_u64(p + 80) != n_bytes || table->offset < DIRECTORY_SIZE || table->offset > file_size - n_bytes)
        return BGR_ERR_DAMAGED;
    table->n_bytes = n_bytes;
    table->there = 1;
    return BGR_OK;
}

static int overlap(const bgr_table *a, const bgr_table *b)
{
    return a->n_bytes && b->n_bytes && a->offset < b->offset + b->n_bytes && b->offset < a->offset + a->n_bytes;
}

/* Whether a distribution is there with so many rows, in one of its two forms; n_rows 0: whether it is not there. */
static int distribution_fits(const bgr_table *table, int dense, int packed, uint64_t n_rows)
{
    int wanted = packed ? dense + 2 : dense; /* a packed one is two tables */
    for (int kind = dense; kind <= dense + 2; kind++)
        if (table[kind].shape[0] != (kind == wanted || kind + packed == wanted ? n_rows : 0))
            return 0;
    uint64_t width = table[wanted].shape[1];
    return n_rows == 0 || (width >= 1 && width <= BGR_MAX_WIDTH && table[wanted].scale >= 1);
}

/* Whether the tables of pairs in which a gammon matters are there if gammons count, and not otherwise. */
static int gammons_fit(const bgr_tables *tables, uint64_t n_full)
{
    const bgr_table *table = tables->table;
    int there = tables->info.gammons != 0;
    uint64_t n_starts = there ? (uint64_t)tables->n_pairs + 1 : 0;
    if (table[BGR_TABLE_COLUMNS].shape[0] != (there ? n_full : 0))
        return 0;
    for (int starts = BGR_TABLE_WINNING_STARTS; starts <= BGR_TABLE_LOSING_STARTS; starts += 2) {
        const bgr_table *values = &table[starts + 1];
        if (table[starts].shape[0] != n_starts || values->shape[1] != (there ? BGR_N_SINGLE : 0) ||
            (there && values->scale != table[BGR_TABLE_EQUITIES].scale))
            return 0;
    }
    return 1;
}

/* Whether the tables are there, with the lengths that the numbers at the head ask for. */
static int shapes_fit(const bgr_tables *tables, uint64_t n_fewer)
{
    const bgr_table *table = tables->table;
    uint64_t size = (uint64_t)tables->space.size, n_pairs = (uint64_t)tables->n_pairs;
    uint64_t n_first = (table + 2 * tables->packed)[BGR_TABLE_CHECKER_DISTRIBUTION].shape[0];
    uint64_t n_all = tables->info.checkers == BGR_MAX_CHECKERS && n_first ? size - n_fewer : 0;
    const bgr_table *epc = &table[BGR_TABLE_EPC], *equities = &table[BGR_TABLE_EQUITIES];
    return table[BGR_TABLE_MEAN].shape[0] == size && table[BGR_TABLE_VARIANCE].shape[0] == size &&
           (epc->n_bytes == 0 || epc->shape[0] == size) &&
           distribution_fits(table, BGR_TABLE_DISTRIBUTION, tables->packed, size) &&
           distribution_fits(table, BGR_TABLE_CHECKER_DISTRIBUTION, tables->packed, n_all) &&
           table[BGR_TABLE_ORDER].shape[0] == n_pairs && equities->shape[0] == n_pairs &&
           equities->shape[1] == n_pairs && (n_pairs == 0 || equities->shape[2] == 4) &&
           gammons_fit(tables, size - n_fewer);
}

static bgr_status read_directory(bgr_tables *tables)
{
    unsigned char block[DIRECTORY_SIZE];
    const bgr_file *file = &tables->file;
    size_t n = file->size < sizeof block ? (size_t)file->size : sizeof block;
    bgr_status status = bgr_file_read(file, 0, n, block);
    if (status != BGR_OK)
        return status;
    if (n < sizeof block || memcmp(block, MAGIC, sizeof MAGIC) != 0) {
        /* HDF5 keeps its own magic at byte 0, 512, 1024, 2048, 4096, ....; no directory of ours has ever come in front
         * of one below 4096. */
        unsigned char magic[8];
        for (uint64_t place = 0; place <= DIRECTORY_SIZE; place = place ? 2 * place : 512) {
            if (place + sizeof magic > file->size)
                break;
            status = bgr_file_read(file, place, sizeof magic, magic);
            if (status != BGR_OK)
                return status;
            if (memcmp(magic, HDF5_MAGIC, sizeof magic) == 0)
                return BGR_ERR_COMPRESSED;
        }
        return BGR_ERR_FORMAT;
    }
    if (get_u32(block + 8) != VERSION)
        return BGR_ERR_VERSION;
    uint32_t claimed = get_u32(block + CRC_PLACE);
    memset(block + CRC_PLACE, 0, 4);
    bgr_crc32 crc;
    bgr_crc32_init(&crc);
    bgr_crc32_add(&crc, block, sizeof block);
    if (crc.value != claimed || get_u32(block + 12) != DIRECTORY_SIZE || get_u64(block + 16) != file->size)
        return BGR_ERR_DAMAGED;
    uint32_t points = get_u32(block + 24), checkers = get_u32(block + 28), two_sided = get_u32(block + 32);
    uint32_t flags = get_u32(block + 36), n_entries = get_u32(block + 40);
    if (flags & ~(uint32_t)(FLAG_GAMMONS | FLAG_JACOBY | FLAG_ARCHIVE))
        return BGR_ERR_VERSION;
    if (flags & FLAG_ARCHIVE)
        return BGR_ERR_COMPRESSED;
    if (points < 1 || points > BGR_MAX_POINTS || checkers < 1 || checkers > BGR_MAX_CHECKERS || two_sided > checkers ||
        n_entries > (DIRECTORY_SIZE - HEADER_SIZE) / ENTRY_SIZE)
        return BGR_ERR_DAMAGED;
    tables->metadata_crc32 = get_u32(block + 44);
    tables->info.points = (int)points;
    tables->info.checkers = (int)checkers;
    tables->info.two_sided_checkers = (int)two_sided;
    tables->info.gammons = (int)(flags & FLAG_GAMMONS);
    tables->info.file_size = file->size;
    for (uint32_t k = 0; k < n_entries; k++) {
        status = read_entry(block + HEADER_SIZE + ENTRY_SIZE * k, file->size, tables);
        if (status != BGR_OK)
            return status;
    }
    for (int a = 0; a < BGR_N_TABLES; a++)
        for (int b = 0; b < a; b++)
            if (overlap(&tables->table[a], &tables->table[b]))
                return BGR_ERR_DAMAGED;
    bgr_space space;
    (void)bgr_space_init((int)points, (int)checkers, &tables->space);
    for (int couple = 0; couple < 4 && points <= 8; couple++)
        for (int sums = 0; sums < 256; sums++)
            tables->couple[couple][sums] =
                (uint32_t)(tables->space.term[2 * couple][sums & 0xF] + tables->space.term[2 * couple + 1][sums >> 4]);
    if (two_sided > 0) {
        (void)bgr_space_init((int)points, (int)two_sided, &space);
        tables->n_pairs = space.size;
    }
    if (tables->info.gammons && two_sided < BGR_MAX_CHECKERS)
        return BGR_ERR_DAMAGED;
    (void)bgr_space_init((int)points, BGR_MAX_CHECKERS - 1, &space);
    tables->n_fewer = space.size;
    tables->packed = tables->table[BGR_TABLE_CHANCES].n_bytes != 0;
    if (!shapes_fit(tables, (uint64_t)space.size))
        return BGR_ERR_DAMAGED;
    tables->info.n_rolls = tables->packed ? BGR_MAX_WIDTH - 1 : (int)tables->table[BGR_TABLE_DISTRIBUTION].shape[1] - 1;
    return BGR_OK;
}

/* The ranks are worked out anew and compared with the table of them: a wrong rank would answer for another pair. */
static bgr_status find_ranks(bgr_tables *tables)
{
    enum { PIECE = 1024 };
    const bgr_table *order = &tables->table[BGR_TABLE_ORDER], *equities = &tables->table[BGR_TABLE_EQUITIES];
    double most = equities->scale * (tables->info.gammons ? 2 : 1);
    if (!(equities->scale >= 1 && most <= INT16_MAX) || tables->n_pairs > INT32_MAX)
        return BGR_ERR_DAMAGED;
    tables->step = 1 / equities->scale;
    tables->most_steps = (int)(most + 0.5);
    tables->unit_steps = (int)(equities->scale + 0.5);
    bgr_space space;
    (void)bgr_space_init(tables->info.points, tables->info.two_sided_checkers, &space);
    bgr_levels levels;
    bgr_status status = bgr_levels_new(&space, NULL, space.size, &levels);
    if (status != BGR_OK)
        return status;
    tables->rank = malloc((size_t)space.size * sizeof *tables->rank);
    if (!tables->rank)
        status = BGR_ERR_MEMORY;
    for (int64_t start = 0; status == BGR_OK && start < space.size; start += PIECE) {
        unsigned char piece[4 * PIECE];
        int64_t n = space.size - start < PIECE ? space.size - start : PIECE;
        status = bgr_file_read(&tables->file, order->offset + 4 * (uint64_t)start, 4 * (size_t)n, piece);
        for (int64_t k = 0; status == BGR_OK && k < n; k++) {
            int32_t index = levels.index[start + k];
            if (get_u32(piece + 4 * k) != (uint32_t)index)
                status = BGR_ERR_DAMAGED;
            tables->rank[index] = (int32_t)(start + k);
        }
    }
    bgr_levels_free(&levels);
    return status;
}

bgr_status bgr_tables_open(bgr_tables *tables, const bgr_file *file)
{
    memset(tables, 0, sizeof *tables);
    tables->file = *file;
    bgr_status status = read_directory(tables);
    if (status == BGR_OK && tables->n_pairs)
        status = find_ranks(tables);
    return status;
}

void bgr_tables_close(bgr_tables *tables)
{
    free(tables->rank);
    tables->rank = NULL;
    bgr_file_close(&tables->file);
}

/* ------------------------------------------------------------------ checksums */

/* Go on with a checksum over the bytes first .. past - 1. */
static bgr_status add_range(const bgr_file *file, uint64_t first, uint64_t past, unsigned char *buffer, size_t room,
                            bgr_crc32 *crc)
{
    while (first < past) {
        size_t n = past - first < room ? (size_t)(past - first) : room;
        /* Read, even if mapped: a file that is cut short meanwhile must not end the process. */
        bgr_status status = bgr_file_read(file, first, n, buffer);
        if (status != BGR_OK)
            return status;
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
    uint64_t place = DIRECTORY_SIZE;
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

/* ------------------------------------------------------------------ looking up */

/* n bytes of the file: in place if they are in memory, else read into the buffer.  NULL if that fails. */
static inline const unsigned char *fetch(const bgr_tables *tables, uint64_t offset, size_t n, unsigned char *buffer,
                                         bgr_status *status)
{
    if (tables->file.bytes)
        return tables->file.bytes + offset;
    *status = bgr_file_read(&tables->file, offset, n, buffer);
    return *status == BGR_OK ? buffer : NULL;
}

/* An element of a table of float64, which must be 0 .. most. */
static bgr_status look_up(const bgr_tables *tables, int kind, int64_t index, double most, double *value)
{
    unsigned char buffer[8];
    bgr_status status = BGR_OK;
    const unsigned char *p = fetch(tables, tables->table[kind].offset + 8 * (uint64_t)index, 8, buffer, &status);
    if (!p)
        return status;
    double found = get_f64(p);
    if (!(found >= 0 && found <= most))
        return BGR_ERR_DAMAGED;
    *value = found;
    return BGR_OK;
}

bgr_status bgr_tables_epc(const bgr_tables *tables, int64_t index, double *epc)
{
    const double mean_pips = 49.0 / 6;
    if (tables->table[BGR_TABLE_EPC].n_bytes)
        return look_up(tables, BGR_TABLE_EPC, index, (tables->info.n_rolls + 1) * mean_pips, epc);
    double mean;
    bgr_status status = look_up(tables, BGR_TABLE_MEAN, index, tables->info.n_rolls, &mean);
    if (status == BGR_OK)
        *epc = mean * mean_pips;
    return status;
}

bgr_status bgr_tables_rolls(const bgr_tables *tables, int64_t index, double *mean_rolls, double *variance_rolls)
{
    double most = tables->info.n_rolls, mean;
    bgr_status status = look_up(tables, BGR_TABLE_MEAN, index, most, &mean);
    if (status == BGR_OK)
        status = look_up(tables, BGR_TABLE_VARIANCE, index, most * most, variance_rolls);
    if (status == BGR_OK)
        *mean_rolls = mean;
    return status;
}

/* A row in float64. */
static bgr_status dense_row(const bgr_tables *tables, const bgr_table *table, uint64_t number, bgr_row *row)
{
    unsigned char buffer[8 * BGR_MAX_WIDTH];
    bgr_status status = BGR_OK;
    size_t width = (size_t)table->shape[1];
    const unsigned char *p = fetch(tables, table->offset + 8 * number * width, 8 * width, buffer, &status);
    if (!p)
        return status;
    for (size_t k = 0; k < width; k++) {
        double chance = get_f64(p + 8 * k);
        if (!(chance >= 0 && chance <= 1)) /* NaN too */
            return BGR_ERR_DAMAGED;
        row->chance[k] = chance;
    }
    row->width = (int)width;
    return BGR_OK;
}

/* A row in 16 bits, which begins at the first chance that is not 0. */
static bgr_status packed_row(const bgr_tables *tables, const bgr_table *table, uint64_t number, bgr_row *row)
{
    unsigned char buffer[2 * BGR_MAX_WIDTH];
    bgr_status status = BGR_OK;
    const bgr_table *first_roll = table - 1;
    const unsigned char *p = fetch(tables, first_roll->offset + number, 1, buffer, &status);
    if (!p)
        return status;
    int first = *p, length = (int)table->shape[1];
    p = fetch(tables, table->offset + 2 * number * (uint64_t)length, 2 * (size_t)length, buffer, &status);
    if (!p)
        return status;
    while (length > 0 && p[2 * length - 1] == 0 && p[2 * length - 2] == 0)
        length--;
    if (first + length > BGR_MAX_WIDTH)
        return BGR_ERR_DAMAGED;
    for (int k = 0; k < first; k++)
        row->chance[k] = 0;
    for (int k = 0; k < length; k++) {
        double chance = (p[2 * k] | p[2 * k + 1] << 8) / table->scale;
        if (chance > 1)
            return BGR_ERR_DAMAGED;
        row->chance[first + k] = chance;
    }
    row->width = first + length;
    return BGR_OK;
}

static bgr_status find_row(const bgr_tables *tables, int kind, uint64_t number, bgr_row *row)
{
    return tables->packed ? packed_row(tables, &tables->table[kind + 2], number, row)
                          : dense_row(tables, &tables->table[kind], number, row);
}

bgr_status bgr_tables_distribution(const bgr_tables *tables, int64_t index, bgr_row *row)
{
    return find_row(tables, BGR_TABLE_DISTRIBUTION, (uint64_t)index, row);
}

bgr_status bgr_tables_first_checker(const bgr_tables *tables, int64_t index, bgr_row *row)
{
    const bgr_table *table = &tables->table[BGR_TABLE_CHECKER_DISTRIBUTION];
    uint64_t n_rows = (table + 2 * tables->packed)->shape[0], n_fewer = (uint64_t)tables->space.size - n_rows;
    if (n_rows == 0)
        return BGR_ERR_COVERAGE;
    if ((uint64_t)index >= n_fewer)
        return find_row(tables, BGR_TABLE_CHECKER_DISTRIBUTION, (uint64_t)index - n_fewer, row);
    row->width = tables->packed ? 1 : (int)table->shape[1]; /* the first of 15 has come off */
    for (int k = 0; k < row->width; k++)
        row->chance[k] = k == 0;
    return BGR_OK;
}

/* One of the four values that a pair has in the file, in steps. */
static inline int steps_of(uint64_t values, int plane)
{
    int bits = (int)(values >> 16 * plane & 0xFFFF);
    return (bits ^ 0x8000) - 0x8000; /* the sign */
}

/* Whether a number of steps is farther from 0 than `most`. */
static inline int too_far(int steps, int most) { return (unsigned)(steps + most) > 2 * (unsigned)most; }

static inline double with_double(double no_double, double taken)
{
    double doubled = taken < 1 ? taken : 1;
    return doubled > no_double ? doubled : no_double;
}

/* Where a row of the table of pairs that follows a table of starts has the column of a position with all checkers; -1
 * if it doesn't. */
static bgr_status find_listed(const bgr_tables *tables, int starts, int64_t row, int64_t full, int64_t *place)
{
    unsigned char column_buffer[4], starts_buffer[16];
    bgr_status status = BGR_OK;
    *place = -1;
    if (full < tables->n_fewer)
        return BGR_OK;
    uint64_t at = tables->table[BGR_TABLE_COLUMNS].offset + 4 * (uint64_t)(full - tables->n_fewer);
    const unsigned char *p = fetch(tables, at, 4, column_buffer, &status);
    if (!p)
        return status;
    uint64_t column = get_u32(p);
    at = tables->table[starts].offset + 8 * (uint64_t)tables->rank[row];
    p = fetch(tables, at, 16, starts_buffer, &status);
    if (!p)
        return status;
    uint64_t first = get_u64(p), past = get_u64(p + 8);
    if (first > past || past > tables->table[starts + 1].shape[0])
        return BGR_ERR_DAMAGED;
    if (column < past - first)
        *place = (int64_t)(first + column);
    return BGR_OK;
}

/* What a pair is worth, in steps, if gammons count once: cubeless, and with a centered cube. */
typedef struct {
    int cubeless, centered;
} single_values;

static inline int clamp(int steps, int most) { return steps > most ? most : steps < -most ? -most : steps; }

/* Whether a gammon may count in a pair. */
static inline int has_gammons(const bgr_tables *tables, const bgr_pair *pair)
{
    return tables->info.gammons && (pair->on_roll >= tables->n_fewer || pair->opponent >= tables->n_fewer);
}

/* Turn the values of such a pair into those if gammons count once. */
static bgr_status count_once(const bgr_tables *tables, const bgr_pair *pair, single_values *values)
{
    unsigned char buffer[2 * BGR_N_SINGLE];
    int64_t place;
    const bgr_table *rows = &tables->table[BGR_TABLE_WINNING];
    bgr_status status = find_listed(tables, BGR_TABLE_WINNING_STARTS, pair->on_roll, pair->opponent, &place);
    if (status == BGR_OK && place < 0) {
        rows = &tables->table[BGR_TABLE_LOSING];
        status = find_listed(tables, BGR_TABLE_LOSING_STARTS, pair->opponent, pair->on_roll, &place);
    }
    if (status != BGR_OK)
        return status;
    if (place < 0) { /* games that are over are worth 2, and gammons too unlikely to be listed a step */
        values->cubeless = clamp(values->cubeless, tables->unit_steps);
        values->centered = clamp(values->centered, tables->unit_steps);
        return BGR_OK;
    }
    const unsigned char *p =
        fetch(tables, rows->offset + sizeof buffer * (uint64_t)place, sizeof buffer, buffer, &status);
    if (!p)
        return status;
    values->cubeless = steps_of(get_u32(p), BGR_SINGLE_CUBELESS);
    values->centered = steps_of(get_u32(p), BGR_SINGLE_CENTERED);
    return too_far(values->cubeless, tables->unit_steps) | too_far(values->centered, tables->unit_steps)
               ? BGR_ERR_DAMAGED
               : BGR_OK;
}

/* What the Jacoby rule makes of a pair in which a gammon may count. */
BGR_RARE static bgr_status set_jacoby(const bgr_tables *tables, const bgr_pair *pair, single_values values,
                                      bgr_equities *equities)
{
    bgr_status status = count_once(tables, pair, &values);
    if (status != BGR_OK)
        return status;
    equities->jacoby_roll = values.centered * tables->step;
    equities->jacoby = with_double(equities->jacoby_roll, 2 * equities->theirs);
    return BGR_OK;
}

/* The four values of a pair as the file has them.  No branch here depends on them: one that is mispredicted waits for
 * memory, and throws away what the processor has begun of the next probes. */
static inline bgr_status decode(const bgr_tables *tables, const bgr_pair *pair, uint64_t values, bgr_equities *equities)
{
    enum { CUBELESS, MINE, CENTERED, THEIRS };
    int cubeless = steps_of(values, CUBELESS), mine = steps_of(values, MINE), most = tables->most_steps;
    int centered = steps_of(values, CENTERED), theirs = steps_of(values, THEIRS);
    if (too_far(cubeless, most) | too_far(mine, most) | too_far(centered, most) | too_far(theirs, most))
        return BGR_ERR_DAMAGED;
    double step = tables->step, taken = 2 * (theirs * step);
    equities->cubeless = cubeless * step;
    equities->theirs = theirs * step;
    equities->centered_roll = equities->jacoby_roll = centered * step;
    equities->mine_roll = mine * step;
    equities->centered = equities->jacoby = with_double(centered * step, taken);
    equities->mine = with_double(mine * step, taken);
    if (has_gammons(tables, pair))
        return set_jacoby(tables, pair, (single_values){cubeless, centered}, equities);
    return BGR_OK;
}

/* The same of a file that is not in memory. */
BGR_RARE static bgr_status read_equities(const bgr_tables *tables, const bgr_pair *pair, bgr_equities *equities)
{
    unsigned char buffer[8];
    bgr_status status = bgr_file_read(&tables->file, pair->place, sizeof buffer, buffer);
    return status == BGR_OK ? decode(tables, pair, get_u64(buffer), equities) : status;
}

bgr_status bgr_tables_equities(const bgr_tables *tables, const bgr_pair *pair, bgr_equities *equities)
{
    if (!tables->file.bytes)
        return read_equities(tables, pair, equities);
    return decode(tables, pair, get_u64(tables->file.bytes + pair->place), equities);
}

bgr_status bgr_tables_win(const bgr_tables *tables, int64_t on_roll, int64_t opponent, double *win_probability)
{
    unsigned char buffer[8];
    bgr_status status = BGR_OK;
    if (on_roll >= tables->n_pairs || opponent >= tables->n_pairs)
        return BGR_ERR_COVERAGE;
    bgr_pair pair = bgr_tables_pair(tables, on_roll, opponent);
    const unsigned char *p = fetch(tables, pair.place, 8, buffer, &status);
    if (!p)
        return status;
    single_values once = {steps_of(get_u64(p), 0), 0};
    int gammons = has_gammons(tables, &pair);
    if (too_far(once.cubeless, gammons ? tables->most_steps : tables->unit_steps))
        return BGR_ERR_DAMAGED;
    if (gammons) {
        status = count_once(tables, &pair, &once);
        if (status != BGR_OK)
            return status;
    }
    *win_probability = (1 + once.cubeless * tables->step) / 2;
    return BGR_OK;
}

double bgr_race_win(const bgr_row *on_roll, const bgr_row *opponent)
{
    double at_least = 0, win = 0;
    if (on_roll->chance[0] > 0)
        return 1;
    int k = opponent->width - 1;
    for (; k >= on_roll->width; k--)
        at_least += opponent->chance[k];
    for (int j = on_roll->width - 1; j > 0; j--) {
        if (j <= k)
            at_least += opponent->chance[j];
        win += on_roll->chance[j] * at_least;
    }
    return win < 1 ? win : 1;
}

bgr_status bgr_tables_win_probability(const bgr_tables *tables, int64_t on_roll, int64_t opponent,
                                      double *win_probability, bgr_method *method)
{
    *method = BGR_TWO_SIDED;
    bgr_status status = bgr_tables_win(tables, on_roll, opponent, win_probability);
    if (status != BGR_ERR_COVERAGE)
        return status;
    bgr_row mine, theirs;
    *method = BGR_ONE_SIDED;
    status = bgr_tables_distribution(tables, on_roll, &mine);
    if (status == BGR_OK)
        status = bgr_tables_distribution(tables, opponent, &theirs);
    if (status == BGR_OK)
        *win_probability = bgr_race_win(&mine, &theirs);
    return status;
}
