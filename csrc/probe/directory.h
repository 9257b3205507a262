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
    BGR_TABLE_PACKED_PLANES, /* this and those behind it in place of the equities */
    BGR_TABLE_PACKED_ON_ROLL,
    BGR_TABLE_PACKED_OPPONENT,
    BGR_TABLE_PACKED_STARTS,
    BGR_TABLE_PACKED_CODES,
    BGR_TABLE_PACKED_CHECKSUMS,
    BGR_TABLE_PACKED_PAGES, /* of each page of all others, in the order of the file; older packed files have none */
    BGR_TABLE_SMALL_PLANES, /* this and those behind it in place of the equities, and of every table of one side */
    BGR_TABLE_SMALL_ON_ROLL,
    BGR_TABLE_SMALL_OPPONENT,
    BGR_TABLE_SMALL_STARTS,
    BGR_TABLE_SMALL_COLUMNS,
    BGR_TABLE_SMALL_VALUES,
    BGR_N_TABLES
};

/* Where a table lies; all 0 if the file has none. */
typedef struct bgr_table {
    int present;
    uint64_t shape[3];
    uint64_t offset;
    uint64_t n_bytes;
    double scale;
    uint32_t crc32;
} bgr_table;

/* The factors of a plane: the first, how many, and by how many bits a product is divided. */
typedef struct bgr_factored_plane {
    int first, count, shift;
} bgr_factored_plane;

/* Pairs as products of factors: see probe/packed.h. */
typedef struct bgr_factored {
    int n_planes;  /* 0 if pairs are not so */
    int n_factors; /* of a position, all planes together */
    int win;       /* the plane of the chance to win */
    int64_t side;  /* blocks side by side */
    bgr_factored_plane plane[BGR_N_PLANES + 1];
} bgr_factored;

/* Whole numbers of steps stand for equities. */
typedef struct bgr_steps {
    double size;
    int most; /* no value is farther from 0, */
    int unit; /* nor, if gammons count once, than this: one unit */
} bgr_steps;

typedef struct bgr_tables {
    bgr_file file;
    bgr_info info;
    bgr_space space;
    uint32_t couple[4][256]; /* up to eight points: what points 2 k and 2 k + 1 add to the index, by their two sums */
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

/* Check an open file and find its tables.  The file belongs to `tables` from now on, also if this fails; then close it.
 * BGR_ERR_FORMAT, BGR_ERR_VERSION, BGR_ERR_COMPRESSED, BGR_ERR_SCORE, BGR_ERR_DAMAGED, BGR_ERR_CHANGED,
 * BGR_ERR_READ, BGR_ERR_MEMORY. */
bgr_status bgr_tables_open(bgr_tables *tables, const bgr_file *file);
void bgr_tables_close(bgr_tables *tables);

/* Compare every table, and what lies between them, with its checksum. */
bgr_status bgr_tables_verify(const bgr_tables *tables);
