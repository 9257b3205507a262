/* Questions about a pair of positions. */

#include "base/try.h"
#include "probe/locate.h"

/* Estimate from both distributions. */
static bgr_status one_sided_win(const bgr_db *db, const suffix_sums *mine, const suffix_sums *theirs,
                                double *win_probability)
{
    const bgr_tables *my_tables, *their_tables;
    int64_t my_index, their_index;
    BGR_TRY(find_one(db, mine, &my_tables, &my_index));
    BGR_TRY(find_one(db, theirs, &their_tables, &their_index));
    return bgr_race_win(my_tables, my_index, their_tables, their_index, win_probability);
}

bgr_status bgr_probe_win_probability(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                     double *win_probability, bgr_method *method)
{
    suffix_sums mine, theirs;
    const bgr_tables *tables;
    bgr_pair pair;
    BGR_TRY(read_pair(points, on_roll, opponent, &mine, &theirs));
    bgr_method used = BGR_TWO_SIDED;
    bgr_status status = find_among(db, db->for_win, db->n_for_win, &mine, &theirs, &tables, &pair);
    if (status == BGR_OK)
        status = bgr_tables_win(tables, pair.on_roll, pair.opponent, win_probability);
    if (status == BGR_ERR_COVERAGE) {
        used = BGR_ONE_SIDED;
        status = one_sided_win(db, &mine, &theirs, win_probability);
    }
    if (status == BGR_OK && method)
        *method = used;
    return status;
}

/* Find the indices of a piece of pairs; returns 0 if one is not in these tables, or has no checkers on either side. */
static inline int rank_pairs(const bgr_tables *tables, int points, const int8_t *on_roll, const int8_t *opponent, int n,
                             int64_t *mine, int64_t *theirs)
{
    int most = tables->info.two_sided_checkers, none = 0;
    if (!rank_piece(tables, most, points, on_roll, n, mine) || !rank_piece(tables, most, points, opponent, n, theirs))
        return 0;
    for (int k = 0; k < n; k++)
        none |= (mine[k] | theirs[k]) == 0;
    return !none;
}

bgr_status bgr_probe_equities(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                              bgr_equities *equities)
{
    suffix_sums mine, theirs;
    const bgr_tables *tables = NULL;
    bgr_pair pair;
    BGR_TRY(read_pair(points, on_roll, opponent, &mine, &theirs));
    BGR_TRY(find_among(db, db->for_pairs, db->n_for_pairs, &mine, &theirs, &tables, &pair));
    return bgr_tables_equities(tables, &pair, equities);
}

/* A batch: its pairs, the files, and the outputs: chances, or equities. */
typedef struct {
    const bgr_db *db;
    int points;
    const int8_t *on_roll, *opponent;
    const int *files; /* files with the tables, in the order of preference */
    int n_files;
    double *win_probability;
    bgr_equities *equities;
} pair_batch;

/* Answer a piece of pairs all at once from the first table; returns 0 if that is not possible, as for chances if
 * gammons count. */
static inline int answer_pairs(const pair_batch *out, int64_t i, int n, int chances)
{
    int64_t mine[BGR_PIECE], theirs[BGR_PIECE];
    int points = out->points;
    const int8_t *on_roll = out->on_roll + i * points, *opponent = out->opponent + i * points;
    const bgr_tables *tables = out->n_files ? &out->db->tables[out->files[0]] : NULL;
    if (!tables || (chances && tables->info.gammons) || !bgr_tables_in_place(tables) ||
        !rank_pairs(tables, points, on_roll, opponent, n, mine, theirs))
        return 0;
    return chances ? bgr_tables_win_piece(tables, mine, theirs, n, out->win_probability + i)
                   : bgr_tables_equities_piece(tables, mine, theirs, n, out->equities + i);
}

/* Answer one pair: from the values at its place, or if tables is NULL, from any file. */
static inline bgr_status answer_pair(const pair_batch *out, int64_t i, const bgr_tables *tables, const bgr_pair *pair,
                                     uint64_t values, int chances)
{
    int points = out->points;
    const bgr_db *db = out->db;
    const int8_t *on_roll = out->on_roll + i * points, *opponent = out->opponent + i * points;
    if (!chances)
        return tables ? bgr_tables_decode(tables, pair, values, out->equities + i)
                      : bgr_probe_equities(db, points, on_roll, opponent, out->equities + i);
    return tables ? bgr_tables_decode_win(tables, pair, values, out->win_probability + i)
                  : bgr_probe_win_probability(db, points, on_roll, opponent, out->win_probability + i, NULL);
}

/* Answer a batch; pieces that cannot be answered all at once are located, then loaded, then decoded. */
static inline bgr_status ask_pairs(const pair_batch *out, int64_t n, int chances, int64_t *n_done)
{
    bgr_status status = BGR_OK;
    int64_t i = 0;
    while (i < n && status == BGR_OK) {
        const bgr_tables *tables[BGR_PIECE];
        bgr_pair pair[BGR_PIECE];
        uint64_t values[BGR_PIECE];
        int64_t mine_fetched[BGR_PIECE], theirs_fetched[BGR_PIECE];
        int n_fetched = 0, length = n - i < BGR_PIECE ? (int)(n - i) : BGR_PIECE;
        if (answer_pairs(out, i, length, chances)) {
            i += length;
            continue;
        }
        for (int k = 0; k < length; k++) {
            suffix_sums mine, theirs;
            int64_t place = (i + k) * out->points;
            int found = read_pair(out->points, out->on_roll + place, out->opponent + place, &mine, &theirs) == BGR_OK &&
                        find_among(out->db, out->files, out->n_files, &mine, &theirs, &tables[k], &pair[k]) == BGR_OK;
            if (found && tables[k]->file.ranges) {
                mine_fetched[n_fetched] = pair[k].on_roll;
                theirs_fetched[n_fetched++] = pair[k].opponent;
            }
            if (!found || !bgr_tables_in_place(tables[k]))
                tables[k] = NULL;
        }
        if (n_fetched) /* there is one file; if this fails, each pair is read by itself below */
            (void)bgr_tables_fetch(out->db->tables, mine_fetched, theirs_fetched, n_fetched);
        for (int k = 0; k < length; k++)
            values[k] = tables[k] ? get_u64(tables[k]->file.bytes + pair[k].place) : 0;
        for (int k = 0; k < length && status == BGR_OK; k++) {
            status = answer_pair(out, i, tables[k], &pair[k], values[k], chances);
            i += status == BGR_OK;
        }
    }
    *n_done = i;
    return status;
}

bgr_status bgr_probe_win_probability_batch(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                           int64_t n, double *win_probability, int64_t *n_done)
{
    const pair_batch out = {db, points, on_roll, opponent, db->for_win, db->n_for_win, win_probability, NULL};
    return ask_pairs(&out, n, 1, n_done);
}

bgr_status bgr_probe_equities_batch(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                    int64_t n, bgr_equities *equities, int64_t *n_done)
{
    const pair_batch out = {db, points, on_roll, opponent, db->for_pairs, db->n_for_pairs, NULL, equities};
    return ask_pairs(&out, n, 0, n_done);
}
