/* bgrace: answers about backgammon bearoffs and races, from database files or solved on the spot.
 *
 *     bgr_db *db;
 *     double epc;
 *     const int8_t position[6] = {5, 1, 8, 1, 0, 0};
 *     bgr_status status = bgr_open("bearoff.h5", BGR_MAP, &db);
 *     if (status == BGR_OK)
 *         status = bgr_probe_epc(db, 6, position, &epc);
 *     if (status != BGR_OK)
 *         fprintf(stderr, "%s\n", bgr_strerror(status));
 *     bgr_close(db);
 *
 * Include this header, from C11 or C++, for races and databases, and one more for each other subject: bgrace_why.h
 * (reasons in sentences), bgrace_prove.h (proven bounds), bgrace_contact.h (men behind).  The library needs neither
 * Python nor an HDF5 library, has no globals, prints nothing and never exits.
 *
 * Words.  A *position* is one player's checkers: counts[0] stand on the ace point, counts[points - 1] on the highest
 * listed point; checkers that are not listed have been borne off.  An *index* is the number of a position in the
 * perfect hash.  *On roll* is the player whose turn it is, before the dice; every value is for that player.  An
 * *equity* is in points per unit of the present cube.
 *
 * Errors.  Every function that can fail returns a status.  Results are the last parameters; they are written only if
 * the status is BGR_OK, except that a function that makes an object sets its pointer to NULL on failure.  Beside the
 * statuses in its comment, any function that reads a database may return BGR_ERR_READ if the system fails to read,
 * BGR_ERR_CHANGED (see bgr_open), and BGR_ERR_DAMAGED if a value is out of range.  Values within range are not compared
 * with each other: bgr_verify finds bytes that were damaged later, `bgrace verify` also values that were wrong from the
 * start.
 *
 * Sizes.  Structs that may get more members begin with `size`: set it to sizeof, and unused members of structs that the
 * library reads to zero.  An older library, which knows fewer members, refuses a struct if one of the others is not
 * zero, and sets the others to zero in a struct that it fills in.  BGR_ERR_ARGUMENT if it refuses, and for a size of 0
 * or NULL.  Structs without `size` never change.
 *
 * Threads.  All functions may be called from any number of threads at once, on the same database too, without locks, as
 * long as no two calls write to the same memory; call bgr_close when no other thread uses the database any more. */
#ifndef BGRACE_H
#define BGRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* the symbols that a shared library exports */
#endif

/* Version of this header; bgr_version() returns the library's. */
#define BGR_VERSION "0.2.0"
#define BGR_VERSION_MAJOR 0
#define BGR_VERSION_MINOR 2
#define BGR_VERSION_PATCH 0

#define BGR_MAX_POINTS 24
#define BGR_MAX_CHECKERS 15

typedef enum bgr_status {
    BGR_OK = 0,
    BGR_ERR_POINTS = 1,        /* number of points outside 1 .. BGR_MAX_POINTS */
    BGR_ERR_CHECKERS = 2,      /* number of checkers outside 1 .. BGR_MAX_CHECKERS */
    BGR_ERR_POSITION = 3,      /* a negative count, too many checkers, or two players without any */
    BGR_ERR_INDEX = 4,         /* index outside 0 .. size - 1 */
    BGR_ERR_ROLL = 5,          /* a die outside 1 .. 6 */
    BGR_ERR_SIZE = 6,          /* a size or number outside this function's range */
    BGR_ERR_MEMORY = 7,        /* out of memory */
    BGR_ERR_OPEN = 8,          /* no such file, no permission, or not a regular file */
    BGR_ERR_READ = 9,          /* the system failed to read the file */
    BGR_ERR_FORMAT = 10,       /* not a bgrace database */
    BGR_ERR_VERSION = 11,      /* a database of a version that this library does not know, or with such a table */
    BGR_ERR_COMPRESSED = 12,   /* an HDF5 file without a directory: compressed, unfinished, or not made by bgrace */
    BGR_ERR_DAMAGED = 13,      /* a database that contradicts itself or fails a checksum */
    BGR_ERR_CHANGED = 14,      /* the file was changed after it was opened */
    BGR_ERR_COVERAGE = 15,     /* no table reaches these positions */
    BGR_ERR_SCORE = 16,        /* a database for one match score, made by an older version: solve at the score */
    BGR_ERR_CONTACT = 17,      /* the two sides have not passed each other: not a race */
    BGR_ERR_STAKES = 18,       /* impossible score, cube or rules, or a match equity table that is too short */
    BGR_ERR_ARGUMENT = 19,     /* an argument is not one of the listed values */
    BGR_ERR_STOPPED = 20,      /* the progress function, or another thread, asked to stop */
    BGR_ERR_NOT_COMPARED = 21, /* a play that the answer did not compare: solve with its `dice`, or with `rolls` */
    BGR_N_STATUS = 22          /* number of statuses; not a status */
} bgr_status;

/* Return a sentence that explains a status: a static string, never NULL, for any number. */
const char *bgr_strerror(bgr_status status);

/* Return BGR_VERSION of the library in use.  A library whose name has an ABI number, libbgrace.so.0, works with
 * programs that were compiled with an older header of the same number. */
const char *bgr_version(void);

/* ------------------------------------------------------------------ databases */

/* One or more database files, open for reading.  Opaque; made by the bgr_open functions, owned by the caller. */
typedef struct bgr_db bgr_db;

/* How the library reads a file. */
typedef enum bgr_access {
    BGR_MAP = 0,  /* Map it: takes no memory of its own.  Like BGR_READ if it does not fit into the address space. */
    BGR_LOAD = 1, /* Copy it into memory: fastest, and later changes to the file do not matter. */
    BGR_READ = 2  /* Read it at each question, and check each time that it has not changed since it was opened. */
} bgr_access;

/* Open a database file.  path: in UTF-8 on Windows, in the system's encoding elsewhere.  (A library compiled with
 * BGR_NO_FILES, as for WebAssembly, opens no files: use bgr_open_memory.)
 *
 * The directory at the head of the file is checked: its checksum, and that every table has the right size and lies
 * within the file.  The tables are not read; bgr_verify does that.  Beside its pages, which the system can reclaim, a
 * mapped file takes one descriptor and at most 250 KB.
 *
 * If the file is deleted, or replaced by another of the same name, the database still answers.  If the file is
 * overwritten or truncated in place (bgrace never does that to a finished file), every later question with BGR_READ
 * fails with BGR_ERR_CHANGED.  With BGR_MAP answers may then come from the new bytes, and access to a page that is gone
 * ends the process with SIGBUS, except on Windows, where a mapped file cannot be truncated.  So map only files that
 * nobody else writes to, and use BGR_LOAD or BGR_READ for others.
 *
 * BGR_ERR_OPEN (errno says more, except on Windows), BGR_ERR_FORMAT, BGR_ERR_VERSION, BGR_ERR_COMPRESSED,
 * BGR_ERR_DAMAGED, BGR_ERR_MEMORY (with BGR_LOAD also if the file is larger than all memory of the machine),
 * BGR_ERR_ARGUMENT if `access` is none of the above.  On failure *db is NULL. */
bgr_status bgr_open(const char *path, bgr_access access, bgr_db **db);

/* Open several files as one database: each question goes to the most accurate file that covers the positions, and among
 * equally accurate files to the smallest.
 *
 * failed [out]: the index of the path that could not be opened, -1 if none; NULL is allowed.  The same errors, and
 * BGR_ERR_SIZE if n_paths is not in 1 .. 1000. */
bgr_status bgr_open_all(const char *const *paths, int n_paths, bgr_access access, bgr_db **db, int *failed);

/* Open a database from `size` bytes in memory.  They are not copied: the caller keeps them unchanged until bgr_close,
 * and then frees them. */
bgr_status bgr_open_memory(const void *bytes, size_t size, bgr_db **db);

/* A range of bytes of a file. */
typedef struct bgr_range {
    uint64_t offset;
    size_t size;
    void *bytes; /* where to write them */
} bgr_range;

/* Read n independent ranges, in one request or concurrently if possible.  Return 0 if all ranges were read completely;
 * any other value makes the question fail with BGR_ERR_READ. */
typedef int (*bgr_read_ranges)(void *context, const bgr_range *ranges, int n);

/* A file that is read through a function of the caller, for example by range requests to a web server. */
typedef struct bgr_reader {
    size_t size;          /* sizeof(bgr_reader) */
    uint64_t file_size;   /* bytes */
    bgr_read_ranges read; /* called by every thread that asks, possibly by several at once */
    void *context;        /* passed to `read` */
    int64_t cache_bytes;  /* size of the cache of pages, 256 KB to 1 GB; 0: 16 MB */
} bgr_reader;

/* Open a packed file (version 6) and read only the parts that questions need: 24 KB when it is opened, and at most 25
 * KB in two calls of `read` for a pair.  A batch takes two calls for 64 pairs of the table if the cache has 8 MB or
 * more; if one of the calls fails, each pair is read separately.  All bytes are checked against their checksums before
 * use: BGR_ERR_DAMAGED.  *reader is copied.
 *
 * BGR_ERR_VERSION also for any other kind of database, BGR_ERR_SIZE if cache_bytes is out of range, BGR_ERR_ARGUMENT
 * for a wrong `size`; and the statuses of bgr_open. */
bgr_status bgr_open_reader(const bgr_reader *reader, bgr_db **db);

/* Close a database and free it; NULL is allowed. */
void bgr_close(bgr_db *db);

/* Compare every table with its checksum, reading all bytes.  BGR_ERR_DAMAGED. */
bgr_status bgr_verify(const bgr_db *db);

/* The contents of one file. */
typedef struct bgr_info {
    size_t size;            /* [in] */
    int points;             /* number of points of its board */
    int checkers;           /* maximum checkers in a position */
    int two_sided_checkers; /* maximum checkers per side in a pair; 0: no pairs */
    int gammons;            /* 1 if a gammon counts twice in the values of pairs, else 0 */
    int n_rolls;            /* the greatest number of rolls that a position takes; for more than six points only a limit
                             * of it, BGR_MAX_WIDTH - 1; 0 if approximate */
    int in_memory;          /* 1 if it is mapped or loaded, 0 if each question reads it */
    uint64_t file_size;     /* in bytes */
    int equities;    /* 1 if its pairs have equities for money; 0 if they have only chances to win, or if there are
                      * no pairs */
    int approximate; /* 1 if it has only pairs, with approximate values: docs/small-tables.md */
    /* Greatest and mean errors of an approximate file, over all its pairs: of chances to win, and of equities, with the
     * right to double, in points per unit of the cube. */
    double win_error, mean_win_error, equity_error, mean_equity_error;
    int changed; /* 1 if the file's length or modification time has changed since it was opened */
} bgr_info;

/* Number of files in a database. */
int bgr_n_files(const bgr_db *db);

/* file: 0 .. bgr_n_files - 1, in the order of the paths.  Makes a system call, to set `changed`.  BGR_ERR_INDEX,
 * BGR_ERR_ARGUMENT. */
bgr_status bgr_file_info(const bgr_db *db, int file, bgr_info *info);

/* ------------------------------------------------------------------ questions about one player
 *
 * counts: `points` numbers; higher points of a file's board are empty.  In a batch, n positions one after another.  The
 * status of a batch is that of the first position without an answer; *n_done is the number of positions before it,
 * whose results are valid.
 *
 * BGR_ERR_POINTS, BGR_ERR_POSITION, BGR_ERR_COVERAGE (also if all files are approximate: these have only pairs). */

/* Expected pip count: mean_rolls times 49/6, in pips. */
bgr_status bgr_probe_epc(const bgr_db *db, int points, const int8_t *counts, double *epc);
bgr_status bgr_probe_epc_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, double *epc,
                               int64_t *n_done);

/* Mean and variance of the number of rolls until the last checker is off, each roll played for the least mean. */
bgr_status bgr_probe_rolls(const bgr_db *db, int points, const int8_t *counts, double *mean_rolls,
                           double *variance_rolls);
bgr_status bgr_probe_rolls_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, double *mean_rolls,
                                 double *variance_rolls, int64_t *n_done);

/* A width that suffices for every distribution of rolls. */
#define BGR_MAX_WIDTH 256

/* Chances that the last checker comes off on exactly roll k = 0 .. width - 1, played as for bgr_probe_rolls; in a file
 * that passes `bgrace verify` they add up to 1.  distribution [out] width (n x width in a batch).  BGR_ERR_SIZE if
 * width is not greater than the rolls of the longest game: n_rolls + 1 of bgr_info suffices, and BGR_MAX_WIDTH for any
 * file. */
bgr_status bgr_probe_roll_distribution(const bgr_db *db, int points, const int8_t *counts, int width,
                                       double *distribution);
bgr_status bgr_probe_roll_distribution_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, int width,
                                             double *distribution, int64_t *n_done);

/* The same for the roll on which the first of 15 checkers comes off, each roll played for the least mean of that
 * number: the distribution that decides gammons.  With fewer checkers the chance of roll 0 is 1.  BGR_ERR_COVERAGE
 * without such a table. */
bgr_status bgr_probe_first_checker_distribution(const bgr_db *db, int points, const int8_t *counts, int width,
                                                double *distribution);

/* ------------------------------------------------------------------ questions about two players
 *
 * on_roll, opponent: as counts above, n of each in a batch.  One of them may have no checkers left: then the game is
 * over, and the values are those of a win or a loss (within the error of an approximate file). */

/* The source of a value. */
typedef enum bgr_method {
    BGR_TWO_SIDED = 0, /* exact but for the encoding (docs/file-format.md), with best play of both sides */
    BGR_ONE_SIDED = 1  /* an estimate from both distributions of rolls, each side playing for its least mean */
} bgr_method;

/* Chance that the player on roll wins, without a cube.  method [out]: NULL is allowed.  A batch does not return it: it
 * is BGR_TWO_SIDED where a table of pairs has both sides (`two_sided_checkers` of bgr_info), else BGR_ONE_SIDED. */
bgr_status bgr_probe_win_probability(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                     double *win_probability, bgr_method *method);
bgr_status bgr_probe_win_probability_batch(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                           int64_t n, double *win_probability, int64_t *n_done);

/* The equities of a pair for money, with a cube without limit, for every position of the cube.  A gammon counts twice
 * where the loser still has 15 checkers.  Double/take is worth 2 * theirs, double/pass +1: so a take is right if 2 *
 * theirs <= 1, and a double if the lesser of 2 * theirs and 1 is at least the equity of rolling without doubling. */
typedef struct bgr_equities {
    double cubeless;
    double centered;      /* with the right to double before this roll */
    double mine;          /* with the right to double before this roll */
    double theirs;        /* the opponent has the cube */
    double centered_roll; /* centered cube, rolling now without doubling */
    double mine_roll;     /* my cube, rolling now without doubling */
    double jacoby;        /* as centered, but a gammon counts once while the cube is centered; NaN in an approximate
                           * file where a side has 15 checkers */
    double jacoby_roll;   /* as centered_roll, likewise */
} bgr_equities;

/* BGR_ERR_COVERAGE if the positions have more checkers than the table of pairs. */
bgr_status bgr_probe_equities(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                              bgr_equities *equities);
bgr_status bgr_probe_equities_batch(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                    int64_t n, bgr_equities *equities, int64_t *n_done);

/* ------------------------------------------------------------------ positions and their numbers, without a database */

/* All positions of at most `checkers` checkers on `points` points.  Fill it with bgr_space_init; read only. */
typedef struct bgr_space {
    int points;
    int checkers;
    int64_t size; /* number of positions, C(checkers + points, points) */
    /* Addend [j][t] of the index, for t checkers on points of index j and higher: C(t + points - 1 - j, points - j). */
    int64_t term[BGR_MAX_POINTS][BGR_MAX_CHECKERS + 1];
} bgr_space;

/* Set up a space.  points: 1 .. BGR_MAX_POINTS, checkers: 1 .. BGR_MAX_CHECKERS.
 * BGR_ERR_POINTS, BGR_ERR_CHECKERS. */
bgr_status bgr_space_init(int points, int checkers, bgr_space *space);

/* Index of one position.  counts: `points` numbers.  BGR_ERR_POSITION. */
bgr_status bgr_index(const bgr_space *space, const int8_t *counts, int64_t *index);

/* The position with an index.  counts: room for `points` numbers.  BGR_ERR_INDEX. */
bgr_status bgr_position(const bgr_space *space, int64_t index, int8_t *counts);

/* GNU Backgammon's position ID of both sides: 14 characters.  id [out] room for BGR_POSITION_ID_SIZE characters, with
 * the final 0.  on_roll, opponent: `points` counts each.  The sides may have contact; no checker is on the bar.
 * BGR_ERR_POINTS, BGR_ERR_POSITION. */
#define BGR_POSITION_ID_SIZE 15
bgr_status bgr_position_id(int points, const int8_t *on_roll, const int8_t *opponent, char *id);

/* The two sides of a position ID, which may be followed by `=`, a colon, a blank or nothing.
 * on_roll, opponent [out] BGR_MAX_POINTS counts each.
 * BGR_ERR_ARGUMENT if it is not a position ID, BGR_ERR_POSITION if a side has more than 15 checkers or one on the bar,
 * BGR_ERR_CONTACT if both sides have checkers on one point. */
bgr_status bgr_read_position_id(const char *id, int8_t *on_roll, int8_t *opponent);

/* Write a play of a race in the usual notation, "4/2 3/off", "8/4(2)".  before, after: the player's positions, `points`
 * counts each.  text [out] room for BGR_PLAY_SIZE characters, with the final 0.  BGR_ERR_POINTS, BGR_ERR_POSITION (also
 * if `before` has no checkers), BGR_ERR_ROLL, BGR_ERR_ARGUMENT if the roll does not lead from `before` to `after`. */
#define BGR_PLAY_SIZE 40
bgr_status bgr_play_text(int points, const int8_t *before, const int8_t *after, int die1, int die2, char *text);

/* ------------------------------------------------------------------ any race at any stakes, without a database
 *
 *     bgr_solver *solver;
 *     bgr_answer *answer = NULL;
 *     bgr_stakes money = {.size = sizeof money, .gammons = 1};
 *     status = bgr_solver_new(&solver);
 *     if (status == BGR_OK)
 *         status = bgr_ask(solver, 24, on_roll, opponent, &money, NULL, &answer);
 *     if (status == BGR_OK)
 *         status = bgr_answer_cube(answer, BGR_CUBE_CENTERED, &action);
 *     bgr_answer_free(answer);
 *     bgr_solver_free(solver);
 *
 * Values are for the player on roll: equities in points per unit of the present cube for money, chances to win the
 * match at a score. */

/* The position of the cube, as the player on roll sees it; NONE: play without a cube for the present stake. */
typedef enum bgr_cube {
    BGR_CUBE_NONE = 0,
    BGR_CUBE_CENTERED = 1,
    BGR_CUBE_MINE = 2,
    BGR_CUBE_THEIRS = 3,
    BGR_N_CUBES = 4
} bgr_cube;

/* The stakes of a game; all zeros: money without gammons.  For money the members of a match must be 0, and cube_value 0
 * or 1, since values are per unit of the present cube.  BGR_ERR_ARGUMENT otherwise, for both `met` and arrays, and for
 * `second_on_roll` without `met`. */
typedef struct bgr_stakes {
    size_t size;
    int match;   /* 0: money, with a cube without limit; 1: a match */
    int gammons; /* 1: a gammon counts twice and a backgammon three times */
    int jacoby;  /* money: 1: both count once while the cube is centered */
    int beavers; /* money: 1: a player who is doubled may redouble at once and keep the cube */
    /* Members of a match: */
    int on_roll_needs, opponent_needs; /* points to go, 1 or more */
    int crawford;                      /* 1: the Crawford game; 0 with a side 1 away: a game after it */
    int cube_value;                    /* 1: centered; 2, 4, ...: owned by a player */
    /* The match equity table for these two players.  pre_crawford, met_length x met_length: in row i and column j, the
     * player on roll's chance to win the match before a game, needing i + 1 points against the opponent's j + 1; if i
     * or j is 0, before the Crawford game.  post_crawford, 2 x post_length: in column i, the chance of the trailing
     * player, who needs i + 1 points, after the Crawford game; row 0 if the player on roll trails, row 1 if the
     * opponent does. */
    int met_length, post_length;
    const double *pre_crawford, *post_crawford;
    const struct bgr_met *met; /* a table made by bgr_met_new, in place of the two arrays and their lengths, or NULL */
    int second_on_roll;        /* 1: the player on roll is the second player of `met` */
} bgr_stakes;

/* A match equity table that has been checked.  Its first player is the player on roll of bgr_stakes, unless
 * second_on_roll is 1.  Opaque; owned by the caller; read by any number of threads.  The arrays are copied. */
typedef struct bgr_met bgr_met;

/* BGR_ERR_STAKES if a length is not in 1 .. 256 or an entry is not a chance, BGR_ERR_MEMORY. */
bgr_status bgr_met_new(int met_length, const double *pre_crawford, int post_length, const double *post_crawford,
                       bgr_met **met);
void bgr_met_free(bgr_met *met); /* NULL is allowed; not while a question uses it */

/* The data that every question needs: one player's home board, solved, and the exact tables that bgr_solver_prepare
 * made.  Opaque; owned by the caller. */
typedef struct bgr_solver bgr_solver;

/* Make one: some 50 ms and 19 MB.  BGR_ERR_MEMORY. */
bgr_status bgr_solver_new(bgr_solver **solver);
void bgr_solver_free(bgr_solver *solver); /* NULL is allowed; answers hold what they need of it */

/* Solve all pairs of up to `checkers` checkers a side at home at these stakes, which makes later answers at the same
 * stakes faster and more accurate.  A table takes 8 bytes for each kind of cube state of each pair, four for money: 7
 * MB for 5 checkers, 27 MB for 6, 94 MB for 7, 290 MB for 8, and as much again while it is made.  8 checkers take about
 * a second for money and up to eight at a score, and nothing stops it.  It replaces the table of these stakes with
 * fewer checkers.  checkers: 1 .. 8.  Not while another thread uses the solver.  BGR_ERR_STAKES, BGR_ERR_CHECKERS,
 * BGR_ERR_MEMORY. */
bgr_status bgr_solver_prepare(bgr_solver *solver, const bgr_stakes *stakes, int checkers);

/* Several threads for one question: run body(argument, k, worker) for k = 0 .. n - 1 in any order, with each `worker`
 * number, 0 to n_workers - 1, in use by one thread at a time, and return when all are done.  A question runs many such
 * loops, a small race some 50, a large one two for each pip: so keep the threads between loops. */
typedef struct bgr_parallel {
    void (*run)(void *context, int64_t n, void (*body)(void *argument, int64_t k, int worker), void *argument);
    void *context;
    int n_workers;
} bgr_parallel;

/* How a race is solved. */
typedef enum bgr_way {
    BGR_ANY_WAY = 0,   /* all pairs where they are few enough for the budget, else by turns, or estimated */
    BGR_FEW_PAIRS = 1, /* all pairs where they are few enough, else BGR_ERR_COVERAGE */
    BGR_ALL_PAIRS = 2, /* all pairs, however long it takes */
    BGR_FROM_FILE = 3, /* only as the way of an answer: looked up in a database of bgr_open_reader */
    BGR_BY_TURNS = 4,  /* turn by turn; implied by an `exactness` or a `least_gain` */
    BGR_ESTIMATE = 5   /* estimated in microseconds, for the leaves of a search */
} bgr_way;

/* Results shared by answers: positions and their plays, memory, tables.  A cache changes no values; it makes later
 * answers faster.  Opaque; owned by the caller; for any number of threads and solvers. */
typedef struct bgr_cache bgr_cache;

/* Make one: it takes at most 250 MB, typically some ten.  BGR_ERR_MEMORY. */
bgr_status bgr_cache_new(bgr_cache **cache);
void bgr_cache_free(bgr_cache *cache); /* NULL is allowed; answers hold what they need of it */

/* The cost of solving all pairs of two sides. */
typedef struct bgr_needs {
    int64_t positions[2]; /* that each side can reach */
    double bytes;
    int n_planes; /* values of each pair */
} bgr_needs;

/* A value of `exactness`: only the play with the least mean of each roll.  To make answers fast, lower `seconds`
 * instead. */
#define BGR_BEST_BY_MEAN (-1.0)

/* How to answer.  A member that is 0 has the default in brackets. */
typedef struct bgr_solve_options {
    size_t size;
    double seconds;       /* budget, about the seconds of a common processor [1]: it decides how many plays are
                           * compared; work is counted, not timed, so answers do not depend on the machine */
    int64_t memory_bytes; /* approximate limit of memory [1 GiB]; some 40 MB may be used even if the limit is lower.  If
                           * there is an `exactness`, it limits pairs only, not the search for plays */
    double exactness;     /* which plays to compare, regardless of the budget [the budget decides]: `delta` of
                           * bgr_answer_info, in rolls, BGR_BEST_BY_MEAN, or INFINITY for all plays.  Ignored
                           * unless `way` is BGR_ANY_WAY or BGR_BY_TURNS.  Outside the home board a finite delta,
                           * however large, applies to estimated means of plays found die by die: only INFINITY
                           * compares all plays */
    const bgr_parallel *parallel; /* [this thread alone]; the answer does not depend on it */
    int dice[2]; /* a roll of which all plays are compared, for bgr_answer_plays and bgr_answer_move [none]; of other
                  * rolls these know only the plays that were compared anyway.  This uses a part of the budget: if
                  * that is small, fewer plays are compared later in the race, and the answer is less accurate */
    int rolls;   /* 1: the same for all 21 rolls, which uses more of the budget [0] */
    const bgr_db *database; /* for money only: values of pairs at home with no more checkers a side than its table of
                             * pairs has, and at most 14, are looked up in it, as in a table of bgr_solver_prepare;
                             * not if the solver has as large a table.  A packed file, and one that is opened with
                             * BGR_READ, are slower: they are used only where that is less work, and the solver has no
                             * table.  In a database of bgr_open_reader only the race itself and the plays of `dice`
                             * or `rolls` are looked up, if all pairs are too many.  Of several files one is used,
                             * never an approximate one [none] */
    double least_gain;      /* compare the plays that can gain more than this, in chance to win now, regardless of the
                             * budget: see bgr_answer_info.  Must be 0 if `exactness` is not 0 [the budget decides] */
    /* Called from time to time by the calling thread; done: the share of the work that is done, 0 to 1.  A result other
     * than 0 stops the work with BGR_ERR_STOPPED [none]. */
    int (*progress)(void *context, double done);
    void *progress_context;
    bgr_way way;      /* [BGR_ANY_WAY] */
    bgr_cache *cache; /* results to share with other answers [none] */
    /* [out] The cost of solving all pairs, if `way` asks for that; written before the work begins [none]. */
    bgr_needs *needs;
    const volatile int *stop; /* set by another thread to a value other than 0 to stop the work: BGR_ERR_STOPPED
                               * [none] */
} bgr_solve_options;

/* A race solved at its stakes.  Opaque; owned by the caller; read by any number of threads. */
typedef struct bgr_answer bgr_answer;

/* Answer any race.  If the budget suffices, all pairs that the sides can reach are solved, which is exact
 * (csrc/answer/all_pairs.c); else both sides are followed turn by turn (csrc/turns/pairs.c); else the race is
 * estimated, as with BGR_ESTIMATE.  The solver, the cache and the database may be freed before the answer.
 *
 * The way of an estimate is BGR_ESTIMATE, and bgr_answer_info states its error (docs/embedding/search.md lists errors
 * by kind of race).  The first roll is played for the least mean; values after it come from both sides' chances to be
 * off by each roll and from the efficiency of the cube in a race of that length.  bgr_answer_move and bgr_answer_plays
 * know every play.
 *
 * on_roll, opponent: `points` counts each, at most 15 checkers.  If a side has none, the game is over: the answer has
 * its value, and no plays.  options: NULL for zeros.  Any number of threads may use one solver.  No race is too large:
 * if comparing all plays exceeds the budget, fewer are compared, and bgr_answer_info says so.  Free the answer with
 * bgr_answer_free.  BGR_ERR_POINTS, BGR_ERR_POSITION (also if neither side has checkers), BGR_ERR_CONTACT,
 * BGR_ERR_STAKES, BGR_ERR_SIZE if an option is out of range, BGR_ERR_ROLL, BGR_ERR_MEMORY (also if pairs of the given
 * `exactness` or `least_gain` take more than memory_bytes), BGR_ERR_STOPPED; for the database BGR_ERR_READ,
 * BGR_ERR_CHANGED, BGR_ERR_DAMAGED, and BGR_ERR_COVERAGE if it has no pairs, none on six points, or only approximate
 * files; if all pairs are asked for, BGR_ERR_SIZE if a side's index is 2^28 or more, as always with 15 checkers, one of
 * them on point 18 or higher. */
bgr_status bgr_ask(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                   const bgr_stakes *stakes, const bgr_solve_options *options, bgr_answer **answer);

void bgr_answer_free(bgr_answer *answer); /* NULL is allowed */

/* Chances of the player on roll.  `win`: both sides play to win the game, without a cube.  Gammons (backgammons
 * included) and backgammons: both sides play for the most points without a cube, at these stakes; `cubeless_win` is the
 * chance to win with that play.  Where gammons do not count at these stakes, their chances are 0.
 *
 * If all pairs were solved, the chances of gammons are those with play for gammons alone; for money they differ by less
 * than 1e-5.  Unknown chances are NaN: then those of backgammons, and from a file those of gammons if both sides have
 * 15 checkers. */
typedef struct bgr_chances {
    double win;
    double win_gammon, win_backgammon, lose_gammon, lose_backgammon;
    double cubeless_win;
} bgr_chances;

void bgr_answer_chances(const bgr_answer *answer, bgr_chances *chances);

/* The right cube action. */
typedef enum bgr_cube_verdict {
    BGR_VERDICT_NO_CUBE = 0, /* no right to double, or no use for it */
    BGR_VERDICT_NO_DOUBLE = 1,
    BGR_VERDICT_DOUBLE_TAKE = 2,
    BGR_VERDICT_DOUBLE_BEAVER = 3,
    BGR_VERDICT_DOUBLE_PASS = 4,
    BGR_VERDICT_TOO_GOOD = 5 /* to double: playing on is worth more than the pass */
} bgr_cube_verdict;

/* Values with the cube in one position.  If the player on roll cannot double, the values of doubling are NaN. */
typedef struct bgr_cube_values {
    double no_double;   /* rolling now */
    double double_take; /* or double/beaver, if that is better for the opponent */
    double double_pass;
    double value;                /* with the right to double first */
    int doubles, takes, beavers; /* 1 if right, else 0; takes and beavers: the reply to a double, even to a wrong one */
    bgr_cube_verdict verdict;
} bgr_cube_values;

/* Decide by three values of any origin; values within 1e-9 of each other count as equal.  double_take: without a
 * beaver; beavers: 1 if they are allowed.  BGR_ERR_ARGUMENT if a value is NaN. */
bgr_status bgr_decide_cube(double no_double, double double_take, double double_pass, int beavers,
                           bgr_cube_values *values);

/* BGR_ERR_STAKES if a cube of this value cannot be there. */
bgr_status bgr_answer_cube(const bgr_answer *answer, bgr_cube cube, bgr_cube_values *values);

/* How an answer was found, and how accurate it is. */
typedef struct bgr_answer_info {
    size_t size;           /* [in] */
    bgr_way way;           /* BGR_ALL_PAIRS or a later one */
    int exact;             /* 1: every play was compared, and the only errors are from rounding, here or in a
                            * database; 0: by turns, see delta and least_gain, or estimated */
    double delta;          /* plays whose mean is within this many rolls of the least were compared; INFINITY if
                            * exact */
    double error;          /* 99 of 100 answers of this kind err by less, with any position of the cube and after
                            * double/take (points per unit of the cube; at a score normalised: +-1 for winning and
                            * losing a single game).  Errors come from plays that were not compared and from merging.
                            * Not a bound, even after bgr_answer_bound, which may lower it */
    int boundary_checkers; /* pairs with at most this many checkers a side came from an exact table; 0: none did */
    int from_database;     /* 1: values came from the options' database, which rounds them (docs/accuracy.md) */
    int64_t positions[2];  /* of each side that were solved */
    int64_t pairs;         /* of equal turns that were solved */
    int64_t merged;        /* positions that were merged with others; 0 unless a side is very far from home */
    double least_gain;     /* of the plays within delta, those that can gain more than this, in chance to win now,
                            * were compared; 0: all; INFINITY: only the play with the least mean of each roll */
} bgr_answer_info;

bgr_status bgr_answer_describe(const bgr_answer *answer, bgr_answer_info *info); /* BGR_ERR_ARGUMENT */

/* Answer another pair that the race can reach, without solving again.
 *
 * swapped: 0 if the player on roll is the one who was on roll in `answer`, 1 if it is the opponent; cube and score are
 * then seen from that side.  The cube keeps its value.  Free `followed` too; `answer` may be freed before.
 * BGR_ERR_POINTS, BGR_ERR_POSITION, BGR_ERR_MEMORY, BGR_ERR_COVERAGE if the race cannot reach the pair, was solved by
 * turns, or was looked up in a table of the solver (then bgr_ask takes no time either). */
bgr_status bgr_answer_follow(const bgr_answer *answer, int points, const int8_t *on_roll, const int8_t *opponent,
                             int swapped, bgr_answer **followed);

/* Give the answer of a match at another value of the cube that doubling can reach: a solution at cube 1, centered,
 * includes cube 2, theirs.  stakes: those of the answer, with the new cube_value.  `answer` must not have been followed
 * to the other side: follow `other` instead.  Free `other` too; `answer` may be freed before.  BGR_ERR_STAKES,
 * BGR_ERR_MEMORY, BGR_ERR_COVERAGE if doubling cannot reach that value. */
bgr_status bgr_answer_at_cube(const bgr_answer *answer, const bgr_stakes *stakes, bgr_answer **other);

/* Return a value in points per unit of the present cube: +1 for winning it, -1 for losing it.  For money that is
 * `value` itself; NaN at a score at which winning and losing are worth the same. */
double bgr_answer_normalised(const bgr_answer *answer, double value);

/* The value of a move to the player who makes it. */
typedef struct bgr_moved {
    size_t size;  /* [in] */
    double value; /* the opponent may double before rolling, where the cube allows */
    bgr_chances chances;
} bgr_moved;

/* Value a move of the player on roll.  result: the position after it, `points` counts.  BGR_ERR_POINTS,
 * BGR_ERR_POSITION, BGR_ERR_ARGUMENT, BGR_ERR_NOT_COMPARED if the result was not compared: solve with its roll as
 * `dice`, or with `rolls`; BGR_ERR_COVERAGE if the game is over; BGR_ERR_STAKES if a cube of this value cannot be
 * there. */
bgr_status bgr_answer_move(const bgr_answer *answer, int points, const int8_t *result, bgr_cube cube, bgr_moved *moved);

/* A play of a roll. */
typedef struct bgr_ranked_play {
    int8_t counts[BGR_MAX_POINTS]; /* the position after it */
    double value;                  /* to the player who has played it */
    double loss;                   /* how much less than the best play, 0 or more, in the same unit */
} bgr_ranked_play;

/* List every distinct result of a roll, best first; ties are broken by the value without a cube, then by fewer pips,
 * then by the lower index.  plays [out] room for `most`; *n [out] the number of results, of which min(*n, most) were
 * written.  BGR_ERR_ROLL, BGR_ERR_STAKES, BGR_ERR_MEMORY, BGR_ERR_NOT_COMPARED if not all of them were compared: solve
 * with `dice`, or with `rolls`; BGR_ERR_COVERAGE if the game is over. */
bgr_status bgr_answer_plays(const bgr_answer *answer, int die1, int die2, bgr_cube cube, int most,
                            bgr_ranked_play *plays, int *n);

/* One score of a map.  The struct grows only with bgr_stakes: stakes.size, the same in all cases, gives the size of an
 * element; else BGR_ERR_ARGUMENT. */
typedef struct bgr_map_case {
    bgr_stakes stakes; /* of a match; BGR_ERR_STAKES for money: use bgr_ask */
    bgr_cube cube;
    bgr_cube_values values; /* [out] */
} bgr_map_case;

/* Find the cube actions of one pair at n scores by solving all pairs; cube states that scores share are solved once.
 * options: as for bgr_ask; seconds, exactness, least_gain, dice, rolls, the database and `way` are ignored.
 * BGR_ERR_POSITION also if a side has no checkers; BGR_ERR_SIZE if n is less than 1, and as bgr_ask has it if all pairs
 * are asked for; BGR_ERR_MEMORY if that takes more than memory_bytes; else as bgr_ask, and BGR_ERR_STAKES if a cube
 * cannot be in its place. */
bgr_status bgr_ask_map(int points, const int8_t *on_roll, const int8_t *opponent, bgr_map_case *cases, int n,
                       const bgr_solve_options *options);

/* One side of a race by itself, each roll played for the least mean number of rolls. */
typedef struct bgr_side {
    size_t size; /* [in] */
    double mean_rolls, variance_rolls;
    int64_t positions; /* that were solved; 0 if these were too many, and the side was followed turn by turn: then
                        * the mean is at most .01 rolls too high */
    int n_rolls;       /* the greatest number that it can take */
    double distribution[BGR_MAX_WIDTH]; /* chance to be off in exactly 0, 1, ... rolls */
} bgr_side;

/* Solve one side by itself.  counts: `points` counts, 0 to 15 checkers.  cache: may be NULL; then every question about
 * a position outside the home board first solves the home board.  15 checkers far from home take seconds, and nothing
 * stops it.  BGR_ERR_POINTS, BGR_ERR_POSITION, BGR_ERR_ARGUMENT, BGR_ERR_MEMORY. */
bgr_status bgr_ask_side(const bgr_solver *solver, bgr_cache *cache, int points, const int8_t *counts, bgr_side *side);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* MIT License
 *
 * Copyright (c) 2026 The bgrace authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
 * documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
 * rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to
 * permit persons to whom the Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
 * WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
 * OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */

#endif
