/* Answers by index from one database file. */
#pragma once

#include "probe/directory.h"

/* For rare cases: do not inline.  A probe waits for memory; the fewer instructions it has, the more of the next probes
 * the processor begins meanwhile. */
#ifdef __GNUC__
#define BGR_RARE __attribute__((noinline, cold))
#else
#define BGR_RARE
#endif

/* Answer by index, which must be in the space, or for pairs below n_pairs.  BGR_ERR_READ, BGR_ERR_CHANGED,
 * BGR_ERR_DAMAGED. */
bgr_status bgr_tables_epc(const bgr_tables *tables, int64_t index, double *epc);
bgr_status bgr_tables_rolls(const bgr_tables *tables, int64_t index, double *mean_rolls, double *variance_rolls);

/* A row of a distribution: of all checkers, or of the first of 15. */
typedef struct bgr_row {
    int width;                    /* width in the file */
    double chance[BGR_MAX_WIDTH]; /* set below width */
} bgr_row;

bgr_status bgr_tables_distribution(const bgr_tables *tables, int64_t index, bgr_row *row);

/* Copy a row, filled up with zeros; BGR_ERR_SIZE if it is longer than width. */
bgr_status bgr_row_copy(const bgr_row *row, int width, double *distribution);

/* Look up and copy a distribution. */
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

/* Whether the file is in memory and has the values of a pair in the eight bytes at its place; in a packed or
 * approximate file a place is only a number. */
static inline int bgr_tables_in_place(const bgr_tables *tables)
{
    return tables->file.bytes != NULL && !(tables->packing.n_factors | tables->approximate.n_planes);
}

/* Fetch all that some pairs need of a file that is read by ranges, in two calls for 64 pairs. */
bgr_status bgr_tables_fetch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n);

bgr_status bgr_tables_equities(const bgr_tables *tables, const bgr_pair *pair, bgr_equities *equities);

/* Batches are answered in pieces: pairs are located, then loaded, then decoded.  A loop of loads alone lets the
 * processor wait for many at once; prefetches may be ignored for pages that are not in the TLB. */
enum { BGR_PIECE = 256 };

/* Decode equities from the eight bytes at the pair's place. */
bgr_status bgr_tables_decode(const bgr_tables *tables, const bgr_pair *pair, uint64_t values, bgr_equities *equities);

/* Decode the chance to win. */
bgr_status bgr_tables_decode_win(const bgr_tables *tables, const bgr_pair *pair, uint64_t values,
                                 double *win_probability);

/* Answer a piece all at once, without branches for checks or dependences between loads.  For tables in place (see
 * above), the last function without gammons; at most BGR_PIECE indices, all in the tables, pairs not both 0.  Returns 0
 * if a value was damaged: results are then undefined, and the piece must be answered one by one. */
int bgr_tables_epc_piece(const bgr_tables *tables, const int64_t *index, int n, double *epc);
int bgr_tables_rolls_piece(const bgr_tables *tables, const int64_t *index, int n, double *mean_rolls,
                           double *variance_rolls);
int bgr_tables_distribution_piece(const bgr_tables *tables, const int64_t *index, int n, int width,
                                  double *distribution);
int bgr_tables_equities_piece(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n,
                              bgr_equities *equities);
int bgr_tables_win_piece(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent, int n,
                         double *win_probability);

/* Output arrays of values of pairs, n each; NULL: not needed.  With `doubling`, centered and mine include the right to
 * double before this roll; with `jacoby`, gammons count once in centered. */
typedef struct bgr_columns {
    int doubling, jacoby;
    double *cubeless, *centered, *mine, *theirs; /* [out] */
} bgr_columns;

/* Get the values of n pairs of indices.  Returns the status of the first without an answer; *n_done: number of pairs
 * before it.  BGR_ERR_COVERAGE if an index is not below n_pairs, BGR_ERR_POSITION if both are 0. */
bgr_status bgr_tables_equities_batch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent,
                                     int64_t n, const bgr_columns *columns, int64_t *n_done);

/* Find the chance to win from the distributions of rolls of two positions, each in its own tables.  Ross, Benjamin and
 * Munson, section 2: the sum over k of P(on roll needs k) P(opponent needs at least k).  Not both finished. */
bgr_status bgr_race_win(const bgr_tables *tables, int64_t on_roll, const bgr_tables *others, int64_t opponent,
                        double *win_probability);

/* Get the chance to win from the table of pairs; BGR_ERR_COVERAGE if it does not have the pair. */
bgr_status bgr_tables_win(const bgr_tables *tables, int64_t on_roll, int64_t opponent, double *win_probability);

/* The same, or from the distributions if the table does not have the pair. */
bgr_status bgr_tables_win_probability(const bgr_tables *tables, int64_t on_roll, int64_t opponent,
                                      double *win_probability);

/* Get the chances of n pairs of indices, with *n_done and the status as above; BGR_ERR_INDEX beyond the space,
 * BGR_ERR_POSITION. */
bgr_status bgr_tables_win_probability_batch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent,
                                            int64_t n, double *win_probability, int64_t *n_done);
