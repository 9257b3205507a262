/* Look values up in the tables of one database file.
 *
 * Numbers in the file are little-endian and unaligned, so they are assembled from bytes, which compilers turn into one
 * load. */

#include "probe/tables.h"

#include "base/bytes.h"
#include "base/cube.h"
#include "base/dice.h"
#include "base/try.h"
#include "probe/packed.h"

#include <math.h>
#include <string.h>

/* Get n bytes of the file: in place if they are in memory, else read into the buffer. */
static inline bgr_status fetch(const bgr_tables *tables, uint64_t offset, size_t n, unsigned char *buffer,
                               const unsigned char **p)
{
    *p = tables->file.bytes ? tables->file.bytes + offset : buffer;
    return tables->file.bytes ? BGR_OK : bgr_file_read(&tables->file, offset, n, buffer);
}

/* Get an element of a table of float64, which must be in 0 .. most. */
static bgr_status look_up(const bgr_tables *tables, int kind, int64_t index, double most, double *value)
{
    unsigned char buffer[8];
    const unsigned char *p;
    BGR_TRY(fetch(tables, tables->table[kind].offset + 8 * (uint64_t)index, 8, buffer, &p));
    double stored = get_f64(p);
    if (!(stored >= 0 && stored <= most))
        return BGR_ERR_DAMAGED;
    *value = stored;
    return BGR_OK;
}

bgr_status bgr_tables_epc(const bgr_tables *tables, int64_t index, double *epc)
{
    if (tables->table[BGR_TABLE_EPC].n_bytes)
        return look_up(tables, BGR_TABLE_EPC, index, (tables->info.n_rolls + 1) * BGR_MEAN_PIPS, epc);
    BGR_TRY(look_up(tables, BGR_TABLE_MEAN, index, tables->info.n_rolls, epc));
    *epc *= BGR_MEAN_PIPS;
    return BGR_OK;
}

bgr_status bgr_tables_rolls(const bgr_tables *tables, int64_t index, double *mean_rolls, double *variance_rolls)
{
    double most = tables->info.n_rolls, mean;
    BGR_TRY(look_up(tables, BGR_TABLE_MEAN, index, most, &mean));
    BGR_TRY(look_up(tables, BGR_TABLE_VARIANCE, index, most * most, variance_rolls));
    *mean_rolls = mean;
    return BGR_OK;
}

/* Get n elements of a table in memory; returns 0 if one is not in 0 .. most.  They are compared as unsigned integers,
 * in which negative numbers and NaN are greater than `most`; the highest bit of `wrong` is set if one is greater. */
static inline int look_up_piece(const bgr_tables *tables, int kind, const int64_t *index, int n, double most,
                                double *values)
{
    const unsigned char *p = tables->file.bytes + tables->table[kind].offset;
    uint64_t wrong = 0, limit;
    memcpy(&limit, &most, sizeof limit);
    for (int k = 0; k < n; k++) {
        uint64_t bits = get_u64(p + 8 * index[k]);
        wrong |= (limit - bits) | bits;
        memcpy(values + k, &bits, sizeof bits);
    }
    return !(wrong >> 63);
}

int bgr_tables_epc_piece(const bgr_tables *tables, const int64_t *index, int n, double *epc)
{
    if (tables->table[BGR_TABLE_EPC].n_bytes)
        return look_up_piece(tables, BGR_TABLE_EPC, index, n, (tables->info.n_rolls + 1) * BGR_MEAN_PIPS, epc);
    if (!look_up_piece(tables, BGR_TABLE_MEAN, index, n, tables->info.n_rolls, epc))
        return 0;
    for (int k = 0; k < n; k++)
        epc[k] *= BGR_MEAN_PIPS;
    return 1;
}

int bgr_tables_rolls_piece(const bgr_tables *tables, const int64_t *index, int n, double *mean_rolls,
                           double *variance_rolls)
{
    double most = tables->info.n_rolls;
    return look_up_piece(tables, BGR_TABLE_MEAN, index, n, most, mean_rolls) &&
           look_up_piece(tables, BGR_TABLE_VARIANCE, index, n, most * most, variance_rolls);
}

/* The highest bit is set if one of n float64 numbers is not in 0 .. 1.  Compared as in look_up_piece, without branches,
 * since this takes as long as the loads. */
static inline uint64_t beyond_one_of(const unsigned char *p, size_t n)
{
    const uint64_t one = 0x3FF0000000000000U;
    uint64_t wrong = 0;
    for (size_t k = 0; k < n; k++) {
        uint64_t bits = get_u64(p + 8 * k);
        wrong |= (one - bits) | bits;
    }
    return wrong;
}

/* Find a row in float64, in the file or in a buffer of 8 * BGR_MAX_WIDTH bytes, and check that its values are chances.
 */
static bgr_status find_dense(const bgr_tables *tables, const bgr_table *table, uint64_t number, unsigned char *buffer,
                             const unsigned char **p)
{
    size_t width = (size_t)table->shape[1];
    BGR_TRY(fetch(tables, table->offset + 8 * number * width, 8 * width, buffer, p));
    return beyond_one_of(*p, width) >> 63 ? BGR_ERR_DAMAGED : BGR_OK;
}

/* Get a row in float64. */
static bgr_status dense_row(const bgr_tables *tables, const bgr_table *table, uint64_t number, bgr_row *row)
{
    unsigned char buffer[8 * BGR_MAX_WIDTH];
    const unsigned char *p;
    BGR_TRY(find_dense(tables, table, number, buffer, &p));
    row->width = (int)table->shape[1];
    get_f64s(p, row->width, row->chance);
    return BGR_OK;
}

/* Get a row in 16 bits, which begins with the first chance that is not 0. */
static bgr_status row_of_16_bits(const bgr_tables *tables, const bgr_table *table, uint64_t number, bgr_row *row)
{
    unsigned char buffer[2 * BGR_MAX_WIDTH];
    const unsigned char *p;
    const bgr_table *first_roll = table - 1;
    BGR_TRY(fetch(tables, first_roll->offset + number, 1, buffer, &p));
    int first = *p, length = (int)table->shape[1];
    BGR_TRY(fetch(tables, table->offset + 2 * number * (uint64_t)length, 2 * (size_t)length, buffer, &p));
    while (length > 0 && p[2 * length - 1] == 0 && p[2 * length - 2] == 0)
        length--;
    if (first + length < 1 || first + length > BGR_MAX_WIDTH)
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
    return tables->in_16_bits ? row_of_16_bits(tables, &tables->table[kind + 2], number, row)
                              : dense_row(tables, &tables->table[kind], number, row);
}

bgr_status bgr_tables_distribution(const bgr_tables *tables, int64_t index, bgr_row *row)
{
    return find_row(tables, BGR_TABLE_DISTRIBUTION, (uint64_t)index, row);
}

bgr_status bgr_row_copy(const bgr_row *row, int width, double *distribution)
{
    if (width < 1)
        return BGR_ERR_SIZE;
    for (int k = width; k < row->width; k++)
        if (row->chance[k] != 0)
            return BGR_ERR_SIZE;
    int common = width < row->width ? width : row->width;
    memcpy(distribution, row->chance, (size_t)common * sizeof *distribution);
    for (int k = common; k < width; k++)
        distribution[k] = 0;
    return BGR_OK;
}

bgr_status bgr_tables_copy_distribution(const bgr_tables *tables, int64_t index, int width, double *distribution)
{
    const bgr_table *table = &tables->table[BGR_TABLE_DISTRIBUTION];
    int have = (int)table->shape[1];
    if (tables->in_16_bits || have > width) {
        bgr_row row;
        BGR_TRY(bgr_tables_distribution(tables, index, &row));
        return bgr_row_copy(&row, width, distribution);
    }
    /* The usual case, without a copy to a row. */
    unsigned char buffer[8 * BGR_MAX_WIDTH];
    const unsigned char *p;
    BGR_TRY(find_dense(tables, table, (uint64_t)index, buffer, &p));
    get_f64s(p, have, distribution);
    for (int k = have; k < width; k++)
        distribution[k] = 0;
    return BGR_OK;
}

int bgr_tables_distribution_piece(const bgr_tables *tables, const int64_t *index, int n, int width,
                                  double *distribution)
{
    const bgr_table *table = &tables->table[BGR_TABLE_DISTRIBUTION];
    size_t have = (size_t)table->shape[1], room = width < 0 ? 0 : (size_t)width;
    const unsigned char *rows = tables->file.bytes + table->offset;
    if (tables->in_16_bits || have > room)
        return 0;
    enum { AHEAD = 16 }; /* rows to prefetch while others are checked and copied */
    for (int k = -AHEAD; k < n; k++) {
        if (k + AHEAD < n)
            bgr_expect(rows + 8 * have * (size_t)index[k + AHEAD], 8 * have);
        if (k < 0)
            continue;
        const unsigned char *p = rows + 8 * have * (size_t)index[k];
        if (beyond_one_of(p, have) >> 63)
            return 0;
        get_f64s(p, (int)have, distribution + (size_t)k * room);
        for (size_t j = have; j < room; j++)
            distribution[(size_t)k * room + j] = 0;
    }
    return 1;
}

bgr_status bgr_tables_first_checker(const bgr_tables *tables, int64_t index, bgr_row *row)
{
    const bgr_table *table = &tables->table[BGR_TABLE_CHECKER_DISTRIBUTION];
    uint64_t n_rows = (table + 2 * tables->in_16_bits)->shape[0], n_fewer = (uint64_t)tables->space.size - n_rows;
    if (n_rows == 0)
        return BGR_ERR_COVERAGE;
    if ((uint64_t)index >= n_fewer)
        return find_row(tables, BGR_TABLE_CHECKER_DISTRIBUTION, (uint64_t)index - n_fewer, row);
    row->width = tables->in_16_bits ? 1 : (int)table->shape[1]; /* the first of 15 is already off */
    for (int k = 0; k < row->width; k++)
        row->chance[k] = k == 0;
    return BGR_OK;
}

/* One of the four values of a pair in the file, in steps. */
static inline int steps_of(uint64_t values, int plane)
{
    int bits = (int)(values >> 16 * plane & 0xFFFF);
    return (bits ^ 0x8000) - 0x8000; /* the sign */
}

/* Whether a number of steps is farther from 0 than `most`. */
static inline int too_far(int steps, int most) { return (unsigned)(steps + most) > 2 * (unsigned)most; }

/* Find the place of a position with all checkers, by its column, in a row of the table of pairs that follows a table of
 * starts; -1 if the row does not have it. */
static bgr_status find_listed(const bgr_tables *tables, int starts, int64_t row, int64_t full, int64_t *place)
{
    unsigned char buffer[16];
    const unsigned char *p;
    *place = -1;
    if (full < tables->n_fewer)
        return BGR_OK;
    uint64_t at = tables->table[BGR_TABLE_COLUMNS].offset + 4 * (uint64_t)(full - tables->n_fewer);
    BGR_TRY(fetch(tables, at, 4, buffer, &p));
    uint64_t column = get_u32(p);
    at = tables->table[starts].offset + 8 * (uint64_t)tables->rank[row];
    BGR_TRY(fetch(tables, at, 16, buffer, &p));
    uint64_t first = get_u64(p), past = get_u64(p + 8);
    if (first > past || past > tables->table[starts + 1].shape[0])
        return BGR_ERR_DAMAGED;
    if (column < past - first)
        *place = (int64_t)(first + column);
    return BGR_OK;
}

/* Values of a pair in steps if gammons count once: cubeless, and with a centered cube. */
typedef struct {
    int cubeless, centered;
} single_values;

static inline int clamp(int steps, int most) { return steps > most ? most : steps < -most ? -most : steps; }

/* Whether a gammon may count in a pair. */
static inline int has_gammons(const bgr_tables *tables, const bgr_pair *pair)
{
    return tables->info.gammons && (pair->on_roll >= tables->n_fewer || pair->opponent >= tables->n_fewer);
}

/* Find the values of such a pair if gammons count once. */
static bgr_status count_once(const bgr_tables *tables, const bgr_pair *pair, single_values *values)
{
    unsigned char buffer[2 * BGR_N_SINGLE];
    int64_t place;
    const bgr_table *rows = &tables->table[BGR_TABLE_WINNING];
    const unsigned char *p;
    BGR_TRY(find_listed(tables, BGR_TABLE_WINNING_STARTS, pair->on_roll, pair->opponent, &place));
    if (place < 0) {
        rows = &tables->table[BGR_TABLE_LOSING];
        BGR_TRY(find_listed(tables, BGR_TABLE_LOSING_STARTS, pair->opponent, pair->on_roll, &place));
    }
    if (place < 0) { /* not listed: a finished game is worth 2, and other gammons less than a step */
        values->cubeless = clamp(values->cubeless, tables->steps.unit);
        values->centered = clamp(values->centered, tables->steps.unit);
        return BGR_OK;
    }
    BGR_TRY(fetch(tables, rows->offset + sizeof buffer * (uint64_t)place, sizeof buffer, buffer, &p));
    values->cubeless = steps_of(get_u32(p), BGR_SINGLE_CUBELESS);
    values->centered = steps_of(get_u32(p), BGR_SINGLE_CENTERED);
    return too_far(values->cubeless, tables->steps.unit) | too_far(values->centered, tables->steps.unit)
               ? BGR_ERR_DAMAGED
               : BGR_OK;
}

/* Set the values under the Jacoby rule for a pair in which a gammon may count. */
BGR_RARE static bgr_status set_jacoby(const bgr_tables *tables, const bgr_pair *pair, uint64_t values,
                                      bgr_equities *equities)
{
    single_values once = {steps_of(values, BGR_CUBELESS), steps_of(values, BGR_CENTERED)};
    if (tables->approximate.n_planes) { /* it has no such values */
        equities->jacoby = equities->jacoby_roll = NAN;
        return BGR_OK;
    }
    BGR_TRY(count_once(tables, pair, &once));
    equities->jacoby_roll = once.centered * tables->steps.size;
    equities->jacoby = bgr_with_double(equities->jacoby_roll, 2 * equities->theirs, 1);
    return BGR_OK;
}

/* Decode the four values of a pair; gammons count twice with the Jacoby rule, too.  No branch depends on them: a
 * misprediction waits for memory, and discards work on the next probes. */
static inline bgr_status decode(const bgr_tables *tables, uint64_t values, bgr_equities *equities)
{
    int cubeless = steps_of(values, BGR_CUBELESS), mine = steps_of(values, BGR_MINE), most = tables->steps.most;
    int centered = steps_of(values, BGR_CENTERED), theirs = steps_of(values, BGR_THEIRS);
    if (too_far(cubeless, most) | too_far(mine, most) | too_far(centered, most) | too_far(theirs, most))
        return BGR_ERR_DAMAGED;
    double step = tables->steps.size, taken = 2 * (theirs * step);
    equities->cubeless = cubeless * step;
    equities->theirs = theirs * step;
    equities->centered_roll = equities->jacoby_roll = centered * step;
    equities->mine_roll = mine * step;
    equities->centered = equities->jacoby = bgr_with_double(centered * step, taken, 1);
    equities->mine = bgr_with_double(mine * step, taken, 1);
    return BGR_OK;
}

bgr_status bgr_tables_decode(const bgr_tables *tables, const bgr_pair *pair, uint64_t values, bgr_equities *equities)
{
    BGR_TRY(decode(tables, values, equities));
    if (has_gammons(tables, pair))
        BGR_TRY(set_jacoby(tables, pair, values, equities));
    return BGR_OK;
}

/* Whether the table has a pair of indices; these may be any numbers. */
static inline int covers(const bgr_tables *tables, int64_t on_roll, int64_t opponent)
{
    uint64_t n_pairs = (uint64_t)tables->n_pairs;
    return (uint64_t)on_roll < n_pairs && (uint64_t)opponent < n_pairs;
}

/* Request the listed values of a pair in which a gammon may count: in round 0 the starts of rows, in round 1 the
 * values. */
static bgr_status want_listed(const bgr_tables *tables, const bgr_pair *pair, int round, bgr_wanted *wanted)
{
    const int starts[2] = {BGR_TABLE_WINNING_STARTS, BGR_TABLE_LOSING_STARTS};
    for (int k = 0; k < 2; k++) {
        int64_t row = k ? pair->opponent : pair->on_roll, full = k ? pair->on_roll : pair->opponent, place;
        if (full < tables->n_fewer)
            continue;
        if (round == 0) {
            uint64_t column = 4 * (uint64_t)(full - tables->n_fewer), rank = 8 * (uint64_t)tables->rank[row];
            bgr_want(wanted, tables->table[BGR_TABLE_COLUMNS].offset + column, 4);
            bgr_want(wanted, tables->table[starts[k]].offset + rank, 16);
            continue;
        }
        BGR_TRY(find_listed(tables, starts[k], row, full, &place));
        if (place >= 0) {
            bgr_want(wanted, tables->table[starts[k] + 1].offset + 2 * BGR_N_SINGLE * (uint64_t)place,
                     2 * BGR_N_SINGLE);
            return BGR_OK;
        }
    }
    return BGR_OK;
}

BGR_RARE bgr_status bgr_tables_fetch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n)
{
    enum { AT_ONCE = 64 };
    for (int first = 0; first < n; first += AT_ONCE)
        for (int round = 0; round < 2; round++) {
            bgr_wanted wanted = {.ranges = tables->file.ranges};
            for (int k = first; k < n && k < first + AT_ONCE; k++) {
                if (!covers(tables, on_roll[k], opponent[k]) || (on_roll[k] | opponent[k]) == 0)
                    continue;
                bgr_pair pair = bgr_tables_pair(tables, on_roll[k], opponent[k]);
                if (round == 0)
                    bgr_packed_want(tables, pair.place, &wanted);
                else
                    BGR_TRY(bgr_packed_want_block(tables, pair.place, &wanted));
                if (has_gammons(tables, &pair))
                    BGR_TRY(want_listed(tables, &pair, round, &wanted));
            }
            BGR_TRY(bgr_fetch_wanted(&wanted));
        }
    return BGR_OK;
}

/* Get the values at a pair's place in a file that is packed or not in memory.  win: 1 if only cubeless is needed. */
BGR_RARE static bgr_status stored_values(const bgr_tables *tables, uint64_t place, int win, uint64_t *values)
{
    unsigned char buffer[8];
    if (tables->approximate.n_planes)
        return bgr_approximate_values(tables, place, win, values);
    if (tables->packing.n_factors)
        return bgr_packed_values(tables, place, win ? 1 : BGR_N_PLANES, values);
    BGR_TRY(bgr_file_read(&tables->file, place, sizeof buffer, buffer));
    *values = get_u64(buffer);
    return BGR_OK;
}

BGR_RARE static bgr_status read_equities(const bgr_tables *tables, const bgr_pair *pair, bgr_equities *equities)
{
    uint64_t values;
    if (tables->file.ranges)
        BGR_TRY(bgr_tables_fetch(tables, &pair->on_roll, &pair->opponent, 1));
    BGR_TRY(stored_values(tables, pair->place, 0, &values));
    return bgr_tables_decode(tables, pair, values, equities);
}

bgr_status bgr_tables_equities(const bgr_tables *tables, const bgr_pair *pair, bgr_equities *equities)
{
    if (!bgr_tables_in_place(tables))
        return read_equities(tables, pair, equities);
    return bgr_tables_decode(tables, pair, get_u64(tables->file.bytes + pair->place), equities);
}

/* Get the stored values of up to BGR_PIECE pairs, up to the first that cannot be read; undefined for pairs that the
 * table does not have. */
static bgr_status find_piece(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n, int win,
                             uint64_t *values, int *n_found)
{
    bgr_status status = BGR_OK;
    uint64_t place[BGR_PIECE];
    int k = 0;
    for (int i = 0; i < n; i++)
        place[i] = covers(tables, on_roll[i], opponent[i]) ? bgr_tables_pair(tables, on_roll[i], opponent[i]).place : 0;
    if (bgr_tables_in_place(tables))
        for (; k < n; k++)
            values[k] = get_u64(tables->file.bytes + place[k]);
    if (tables->file.ranges)
        status = bgr_tables_fetch(tables, on_roll, opponent, n);
    for (; k < n && status == BGR_OK; k++) {
        int later = k + 2 * BGR_PACKED_AHEAD, soon = k + BGR_PACKED_AHEAD;
        values[k] = 0;
        if (tables->packing.n_factors && later < n)
            bgr_packed_expect(tables, place[later], win ? 1 : BGR_N_PLANES);
        if (tables->packing.n_factors && soon < n)
            bgr_packed_expect_block(tables, place[soon]);
        if (!place[k]) /* not a pair, or both have finished */
            continue;
        status = stored_values(tables, place[k], win, &values[k]);
        if (status != BGR_OK)
            break;
    }
    *n_found = k;
    return status;
}

static inline void put(const bgr_columns *columns, int64_t i, const bgr_equities *e)
{
    if (columns->cubeless)
        columns->cubeless[i] = e->cubeless;
    if (columns->centered && columns->doubling)
        columns->centered[i] = columns->jacoby ? e->jacoby : e->centered;
    if (columns->centered && !columns->doubling)
        columns->centered[i] = columns->jacoby ? e->jacoby_roll : e->centered_roll;
    if (columns->mine)
        columns->mine[i] = columns->doubling ? e->mine : e->mine_roll;
    if (columns->theirs)
        columns->theirs[i] = e->theirs;
}

bgr_status bgr_tables_decode_win(const bgr_tables *tables, const bgr_pair *pair, uint64_t values,
                                 double *win_probability)
{
    single_values once = {steps_of(values, BGR_CUBELESS), 0};
    int gammons = has_gammons(tables, pair) && !tables->approximate.n_planes;
    if (too_far(once.cubeless, gammons ? tables->steps.most : tables->steps.unit))
        return BGR_ERR_DAMAGED;
    if (gammons)
        BGR_TRY(count_once(tables, pair, &once));
    *win_probability = (1 + once.cubeless * tables->steps.size) / 2;
    return BGR_OK;
}

int bgr_tables_equities_piece(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n,
                              bgr_equities *equities)
{
    uint64_t values[BGR_PIECE];
    int wrong = 0;
    for (int k = 0; k < n; k++)
        values[k] = get_u64(tables->file.bytes + bgr_tables_pair(tables, on_roll[k], opponent[k]).place);
    for (int k = 0; k < n; k++) {
        bgr_pair pair = {on_roll[k], opponent[k], 0};
        wrong |= (int)decode(tables, values[k], equities + k);
        if (has_gammons(tables, &pair) && !wrong)
            wrong |= (int)set_jacoby(tables, &pair, values[k], equities + k);
    }
    return !wrong;
}

int bgr_tables_win_piece(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n,
                         double *win_probability)
{
    uint64_t values[BGR_PIECE];
    int wrong = 0;
    for (int k = 0; k < n; k++)
        values[k] = get_u64(tables->file.bytes + bgr_tables_pair(tables, on_roll[k], opponent[k]).place);
    for (int k = 0; k < n; k++) {
        int steps = steps_of(values[k], BGR_CUBELESS);
        wrong |= too_far(steps, tables->steps.unit);
        win_probability[k] = (1 + steps * tables->steps.size) / 2;
    }
    return !wrong;
}

bgr_status bgr_tables_win(const bgr_tables *tables, int64_t on_roll, int64_t opponent, double *win_probability)
{
    uint64_t values;
    if (!covers(tables, on_roll, opponent))
        return BGR_ERR_COVERAGE;
    bgr_pair pair = bgr_tables_pair(tables, on_roll, opponent);
    if (tables->file.ranges)
        BGR_TRY(bgr_tables_fetch(tables, &on_roll, &opponent, 1));
    if (bgr_tables_in_place(tables))
        values = get_u64(tables->file.bytes + pair.place);
    else
        BGR_TRY(stored_values(tables, pair.place, 1, &values));
    return bgr_tables_decode_win(tables, &pair, values, win_probability);
}

static double race_win(const bgr_row *on_roll, const bgr_row *opponent)
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

bgr_status bgr_race_win(const bgr_tables *tables, int64_t on_roll, const bgr_tables *others, int64_t opponent,
                        double *win_probability)
{
    bgr_row mine, theirs;
    if (tables->approximate.n_planes) /* it has no distributions */
        return BGR_ERR_COVERAGE;
    BGR_TRY(bgr_tables_distribution(tables, on_roll, &mine));
    BGR_TRY(bgr_tables_distribution(others, opponent, &theirs));
    *win_probability = race_win(&mine, &theirs);
    return BGR_OK;
}

bgr_status bgr_tables_win_probability(const bgr_tables *tables, int64_t on_roll, int64_t opponent,
                                      double *win_probability)
{
    return covers(tables, on_roll, opponent) ? bgr_tables_win(tables, on_roll, opponent, win_probability)
                                             : bgr_race_win(tables, on_roll, tables, opponent, win_probability);
}

/* Answer one pair of a batch: the chance, if there is a column for it, else the values. */
static inline bgr_status answer_pair_at(const bgr_tables *tables, bgr_pair pair, uint64_t values,
                                        const bgr_columns *columns, double *win_probability, int64_t i)
{
    uint64_t size = (uint64_t)tables->space.size;
    int covered = covers(tables, pair.on_roll, pair.opponent);
    bgr_equities equities;
    if (win_probability && ((uint64_t)pair.on_roll >= size || (uint64_t)pair.opponent >= size))
        return BGR_ERR_INDEX;
    if (!win_probability && !covered)
        return BGR_ERR_COVERAGE;
    if ((pair.on_roll | pair.opponent) == 0)
        return BGR_ERR_POSITION;
    if (win_probability)
        return covered ? bgr_tables_decode_win(tables, &pair, values, &win_probability[i])
                       : bgr_race_win(tables, pair.on_roll, tables, pair.opponent, &win_probability[i]);
    BGR_TRY(decode(tables, values, &equities));
    if (columns->jacoby && columns->centered && has_gammons(tables, &pair))
        BGR_TRY(set_jacoby(tables, &pair, values, &equities));
    put(columns, i, &equities);
    return BGR_OK;
}

/* Answer a piece of chances all at once; returns 0 if that is not possible. */
static int win_at_once(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n,
                       double *win_probability)
{
    int apart = tables->info.gammons || !bgr_tables_in_place(tables);
    for (int k = 0; k < n; k++)
        apart |= !covers(tables, on_roll[k], opponent[k]) | ((on_roll[k] | opponent[k]) == 0);
    return !apart && bgr_tables_win_piece(tables, on_roll, opponent, n, win_probability);
}

static inline bgr_status answer_batch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent,
                                      int64_t n, const bgr_columns *columns, double *win_probability, int64_t *n_done)
{
    for (int64_t i = *n_done = 0; i < n;) {
        uint64_t values[BGR_PIECE];
        int n_found, length = n - i < BGR_PIECE ? (int)(n - i) : BGR_PIECE;
        if (win_probability && win_at_once(tables, on_roll + i, opponent + i, length, win_probability + i)) {
            *n_done = i += length;
            continue;
        }
        bgr_status status =
            find_piece(tables, on_roll + i, opponent + i, length, win_probability != NULL, values, &n_found);
        for (int k = 0; k < n_found; k++, i++, ++*n_done)
            BGR_TRY(
                answer_pair_at(tables, (bgr_pair){on_roll[i], opponent[i], 0}, values[k], columns, win_probability, i));
        BGR_TRY(status);
    }
    return BGR_OK;
}

bgr_status bgr_tables_equities_batch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent,
                                     int64_t n, const bgr_columns *columns, int64_t *n_done)
{
    return answer_batch(tables, on_roll, opponent, n, columns, NULL, n_done);
}

bgr_status bgr_tables_win_probability_batch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent,
                                            int64_t n, double *win_probability, int64_t *n_done)
{
    return answer_batch(tables, on_roll, opponent, n, NULL, win_probability, n_done);
}
