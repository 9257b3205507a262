/* What the files of the probe share: bytes of a file, checksums, and the tables of one file.  Never installed. */
#ifndef BGR_DATABASE_H
#define BGR_DATABASE_H

#include "bgrace.h"

#include <string.h>

/* In front of a function: keep it out of the way.  A probe waits for memory, and the fewer instructions it has, the
 * more of the next ones the processor begins meanwhile; what is rare must not cost any. */
#ifdef __GNUC__
#define BGR_RARE __attribute__((noinline, cold))
#else
#define BGR_RARE
#endif

/* ------------------------------------------------------------------ numbers as files have them: little-endian,
 * anywhere
 *
 * Put together from bytes, of which compilers make one load. */

static inline uint32_t get_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t get_u64(const unsigned char *p) { return (uint64_t)get_u32(p) | (uint64_t)get_u32(p + 4) << 32; }

static inline double get_f64(const unsigned char *p)
{
    uint64_t bits = get_u64(p);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ------------------------------------------------------------------ file.c: the one that talks to the system */

/* A file open for reading, or bytes in memory. */
typedef struct bgr_file {
    const unsigned char *bytes; /* all of the file; NULL if it is to be read */
    uint64_t size;
    int64_t changed[2]; /* time of the last change when it was opened */
    intptr_t handle;    /* file descriptor or HANDLE; -1 for bytes in memory */
    int mapped;         /* `bytes` is a mapping of ours, to be undone */
    int loaded;         /* `bytes` is a copy of ours, to be freed */
} bgr_file;

/* BGR_ERR_OPEN. */
bgr_status bgr_file_open(const char *path, bgr_file *file);

/* Map an open file; without effect where that is not possible. */
void bgr_file_map(bgr_file *file);

/* Copy the file into memory, and let go of it.  BGR_ERR_MEMORY, BGR_ERR_READ, BGR_ERR_CHANGED. */
bgr_status bgr_file_load(bgr_file *file);

/* Copy n bytes that lie within the file; BGR_ERR_READ, BGR_ERR_CHANGED. */
bgr_status bgr_file_read(const bgr_file *file, uint64_t offset, size_t n, void *out);

/* BGR_ERR_CHANGED, BGR_ERR_READ. */
bgr_status bgr_file_unchanged(const bgr_file *file);

void bgr_file_close(bgr_file *file);

/* ------------------------------------------------------------------ crc32.c */

/* The CRC-32 of zlib, eight bytes at a time. */
typedef struct bgr_crc32 {
    uint32_t table[8][256];
    uint32_t value; /* of all bytes so far */
} bgr_crc32;

void bgr_crc32_init(bgr_crc32 *crc);
void bgr_crc32_add(bgr_crc32 *crc, const unsigned char *bytes, size_t n);

/* ------------------------------------------------------------------ directory.c: one database file */

enum { BGR_DIRECTORY_SIZE = 4096 };

enum {
    BGR_TABLE_EPC,
    BGR_TABLE_MEAN,
    BGR_TABLE_VARIANCE,
    BGR_TABLE_DISTRIBUTION,
    BGR_TABLE_FIRST_ROLL, /* this and the next in place of the last one, on more than six points */
    BGR_TABLE_CHANCES,
    BGR_TABLE_CHECKER_DISTRIBUTION,
    BGR_TABLE_CHECKER_FIRST_ROLL,
    BGR_TABLE_CHECKER_CHANCES,
    BGR_TABLE_ORDER,
    BGR_TABLE_EQUITIES,
    BGR_TABLE_COLUMNS,
    BGR_TABLE_WINNING_STARTS, /* each in front of its values */
    BGR_TABLE_WINNING,
    BGR_TABLE_LOSING_STARTS,
    BGR_TABLE_LOSING,
    BGR_N_TABLES
};

/* Where a table lies; all 0 if the file has none. */
typedef struct bgr_table {
    int there;
    uint64_t shape[3];
    uint64_t offset;
    uint64_t n_bytes;
    double scale;
    uint32_t crc32;
} bgr_table;

typedef struct bgr_tables {
    bgr_file file;
    bgr_info info;
    bgr_space space;
    uint32_t couple[4][256]; /* up to eight points: what points 2 k and 2 k + 1 add to the index, by their two sums */
    bgr_table table[BGR_N_TABLES];
    uint32_t metadata_crc32;
    int packed;      /* distributions are in 16 bits */
    int64_t n_pairs; /* positions of the two-sided table; 0 if there is none */
    int64_t n_fewer; /* positions with fewer than 15 checkers; they come first */
    int32_t *rank;   /* n_pairs: index -> rank */
    double step;     /* of equities */
    int most_steps;  /* no value is farther from 0, */
    int unit_steps;  /* nor, if gammons count once, than this: one unit */
} bgr_tables;

/* Check an open file and find its tables.  The file belongs to `tables` from now on, also if this fails; then close it.
 * BGR_ERR_FORMAT, BGR_ERR_VERSION, BGR_ERR_COMPRESSED, BGR_ERR_DAMAGED, BGR_ERR_CHANGED, BGR_ERR_READ,
 * BGR_ERR_MEMORY. */
bgr_status bgr_tables_open(bgr_tables *tables, const bgr_file *file);
void bgr_tables_close(bgr_tables *tables);

/* ------------------------------------------------------------------ checksums.c */

/* Compare every table, and what lies between them, with its checksum. */
bgr_status bgr_tables_verify(const bgr_tables *tables);

/* ------------------------------------------------------------------ tables.c */

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

bgr_status bgr_tables_equities(const bgr_tables *tables, const bgr_pair *pair, bgr_equities *equities);

/* A batch goes piece by piece: so many pairs are found, then read, then turned into equities.  Reading is a loop of
 * nothing but loads, which lets the processor wait for many of them at once; prefetches it may ignore, if they are of
 * pages that are new to it. */
enum { BGR_PIECE = 256 };

/* bgr_tables_equities, where the eight bytes at the pair's place have been read. */
bgr_status bgr_tables_decode(const bgr_tables *tables, const bgr_pair *pair, uint64_t values, bgr_equities *equities);

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

/* Chance to win from two distributions of rolls.  Ross, Benjamin and Munson, section 2: the sum over k of
 * P(on roll needs k) P(opponent needs at least k).  Not both finished. */
double bgr_race_win(const bgr_row *on_roll, const bgr_row *opponent);

/* Chance to win by the table of pairs; BGR_ERR_COVERAGE if it has not got the pair. */
bgr_status bgr_tables_win(const bgr_tables *tables, int64_t on_roll, int64_t opponent, double *win_probability);

/* The same, from the distributions where it has not. */
bgr_status bgr_tables_win_probability(const bgr_tables *tables, int64_t on_roll, int64_t opponent,
                                      double *win_probability, bgr_method *method);

/* Chances of n pairs of indices.  *n_done and the status as above; BGR_ERR_INDEX beyond the space, BGR_ERR_POSITION. */
bgr_status bgr_tables_win_probability_batch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent,
                                            int64_t n, double *win_probability, int64_t *n_done);

#endif
