/* Questions about one player's position. */

#include "base/try.h"
#include "probe/locate.h"

/* ------------------------------------------------------------------ batches */

/* The kinds of questions about one player. */
typedef enum { OF_EPC, OF_ROLLS, OF_DISTRIBUTION } question_kind;

/* Rows of a distribution that stay in the first cache until they are used. */
enum { ROWS_OF_PIECE = 64 };

/* Read a byte of every cache line that a question about an index will read, if the file is in memory; returns their
 * sum, so that the loads are not optimized away. */
static inline unsigned touch(const bgr_tables *tables, question_kind kind, int64_t index)
{
    enum { LINE = 64 };
    const unsigned char *bytes = tables->file.bytes;
    const bgr_table *table = tables->table;
    uint64_t at = (uint64_t)index;
    unsigned sum = 0;
    if (!bytes)
        return 0;
    if (kind != OF_DISTRIBUTION) {
        int epc = kind == OF_EPC && table[BGR_TABLE_EPC].n_bytes;
        sum = bytes[table[epc ? BGR_TABLE_EPC : BGR_TABLE_MEAN].offset + 8 * at];
        if (kind == OF_ROLLS)
            sum += bytes[table[BGR_TABLE_VARIANCE].offset + 8 * at];
        return sum;
    }
    const bgr_table *rows = &table[BGR_TABLE_DISTRIBUTION + (tables->in_16_bits ? 2 : 0)];
    uint64_t row = rows->shape[1] * (tables->in_16_bits ? 2 : 8), from = rows->offset + at * row;
    for (uint64_t k = 0; k < row; k += LINE)
        sum += bytes[from + k];
    sum += bytes[from + row - 1];
    return tables->in_16_bits ? sum + bytes[rows[-1].offset + at] : sum;
}

/* Find the indices of the next piece of a batch; returns its tables, or NULL if the piece has to be answered one by
 * one.  Only for positions of up to eight points in the first tables, in memory. */
static inline const bgr_tables *ranked(const bgr_db *db, int points, const int8_t *counts, int n, int64_t *index)
{
    const bgr_tables *tables = db->n_for_one ? &db->tables[db->for_one[0]] : NULL;
    int together = tables && tables->file.bytes && rank_piece(tables, tables->info.checkers, points, counts, n, index);
    return together ? tables : NULL;
}

/* A piece of a batch that cannot be answered all at once: first places are found, then their bytes are touched in a
 * loop of loads alone (see tables.h), then each position is answered by itself.  Not cleared at the start of a batch:
 * that would take as long as a dozen answers. */
typedef struct {
    const bgr_tables *tables[BGR_PIECE];
    int64_t index[BGR_PIECE];
    int n;             /* positions before the first without a place */
    bgr_status status; /* status of that one */
} piece;

static void locate_piece(const bgr_db *db, int points, const int8_t *counts, int length, question_kind kind, piece *p)
{
    volatile unsigned touched;
    unsigned sum = 0;
    p->status = BGR_OK;
    for (p->n = 0; p->n < length; p->n++) {
        p->status = locate(db, points, counts + (ptrdiff_t)p->n * points, &p->tables[p->n], &p->index[p->n]);
        if (p->status != BGR_OK)
            break;
    }
    for (int k = 0; k < p->n; k++)
        sum += touch(p->tables[k], kind, p->index[k]);
    touched = sum;
    (void)touched;
}

/* ------------------------------------------------------------------ questions */

/* The question, and the place of the answers: that of position i is at out + i, or at out + i * width. */
typedef struct {
    question_kind kind;
    int width; /* of a distribution */
    double *out, *variance;
} one_question;

static inline bgr_status answer_one(const one_question *q, const bgr_tables *tables, int64_t index, int64_t i)
{
    if (q->kind == OF_EPC)
        return bgr_tables_epc(tables, index, q->out + i);
    if (q->kind == OF_ROLLS)
        return bgr_tables_rolls(tables, index, q->out + i, q->variance + i);
    return bgr_tables_copy_distribution(tables, index, q->width, q->out + i * q->width);
}

/* Answer a piece all at once; returns 0 if that is not possible. */
static inline int answer_ones(const one_question *q, const bgr_tables *tables, const int64_t *index, int n, int64_t i)
{
    if (q->kind == OF_EPC)
        return bgr_tables_epc_piece(tables, index, n, q->out + i);
    if (q->kind == OF_ROLLS)
        return bgr_tables_rolls_piece(tables, index, n, q->out + i, q->variance + i);
    return bgr_tables_distribution_piece(tables, index, n, q->width, q->out + i * q->width);
}

static inline bgr_status ask_one(const bgr_db *db, int points, const int8_t *counts, one_question q)
{
    const bgr_tables *tables;
    int64_t index;
    BGR_TRY(locate(db, points, counts, &tables, &index));
    return answer_one(&q, tables, index, 0);
}

static inline bgr_status ask_ones(const bgr_db *db, int points, const int8_t *counts, int64_t n, one_question q,
                                  int64_t *n_done)
{
    const int most = q.kind == OF_DISTRIBUTION ? ROWS_OF_PIECE : BGR_PIECE;
    piece p;
    p.status = BGR_OK;
    int64_t i = 0;
    while (i < n && p.status == BGR_OK) {
        int length = n - i < most ? (int)(n - i) : most;
        const bgr_tables *tables = ranked(db, points, counts + i * points, length, p.index);
        if (tables && answer_ones(&q, tables, p.index, length, i)) {
            i += length;
            continue;
        }
        locate_piece(db, points, counts + i * points, length, q.kind, &p);
        for (int k = 0; k < p.n; k++, i++) {
            bgr_status status = answer_one(&q, p.tables[k], p.index[k], i);
            if (status != BGR_OK) {
                *n_done = i;
                return status;
            }
        }
    }
    *n_done = i;
    return p.status;
}

bgr_status bgr_probe_epc(const bgr_db *db, int points, const int8_t *counts, double *epc)
{
    return ask_one(db, points, counts, (one_question){OF_EPC, 0, epc, NULL});
}

bgr_status bgr_probe_epc_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, double *epc,
                               int64_t *n_done)
{
    return ask_ones(db, points, counts, n, (one_question){OF_EPC, 0, epc, NULL}, n_done);
}

bgr_status bgr_probe_rolls(const bgr_db *db, int points, const int8_t *counts, double *mean_rolls,
                           double *variance_rolls)
{
    return ask_one(db, points, counts, (one_question){OF_ROLLS, 0, mean_rolls, variance_rolls});
}

bgr_status bgr_probe_rolls_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, double *mean_rolls,
                                 double *variance_rolls, int64_t *n_done)
{
    return ask_ones(db, points, counts, n, (one_question){OF_ROLLS, 0, mean_rolls, variance_rolls}, n_done);
}

bgr_status bgr_probe_roll_distribution(const bgr_db *db, int points, const int8_t *counts, int width,
                                       double *distribution)
{
    return ask_one(db, points, counts, (one_question){OF_DISTRIBUTION, width, distribution, NULL});
}

bgr_status bgr_probe_roll_distribution_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, int width,
                                             double *distribution, int64_t *n_done)
{
    return ask_ones(db, points, counts, n, (one_question){OF_DISTRIBUTION, width, distribution, NULL}, n_done);
}

bgr_status bgr_probe_first_checker_distribution(const bgr_db *db, int points, const int8_t *counts, int width,
                                                double *distribution)
{
    suffix_sums s;
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    BGR_TRY(read_counts(points, counts, &s));
    for (int k = 0; k < db->n_for_one; k++) {
        const bgr_tables *tables = &db->tables[db->for_one[k]];
        bgr_row row;
        if (tables->info.checkers < BGR_MAX_CHECKERS || !fits(tables, &s, BGR_MAX_CHECKERS))
            continue;
        BGR_TRY(bgr_tables_first_checker(tables, index_of(tables, &s), &row));
        return bgr_row_copy(&row, width, distribution);
    }
    return BGR_ERR_COVERAGE;
}
