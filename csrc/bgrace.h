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
 * A program includes this header, from C11 or C++, and one more for what it asks beside races and databases:
 * bgrace_why.h (reasons in sentences), bgrace_prove.h (proven bounds), bgrace_contact.h (men behind).  The library
 * needs neither Python nor an HDF5 library, has no globals, prints nothing and never ends the process.
 *
 * Words.  A *position* is one player's checkers: counts[0] stand on the ace point, counts[points - 1] on the highest
 * point that is listed; checkers that are not listed have been borne off.  An *index* is its number in the perfect
 * hash. *On roll* is the player whose turn it is, before the dice; every value is for that player.  An *equity* is in
 * points per unit of the present cube.
 *
 * Errors.  Every function that can fail returns a status, and writes its results, which come last, only if that is
 * BGR_OK; but functions that hand over an object set its pointer to NULL otherwise.  Beyond those that a comment lists,
 * any function that looks into a database returns BGR_ERR_READ if the system fails to read, BGR_ERR_CHANGED (see
 * bgr_open) and BGR_ERR_DAMAGED if a value that it finds is out of its range.  Values in their range are not compared
 * with each other: bgr_verify finds what was damaged, and `bgrace verify` also what was never right.
 *
 * Sizes.  Structs that may grow begin with `size`: set it to sizeof, and the rest of those that the library reads to
 * zeros.  A library that knows fewer members refuses those that are not zero, and clears those that it is to fill in.
 * BGR_ERR_ARGUMENT for such a member, a size of 0 and NULL.  Structs without `size` stay as they are.
 *
 * Threads.  All functions may be called from any number of threads at once, on the same database too, without locks, as
 * long as no two calls write to the same memory; call bgr_close when nobody else uses the database any more.
 */
#ifndef BGRACE_H
#define BGRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* what a shared library gives out */
#endif

/* Of this header; bgr_version() is that of the library. */
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
    BGR_ERR_SIZE = 6,          /* a size that this function cannot work with */
    BGR_ERR_MEMORY = 7,        /* out of memory */
    BGR_ERR_OPEN = 8,          /* no such file, no permission, or no regular file */
    BGR_ERR_READ = 9,          /* the system failed to read the file */
    BGR_ERR_FORMAT = 10,       /* not a bgrace database */
    BGR_ERR_VERSION = 11,      /* a database of a version, or with a table, that this library does not know */
    BGR_ERR_COMPRESSED = 12,   /* an HDF5 file without a directory: compressed, unfinished, or not ours */
    BGR_ERR_DAMAGED = 13,      /* a database that contradicts itself or fails a checksum */
    BGR_ERR_CHANGED = 14,      /* the file was changed after it was opened */
    BGR_ERR_COVERAGE = 15,     /* no table reaches these positions */
    BGR_ERR_SCORE = 16,        /* a database for one score of a match, which older versions made: solve at the score */
    BGR_ERR_CONTACT = 17,      /* the two sides have not passed each other: not a race */
    BGR_ERR_STAKES = 18,       /* no such score, cube or rules, or a match equity table that does not reach */
    BGR_ERR_ARGUMENT = 19,     /* an argument is not one of the listed values */
    BGR_ERR_STOPPED = 20,      /* the progress function, or another thread, asked to stop */
    BGR_ERR_NOT_COMPARED = 21, /* a play that the answer did not compare: solve with its `dice`, or with `rolls` */
    BGR_N_STATUS = 22          /* how many there are; not a status */
} bgr_status;

/* A sentence that explains a status; never NULL, static, for any number. */
const char *bgr_strerror(bgr_status status);

/* BGR_VERSION of the library that the program runs with.  Libraries of one number, libbgrace.so.0, take programs that
 * were compiled with an older header of that number. */
const char *bgr_version(void);

/* ------------------------------------------------------------------ databases */

/* One or more database files, open for reading.  Opaque; made by the bgr_open functions, owned by the caller. */
typedef struct bgr_db bgr_db;

/* How the library gets at the bytes of a file. */
typedef enum bgr_access {
    BGR_MAP = 0,  /* Map it: costs no memory of its own.  Where it does not fit into the address space, as BGR_READ. */
    BGR_LOAD = 1, /* Copy it into memory: the fastest questions, whatever happens to the file. */
    BGR_READ = 2  /* Read it at each question, and see each time that it is still the file that was opened. */
} bgr_access;

/* Open a database file.  path: in UTF-8 on Windows, as the system has it elsewhere.  (A library that was compiled with
 * BGR_NO_FILES, as for WebAssembly, opens none: it has bgr_open_memory.)
 *
 * The directory at the head of the file is checked: its checksum, and that every table has its due size and lies within
 * the file.  The tables are not read through; bgr_verify does that.  Beside the pages of the file, which the system can
 * have back, a mapped file needs a descriptor and 250 KB at most.
 *
 * A file that is deleted, or replaced by another of its name, keeps answering.  A file that is overwritten or cut short
 * in place is another matter (bgrace never does that to a finished one).  With BGR_READ every question after that is
 * refused with BGR_ERR_CHANGED.  With BGR_MAP answers may come from the new bytes, and to touch a page that is no
 * longer there ends the process with SIGBUS, except on Windows, which does not let a mapped file be cut: so map what
 * nobody else writes to, and take BGR_LOAD or BGR_READ for the rest.
 *
 * BGR_ERR_OPEN (errno says more, except on Windows), BGR_ERR_FORMAT, BGR_ERR_VERSION, BGR_ERR_COMPRESSED,
 * BGR_ERR_DAMAGED, BGR_ERR_MEMORY (with BGR_LOAD also if the file is larger than all memory of the machine),
 * BGR_ERR_ARGUMENT if there is no such access.  Anything but BGR_OK sets *db to NULL. */
bgr_status bgr_open(const char *path, bgr_access access, bgr_db **db);

/* Open several files as one database: each question goes to the file that answers it best, which is the most accurate
 * one that reaches the positions, and of equally good ones the smallest.
 *
 * failed [out]: the number of the path that could not be opened, -1 if there is no such; NULL is allowed.
 * The same errors, and BGR_ERR_SIZE if n_paths is not in 1 .. 1000. */
bgr_status bgr_open_all(const char *const *paths, int n_paths, bgr_access access, bgr_db **db, int *failed);

/* Open a file whose `size` bytes are in memory already.  They are not copied: they must stay, unchanged, until
 * bgr_close, and the caller frees them. */
bgr_status bgr_open_memory(const void *bytes, size_t size, bgr_db **db);

/* A stretch of a file. */
typedef struct bgr_range {
    uint64_t offset;
    size_t size;
    void *bytes; /* where it is to go */
} bgr_range;

/* Reads n ranges that do not depend on each other, in one request or side by side if it can.  0 if all of them have
 * arrived whole; anything else is taken for a failure, BGR_ERR_READ. */
typedef int (*bgr_read_ranges)(void *context, const bgr_range *ranges, int n);

/* A file that a function of the caller's reads, as from a web host by range requests. */
typedef struct bgr_reader {
    size_t size;          /* sizeof(bgr_reader) */
    uint64_t file_size;   /* bytes */
    bgr_read_ranges read; /* called by any thread that asks, by several at once */
    void *context;        /* handed to it */
    int64_t cache_bytes;  /* for pages that are kept; 0 for 16 MB, else 256 KB to 1 GB */
} bgr_reader;

/* Open a packed file (version 6) of which no more is read than is asked for: 24 KB when it is opened, and for a pair
 * two calls of the function, which bring 25 KB at most.  A batch takes two calls for 64 pairs of the table, if the
 * cache has 8 MB or more; where one of them fails, each pair is read for itself.  Whatever arrives is compared with its
 * checksum before it is used: BGR_ERR_DAMAGED.  The reader is copied.
 *
 * BGR_ERR_VERSION also for any other database, BGR_ERR_SIZE for a cache of another size, BGR_ERR_ARGUMENT for a struct
 * of another size; and those of bgr_open. */
bgr_status bgr_open_reader(const bgr_reader *reader, bgr_db **db);

/* Let go of a database; NULL is allowed. */
void bgr_close(bgr_db *db);

/* Compare every table with its checksum: a pass over all bytes.  BGR_ERR_DAMAGED. */
bgr_status bgr_verify(const bgr_db *db);

/* The contents of one file. */
typedef struct bgr_info {
    size_t size;            /* [in] */
    int points;             /* of its positions */
    int checkers;           /* maximum checkers in a position */
    int two_sided_checkers; /* maximum checkers per side in a pair; 0: no pairs */
    int gammons;            /* 1 if a gammon counts twice in the values of pairs, else 0 */
    int n_rolls;            /* no position takes more */
    int in_memory;          /* 1 if it is mapped or loaded, 0 if each question reads it */
    uint64_t file_size;     /* in bytes */
    int equities;    /* 1 if its pairs have equities for money, 0 if they have chances to win only, or if there are
                      * none */
    int approximate; /* 1 if it has pairs only, and not exactly: docs/small-tables.md */
    /* How far values of an approximate file are off at most, and in the mean, over all its pairs: chances to win, and
     * equities, the right to double included, in points per unit of the cube. */
    double win_error, mean_win_error, equity_error, mean_equity_error;
    int changed; /* 1: the file no longer has the length or the time of change that it had when it was opened */
} bgr_info;

/* Number of files in a database. */
int bgr_n_files(const bgr_db *db);

/* file: 0 .. bgr_n_files - 1, in the order of the paths.  A system call, for `changed`.  BGR_ERR_INDEX,
 * BGR_ERR_ARGUMENT. */
bgr_status bgr_file_info(const bgr_db *db, int file, bgr_info *info);

/* ------------------------------------------------------------------ questions about one player
 *
 * counts: `points` numbers; points that a file has beyond these are empty.  In a batch, n positions one after another.
 * *n_done counts the ones before the first that has no answer, whose status is returned; results before it are good.
 *
 * BGR_ERR_POINTS, BGR_ERR_POSITION, BGR_ERR_COVERAGE, also if all files are approximate, which have pairs only. */

/* Expected pip count: mean_rolls times 49/6, in pips. */
bgr_status bgr_probe_epc(const bgr_db *db, int points, const int8_t *counts, double *epc);
bgr_status bgr_probe_epc_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, double *epc,
                               int64_t *n_done);

/* Mean and variance of the number of rolls until the last checker is off, each roll played to lower the mean most. */
bgr_status bgr_probe_rolls(const bgr_db *db, int points, const int8_t *counts, double *mean_rolls,
                           double *variance_rolls);
bgr_status bgr_probe_rolls_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, double *mean_rolls,
                                 double *variance_rolls, int64_t *n_done);

/* Room that always suffices for a distribution of rolls. */
#define BGR_MAX_WIDTH 256

/* Chance that the last checker comes off on exactly roll k, so played, k = 0 .. width - 1; they add up to 1 in a file
 * that `bgrace verify` finds right.  distribution [out] width (n x width in a batch); width must exceed the longest
 * game, for which n_rolls + 1 of bgr_file_info and BGR_MAX_WIDTH suffice, else BGR_ERR_SIZE. */
bgr_status bgr_probe_roll_distribution(const bgr_db *db, int points, const int8_t *counts, int width,
                                       double *distribution);
bgr_status bgr_probe_roll_distribution_batch(const bgr_db *db, int points, const int8_t *counts, int64_t n, int width,
                                             double *distribution, int64_t *n_done);

/* The same for the roll on which the first of 15 checkers comes off, each played to lower the mean of that number most:
 * what a gammon depends on.  With fewer checkers all of it is on roll 0.  BGR_ERR_COVERAGE without such a table. */
bgr_status bgr_probe_first_checker_distribution(const bgr_db *db, int points, const int8_t *counts, int width,
                                                double *distribution);

/* ------------------------------------------------------------------ questions about two players
 *
 * on_roll, opponent: as counts above, n of each in a batch.  At most one of them may have no checker left: then the
 * game is over, and won or lost (as nearly as an approximate file says anything). */

/* The source of a value. */
typedef enum bgr_method {
    BGR_TWO_SIDED = 0, /* exact but for the encoding (docs/file-format.md), both sides playing the pair best */
    BGR_ONE_SIDED = 1  /* an estimate from the two distributions of rolls, both sides playing to save rolls */
} bgr_method;

/* Chance that the player on roll wins, without a cube.  method [out]: NULL is allowed; of a batch it is BGR_TWO_SIDED
 * where a table of pairs has both sides (`two_sided_checkers` of bgr_info), else BGR_ONE_SIDED. */
bgr_status bgr_probe_win_probability(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                     double *win_probability, bgr_method *method);
bgr_status bgr_probe_win_probability_batch(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                           int64_t n, double *win_probability, int64_t *n_done);

/* The equities of a pair for every place of the cube: money, a cube without limit.  A gammon counts twice where the
 * loser still has 15 checkers.  A double that is taken is worth twice `theirs`, one that is passed +1: so it is right
 * to take if 2 * theirs <= 1, and to double if the lesser of 2 * theirs and 1 is at least the equity of rolling first.
 */
typedef struct bgr_equities {
    double cubeless;
    double centered;      /* with the right to double before this roll */
    double mine;          /* with the right to double before this roll */
    double theirs;        /* the opponent has the cube */
    double centered_roll; /* cube in the middle, rolling now without doubling */
    double mine_roll;     /* the same with my own cube */
    double jacoby;        /* as centered, but a gammon counts once as long as the cube is in the middle; not a number
                           * in an approximate file where a side has 15 checkers */
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
    /* The part of point j in the index, with t checkers on it or beyond: C(t + points - 1 - j, points - j). */
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
 * the 0 at the end.  on_roll, opponent: `points` counts each.  The sides may have contact; nobody is on the bar.
 * BGR_ERR_POINTS, BGR_ERR_POSITION. */
#define BGR_POSITION_ID_SIZE 15
bgr_status bgr_position_id(int points, const int8_t *on_roll, const int8_t *opponent, char *id);

/* The two sides of a position ID, which may be followed by `=`, a colon, a blank or nothing.
 * on_roll, opponent [out] BGR_MAX_POINTS counts each.
 * BGR_ERR_ARGUMENT if it is not a position ID, BGR_ERR_POSITION if a side has more than 15 checkers or one on the bar,
 * BGR_ERR_CONTACT if both stand on one point. */
bgr_status bgr_read_position_id(const char *id, int8_t *on_roll, int8_t *opponent);

/* A play of a race in the usual notation, "4/2 3/off", "8/4(2)": from one position to another of the same player,
 * `points` counts each.  text [out] room for BGR_PLAY_SIZE characters, with the 0 at the end. BGR_ERR_POINTS,
 * BGR_ERR_POSITION, also without a checker; BGR_ERR_ROLL; BGR_ERR_ARGUMENT if the roll does not lead there. */
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

/* Where the cube is, seen by the player on roll; NONE is play without a cube, for the present stake. */
typedef enum bgr_cube {
    BGR_CUBE_NONE = 0,
    BGR_CUBE_CENTERED = 1,
    BGR_CUBE_MINE = 2,
    BGR_CUBE_THEIRS = 3,
    BGR_N_CUBES = 4
} bgr_cube;

/* The stakes of a game: zeros say money without gammons.  For money what belongs to a match must be 0, and cube_value
 * 0 or 1, as values are per unit of the present cube: BGR_ERR_ARGUMENT, as for both kinds of table, and for
 * `second_on_roll` without `met`. */
typedef struct bgr_stakes {
    size_t size;
    int match;   /* 0: money, with a cube without limit; 1: a match */
    int gammons; /* 1: a gammon counts twice and a backgammon three times */
    int jacoby;  /* money: 1: both count once as long as the cube is in the middle */
    int beavers; /* money: 1: a doubled player may redouble at once and keep the cube */
    /* A match: */
    int on_roll_needs, opponent_needs; /* points to go, 1 or more */
    int crawford;                      /* 1: this is the Crawford game; with a side 1 away and 0, a later one */
    int cube_value;                    /* 1: in the middle; 2, 4, ...: owned by a player */
    /* Its equity table, of the same two players in the same order.  pre_crawford, met_length x met_length: the chance
     * of the player on roll before a game in which that one needs i + 1 and the other needs j + 1 points, i the row;
     * where one of them is 0, before the Crawford game.  post_crawford, 2 x post_length: the chance of the trailer who
     * needs i + 1 after it; row 0 if that is the player on roll, row 1 if the opponent. */
    int met_length, post_length;
    const double *pre_crawford, *post_crawford;
    const struct bgr_met *met; /* a table made by bgr_met_new, in place of the two arrays and their lengths, or NULL */
    int second_on_roll;        /* 1: the player on roll is the second player of `met` */
} bgr_stakes;

/* A match equity table, checked once: for the first player, as bgr_stakes has it for the player on roll.  Opaque; owned
 * by the caller; read by any number of threads.  The arrays are copied. */
typedef struct bgr_met bgr_met;

/* BGR_ERR_STAKES if a length is not in 1 .. 256 or an entry is not a chance, BGR_ERR_MEMORY. */
bgr_status bgr_met_new(int met_length, const double *pre_crawford, int post_length, const double *post_crawford,
                       bgr_met **met);
void bgr_met_free(bgr_met *met); /* NULL is allowed; no question may be under way that uses it */

/* The base of every question: one player's home board, solved, and the exact tables of small pairs that were
 * prepared.  Opaque; owned by the caller. */
typedef struct bgr_solver bgr_solver;

/* Make one: some 50 ms and 19 MB.  BGR_ERR_MEMORY. */
bgr_status bgr_solver_new(bgr_solver **solver);
void bgr_solver_free(bgr_solver *solver); /* NULL is allowed; answers hold what they need of it */

/* Solve all pairs of up to `checkers` checkers a side at home at these stakes, which makes every later answer at
 * the same stakes both quicker and closer.  A table takes 8 bytes for each kind of cube state of each pair, four for
 * money: 7 MB for 5 checkers, 27 MB for 6, 94 MB for 7, 290 MB for 8, and as much again while it is made, at most a
 * few seconds.  It replaces the table of these stakes with fewer checkers.
 * checkers: 1 .. 8.  Not while another thread uses the solver.  BGR_ERR_STAKES, BGR_ERR_CHECKERS, BGR_ERR_MEMORY. */
bgr_status bgr_solver_prepare(bgr_solver *solver, const bgr_stakes *stakes, int checkers);

/* Several threads for one question: run body(argument, k, worker) for k = 0 .. n - 1 in any order, each worker from 0
 * to n_workers - 1 by one thread at a time, and return when all are done.  A question has many such loops: a small race
 * some 50, a large one two for each pip, so let threads wait between loops rather than start anew. */
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
    BGR_FROM_FILE = 3, /* of an answer: looked up in a database of bgr_open_reader */
    BGR_BY_TURNS = 4,  /* turn by turn; what an `exactness` or a `least_gain` means, too */
    BGR_ESTIMATE = 5   /* estimated in microseconds, for the leaves of a search */
} bgr_way;

/* Results that answers share: positions and their plays, memory, tables.  No answer depends on it; the
 * next one comes sooner.  Opaque; owned by the caller; for any number of threads, and as many solvers. */
typedef struct bgr_cache bgr_cache;

/* Make one: it takes 250 MB at most, and as a rule some ten.  BGR_ERR_MEMORY. */
bgr_status bgr_cache_new(bgr_cache **cache);
void bgr_cache_free(bgr_cache *cache); /* NULL is allowed; answers hold what they need of it */

/* The cost of solving all pairs of two sides. */
typedef struct bgr_needs {
    int64_t positions[2]; /* that the sides can come to */
    double bytes;
    int n_planes; /* values of each pair */
} bgr_needs;

/* An `exactness`: of each roll the play with the least mean alone.  That does not make an answer quick: a budget does.
 */
#define BGR_BEST_BY_MEAN (-1.0)

/* How to answer; zeros mean what stands in brackets. */
typedef struct bgr_solve_options {
    size_t size;
    double seconds;       /* about what an answer may take on a common processor [1]: it decides how many plays are
                           * compared, by counting work and not by the clock, so answers don't depend on the machine */
    int64_t memory_bytes; /* about what it may take [1 GiB]; some 40 MB it may take however little is allowed */
    double exactness; /* how many plays to compare, whatever it takes: 0 leaves the choice to the budget; else delta,
                       * in rolls, as bgr_answer_info has it, BGR_BEST_BY_MEAN or INFINITY for all plays.  Ignored if
                       * `way` is not BGR_ANY_WAY or BGR_BY_TURNS.  Outside the home board a finite delta, however
                       * large, is of estimated means, and plays are found die by die: only INFINITY compares them all
                       */
    const bgr_parallel *parallel; /* [this thread alone]; the answer does not depend on it */
    int dice[2]; /* a roll, every play of which bgr_answer_plays and bgr_answer_move shall know [none]: without it they
                  * know the plays that were compared.  It takes a part of the budget: where that is tight, fewer plays
                  * are compared later on, and the answer is coarser */
    int rolls;   /* 1: they shall know every play of all 21 rolls: one answer for whatever is thrown, at a higher price
                  * of the same kind [0] */
    const bgr_db *database; /* for money: where both sides are at home with no more checkers than its table of pairs
                             * has, and 14 at most, values are looked up in it, as if they had been prepared; at a
                             * score, and where the solver has as large a table, it is not asked.  One that is packed,
                             * or read at each question, takes longer to ask: it is where that is less work, and the
                             * solver has no table.  In one of bgr_open_reader the race itself is looked up, and the
                             * plays of `dice` or `rolls`, where all pairs are too many.  Of several files one is asked,
                             * and approximate ones never are [none] */
    double least_gain; /* compare the plays that can gain more than this, in chance to win now, whatever it takes: as
                        * bgr_answer_info has it.  With another exactness than 0 it must be 0 [left to the budget] */
    /* Called now and then by the thread that asked, with how much of the work is done, 0 to 1; anything but 0 from it
     * stops the work, with BGR_ERR_STOPPED [none]. */
    int (*progress)(void *context, double done);
    void *progress_context;
    bgr_way way;      /* [BGR_ANY_WAY] */
    bgr_cache *cache; /* what answers share [nothing is kept] */
    /* [out] What all pairs take, if `way` asks for them; written before anything is computed [none]. */
    bgr_needs *needs;
    const volatile int *stop; /* another thread sets it to anything but 0 to stop the work: BGR_ERR_STOPPED [none] */
} bgr_solve_options;

/* A race solved at its stakes.  Opaque; owned by the caller; read by any number of threads. */
typedef struct bgr_answer bgr_answer;

/* Answer any race: all pairs that the sides can come to are solved where that is within the budget, which is exact
 * (csrc/answer/all_pairs.c); else both sides are carried forward turn by turn (csrc/turns/pairs.c).  A budget that does
 * not suffice for that gives an estimate, as BGR_ESTIMATE does.  The solver, the cache and the database may be freed
 * before the answer.
 *
 * An estimate is an answer like others, which says of itself that it is one: its way is BGR_ESTIMATE, and
 * bgr_answer_info states its error (docs/embedding/search.md has errors by kinds).  The first
 * roll is played out, to save rolls; what follows comes from both sides' chances to be off by each roll, and from how
 * alive the cube is in a race of that length.  bgr_answer_move and bgr_answer_plays know every play.
 *
 * on_roll, opponent: `points` counts each, at most 15 checkers.  If one of them has none, the game is over: the answer
 * says what it pays, and has no plays.  options: NULL for zeros. Any number of threads may use one solver.  There is no
 * race that is too large: where all plays would take more than the budget fewer are compared, and bgr_answer_info says
 * so.  Free the answer with bgr_answer_free. BGR_ERR_POINTS, BGR_ERR_POSITION (two sides without checkers, too),
 * BGR_ERR_CONTACT, BGR_ERR_STAKES, BGR_ERR_SIZE if an option is out of range, BGR_ERR_ROLL, BGR_ERR_MEMORY; of the
 * database BGR_ERR_READ, BGR_ERR_CHANGED, BGR_ERR_DAMAGED and, if it has no pairs, none on six points, or approximate
 * files only, BGR_ERR_COVERAGE; BGR_ERR_STOPPED; if all pairs are asked
 * for, BGR_ERR_SIZE if a side's position has too large an index, 2^28 or more: that of all 15 checkers, one of them on
 * point 18 or beyond, always has. */
bgr_status bgr_ask(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                   const bgr_stakes *stakes, const bgr_solve_options *options, bgr_answer **answer);

void bgr_answer_free(bgr_answer *answer); /* NULL is allowed */

/* Chances of the player on roll.  To win: both sides play to win the game, without a cube.  Gammons and backgammons,
 * at least that much each: both play for the most points without a cube, at these stakes.  The chance to win of
 * that same play is in `cubeless_win`.  Where gammons do not count at these stakes, their chances are 0.
 *
 * Where all pairs were solved, the chances of gammons are those of sides that play for them alone; for money that
 * changes them by less than 1e-5.  What is not known then is NaN: backgammons, and from a file gammons of two sides
 * with 15 checkers each. */
typedef struct bgr_chances {
    double win;
    double win_gammon, win_backgammon, lose_gammon, lose_backgammon;
    double cubeless_win;
} bgr_chances;

void bgr_answer_chances(const bgr_answer *answer, bgr_chances *chances);

/* The cube action in words.  A beaver is a double that the opponent would turn once more. */
typedef enum bgr_cube_verdict {
    BGR_VERDICT_NO_CUBE = 0, /* no right to double, or no use for it */
    BGR_VERDICT_NO_DOUBLE = 1,
    BGR_VERDICT_DOUBLE_TAKE = 2,
    BGR_VERDICT_DOUBLE_BEAVER = 3,
    BGR_VERDICT_DOUBLE_PASS = 4,
    BGR_VERDICT_TOO_GOOD = 5 /* to double: playing on is worth more than the pass */
} bgr_cube_verdict;

/* One place of the cube.  Without a cube to turn the values of doubling are NaN. */
typedef struct bgr_cube_values {
    double no_double;   /* rolling now */
    double double_take; /* or beavered, where that is better for the opponent */
    double double_pass;
    double value;                /* with the right to double first */
    int doubles, takes, beavers; /* what to do; the last two answer a double, right or wrong */
    bgr_cube_verdict verdict;
} bgr_cube_values;

/* The decision that three values make, wherever they come from: those within 1e-9 of each other are equal. double_take:
 * before a beaver; beavers: 1 if they are allowed.  BGR_ERR_ARGUMENT if one is NaN. */
bgr_status bgr_decide_cube(double no_double, double double_take, double double_pass, int beavers,
                           bgr_cube_values *values);

/* BGR_ERR_STAKES if a cube of this value cannot be there. */
bgr_status bgr_answer_cube(const bgr_answer *answer, bgr_cube cube, bgr_cube_values *values);

/* How the answer came about. */
typedef struct bgr_answer_info {
    size_t size;           /* [in] */
    bgr_way way;           /* any of the last four */
    int exact;             /* 1: every play was compared, and values err by rounding alone, or by that of a database;
                            * 0: by turns, see delta and least_gain, or estimated */
    double delta;          /* plays were compared within this many rolls of the least mean; INFINITY if exact */
    double error;          /* 99 of 100 answers of this kind are within it, in any place of the cube and after a double
                            * that is taken (points per unit of the cube; at a score normalised points, +-1 for winning
                            * and losing a single game): from what is left out, and what merging adds.  No bound, even
                            * after bgr_answer_bound, which may lower it */
    int boundary_checkers; /* pairs with this many checkers a side came from an exact table; 0: none did */
    int from_database;     /* 1: values came from the options' database, which rounds them (docs/accuracy.md) */
    int64_t positions[2];  /* that both sides can come to, as they were solved */
    int64_t pairs;         /* of equal turns */
    int64_t merged;        /* positions that share another's place; 0 unless a side is very far from home */
    double least_gain;     /* of the plays within delta, those were compared that can gain more than this, in chance to
                            * win now; 0: all; INFINITY: only the play with the least mean of each roll */
} bgr_answer_info;

bgr_status bgr_answer_describe(const bgr_answer *answer, bgr_answer_info *info); /* BGR_ERR_ARGUMENT */

/* The answer about another pair that the race comes to, without solving anything again.
 *
 * swapped: 0 if the player on roll is the one who was on roll in `answer`, 1 if it is the opponent, who sees cube and
 * score from there.  The cube has still the value it had.  Free `followed` too; `answer` may be freed before.
 * BGR_ERR_POINTS, BGR_ERR_POSITION, BGR_ERR_MEMORY, BGR_ERR_COVERAGE if the race does not come to it, was solved by
 * turns, or was looked up in a table of the solver, which answers the next question at once. */
bgr_status bgr_answer_follow(const bgr_answer *answer, int points, const int8_t *on_roll, const int8_t *opponent,
                             int swapped, bgr_answer **followed);

/* The same answer of a match with the cube at another value that doubling comes to: one solution at {1, in the middle}
 * has {2, theirs} too.  stakes: those of the answer, with that cube_value.  Not of an answer that was followed to the
 * other side: follow this one.  Free `other` too; `answer` may be freed before.  BGR_ERR_STAKES, BGR_ERR_MEMORY,
 * BGR_ERR_COVERAGE if the cube does not come to that. */
bgr_status bgr_answer_at_cube(const bgr_answer *answer, const bgr_stakes *stakes, bgr_answer **other);

/* A value in points per unit of the present cube, +1 for winning it and -1 for losing it: for money it is that already;
 * NaN at a score at which winning and losing are worth the same. */
double bgr_answer_normalised(const bgr_answer *answer, double value);

/* What a move is worth to the player who is on roll now. */
typedef struct bgr_moved {
    size_t size;  /* [in] */
    double value; /* with the right of the opponent to double before rolling, where the cube allows */
    bgr_chances chances;
} bgr_moved;

/* What it is worth to have moved to a result of the first roll: `points` counts.  BGR_ERR_POINTS, BGR_ERR_POSITION,
 * BGR_ERR_ARGUMENT, BGR_ERR_NOT_COMPARED if the result was not compared: solve with its roll as `dice`, or with
 * `rolls`; BGR_ERR_COVERAGE if the game is over; BGR_ERR_STAKES if a cube of this value cannot be there. */
bgr_status bgr_answer_move(const bgr_answer *answer, int points, const int8_t *result, bgr_cube cube, bgr_moved *moved);

/* A way to play a roll. */
typedef struct bgr_ranked_play {
    int8_t counts[BGR_MAX_POINTS]; /* the position that it leads to */
    double value;                  /* to the player who has played it */
    double loss;                   /* against the best, 0 or more, in the same unit */
} bgr_ranked_play;

/* Every distinct result of a roll, best first; of equals the one that is best without a cube, then with fewer pips
 * left, then in rising index.  plays [out] room for `most`; *n [out] how
 * many there are, of which min(*n, most) were written.  BGR_ERR_ROLL, BGR_ERR_STAKES, BGR_ERR_MEMORY,
 * BGR_ERR_NOT_COMPARED if not all of them were compared: solve with `dice`, or with `rolls`; BGR_ERR_COVERAGE if the
 * game is over. */
bgr_status bgr_answer_plays(const bgr_answer *answer, int die1, int die2, bgr_cube cube, int most,
                            bgr_ranked_play *plays, int *n);

/* A score of a map.  It grows as bgr_stakes does: `size` of the stakes, the same in all cases, says which header the
 * array is of; BGR_ERR_ARGUMENT. */
typedef struct bgr_map_case {
    bgr_stakes stakes; /* of a match: for money BGR_ERR_STAKES, which bgr_ask answers */
    bgr_cube cube;
    bgr_cube_values values; /* [out] */
} bgr_map_case;

/* The cube actions of one pair at n scores, all pairs solved: what several scores have in common is solved once.
 * options: as for bgr_ask; seconds, exactness, least_gain, dice, rolls, the database and `way` are without effect.
 * BGR_ERR_SIZE if n is less than 1, and as bgr_ask has it if all pairs are asked for; BGR_ERR_MEMORY if that takes more
 * than memory_bytes; else as bgr_ask, and BGR_ERR_STAKES if a cube cannot be in its place. */
bgr_status bgr_ask_map(int points, const int8_t *on_roll, const int8_t *opponent, bgr_map_case *cases, int n,
                       const bgr_solve_options *options);

/* One side of a race by itself, each roll played to lower the mean number of rolls most. */
typedef struct bgr_side {
    size_t size; /* [in] */
    double mean_rolls, variance_rolls;
    int64_t positions; /* that were solved; 0 where the position was followed turn by turn, because there were too many:
                        * then the mean is up to a hundredth of a roll too high */
    int n_rolls;       /* no game takes more */
    double distribution[BGR_MAX_WIDTH]; /* chance to be off in exactly 0, 1, ... rolls */
} bgr_side;

/* counts: `points` counts, at most 15 checkers; none is off in no rolls.  cache: NULL is allowed, and makes each
 * position beyond the home board wait for the home board.  BGR_ERR_POINTS, BGR_ERR_POSITION, BGR_ERR_ARGUMENT,
 * BGR_ERR_MEMORY. */
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
