/* Open, describe and close database files, and sort them by preference. */

#include "probe/open.h"

#include "base/memory.h"
#include "base/sized.h"
#include "base/try.h"
#include "probe/locate.h"

/* Whether to prefer file a to b for one player: float64 before 16 bits, then few positions before many. */
static int better_for_one(const bgr_tables *a, const bgr_tables *b)
{
    if (a->in_16_bits != b->in_16_bits)
        return b->in_16_bits;
    return a->space.size < b->space.size;
}

/* Whether to prefer file a to b for pairs: small errors and steps first, then few pairs before many. */
static int better_by(double error_of_a, double error_of_b, const bgr_tables *a, const bgr_tables *b)
{
    if (error_of_a != error_of_b)
        return error_of_a < error_of_b;
    if (a->steps.size != b->steps.size)
        return a->steps.size < b->steps.size;
    return a->n_pairs < b->n_pairs;
}

static int better_for_pairs(const bgr_tables *a, const bgr_tables *b)
{
    return better_by(a->info.equity_error, b->info.equity_error, a, b);
}

static int better_for_win(const bgr_tables *a, const bgr_tables *b)
{
    return better_by(a->info.win_error, b->info.win_error, a, b);
}

/* Insert a file after those that are as good. */
static void insert(const bgr_tables *tables, int *order, int n, int file,
                   int (*better)(const bgr_tables *, const bgr_tables *))
{
    for (; n > 0 && better(&tables[file], &tables[order[n - 1]]); n--)
        order[n] = order[n - 1];
    order[n] = file;
}

static bgr_status new_db(int n_files, bgr_db **db)
{
    bgr_db *opened = calloc(1, sizeof *opened);
    if (opened) {
        opened->tables = calloc((size_t)n_files, sizeof *opened->tables);
        opened->for_one = calloc((size_t)n_files, 3 * sizeof *opened->for_one);
    }
    if (!opened || !opened->tables || !opened->for_one) {
        bgr_close(opened);
        return BGR_ERR_MEMORY;
    }
    opened->for_pairs = opened->for_one + n_files;
    opened->for_win = opened->for_pairs + n_files;
    *db = opened;
    return BGR_OK;
}

/* Add an open file to a new database. */
static bgr_status add(bgr_db *db, const bgr_file *file, bgr_access access)
{
    int number = db->n_files++;
    bgr_tables *tables = &db->tables[number];
    BGR_TRY(bgr_tables_open(tables, file));
    if (access == BGR_MAP)
        bgr_file_map(&tables->file);
    if (access == BGR_LOAD)
        BGR_TRY(bgr_file_load(&tables->file));
    tables->info.in_memory = tables->file.bytes != NULL;
    if (!tables->approximate.n_planes) /* approximate files have no tables of one side */
        insert(db->tables, db->for_one, db->n_for_one++, number, better_for_one);
    if (tables->n_pairs)
        insert(db->tables, db->for_win, db->n_for_win++, number, better_for_win);
    if (tables->n_pairs && tables->info.equities)
        insert(db->tables, db->for_pairs, db->n_for_pairs++, number, better_for_pairs);
    return BGR_OK;
}

bgr_status bgr_open_all(const char *const *paths, int n_paths, bgr_access access, bgr_db **db, int *failed)
{
    enum { MAX_PATHS = 1000 };
    int k = -1;
    bgr_db *opened = NULL;
    bgr_status status = n_paths < 1 || n_paths > MAX_PATHS ? BGR_ERR_SIZE : BGR_OK;
    if ((int)access < BGR_MAP || (int)access > BGR_READ)
        status = BGR_ERR_ARGUMENT;
    if (status == BGR_OK)
        status = new_db(n_paths, &opened);
    while (status == BGR_OK && ++k < n_paths) {
        bgr_file file;
        status = bgr_file_open(paths[k], &file);
        if (status == BGR_OK)
            status = add(opened, &file, access);
    }
    if (failed)
        *failed = status == BGR_OK ? -1 : k;
    *db = NULL;
    BGR_HAND_OVER(status, opened, db, bgr_close);
}

bgr_status bgr_open(const char *path, bgr_access access, bgr_db **db)
{
    return bgr_open_all(&path, 1, access, db, NULL);
}

bgr_status bgr_open_file(const bgr_file *file, bgr_access access, bgr_db **db)
{
    bgr_file owned = *file;
    *db = NULL;
    bgr_db *opened;
    bgr_status status = new_db(1, &opened);
    if (status != BGR_OK) {
        bgr_file_close(&owned);
        return status;
    }
    status = add(opened, &owned, access);
    BGR_HAND_OVER(status, opened, db, bgr_close);
}

bgr_status bgr_open_memory(const void *bytes, size_t size, bgr_db **db)
{
    bgr_file file = {.bytes = bytes, .size = size, .handle = -1};
    return bgr_open_file(&file, BGR_READ, db);
}

bgr_status bgr_open_reader(const bgr_reader *reader, bgr_db **db)
{
    bgr_reader read;
    *db = NULL;
    BGR_TRY(bgr_take_sized(reader, &read, sizeof read));
    bgr_file file = {.size = read.file_size, .handle = -1};
    BGR_TRY(bgr_ranges_new(&read, &file.ranges));
    return bgr_open_file(&file, BGR_READ, db);
}

void bgr_close(bgr_db *db)
{
    if (!db)
        return;
    for (int k = 0; k < db->n_files; k++)
        bgr_tables_close(&db->tables[k]);
    BGR_FREE(db->tables, db->for_one, db);
}

bgr_status bgr_verify(const bgr_db *db)
{
    for (int k = 0; k < db->n_files; k++)
        BGR_TRY(bgr_tables_verify(&db->tables[k]));
    return BGR_OK;
}

int bgr_n_files(const bgr_db *db) { return db->n_files; }

bgr_status bgr_file_info(const bgr_db *db, int file, bgr_info *info)
{
    if (file < 0 || file >= db->n_files)
        return BGR_ERR_INDEX;
    bgr_info whole = db->tables[file].info;
    whole.changed = bgr_file_unchanged(&db->tables[file].file) != BGR_OK;
    return bgr_give_sized(&whole, sizeof whole, info);
}

const bgr_tables *bgr_tables_of(const bgr_db *db, int file) { return &db->tables[file]; }
