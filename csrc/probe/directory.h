/* The contents of one database file, and their places. */
#pragma once

#include "base/planes.h"
#include "base/position.h"
#include "probe/file.h"

enum { BGR_DIRECTORY_SIZE = 4096 };

enum {
    BGR_TABLE_EPC,
    BGR_TABLE_MEAN,
    BGR_TABLE_VARIANCE,
    BGR_TABLE_DISTRIBUTION,
    BGR_TABLE_FIRST_ROLL, /* this and the next replace the last one on more than six points */
    BGR_TABLE_CHANCES,
    BGR_TABLE_CHECKER_DISTRIBUTION,
    BGR_TABLE_CHECKER_FIRST_ROLL,
    BGR_TABLE_CHECKER_CHANCES,
    BGR_TABLE_ORDER,
    BGR_TABLE_EQUITIES,
    BGR_TABLE_COLUMNS,
    BGR_TABLE_WINNING_STARTS, /* each precedes its values */
    BGR_TABLE_WINNING,
    BGR_TABLE_LOSING_STARTS,
    BGR_TABLE_LOSING,
    BGR_TABLE_PACKED_PLANES, /* this and those after it replace the equities */
    BGR_TABLE_PACKED_ON_ROLL,
    BGR_TABLE_PACKED_OPPONENT,
    BGR_TABLE_PACKED_STARTS,
    BGR_TABLE_PACKED_CODES,
    BGR_TABLE_PACKED_CHECKSUMS,
    BGR_TABLE_PACKED_PAGES, /* checksums of the pages of all other tables, in the order of the file; not in older
                             * packed files */
    BGR_TABLE_SMALL_PLANES, /* this and those after it replace the equities and all tables of one side */
    BGR_TABLE_SMALL_ON_ROLL,
    BGR_TABLE_SMALL_OPPONENT,
    BGR_TABLE_SMALL_STARTS,
    BGR_TABLE_SMALL_COLUMNS,
    BGR_TABLE_SMALL_VALUES,
    BGR_N_TABLES
};

/* The place of a table; all 0 if the file does not have it. */
typedef struct bgr_table {
    int present;
    uint64_t shape[3];
    uint64_t offset;
    uint64_t n_bytes;
    double scale;
    uint32_t crc32;
} bgr_table;

/* The factors of a plane: the first, their number, and the shift of products. */
typedef struct bgr_factored_plane {
    int first, count, shift;
} bgr_factored_plane;

/* Pairs as products of factors: see probe/packed.h. */
typedef struct bgr_factored {
    int n_planes;  /* 0: pairs are not stored as products */
    int n_factors; /* of a position, for all planes */
    int win;       /* the plane of the chance to win */
    int64_t side;  /* number of blocks side by side */
    bgr_factored_plane plane[BGR_N_PLANES + 1];
} bgr_factored;

/* The encoding of equities, as integers, in steps. */
typedef struct bgr_steps {
    double size;
    int most; /* greatest absolute value, */
    int unit; /* and if gammons count once: one unit of equity */
} bgr_steps;

typedef struct bgr_tables {
    bgr_file file;
    bgr_info info;
    bgr_space space;
    uint32_t couple[4][256]; /* up to eight points: addends of the index for points 2 k and 2 k + 1, by their two
                              * sums */
    bgr_halves halves;       /* six points: the same for many positions at once */
    bgr_table table[BGR_N_TABLES];
    uint32_t metadata_crc32;
    int in_16_bits;           /* distributions are in 16 bits */
    int64_t n_pairs;          /* positions of the table of pairs; 0 if there is none */
    int64_t n_fewer;          /* positions with fewer than 15 checkers; they come first */
    bgr_factored packing;     /* of a packed file */
    bgr_factored approximate; /* of an approximate one */
    int32_t *rank;            /* n_pairs: index -> rank */
    bgr_steps steps;          /* of equities */
} bgr_tables;

/* Check an open file and find its tables.  `tables` owns the file from then on, also if this fails; close it in any
 * case.  BGR_ERR_FORMAT, BGR_ERR_VERSION, BGR_ERR_COMPRESSED, BGR_ERR_SCORE, BGR_ERR_DAMAGED, BGR_ERR_CHANGED,
 * BGR_ERR_READ, BGR_ERR_MEMORY. */
bgr_status bgr_tables_open(bgr_tables *tables, const bgr_file *file);
void bgr_tables_close(bgr_tables *tables);

/* Compare every table, and the bytes between tables, with their checksums. */
bgr_status bgr_tables_verify(const bgr_tables *tables);
