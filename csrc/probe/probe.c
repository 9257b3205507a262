/* Questions to one or more database files: find the file that answers best, and look up. */

#include "probe/probe.h"

#include "probe/bytes.h"
#include "probe/checksums.h"
#include "probe/match.h"
#include "probe/tables.h"

#include <stdlib.h>
#include <string.h>

struct bgr_db {
    int n_files;
    bgr_tables *tables; /* n_files, in the order of the paths */
    /* Numbers of files in the order in which they are to be asked. */
    int *for_one, *for_pairs, *for_match;
    int n_for_one, n_for_pairs, n_match;
};

/* ------------------------------------------------------------------ opening */

/* Whether file a answers better than b for one player: float64 before 16 bits, then few positions before many. */
static int better_for_one(const bgr_tables *a, const bgr_tables *b)
{
    if (a->packed != b->packed)
        return b->packed;
    return a->space.size < b->space.size;
}

/* The same for pairs: small errors and steps first, then few pairs before many. */
static int better_for_pairs(const bgr_tables *a, const bgr_tables *b)
{
    if (a->info.equity_error != b->info.equity_error)
        return a->info.equity_error < b->info.equity_error;
    if (a->step != b->step)
        return a->step < b->step;
    return a->n_pairs < b->n_pairs;
}

/* Insert a file behind those that are as good. */
static void insert(const bgr_tables *tables, int *order, int n, int file,
                   int (*better)(const bgr_tables *, const bgr_tables *))
{
    for (; n > 0 && better(&tables[file], &tables[order[n - 1]]); n--)
        order[n] = order[n - 1];
    order[n] = file;
}

static bgr_status new_db(int n_files, bgr_db **db)
{
    bgr_db *made = calloc(1, sizeof *made);
    if (made) {
        made->tables = calloc((size_t)n_files, sizeof *made->tables);
        made->for_one = calloc((size_t)n_files, 3 * sizeof *made->for_one);
    }
    if (!made || !made->tables || !made->for_one) {
        bgr_close(made);
        return BGR_ERR_MEMORY;
    }
    made->for_pairs = made->for_one + n_files;
    made->for_match = made->for_pairs + n_files;
    *db = made;
    return BGR_OK;
}

/* Take an open file into a database that is being made. */
static bgr_status add(bgr_db *db, const bgr_file *file, bgr_access access)
{
    int number = db->n_files++;
    bgr_tables *tables = &db->tables[number];
    bgr_status status = bgr_tables_open(tables, file);
    if (status == BGR_OK && tables->n_match)
        status = bgr_tables_add_states(tables);
    if (status != BGR_OK)
        return status;
    if (access == BGR_MAP)
        bgr_file_map(&tables->file);
    if (access == BGR_LOAD)
        status = bgr_file_load(&tables->file);
    if (status != BGR_OK)
        return status;
    tables->info.in_memory = tables->file.bytes != NULL;
    if (!tables->small.n_planes) /* which has no tables of one side */
        insert(db->tables, db->for_one, db->n_for_one++, number, better_for_one);
    if (tables->n_match)
        db->for_match[db->n_match++] = number;
    if (tables->n_pairs)
        insert(db->tables, db->for_pairs, db->n_for_pairs++, number, better_for_pairs);
    return BGR_OK;
}

bgr_status bgr_open_all(const char *const *paths, int n_paths, bgr_access access, bgr_db **db, int *failed)
{
    enum { MAX_PATHS = 1000 };
    int k = -1;
    bgr_db *made = NULL;
    bgr_status status = n_paths < 1 || n_paths > MAX_PATHS ? BGR_ERR_SIZE : BGR_OK;
    if ((int)access < BGR_MAP || (int)access > BGR_READ)
        status = BGR_ERR_ARGUMENT;
    if (status == BGR_OK)
        status = new_db(n_paths, &made);
    while (status == BGR_OK && ++k < n_paths) {
        bgr_file file;
        status = bgr_file_open(paths[k], &file);
        if (status == BGR_OK)
            status = add(made, &file, access);
    }
    if (status != BGR_OK) {
        bgr_close(made);
        made = NULL;
    }
    *db = made;
    if (failed)
        *failed = status == BGR_OK ? -1 : k;
    return status;
}

bgr_status bgr_open(const char *path, bgr_access access, bgr_db **db)
{
    return bgr_open_all(&path, 1, access, db, NULL);
}

bgr_status bgr_open_file(const bgr_file *file, bgr_access access, bgr_db **db)
{
    bgr_file owned = *file;
    *db = NULL;
    bgr_db *made;
    bgr_status status = new_db(1, &made);
    if (status != BGR_OK) {
        bgr_file_close(&owned);
        return status;
    }
    status = add(made, &owned, access);
    if (status == BGR_OK)
        *db = made;
    else
        bgr_close(made);
    return status;
}

bgr_status bgr_open_memory(const void *bytes, size_t size, bgr_db **db)
{
    bgr_file file = {.bytes = bytes, .size = size, .handle = -1};
    return bgr_open_file(&file, BGR_READ, db);
}

void bgr_close(bgr_db *db)
{
    if (!db)
        return;
    for (int k = 0; k < db->n_files; k++)
        bgr_tables_close(&db->tables[k]);
    free(db->tables);
    free(db->for_one);
    free(db);
}

bgr_status bgr_verify(const bgr_db *db)
{
    bgr_status status = BGR_OK;
    for (int k = 0; k < db->n_files && status == BGR_OK; k++)
        status = bgr_tables_verify(&db->tables[k]);
    return status;
}

bgr_status bgr_unchanged(const bgr_db *db)
{
    bgr_status status = BGR_OK;
    for (int k = 0; k < db->n_files && status == BGR_OK; k++)
        status = bgr_file_unchanged(&db->tables[k].file);
    return status;
}

int bgr_n_files(const bgr_db *db) { return db->n_files; }

bgr_status bgr_file_info(const bgr_db *db, int file, bgr_info *info)
{
    if (file < 0 || file >= db->n_files)
        return BGR_ERR_INDEX;
    *info = db->tables[file].info;
    return BGR_OK;
}

bgr_status bgr_file_match(const bgr_db *db, int file, bgr_match *match)
{
    if (file < 0 || file >= db->n_files)
        return BGR_ERR_INDEX;
    const bgr_tables *tables = &db->tables[file];
    if (!tables->n_match)
        return BGR_ERR_SCORE;
    *match = tables->match;
    match->n_states = bgr_cube_states_count(tables->states);
    return BGR_OK;
}

/* ------------------------------------------------------------------ positions */

/* One player's checkers as the index needs them: how many stand on each point or beyond. */
typedef struct {
    int points; /* that were listed */
    int n_checkers;
    uint64_t low;                     /* of the first eight points, a byte each, the ace point in the lowest */
    uint8_t high[BGR_MAX_POINTS - 8]; /* of those beyond, as far as they were listed */
} suffix_sums;

static const uint64_t EVERY_BYTE = 0x0101010101010101U;

/* Counts of fewer than eight points, a byte each. */
BGR_RARE static uint64_t load_few(int points, const unsigned char *p)
{
    uint64_t word = 0;
    for (int j = 0; j < points; j++)
        word |= (uint64_t)p[j] << 8 * j;
    return word;
}

/* Sums of the points beyond the eighth, and all checkers there; -1 if they are no position. */
BGR_RARE static int read_beyond(int points, const int8_t *counts, suffix_sums *s)
{
    int beyond = 0;
    for (int j = points - 1; j >= 8; j--) {
        if (counts[j] < 0 || counts[j] > BGR_MAX_CHECKERS)
            return -1;
        beyond += counts[j];
        s->high[j - 8] = (uint8_t)beyond;
        if (beyond > BGR_MAX_CHECKERS)
            return -1;
    }
    return beyond;
}

/* All eight sums at once, by a multiplication; and nothing depends on a branch that random positions could mispredict.
 */
static inline bgr_status read_counts(int points, const int8_t *counts, suffix_sums *s)
{
    const unsigned char *p = (const unsigned char *)counts;
    int beyond = 0;
    uint64_t word;
    s->points = points;
    s->n_checkers = 0;
    s->low = 0;
    if (points == 6)
        word = (uint64_t)get_u32(p) | (uint64_t)((unsigned)p[4] | (unsigned)p[5] << 8) << 32;
    else if (points < 8)
        word = load_few(points, p);
    else
        word = get_u64(p);
    if (points > 8) {
        beyond = read_beyond(points, counts, s);
        if (beyond < 0)
            return BGR_ERR_POSITION;
    }
    if (word & 0xF0 * EVERY_BYTE) /* negative, or more than 15 */
        return BGR_ERR_POSITION;
    uint64_t up_to = word * EVERY_BYTE; /* checkers on each point or below; at most 8 x 15, so that nothing carries */
    int sum = (int)(up_to >> 56) + beyond;
    s->low = (uint64_t)sum * EVERY_BYTE - (up_to << 8);
    s->n_checkers = sum;
    return sum <= BGR_MAX_CHECKERS ? BGR_OK : BGR_ERR_POSITION;
}

/* Checkers on point j + 1 or beyond; j below the number of points that were listed. */
static inline int sum_at(const suffix_sums *s, int j) { return j < 8 ? (int)(s->low >> 8 * j & 0xFF) : s->high[j - 8]; }

static inline int fits(const bgr_tables *tables, const suffix_sums *s, int most_checkers)
{
    int points = tables->info.points;
    return s->n_checkers <= most_checkers && (s->points <= points || sum_at(s, points) == 0);
}

/* The index on more than eight points. */
BGR_RARE static int64_t long_index_of(const bgr_tables *tables, const suffix_sums *s)
{
    int64_t index = 0;
    for (int j = 0; j < tables->info.points && j < s->points; j++)
        index += tables->space.term[j][sum_at(s, j)];
    return index;
}

static inline int64_t index_of(const bgr_tables *tables, const suffix_sums *s)
{
    if (tables->info.points > 8)
        return long_index_of(tables, s);
    uint64_t couples = s->low | s->low >> 4; /* two sums to every other byte */
    return (int64_t)tables->couple[0][couples & 0xFF] + tables->couple[1][couples >> 16 & 0xFF] +
           tables->couple[2][couples >> 32 & 0xFF] + tables->couple[3][couples >> 48 & 0xFF];
}

/* The file to ask about one position, and its index there. */
static inline bgr_status find_one(const bgr_db *db, const suffix_sums *s, const bgr_tables **tables, int64_t *index)
{
    for (int k = 0; k < db->n_for_one; k++) {
        const bgr_tables *t = &db->tables[db->for_one[k]];
        if (fits(t, s, t->info.checkers)) {
            *tables = t;
            *index = index_of(t, s);
            return BGR_OK;
        }
    }
    return BGR_ERR_COVERAGE;
}

static inline bgr_status locate(const bgr_db *db, int points, const int8_t *counts, const bgr_tables **tables,
                                int64_t *index)
{
    suffix_sums s;
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    bgr_status status = read_counts(points, counts, &s);
    return status == BGR_OK ? find_one(db, &s, tables, index) : status;
}

/* Both sides of a pair; not both may be empty. */
static inline bgr_status read_pair(int points, const int8_t *on_roll, const int8_t *opponent, suffix_sums *mine,
                                   suffix_sums *theirs)
{
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    bgr_status a = read_counts(points, on_roll, mine), b = read_counts(points, opponent, theirs);
    return a != BGR_OK || b != BGR_OK || mine->n_checkers + theirs->n_checkers == 0 ? BGR_ERR_POSITION : BGR_OK;
}

/* Why no table for money has a pair. */
BGR_RARE static bgr_status no_money(const bgr_db *db)
{
    return db->n_match && !db->n_for_pairs ? BGR_ERR_SCORE : BGR_ERR_COVERAGE;
}

/* The file to ask about a pair, and the pair's place there. */
static inline bgr_status find_pair(const bgr_db *db, const suffix_sums *mine, const suffix_sums *theirs,
                                   const bgr_tables **tables, bgr_pair *pair)
{
    for (int k = 0; k < db->n_for_pairs; k++) {
        const bgr_tables *t = &db->tables[db->for_pairs[k]];
        int most = t->info.two_sided_checkers;
        if (fits(t, mine, most) && fits(t, theirs, most)) {
            *tables = t;
            *pair = bgr_tables_pair(t, index_of(t, mine), index_of(t, theirs));
            return BGR_OK;
        }
    }
    return no_money(db);
}

/* A file that has an index. */
static bgr_status file_of(const bgr_db *db, int file, int64_t index, const bgr_tables **tables)
{
    if (file < 0 || file >= db->n_files || index < 0 || index >= db->tables[file].space.size)
        return BGR_ERR_INDEX;
    *tables = &db->tables[file];
    return BGR_OK;
}

/* The same with tables of one side. */
static bgr_status file_of_one(const bgr_db *db, int file, int64_t index, const bgr_tables **tables)
{
    bgr_status status = file_of(db, file, index, tables);
    return status == BGR_OK && (*tables)->small.n_planes ? BGR_ERR_COVERAGE : status;
}

/* ------------------------------------------------------------------ one player */

bgr_status bgr_probe_epc(const bgr_db *db, int points, const int8_t *counts, double *epc)
{
    const bgr_tables *tables;
    int64_t index;
    bgr_status status = locate(db, points, counts, &tables, &index);
    return status == BGR_OK ? bgr_tables_epc(tables, index, epc) : status;
}

/* Indices of n positions in tables that have all of them; 0 if one is no position, or is not there.  What is wrong is
 * asked after the loop.  Inlined with a number of points that is known, a turn of it is a few dozen instructions. */
static inline int rank_all(const bgr_tables *tables, int most_checkers, int points, const int8_t *counts, int n,
                           int64_t *index, unsigned *any)
{
    int wrong = 0;
    for (int k = 0; k < n; k++) {
        suffix_sums s;
        wrong |= (int)read_counts(points, counts + (ptrdiff_t)k * points, &s) | !fits(tables, &s, most_checkers);
        index[k] = index_of(tables, &s);
        any[k] |= (unsigned)s.n_checkers;
    }
    return !wrong;
}

static inline int rank_piece(const bgr_tables *tables, int most_checkers, int points, const int8_t *counts, int n,
                             int64_t *index, unsigned *any)
{
    if (points < 1 || points > 8 || tables->info.points > 8)
        return 0;
    if (points == 6)
        return rank_all(tables, most_checkers, 6, counts, n, index, any);
    return rank_all(tables, most_checkers, points, counts, n, index, any);
}

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
    unsigned any[BGR_PIECE] = {0};
    const bgr_tables *tables = first_for_one(db);
    return tables && rank_piece(tables, tables->info.checkers, points, counts, n, index, any) ? tables : NULL;
}

/* A batch goes piece by piece.  Where one piece cannot be answered all at once, where the positions are is found first,
 * then what is there is touched, which is a loop of nothing but loads (see tables.h), and then each is answered as if
 * it were alone. */
typedef struct {
    const bgr_tables *tables[BGR_PIECE];
    int64_t index[BGR_PIECE];
    int n;             /* before the first that has no place */
    bgr_status status; /* of that one */
} piece;

static inline int piece_of(int64_t left) { return left < BGR_PIECE ? (int)left : BGR_PIECE; }

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

bgr_status bgr_probe_epc_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, double *epc,
                               int64_t *n_done)
{
    piece p = {.status = BGR_OK};
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
    piece p = {.status = BGR_OK};
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
    piece p = {.status = BGR_OK};
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

/* ------------------------------------------------------------------ two players */

static int match_has(const bgr_tables *tables, const suffix_sums *mine, const suffix_sums *theirs)
{
    int most = tables->info.two_sided_checkers;
    return tables->n_match && fits(tables, mine, most) && fits(tables, theirs, most);
}

/* From a file for a match score, in double precision, or the first file for money whose table of pairs says. */
static bgr_status two_sided_win(const bgr_db *db, const suffix_sums *mine, const suffix_sums *theirs,
                                double *win_probability)
{
    bgr_status status = BGR_ERR_COVERAGE;
    for (int k = 0; k < db->n_match && status == BGR_ERR_COVERAGE; k++) {
        const bgr_tables *t = &db->tables[db->for_match[k]];
        if (match_has(t, mine, theirs))
            status = bgr_tables_match_win(t, index_of(t, mine), index_of(t, theirs), win_probability);
    }
    for (int k = 0; k < db->n_for_pairs && status == BGR_ERR_COVERAGE; k++) {
        const bgr_tables *t = &db->tables[db->for_pairs[k]];
        int most = t->info.two_sided_checkers;
        if (fits(t, mine, most) && fits(t, theirs, most))
            status = bgr_tables_win(t, index_of(t, mine), index_of(t, theirs), win_probability);
    }
    return status;
}

/* An estimate from the distributions of both. */
static bgr_status one_sided_win(const bgr_db *db, const suffix_sums *mine, const suffix_sums *theirs,
                                double *win_probability)
{
    const bgr_tables *my_tables, *their_tables;
    int64_t my_index, their_index;
    bgr_row my_row, their_row;
    bgr_status status = find_one(db, mine, &my_tables, &my_index);
    if (status == BGR_OK)
        status = find_one(db, theirs, &their_tables, &their_index);
    if (status == BGR_OK)
        status = bgr_tables_distribution(my_tables, my_index, &my_row);
    if (status == BGR_OK)
        status = bgr_tables_distribution(their_tables, their_index, &their_row);
    if (status == BGR_OK)
        *win_probability = bgr_race_win(&my_row, &their_row);
    return status;
}

bgr_status bgr_probe_win_probability(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                     double *win_probability, bgr_method *method)
{
    suffix_sums mine, theirs;
    bgr_status status = read_pair(points, on_roll, opponent, &mine, &theirs);
    if (status != BGR_OK)
        return status;
    bgr_method used = BGR_TWO_SIDED;
    status = two_sided_win(db, &mine, &theirs, win_probability);
    if (status == BGR_ERR_COVERAGE) {
        used = BGR_ONE_SIDED;
        status = one_sided_win(db, &mine, &theirs, win_probability);
    }
    if (status == BGR_OK && method)
        *method = used;
    return status;
}

/* The place of a pair whose chance is in the first table of pairs for money that has it; NULL if it comes from
 * elsewhere, or has to be read. */
static inline const bgr_tables *money_pair(const bgr_db *db, const suffix_sums *mine, const suffix_sums *theirs,
                                           bgr_pair *pair)
{
    const bgr_tables *tables = NULL;
    if (db->n_match || find_pair(db, mine, theirs, &tables, pair) != BGR_OK || !bgr_tables_in_place(tables))
        return NULL;
    return tables;
}

/* Chances of a piece of pairs that all are in the first table for money, without gammons, all at once; 0 if that
 * cannot be. */
static inline int win_piece(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent, int n,
                            double *win_probability)
{
    int64_t mine[BGR_PIECE], theirs[BGR_PIECE];
    unsigned any[BGR_PIECE] = {0};
    const bgr_tables *tables = db->n_for_pairs && !db->n_match ? &db->tables[db->for_pairs[0]] : NULL;
    if (!tables || tables->info.gammons || !bgr_tables_in_place(tables))
        return 0;
    int most = tables->info.two_sided_checkers, none = 0;
    if (!rank_piece(tables, most, points, on_roll, n, mine, any) ||
        !rank_piece(tables, most, points, opponent, n, theirs, any))
        return 0;
    for (int k = 0; k < n; k++)
        none |= !any[k];
    return !none && bgr_tables_win_piece(tables, mine, theirs, n, win_probability);
}

bgr_status bgr_probe_win_probability_batch(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                           int64_t n, double *win_probability, bgr_method *method, int64_t *n_done)
{
    bgr_status status = BGR_OK;
    int64_t i = 0;
    while (i < n && status == BGR_OK) {
        const bgr_tables *tables[BGR_PIECE];
        bgr_pair pair[BGR_PIECE];
        uint64_t values[BGR_PIECE];
        int length = piece_of(n - i), found = 0;
        if (win_piece(db, points, on_roll + i * points, opponent + i * points, length, win_probability + i)) {
            for (int k = 0; method && k < length; k++)
                method[i + k] = BGR_TWO_SIDED;
            i += length;
            continue;
        }
        for (; found < length; found++) {
            suffix_sums mine, theirs;
            int64_t place = (i + found) * points;
            status = read_pair(points, on_roll + place, opponent + place, &mine, &theirs);
            if (status != BGR_OK)
                break;
            tables[found] = money_pair(db, &mine, &theirs, &pair[found]);
        }
        for (int k = 0; k < found; k++)
            values[k] = tables[k] ? get_u64(tables[k]->file.bytes + pair[k].place) : 0;
        for (int k = 0; k < found; k++, i++) {
            bgr_method used = BGR_TWO_SIDED;
            int64_t place = i * points;
            bgr_status got = tables[k] ? bgr_tables_decode_win(tables[k], &pair[k], values[k], win_probability + i)
                                       : bgr_probe_win_probability(db, points, on_roll + place, opponent + place,
                                                                   win_probability + i, &used);
            if (got != BGR_OK) {
                *n_done = i;
                return got;
            }
            if (method)
                method[i] = used;
        }
    }
    *n_done = i;
    return status;
}

/* A file with both indices of a pair. */
static bgr_status file_of_pair(const bgr_db *db, int file, int64_t on_roll, int64_t opponent, const bgr_tables **tables)
{
    bgr_status status = file_of(db, file, on_roll, tables);
    if (status == BGR_OK)
        status = file_of(db, file, opponent, tables);
    return status == BGR_OK && !(on_roll | opponent) ? BGR_ERR_POSITION : status;
}

bgr_status bgr_probe_win_probability_at(const bgr_db *db, int file, int64_t on_roll, int64_t opponent,
                                        double *win_probability, bgr_method *method)
{
    const bgr_tables *tables;
    bgr_method used = BGR_TWO_SIDED;
    bgr_status status = file_of_pair(db, file, on_roll, opponent, &tables);
    if (status != BGR_OK)
        return status;
    if (tables->n_match && on_roll < tables->n_match && opponent < tables->n_match)
        status = bgr_tables_match_win(tables, on_roll, opponent, win_probability);
    else
        status = bgr_tables_win_probability(tables, on_roll, opponent, win_probability, &used);
    if (status == BGR_OK && method)
        *method = used;
    return status;
}

bgr_status bgr_probe_equities_at(const bgr_db *db, int file, int64_t on_roll, int64_t opponent, bgr_equities *equities)
{
    const bgr_tables *tables;
    bgr_status status = file_of_pair(db, file, on_roll, opponent, &tables);
    if (status != BGR_OK)
        return status;
    if (on_roll >= tables->n_pairs || opponent >= tables->n_pairs)
        return tables->n_match ? BGR_ERR_SCORE : BGR_ERR_COVERAGE;
    bgr_pair pair = bgr_tables_pair(tables, on_roll, opponent);
    return bgr_tables_equities(tables, &pair, equities);
}

bgr_status bgr_probe_equities(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                              bgr_equities *equities)
{
    suffix_sums mine, theirs;
    const bgr_tables *tables = NULL;
    bgr_pair pair;
    bgr_status status = read_pair(points, on_roll, opponent, &mine, &theirs);
    if (status == BGR_OK)
        status = find_pair(db, &mine, &theirs, &tables, &pair);
    return status == BGR_OK ? bgr_tables_equities(tables, &pair, equities) : status;
}

bgr_status bgr_probe_equities_batch(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                    int64_t n, bgr_equities *equities, int64_t *n_done)
{
    /* Find a piece of the pairs, then read it, then turn it into equities. */
    bgr_status status = BGR_OK;
    int64_t i = 0;
    while (i < n && status == BGR_OK) {
        const bgr_tables *tables[BGR_PIECE];
        bgr_pair pair[BGR_PIECE];
        uint64_t values[BGR_PIECE];
        int length = n - i < BGR_PIECE ? (int)(n - i) : BGR_PIECE, found = 0, in_memory = 1;
        for (; found < length; found++) {
            suffix_sums mine, theirs;
            int64_t place = (i + found) * points;
            status = read_pair(points, on_roll + place, opponent + place, &mine, &theirs);
            if (status == BGR_OK)
                status = find_pair(db, &mine, &theirs, &tables[found], &pair[found]);
            if (status != BGR_OK)
                break;
            in_memory &= bgr_tables_in_place(tables[found]);
        }
        if (in_memory)
            for (int k = 0; k < found; k++)
                values[k] = get_u64(tables[k]->file.bytes + pair[k].place);
        for (int k = 0; k < found; k++, i++) {
            bgr_status got = in_memory ? bgr_tables_decode(tables[k], &pair[k], values[k], equities + i)
                                       : bgr_tables_equities(tables[k], &pair[k], equities + i);
            if (got != BGR_OK) {
                *n_done = i;
                return got;
            }
        }
    }
    *n_done = i;
    return status;
}

bgr_status bgr_probe_match(const bgr_db *db, int file, int first_on_roll, int points, const int8_t *on_roll,
                           const int8_t *opponent, int room, bgr_match_value *values)
{
    suffix_sums mine, theirs;
    bgr_match match;
    bgr_match_value found[BGR_MAX_CUBES];
    bgr_status status = read_pair(points, on_roll, opponent, &mine, &theirs);
    if (status == BGR_OK)
        status = bgr_file_match(db, file, &match);
    if (status != BGR_OK)
        return status;
    const bgr_tables *tables = &db->tables[file];
    if (room < match.n_states)
        return BGR_ERR_SIZE;
    if (!match_has(tables, &mine, &theirs))
        return BGR_ERR_COVERAGE;
    status = bgr_tables_match(tables, first_on_roll, index_of(tables, &mine), index_of(tables, &theirs), found);
    if (status == BGR_OK)
        memcpy(values, found, (size_t)match.n_states * sizeof *values);
    return status;
}
