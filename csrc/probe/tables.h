/* Answers by index from one database file. */
#pragma once

#include "probe/directory.h"

/* In front of a function: keep it out of the way.  A probe waits for memory, and the fewer instructions it has, the
 * more of the next ones the processor begins meanwhile; what is rare must not cost any. */
#ifdef __GNUC__
#define BGR_RARE __attribute__((noinline, cold))
#else
#define BGR_RARE
#endif

/* Answers by index, which must be one of the space; pairs below n_pairs.  BGR_ERR_READ, BGR_ERR_CHANGED,
 * BGR_ERR_DAMAGED. */
bgr_status bgr_tables_epc(const bgr_tables *tables, int64_t index, double *epc);
bgr_status bgr_tables_rolls(const bgr_tables *tables, int64_t index, double *mean_rolls, double *variance_rolls);

/* A row of a distribution: of all checkers, or of the first of 15. */
typedef struct bgr_row {
    int width;                    /* what the file has */
    double chance[BGR_MAX_WIDTH]; /* set below width */
} bgr_row;

bgr_status bgr_tables_distribution(const bgr_tables *tables, int64_t index, bgr_row *row);

/* Hand out a row, filled up with zeros; BGR_ERR_SIZE if it is longer. */
bgr_status bgr_row_copy(const bgr_row *row, int width, double *distribution);

/* The two in one. */
bgr_status bgr_tables_copy_distribution(const bgr_tables *tables, int64_t index, int width, double *distribution);

/* BGR_ERR_COVERAGE if the file has no such table. */
bgr_status bgr_tables_first_checker(const bgr_tables *tables, int64_t index, bgr_row *row);

/* A pair of indices, below n_pairs and not both 0, and its place in the file. */
typedef struct bgr_pair {
    int64_t on_roll, opponent;
    uint64_t place;
} bgr_pair;

static inline bgr_pair bgr_tables_pair(const bgr_tables *tables, int64_t on_roll, int64_t opponent)
{
    uint64_t row = (uint64_t)tables->rank[on_roll], column = (uint64_t)tables->rank[opponent];
    uint64_t place = tables->table[BGR_TABLE_EQUITIES].offset + 8 * (row * (uint64_t)tables->n_pairs + column);
    return (bgr_pair){on_roll, opponent, place};
}

/* Whether the eight bytes at a pair's place in the file, which is in memory, are its values: a packed or approximate
 * file has no such bytes, only a place that numbers the pair. */
static inline int bgr_tables_in_place(const bgr_tables *tables)
{
    return tables->file.bytes != NULL && !(tables->packing.n_factors | tables->approximate.n_planes);
}

/* Of a file that is read by ranges, fetch whatever some pairs need, in two goes for 64 of them rather than many. */
bgr_status bgr_tables_fetch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n);

bgr_status bgr_tables_equities(const bgr_tables *tables, const bgr_pair *pair, bgr_equities *equities);

/* A batch goes piece by piece: some pairs are found, then read, then turned into equities.  Reading is a loop of
 * nothing but loads, which lets the processor wait for many of them at once; prefetches it may ignore, if they are of
 * pages that are new to it. */
enum { BGR_PIECE = 256 };

/* bgr_tables_equities, where the eight bytes at the pair's place have been read. */
bgr_status bgr_tables_decode(const bgr_tables *tables, const bgr_pair *pair, uint64_t values, bgr_equities *equities);

/* The same of the chance to win. */
bgr_status bgr_tables_decode_win(const bgr_tables *tables, const bgr_pair *pair, uint64_t values,
                                 double *win_probability);

/* Pieces that are answered all at once: no check of one depends on a branch, nor do the loads of one on the answer to
 * another.  Tables in place (see above), and for the last without gammons; indices in the tables, pairs not both 0; at
 * most BGR_PIECE of them.  0 if anything was damaged: what is written then means nothing, and answers are to be had one
 * by one. */
int bgr_tables_epc_piece(const bgr_tables *tables, const int64_t *index, int n, double *epc);
int bgr_tables_rolls_piece(const bgr_tables *tables, const int64_t *index, int n, double *mean_rolls,
                           double *variance_rolls);
int bgr_tables_distribution_piece(const bgr_tables *tables, const int64_t *index, int n, int width,
                                  double *distribution);
int bgr_tables_equities_piece(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n,
                              bgr_equities *equities);
int bgr_tables_win_piece(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n,
                         double *win_probability);

/* Which values of pairs are wanted, each in an array of its own, n long, or NULL.  With `doubling`, centered and mine
 * include the right to double before this roll; with `jacoby`, gammons count once in centered. */
typedef struct bgr_columns {
    int doubling, jacoby;
    double *cubeless, *centered, *mine, *theirs; /* [out] */
} bgr_columns;

/* Values of n pairs of indices.  *n_done counts the ones before the first that has no answer, whose status is returned.
 * BGR_ERR_COVERAGE if an index is not below n_pairs, BGR_ERR_POSITION if both are 0. */
bgr_status bgr_tables_equities_batch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent,
                                     int64_t n, const bgr_columns *columns, int64_t *n_done);

/* Chance to win from the distributions of rolls of two positions, each in tables of its own.  Ross, Benjamin and
 * Munson, section 2: the sum over k of P(on roll needs k) P(opponent needs at least k).  Not both finished. */
bgr_status bgr_race_win(const bgr_tables *tables, int64_t on_roll, const bgr_tables *others, int64_t opponent,
                        double *win_probability);

/* Chance to win by the table of pairs; BGR_ERR_COVERAGE if it has not got the pair. */
bgr_status bgr_tables_win(const bgr_tables *tables, int64_t on_roll, int64_t opponent, double *win_probability);

/* The same, from the distributions where it has not. */
bgr_status bgr_tables_win_probability(const bgr_tables *tables, int64_t on_roll, int64_t opponent,
                                      double *win_probability);

/* Chances of n pairs of indices.  *n_done and the status as above; BGR_ERR_INDEX beyond the space, BGR_ERR_POSITION. */
bgr_status bgr_tables_win_probability_batch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent,
                                            int64_t n, double *win_probability, int64_t *n_done);
