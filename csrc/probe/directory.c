/* The directory in the first 4096 bytes of a database file: the places of its tables, checked against the numbers at
 * its head.
 *
 * docs/file-format.md gives the layout. */

#include "probe/directory.h"

#include "base/bytes.h"
#include "base/levels.h"
#include "base/try.h"
#include "probe/block.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 256, ENTRY_SIZE = 104, NAME_SIZE = 40 };
/* Offsets in the header. */
enum { VERSION_PLACE = 8, SIZE_PLACE = 12, FILE_SIZE_PLACE = 16, POINTS_PLACE = 24, CHECKERS_PLACE = 28 };
enum { TWO_SIDED_PLACE = 32, FLAGS_PLACE = 36, N_ENTRIES_PLACE = 40, METADATA_PLACE = 44, CRC_PLACE = 48 };
enum { SCORE_PLACE = 52, ERRORS_PLACE = 68 };
/* Offsets in an entry, which begins with its name. */
enum { ENTRY_TYPE = 40, ENTRY_AXES = 44, ENTRY_SHAPE = 48, ENTRY_OFFSET = 72, ENTRY_BYTES = 80, ENTRY_SCALE = 88 };
enum { ENTRY_CRC = 96 };
enum { VERSION_PLAIN = 3, VERSION_PACKED = 4, VERSION_APPROXIMATE = 5, VERSION_PAGED = 6 };
enum {
    TYPE_FLOAT64 = 1,
    TYPE_INT16 = 2,
    TYPE_INT32 = 3,
    TYPE_UINT8 = 4,
    TYPE_UINT16 = 5,
    TYPE_INT64 = 6,
    TYPE_UINT32 = 7
};
enum { FLAG_GAMMONS = 1, FLAG_ARCHIVE = 4, FLAG_CRAWFORD = 8 };

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
    [BGR_TABLE_PACKED_PLANES] = {"packed/planes", TYPE_INT32, 4, 2},
    [BGR_TABLE_PACKED_ON_ROLL] = {"packed/on_roll", TYPE_INT16, 2, 2},
    [BGR_TABLE_PACKED_OPPONENT] = {"packed/opponent", TYPE_INT16, 2, 2},
    [BGR_TABLE_PACKED_STARTS] = {"packed/starts", TYPE_INT64, 8, 1},
    [BGR_TABLE_PACKED_CODES] = {"packed/codes", TYPE_UINT8, 1, 1},
    [BGR_TABLE_PACKED_CHECKSUMS] = {"packed/checksums", TYPE_UINT32, 4, 1},
    [BGR_TABLE_PACKED_PAGES] = {"packed/pages", TYPE_UINT32, 4, 1},
    [BGR_TABLE_SMALL_PLANES] = {"small/planes", TYPE_INT32, 4, 2},
    [BGR_TABLE_SMALL_ON_ROLL] = {"small/on_roll", TYPE_INT16, 2, 2},
    [BGR_TABLE_SMALL_OPPONENT] = {"small/opponent", TYPE_INT16, 2, 2},
    [BGR_TABLE_SMALL_STARTS] = {"small/starts", TYPE_UINT32, 4, 1},
    [BGR_TABLE_SMALL_COLUMNS] = {"small/columns", TYPE_UINT16, 2, 1},
    [BGR_TABLE_SMALL_VALUES] = {"small/values", TYPE_INT16, 2, 1},
};

static uint32_t crc32_of(const unsigned char *bytes, size_t n)
{
    bgr_crc32 crc;
    bgr_crc32_init(&crc);
    bgr_crc32_add(&crc, bytes, n);
    return crc.value;
}

/* Whether a table is of listed pairs, and may be empty. */
static int may_be_empty(int kind)
{
    return kind == BGR_TABLE_WINNING || kind == BGR_TABLE_LOSING || kind == BGR_TABLE_SMALL_COLUMNS ||
           kind == BGR_TABLE_SMALL_VALUES;
}

static bgr_status read_entry(const unsigned char *p, uint64_t file_size, bgr_tables *tables)
{
    int kind = 0;
    while (kind < BGR_N_TABLES && memcmp(p, KINDS[kind].name, NAME_SIZE) != 0)
        kind++;
    if (kind == BGR_N_TABLES)
        return BGR_ERR_VERSION;
    bgr_table *table = &tables->table[kind];
    if (table->present) /* twice */
        return BGR_ERR_DAMAGED;
    if (get_u32(p + ENTRY_TYPE) != (uint32_t)KINDS[kind].type || get_u32(p + ENTRY_AXES) != (uint32_t)KINDS[kind].axes)
        return BGR_ERR_VERSION;
    uint64_t n_bytes = (uint64_t)KINDS[kind].size;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t length = get_u64(p + ENTRY_SHAPE + 8 * axis);
        if (axis >= KINDS[kind].axes) {
            if (length != 0)
                return BGR_ERR_DAMAGED;
            continue;
        }
        if (length == 0 && axis == 0 && may_be_empty(kind))
            n_bytes = 0;
        else if (length == 0 || n_bytes > file_size / length) /* the product cannot overflow */
            return BGR_ERR_DAMAGED;
        table->shape[axis] = length;
        n_bytes *= length;
    }
    table->offset = get_u64(p + ENTRY_OFFSET);
    table->scale = get_f64(p + ENTRY_SCALE);
    table->crc32 = get_u32(p + ENTRY_CRC);
    if (get_u64(p + ENTRY_BYTES) != n_bytes || table->offset < BGR_DIRECTORY_SIZE ||
        table->offset > file_size - n_bytes)
        return BGR_ERR_DAMAGED;
    table->n_bytes = n_bytes;
    table->present = 1;
    return BGR_OK;
}

static int overlap(const bgr_table *a, const bgr_table *b)
{
    return a->n_bytes && b->n_bytes && a->offset < b->offset + b->n_bytes && b->offset < a->offset + a->n_bytes;
}

/* Whether there is a distribution with n_rows rows, in one of its two forms; with n_rows 0, whether there is none. */
static int distribution_fits(const bgr_table *table, int dense, int in_16_bits, uint64_t n_rows)
{
    int wanted = in_16_bits ? dense + 2 : dense; /* the form in 16 bits has two tables */
    for (int kind = dense; kind <= dense + 2; kind++)
        if (table[kind].shape[0] != (kind == wanted || kind + in_16_bits == wanted ? n_rows : 0))
            return 0;
    uint64_t width = table[wanted].shape[1];
    double scale = in_16_bits ? 65535 : 1; /* the stored value of a chance of 1 */
    return n_rows == 0 || (width >= 1 && width <= BGR_MAX_WIDTH && table[wanted].scale == scale);
}

static int is_packed(const bgr_tables *tables) { return tables->table[BGR_TABLE_PACKED_CODES].present; }

static int is_paged(const bgr_tables *tables) { return tables->table[BGR_TABLE_PACKED_PAGES].present; }

static int is_approximate(const bgr_tables *tables) { return tables->table[BGR_TABLE_SMALL_PLANES].present; }

/* Steps per unit of equity. */
static double pairs_scale(const bgr_tables *tables)
{
    int kind = is_packed(tables)        ? BGR_TABLE_PACKED_CODES
               : is_approximate(tables) ? BGR_TABLE_SMALL_VALUES
                                        : BGR_TABLE_EQUITIES;
    return tables->table[kind].scale;
}

/* Whether the file has tables of pairs in which gammons matter if and only if gammons count. */
static int gammons_fit(const bgr_tables *tables, uint64_t n_full)
{
    const bgr_table *table = tables->table;
    int has_pairs = tables->info.gammons != 0 && tables->n_pairs != 0;
    uint64_t n_starts = has_pairs ? (uint64_t)tables->n_pairs + 1 : 0;
    if (table[BGR_TABLE_COLUMNS].shape[0] != (has_pairs ? n_full : 0))
        return 0;
    for (int starts = BGR_TABLE_WINNING_STARTS; starts <= BGR_TABLE_LOSING_STARTS; starts += 2) {
        const bgr_table *values = &table[starts + 1];
        if (table[starts].shape[0] != n_starts || values->shape[1] != (has_pairs ? BGR_N_SINGLE : 0) ||
            (has_pairs && values->scale != pairs_scale(tables)))
            return 0;
    }
    return 1;
}

static uint64_t pages_of(const bgr_table *table) { return (table->n_bytes + BGR_PAGE_BYTES - 1) / BGR_PAGE_BYTES; }

/* The number of pages of all tables except the table of page checksums. */
static uint64_t n_pages(const bgr_table *table)
{
    uint64_t n = 0;
    for (int kind = 0; kind < BGR_N_TABLES; kind++)
        n += kind == BGR_TABLE_PACKED_PAGES ? 0 : pages_of(&table[kind]);
    return n;
}

/* Whether the factors of n positions on roll and as the opponent are there: two tables after the one of their planes.
 */
static int factors_fit(const bgr_table *planes, uint64_t n)
{
    const bgr_table *on_roll = planes + 1, *opponent = planes + 2;
    return planes->shape[1] == 3 && on_roll->shape[0] == n && opponent->shape[0] == n &&
           on_roll->shape[1] == opponent->shape[1] && on_roll->shape[1] <= BGR_MAX_FACTORS;
}

/* Whether the values of pairs are there, plain or packed, if and only if the head says so. */
static int pairs_fit(const bgr_tables *tables)
{
    const bgr_table *table = tables->table, *equities = &table[BGR_TABLE_EQUITIES];
    const bgr_table *planes = &table[BGR_TABLE_PACKED_PLANES];
    uint64_t n = (uint64_t)tables->n_pairs, side = (n + BGR_BLOCK_SIDE - 1) / BGR_BLOCK_SIDE;
    if (!is_packed(tables)) {
        for (int kind = BGR_TABLE_PACKED_PLANES; kind <= BGR_TABLE_SMALL_VALUES; kind++)
            if (table[kind].present)
                return 0;
        return equities->shape[0] == n && equities->shape[1] == n && (n == 0 || equities->shape[2] == BGR_N_PLANES);
    }
    return n != 0 && !equities->present && planes->shape[0] == BGR_N_PLANES && factors_fit(planes, n) &&
           table[BGR_TABLE_PACKED_STARTS].shape[0] == side * side + 1 &&
           table[BGR_TABLE_PACKED_CHECKSUMS].shape[0] == side * side &&
           (!is_paged(tables) || table[BGR_TABLE_PACKED_PAGES].shape[0] == n_pages(table));
}

/* Whether an approximate file has its tables, and no others. */
static int approximate_fits(const bgr_tables *tables)
{
    const bgr_table *table = tables->table, *planes = &table[BGR_TABLE_SMALL_PLANES];
    uint64_t n = (uint64_t)tables->n_pairs, n_planes = planes->shape[0];
    for (int kind = 0; kind < BGR_N_TABLES; kind++)
        if (table[kind].present != (kind == BGR_TABLE_ORDER || kind >= BGR_TABLE_SMALL_PLANES))
            return 0;
    return n != 0 && table[BGR_TABLE_ORDER].shape[0] == n && factors_fit(planes, n) &&
           (n_planes == 1 || n_planes == (tables->info.gammons ? BGR_N_PLANES + 1 : BGR_N_PLANES)) &&
           (n_planes > 1 || !tables->info.gammons) && table[BGR_TABLE_SMALL_STARTS].shape[0] == n_planes * n + 1 &&
           table[BGR_TABLE_SMALL_COLUMNS].shape[0] == table[BGR_TABLE_SMALL_VALUES].shape[0];
}

/* Whether all tables are there, with the lengths that follow from the head. */
static int shapes_fit(const bgr_tables *tables)
{
    const bgr_table *table = tables->table;
    if (is_approximate(tables))
        return approximate_fits(tables);
    uint64_t size = (uint64_t)tables->space.size, n_pairs = (uint64_t)tables->n_pairs;
    uint64_t n_full = size - (uint64_t)tables->n_fewer;
    uint64_t n_first = (table + 2 * tables->in_16_bits)[BGR_TABLE_CHECKER_DISTRIBUTION].shape[0];
    uint64_t n_all = tables->info.checkers == BGR_MAX_CHECKERS && n_first ? n_full : 0;
    const bgr_table *epc = &table[BGR_TABLE_EPC];
    return table[BGR_TABLE_MEAN].shape[0] == size && table[BGR_TABLE_VARIANCE].shape[0] == size &&
           (epc->n_bytes == 0 || epc->shape[0] == size) &&
           distribution_fits(table, BGR_TABLE_DISTRIBUTION, tables->in_16_bits, size) &&
           distribution_fits(table, BGR_TABLE_CHECKER_DISTRIBUTION, tables->in_16_bits, n_all) &&
           table[BGR_TABLE_ORDER].shape[0] == n_pairs && pairs_fit(tables) && gammons_fit(tables, n_full);
}

/* Copy the directory; if there is none, return the status for the kind of file. */
static bgr_status read_block(const bgr_file *file, unsigned char block[BGR_DIRECTORY_SIZE])
{
    size_t n = file->size < BGR_DIRECTORY_SIZE ? (size_t)file->size : BGR_DIRECTORY_SIZE;
    BGR_TRY(bgr_file_read(file, 0, n, block));
    if (n == BGR_DIRECTORY_SIZE && memcmp(block, MAGIC, sizeof MAGIC) == 0)
        return BGR_OK;
    /* HDF5 keeps its own magic at byte 0, 512, 1024, 2048, 4096, ....; no directory of ours has ever come in front of
     * one below 4096. */
    unsigned char magic[8];
    for (uint64_t place = 0; place <= BGR_DIRECTORY_SIZE; place = place ? 2 * place : 512) {
        if (place + sizeof magic > file->size)
            break;
        BGR_TRY(bgr_file_read(file, place, sizeof magic, magic));
        if (memcmp(magic, HDF5_MAGIC, sizeof magic) == 0)
            return BGR_ERR_COMPRESSED;
    }
    return BGR_ERR_FORMAT;
}

/* Whether pairs are for one score of a match, as older versions built them. */
static int is_for_score(const unsigned char *block, uint32_t flags)
{
    return (flags & FLAG_CRAWFORD) != 0 || get_u64(block + SCORE_PLACE) != 0 || get_u64(block + SCORE_PLACE + 8) != 0;
}

/* Read the errors of an approximate file. */
static bgr_status read_errors(const unsigned char *block, bgr_info *info)
{
    info->win_error = get_f64(block + ERRORS_PLACE);
    info->mean_win_error = get_f64(block + ERRORS_PLACE + 8);
    info->equity_error = get_f64(block + ERRORS_PLACE + 16);
    info->mean_equity_error = get_f64(block + ERRORS_PLACE + 24);
    int possible = info->win_error >= info->mean_win_error && info->mean_win_error >= 0 && info->win_error <= 1 &&
                   info->equity_error >= info->mean_equity_error && info->mean_equity_error >= 0 &&
                   info->equity_error <= 4;
    return possible ? BGR_OK : BGR_ERR_DAMAGED;
}

/* Read the numbers at the head and the entries.  Overwrites the checksum in the block. */
static bgr_status read_numbers(unsigned char block[BGR_DIRECTORY_SIZE], bgr_tables *tables)
{
    uint32_t version = get_u32(block + VERSION_PLACE);
    if (version < VERSION_PLAIN || version > VERSION_PAGED)
        return BGR_ERR_VERSION;
    uint32_t claimed = get_u32(block + CRC_PLACE);
    memset(block + CRC_PLACE, 0, 4);
    uint64_t file_size = tables->file.size;
    if (crc32_of(block, BGR_DIRECTORY_SIZE) != claimed || get_u32(block + SIZE_PLACE) != BGR_DIRECTORY_SIZE ||
        get_u64(block + FILE_SIZE_PLACE) != file_size)
        return BGR_ERR_DAMAGED;
    uint32_t points = get_u32(block + POINTS_PLACE), checkers = get_u32(block + CHECKERS_PLACE);
    uint32_t two_sided = get_u32(block + TWO_SIDED_PLACE), n_entries = get_u32(block + N_ENTRIES_PLACE);
    uint32_t flags = get_u32(block + FLAGS_PLACE);
    if (is_for_score(block, flags))
        return BGR_ERR_SCORE;
    if (flags & ~(uint32_t)(FLAG_GAMMONS | FLAG_ARCHIVE))
        return BGR_ERR_VERSION;
    if (flags & FLAG_ARCHIVE)
        return BGR_ERR_COMPRESSED;
    if (points < 1 || points > BGR_MAX_POINTS || checkers < 1 || checkers > BGR_MAX_CHECKERS || two_sided > checkers ||
        n_entries > (BGR_DIRECTORY_SIZE - HEADER_SIZE) / ENTRY_SIZE)
        return BGR_ERR_DAMAGED;
    tables->metadata_crc32 = get_u32(block + METADATA_PLACE);
    tables->info.points = (int)points;
    tables->info.checkers = (int)checkers;
    tables->info.two_sided_checkers = (int)two_sided;
    tables->info.gammons = (int)(flags & FLAG_GAMMONS);
    tables->info.file_size = file_size;
    for (uint32_t k = 0; k < n_entries; k++)
        BGR_TRY(read_entry(block + HEADER_SIZE + ENTRY_SIZE * k, file_size, tables));
    if ((version == VERSION_PACKED || version == VERSION_PAGED) != is_packed(tables) ||
        (version == VERSION_PAGED) != is_paged(tables) || (version == VERSION_APPROXIMATE) != is_approximate(tables))
        return BGR_ERR_VERSION;
    return version == VERSION_APPROXIMATE ? read_errors(block, &tables->info) : BGR_OK;
}

static int64_t n_positions(const bgr_tables *tables, int checkers)
{
    bgr_space space;
    (void)bgr_space_init(tables->info.points, checkers, &space);
    return space.size;
}

/* Set the fields that follow from the numbers. */
static void set_spaces(bgr_tables *tables)
{
    int points = tables->info.points, two_sided = tables->info.two_sided_checkers;
    (void)bgr_space_init(points, tables->info.checkers, &tables->space);
    for (int couple = 0; couple < 4 && points <= 8; couple++)
        for (int sums = 0; sums < 256; sums++)
            tables->couple[couple][sums] =
                (uint32_t)(tables->space.term[2 * couple][sums & 0xF] + tables->space.term[2 * couple + 1][sums >> 4]);
    if (points == BGR_HOME_POINTS)
        bgr_halves_init(&tables->halves);
    tables->n_pairs = two_sided > 0 ? n_positions(tables, two_sided) : 0;
    tables->n_fewer = n_positions(tables, BGR_MAX_CHECKERS - 1);
    tables->in_16_bits = tables->table[BGR_TABLE_CHANCES].n_bytes != 0;
}

static bgr_status read_directory(bgr_tables *tables)
{
    unsigned char block[BGR_DIRECTORY_SIZE];
    BGR_TRY(read_block(&tables->file, block));
    BGR_TRY(read_numbers(block, tables));
    for (int a = 0; a < BGR_N_TABLES; a++)
        for (int b = 0; b < a; b++)
            if (overlap(&tables->table[a], &tables->table[b]))
                return BGR_ERR_DAMAGED;
    if (tables->info.gammons && tables->info.two_sided_checkers < BGR_MAX_CHECKERS)
        return BGR_ERR_DAMAGED;
    set_spaces(tables);
    if (!shapes_fit(tables))
        return BGR_ERR_DAMAGED;
    tables->info.approximate = is_approximate(tables);
    tables->info.equities = tables->n_pairs > 0 && tables->table[BGR_TABLE_SMALL_PLANES].shape[0] != 1;
    if (is_approximate(tables))
        return BGR_OK;
    tables->info.n_rolls =
        tables->in_16_bits ? BGR_MAX_WIDTH - 1 : (int)tables->table[BGR_TABLE_DISTRIBUTION].shape[1] - 1;
    return BGR_OK;
}

/* Set the encoding of equities; returns 0 if it is invalid. */
static int set_steps(bgr_tables *tables)
{
    double scale = pairs_scale(tables), most = scale * (tables->info.gammons ? 2 : 1);
    /* Even and a multiple of 36, docs/file-format.md says: then one-roll values and takes at 1/2 are exact. */
    if (!(scale >= 36 && most <= INT16_MAX) || (int)scale != scale || (int)scale % 36 != 0)
        return 0;
    tables->steps.size = 1 / scale;
    tables->steps.most = (int)(most + 0.5);
    tables->steps.unit = (int)(scale + 0.5);
    return 1;
}

enum { PLANE_SIZE = 4 * 3 };

/* Read which factors belong to which plane from the table of planes. */
static bgr_status read_factored(const bgr_tables *tables, const bgr_table *table, bgr_factored *f)
{
    unsigned char numbers[PLANE_SIZE * (BGR_N_PLANES + 1)];
    BGR_TRY(bgr_file_read(&tables->file, table->offset, (size_t)table->n_bytes, numbers));
    if (tables->file.ranges && crc32_of(numbers, (size_t)table->n_bytes) != table->crc32)
        return BGR_ERR_DAMAGED;
    f->n_planes = (int)table->shape[0];
    f->n_factors = (int)table[1].shape[1]; /* of the next table, that of factors */
    f->win = f->n_planes > BGR_N_PLANES ? BGR_N_PLANES : BGR_CUBELESS;
    f->side = (tables->n_pairs + BGR_BLOCK_SIDE - 1) / BGR_BLOCK_SIDE;
    for (int k = 0; k < f->n_planes; k++) {
        /* The first factor, their number, and the shift of products. */
        const unsigned char *at = numbers + (ptrdiff_t)PLANE_SIZE * k;
        uint32_t from = get_u32(at), n = get_u32(at + 4), bits = get_u32(at + 8), most = (uint32_t)f->n_factors;
        if (from > most || n > most - from || bits > BGR_MAX_SHIFT)
            return BGR_ERR_DAMAGED;
        f->plane[k] = (bgr_factored_plane){(int)from, (int)n, (int)bits};
    }
    return BGR_OK;
}

/* Check the table of ranks by its checksum alone, since a file that is read by ranges is not read as a whole. */
static bgr_status check_order(const bgr_table *order, const bgr_levels *levels, int64_t n)
{
    bgr_crc32 crc;
    bgr_crc32_init(&crc);
    for (int64_t k = 0; k < n; k++) {
        uint32_t index = (uint32_t)levels->index[k];
        const unsigned char bytes[4] = {(unsigned char)index, (unsigned char)(index >> 8), (unsigned char)(index >> 16),
                                        (unsigned char)(index >> 24)};
        bgr_crc32_add(&crc, bytes, sizeof bytes);
    }
    return crc.value == order->crc32 ? BGR_OK : BGR_ERR_DAMAGED;
}

/* Compute the ranks and compare them with their table: a wrong rank would give the answer of another pair. */
static bgr_status find_ranks(bgr_tables *tables)
{
    enum { PIECE = 1024 };
    const bgr_table *order = &tables->table[BGR_TABLE_ORDER];
    if (tables->n_pairs > INT32_MAX)
        return BGR_ERR_DAMAGED;
    bgr_space space;
    (void)bgr_space_init(tables->info.points, tables->info.two_sided_checkers, &space);
    bgr_levels levels;
    BGR_TRY(bgr_levels_new(&space, NULL, space.size, &levels));
    tables->rank = malloc((size_t)space.size * sizeof *tables->rank);
    bgr_status status = tables->rank ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK && tables->file.ranges)
        status = check_order(order, &levels, space.size);
    for (int64_t start = 0; status == BGR_OK && start < space.size; start += PIECE) {
        unsigned char piece[4 * PIECE];
        int64_t n = space.size - start < PIECE ? space.size - start : PIECE;
        if (!tables->file.ranges)
            status = bgr_file_read(&tables->file, order->offset + 4 * (uint64_t)start, 4 * (size_t)n, piece);
        for (int64_t k = 0; status == BGR_OK && k < n; k++) {
            int32_t index = levels.index[start + k];
            if (!tables->file.ranges && get_u32(piece + 4 * k) != (uint32_t)index)
                status = BGR_ERR_DAMAGED;
            tables->rank[index] = (int32_t)(start + k);
        }
    }
    bgr_levels_free(&levels);
    return status;
}

static int by_offset(const void *a, const void *b)
{
    uint64_t x = (*(const bgr_table *const *)a)->offset, y = (*(const bgr_table *const *)b)->offset;
    return (x > y) - (x < y);
}

/* Sort the tables that are not empty by their offset; returns their number. */
static int tables_by_offset(const bgr_tables *tables, const bgr_table **sorted)
{
    int n = 0;
    for (int kind = 0; kind < BGR_N_TABLES; kind++)
        if (tables->table[kind].n_bytes)
            sorted[n++] = &tables->table[kind];
    qsort(sorted, (size_t)n, sizeof *sorted, by_offset);
    return n;
}

/* Pass the places of pages to a file that is read by ranges.  The first table was read with the directory and checked
 * as a whole. */
static bgr_status set_pages(const bgr_tables *tables)
{
    const bgr_table *sorted[BGR_N_TABLES], *pages = &tables->table[BGR_TABLE_PACKED_PAGES];
    bgr_paged paged[BGR_N_TABLES];
    uint64_t page = 0;
    int n = tables_by_offset(tables, sorted), kept = 0;
    if (!is_paged(tables))
        return BGR_ERR_VERSION;
    for (int k = 0; k < n; k++) {
        if (sorted[k] == pages)
            continue;
        paged[kept] = (bgr_paged){sorted[k]->offset, sorted[k]->n_bytes, page};
        page += pages_of(sorted[k]);
        kept += sorted[k] != &tables->table[BGR_TABLE_PACKED_PLANES];
    }
    bgr_ranges_set_pages(tables->file.ranges, paged, kept, pages->offset);
    return BGR_OK;
}

bgr_status bgr_tables_open(bgr_tables *tables, const bgr_file *file)
{
    memset(tables, 0, sizeof *tables);
    tables->file = *file;
    BGR_TRY(read_directory(tables));
    if (tables->file.ranges)
        BGR_TRY(set_pages(tables));
    if (tables->n_pairs && !set_steps(tables))
        return BGR_ERR_DAMAGED;
    if (is_packed(tables))
        BGR_TRY(read_factored(tables, &tables->table[BGR_TABLE_PACKED_PLANES], &tables->packing));
    if (is_approximate(tables))
        BGR_TRY(read_factored(tables, &tables->table[BGR_TABLE_SMALL_PLANES], &tables->approximate));
    return tables->n_pairs ? find_ranks(tables) : BGR_OK;
}

void bgr_tables_close(bgr_tables *tables)
{
    free(tables->rank);
    tables->rank = NULL;
    bgr_file_close(&tables->file);
}

/* ------------------------------------------------------------------ verification */

static bgr_status verify(const bgr_tables *tables)
{
    const bgr_table *sorted[BGR_N_TABLES];
    int n_tables = tables_by_offset(tables, sorted);
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
