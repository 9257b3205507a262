/* Questions about one player's position. */

#include "probe/locate.h"

/* The same with tables of one side. */
static bgr_status file_of_one(const bgr_db *db, int file, int64_t index, const bgr_tables **tables)
{
    bgr_status status = file_of(db, file, index, tables);
    return status == BGR_OK && (*tables)->approximate.n_planes ? BGR_ERR_COVERAGE : status;
}

/* ------------------------------------------------------------------ batches */

/* The tables that positions of up to eight points belong to if they belong to the first; NULL if those have to be
 * read from a file. */
static inline const bgr_tables *first_for_one(const bgr_db *db)
{
    const bgr_tables *tables = db->n_for_one ? &db->tables[db->for_one[0]] : NULL;
    return tables && tables->file.bytes ? tables : NULL;
}

/* The next piece of a batch ranked, as far as it can be all at once: its tables, or NULL. */
static inline const bgr_tables *ranked(const bgr_db *db, int points, const int8_t *counts, int n, int64_t *index)
{
    const bgr_tables *tables = first_for_one(db);
    return tables && rank_piece(tables, tables->info.checkers, points, counts, n, index) ? tables : NULL;
}

/* A batch goes piece by piece.  Where one piece cannot be answered all at once, where the positions are is found first,
 * then what is there is touched, which is a loop of nothing but loads (see tables.h), and then each is answered as if
 * it were alone.  It is not cleared where a batch begins: that would take as long as a dozen answers. */
typedef struct {
    const bgr_tables *tables[BGR_PIECE];
    int64_t index[BGR_PIECE];
    int n;             /* before the first that has no place */
    bgr_status status; /* of that one */
} piece;

static void locate_piece(const bgr_db *db, int points, const int8_t *counts, int64_t n, bgr_kind kind, piece *p)
{
    int length = n < BGR_PIECE ? (int)n : BGR_PIECE;
    volatile unsigned touched;
    unsigned sum = 0;
    p->status = BGR_OK;
    for (p->n = 0; p->n < length; p->n++) {
        p->status = locate(db, points, counts + (ptrdiff_t)p->n * points, &p->tables[p->n], &p->index[p->n]);
        if (p->status != BGR_OK)
            break;
    }
    for (int k = 0; k < p->n; k++)
        sum += bgr_tables_touch(p->tables[k], kind, p->index[k]);
    touched = sum;
    (void)touched;
}

/* ------------------------------------------------------------------ questions */

bgr_status bgr_probe_epc(const bgr_db *db, int points, const int8_t *counts, double *epc)
{
    const bgr_tables *tables;
    int64_t index;
    bgr_status status = locate(db, points, counts, &tables, &index);
    return status == BGR_OK ? bgr_tables_epc(tables, index, epc) : status;
}

bgr_status bgr_probe_epc_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, double *epc,
                               int64_t *n_done)
{
    piece p;
    p.status = BGR_OK;
    int64_t i = 0;
    while (i < n && p.status == BGR_OK) {
        int length = piece_of(n - i);
        const bgr_tables *tables = ranked(db, points, counts + i * points, length, p.index);
        if (tables && bgr_tables_epc_piece(tables, p.index, length, epc + i)) {
            i += length;
            continue;
        }
        locate_piece(db, points, counts + i * points, n - i, BGR_KIND_EPC, &p);
        for (int k = 0; k < p.n; k++, i++) {
            bgr_status status = bgr_tables_epc(p.tables[k], p.index[k], epc + i);
            if (status != BGR_OK) {
                *n_done = i;
                return status;
            }
        }
    }
    *n_done = i;
    return p.status;
}

bgr_status bgr_probe_epc_at(const bgr_db *db, int file, int64_t index, double *epc)
{
    const bgr_tables *tables;
    bgr_status status = file_of_one(db, file, index, &tables);
    return status == BGR_OK ? bgr_tables_epc(tables, index, epc) : status;
}

bgr_status bgr_probe_rolls(const bgr_db *db, int points, const int8_t *counts, double *mean_rolls,
                           double *variance_rolls)
{
    const bgr_tables *tables;
    int64_t index;
    bgr_status status = locate(db, points, counts, &tables, &index);
    return status == BGR_OK ? bgr_tables_rolls(tables, index, mean_rolls, variance_rolls) : status;
}

bgr_status bgr_probe_rolls_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, double *mean_rolls,
                                 double *variance_rolls, int64_t *n_done)
{
    piece p;
    p.status = BGR_OK;
    int64_t i = 0;
    while (i < n && p.status == BGR_OK) {
        int length = piece_of(n - i);
        const bgr_tables *tables = ranked(db, points, counts + i * points, length, p.index);
        if (tables && bgr_tables_rolls_piece(tables, p.index, length, mean_rolls + i, variance_rolls + i)) {
            i += length;
            continue;
        }
        locate_piece(db, points, counts + i * points, n - i, BGR_KIND_ROLLS, &p);
        for (int k = 0; k < p.n; k++, i++) {
            bgr_status status = bgr_tables_rolls(p.tables[k], p.index[k], mean_rolls + i, variance_rolls + i);
            if (status != BGR_OK) {
                *n_done = i;
                return status;
            }
        }
    }
    *n_done = i;
    return p.status;
}

bgr_status bgr_probe_rolls_at(const bgr_db *db, int file, int64_t index, double *mean_rolls, double *variance_rolls)
{
    const bgr_tables *tables;
    bgr_status status = file_of_one(db, file, index, &tables);
    return status == BGR_OK ? bgr_tables_rolls(tables, index, mean_rolls, variance_rolls) : status;
}

bgr_status bgr_probe_roll_distribution(const bgr_db *db, int points, const int8_t *counts, int width,
                                       double *distribution)
{
    const bgr_tables *tables;
    int64_t index;
    bgr_status status = locate(db, points, counts, &tables, &index);
    return status == BGR_OK ? bgr_tables_copy_distribution(tables, index, width, distribution) : status;
}

bgr_status bgr_probe_roll_distribution_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, int width,
                                             double *distribution, int64_t *n_done)
{
    piece p;
    p.status = BGR_OK;
    int64_t i = 0;
    while (i < n && p.status == BGR_OK) {
        int length = n - i < BGR_ROWS ? (int)(n - i) : BGR_ROWS;
        const bgr_tables *tables = ranked(db, points, counts + i * points, length, p.index);
        if (tables && bgr_tables_distribution_piece(tables, p.index, length, width, distribution + i * width)) {
            i += length;
            continue;
        }
        locate_piece(db, points, counts + i * points, n - i < BGR_ROWS ? n - i : BGR_ROWS, BGR_KIND_DISTRIBUTION, &p);
        for (int k = 0; k < p.n; k++, i++) {
            bgr_status status = bgr_tables_copy_distribution(p.tables[k], p.index[k], width, distribution + i * width);
            if (status != BGR_OK) {
                *n_done = i;
                return status;
            }
        }
    }
    *n_done = i;
    return p.status;
}

bgr_status bgr_probe_roll_distribution_at(const bgr_db *db, int file, int64_t index, int width, double *distribution)
{
    const bgr_tables *tables;
    bgr_status status = file_of_one(db, file, index, &tables);
    return status == BGR_OK ? bgr_tables_copy_distribution(tables, index, width, distribution) : status;
}

bgr_status bgr_probe_first_checker_distribution(const bgr_db *db, int points, const int8_t *counts, int width,
                                                double *distribution)
{
    suffix_sums s;
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    bgr_status status = read_counts(points, counts, &s);
    if (status != BGR_OK)
        return status;
    for (int k = 0; k < db->n_for_one; k++) {
        const bgr_tables *tables = &db->tables[db->for_one[k]];
        bgr_row row;
        if (tables->info.checkers < BGR_MAX_CHECKERS || !fits(tables, &s, BGR_MAX_CHECKERS))
            continue;
        status = bgr_tables_first_checker(tables, index_of(tables, &s), &row);
        return status == BGR_OK ? bgr_row_copy(&row, width, distribution) : status;
    }
    return BGR_ERR_COVERAGE;
}
