/* The core: positions played out and solved.
 *
 * For bgrace's own Cython modules and C files; a user of the C library includes bgrace.h.  The functions work on memory
 * that the caller owns, keep no state between calls and print nothing.  All of them may be called from several threads
 * at once as long as no two calls write to the same memory.
 *
 * A *rank* is a position's number in order of pips, then of index: the order in which positions can be solved.
 */
#ifndef BGR_CORE_H
#define BGR_CORE_H

#include "bgrace.h"

#define BGR_N_ROLLS 21

/* No roll of no position has more distinct results: each die lowers a run of at most six of the 24 suffix sums, and a
 * double picks four of them, C(24 + 3, 4). */
#define BGR_MAX_PLAYS 17550

/* ------------------------------------------------------------------ dice and plays */

/* The rolls in the order that every table here uses: (1,1), (2,1), (2,2), (3,1), ... (6,6).  roll: 0 .. 20.
 * Gives the larger die, the smaller die, and the weight out of 36. */
bgr_status bgr_roll(int roll, int *larger, int *smaller, int *weight);

/* Every distinct position that a roll leads to, in rising index.  A roll is played in full, in either order of its
 * dice, a double four times; checkers come off only once all are home, from the highest point if the die is larger.
 * results: room for BGR_MAX_PLAYS indices.  The empty board has one result, itself.
 * BGR_ERR_INDEX, BGR_ERR_ROLL. */
bgr_status bgr_plays(const bgr_space *space, int64_t index, int die1, int die2, int64_t *results, int *n_results);

/* ------------------------------------------------------------------ one player */

/* Least mean number of rolls until fewer than `stop` checkers are on the board, for every position of the space;
 * stop = 1 means until the last checker is off.
 *
 * Ross, Benjamin and Munson, section 3: E = 1 + (1/36) sum over rolls of weight * min over results of E.  Results
 * whose means differ by less than 1e-10 are equal, and the one with the smaller index is chosen.
 *
 * mean_rolls [out] size; best [out] size x BGR_N_ROLLS, the index of the chosen result (a finished position leads to
 * itself); longest [out] size, the greatest number of rolls that these choices can take.
 * n_threads: at least 1.  BGR_ERR_CHECKERS if stop is not in 1 .. checkers, BGR_ERR_SIZE beyond 2^31 positions,
 * BGR_ERR_MEMORY. */
bgr_status bgr_one_sided_means(const bgr_space *space, int stop, int n_threads, double *mean_rolls, int32_t *best,
                               uint8_t *longest);

/* Best results of single dice: of one die of each size, of two, of three. */
#define BGR_N_CHAINS 18

/* bgr_one_sided_means, and chains [out] size x BGR_N_CHAINS: the index of the best position that 1, 2 or 3 dice of one
 * size can make, [6 * (dice - 1) + size - 1]. */
bgr_status bgr_one_sided_chains(const bgr_space *space, int stop, int n_threads, double *mean_rolls, int32_t *best,
                                uint8_t *longest, int32_t *chains);

/* Distribution of the number of rolls when every roll is played as `best` says.
 *
 * distribution [out] size x width: chance of being done in exactly k rolls, k = 0 .. width - 1; width must exceed
 * every entry of longest.  variance_rolls [out] size.  Same errors as above. */
bgr_status bgr_one_sided_distributions(const bgr_space *space, int stop, int n_threads, const int32_t *best,
                                       const uint8_t *longest, int width, double *distribution, double *variance_rolls);

/* ------------------------------------------------------------------ one player on more than six points */

/* Called from the thread that called a solver whenever a `level` of the work is done, with how much has been done and
 * how much there is; a return value other than 0 stops the work. */
typedef int (*bgr_progress)(void *context, int level, int64_t done, int64_t total);

/* The home board solved: every position of at most `checkers` checkers on six points.  Opaque; owned by the caller. */
typedef struct bgr_home bgr_home;

/* Solve it, until fewer than `stop` checkers are on the board, as bgr_one_sided_means does.  Free it with
 * bgr_home_free. BGR_ERR_CHECKERS, BGR_ERR_MEMORY. */
bgr_status bgr_home_new(int checkers, int stop, int n_threads, bgr_home **home);
void bgr_home_free(bgr_home *home); /* NULL is allowed */

/* Positions with one number of checkers, solved.  Opaque; owned by the caller.  `most` says which: those with most[0]
 * checkers, at most most[j] of them on point j + 1 or beyond.  With all of `most` equal that is every position of the
 * space with so many checkers; with the sums of one position, whatever can become of it before a checker comes off. */
typedef struct bgr_layer bgr_layer;

/* How many positions a layer has.  points: 7 .. BGR_MAX_POINTS; most: `points` numbers that never rise, the first at
 * least 1 and at most the checkers of `home`.  BGR_ERR_POINTS, BGR_ERR_CHECKERS, BGR_ERR_POSITION. */
bgr_status bgr_layer_size(const bgr_home *home, int points, const int8_t *most, int64_t *size);

/* Bytes of memory that a layer takes for each of its positions while it is solved, with distributions or without. */
int bgr_layer_slot_bytes(int distributions);

/* Solve a layer: least mean number of rolls, as bgr_one_sided_means has it, and with `distributions` the variance and
 * the distribution.  `home` must outlive it.  Free it with bgr_layer_free. The same errors; BGR_ERR_SIZE beyond 2^31
 * positions or if a distribution covers more than 31 numbers of rolls, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_layer_new(const bgr_home *home, int points, const int8_t *most, int distributions, int n_threads,
                         bgr_progress progress, void *context, bgr_layer **layer);
void bgr_layer_free(bgr_layer *layer); /* NULL is allowed */

/* What 1 is in distributions of 16 bits. */
#define BGR_CHANCE_SCALE 65535

/* The most numbers of rolls from the first to the last whose chance is not 0, over all positions. */
int bgr_layer_width(const bgr_layer *layer);

/* What was found, in rising index.  n positions: mean_rolls [out] n, or NULL; variance_rolls [out] n, or NULL;
 * first_roll [out] n, the least number of rolls whose chance is not 0; chances [out] n x width, the chance of
 * first_roll + k rolls in units of 1 / BGR_CHANCE_SCALE, summing to 1.  The layer can only be freed after this.
 * BGR_ERR_SIZE if width is less than bgr_layer_width says. */
bgr_status bgr_layer_tables(bgr_layer *layer, int width, int n_threads, double *mean_rolls, double *variance_rolls,
                            uint8_t *first_roll, uint16_t *chances);

/* The mean of a position that play can come to: one of the layer, or one in the home board with fewer checkers.
 * counts: as many numbers as the layer has points.  BGR_ERR_POSITION. */
bgr_status bgr_layer_mean(const bgr_layer *layer, const int8_t *counts, double *mean_rolls);

/* No bearoff of 15 checkers takes so many rolls: outside the home board each brings at least three pips. */
#define BGR_MOST_ROLLS 192

/* The distribution of the last position of a layer, the one whose sums are `most`, in float64: the probability is
 * carried forward from it, roll by roll.  distribution [out] BGR_MOST_ROLLS.  BGR_ERR_MEMORY. */
bgr_status bgr_layer_distribution(const bgr_layer *layer, double *distribution);

/* ------------------------------------------------------------------ two players */

/* A set of positions that no play leaves, with every result of every roll.  Opaque; owned by the caller. */
typedef struct bgr_graph bgr_graph;

/* The positions that single dice can make of one position, itself and the empty board among them: a set that no play
 * leaves.  marks [out] index + 1: 1 for the indices in the set, 0 for the others.  BGR_ERR_INDEX. */
bgr_status bgr_mark_reachable(const bgr_space *space, int64_t index, uint8_t *marks);

/* The graph of the n positions with these indices (any order, no index twice).  Free it with bgr_graph_free.
 * BGR_ERR_INDEX, BGR_ERR_CLOSED if a play leaves the set, BGR_ERR_SIZE, BGR_ERR_MEMORY. */
bgr_status bgr_graph_new(const bgr_space *space, const int64_t *indices, int64_t n, int n_threads, bgr_graph **graph);
void bgr_graph_free(bgr_graph *graph); /* NULL is allowed */

/* Number of positions. */
int64_t bgr_graph_size(const bgr_graph *graph);

/* indices [out] size: the index of each rank, in order of pips, then index; rank 0 is the empty board. */
void bgr_graph_indices(const bgr_graph *graph, int64_t *indices);

/* The four values of a pair, in the order in which tables hold them.  Each is what it is worth to the player on roll,
 * per unit of the present cube, to roll now without doubling. */
enum { BGR_CUBELESS, BGR_MINE, BGR_CENTERED, BGR_THEIRS, BGR_N_PLANES };

/* How the inner loop is carried out.  The bytes that come out don't depend on it. */
typedef enum bgr_path {
    BGR_PATH_BEST, /* the fastest that this machine has */
    BGR_PATH_SCALAR,
    BGR_PATH_SSE2,
    BGR_PATH_AVX2,
    BGR_PATH_AVX512,
    BGR_PATH_NEON,
    BGR_N_PATHS
} bgr_path;

/* Whether this machine can take a path: 1 or 0. */
int bgr_path_available(bgr_path path);

/* What becomes of the fractions. */
typedef enum bgr_arithmetic {
    BGR_NEAREST, /* equity times a scale, rounded to the nearest step */
    BGR_GNUBG    /* step for step what GNU Backgammon's generator computes: see csrc/solve/gnubg_turn.c */
} bgr_arithmetic;

/* Two more values of a pair, in which gammons count once: cubeless, which is 2 W - 1 with W the chance to win; and
 * centered, which is that of the Jacoby rule. */
enum { BGR_SINGLE_CUBELESS, BGR_SINGLE_CENTERED, BGR_N_SINGLE };

/* Pairs for which the single values are wanted: some of those in which a side has all of its checkers and may lose a
 * gammon.  A rank with all checkers has a column, and each rank has two rows of pairs, against the first few columns:
 *
 *     winning[winning_start[r] + column[s]]   r on roll, s has all checkers; r may win a gammon
 *     losing[losing_start[r] + column[s]]     s on roll with all checkers, r the opponent; s may lose one
 *
 * as far as the row goes, to the next rank's start.  A pair that both could hold is in `winning`. */
typedef struct bgr_gammon_pairs {
    const int32_t *column;        /* by rank; -1 without all checkers */
    const int64_t *winning_start; /* by rank, and once more for the end; all of them from 0 on, none falling */
    const int64_t *losing_start;
    int16_t *winning, *losing; /* [out] [pair][BGR_N_SINGLE], equity times scale */
} bgr_gammon_pairs;

/* How to solve pairs of positions.  Start from zeros and fill in what is wanted; scale is needed. */
typedef struct bgr_two_sided_options {
    int scale;           /* steps per unit of equity, even: a multiple of 36 makes every one-roll value exact.  At most
                          * 32766 without gammons, 16382 with them. */
    int gammon_checkers; /* a loser with this many checkers left loses double; 0: nobody does */
    unsigned single_planes; /* bit 1 << plane: gammons count once there all the same (cubeless: win probability,
                             * as 2 W - 1; centered: the Jacoby rule) */
    const bgr_gammon_pairs *gammon_pairs; /* or NULL; with gammon_checkers, one graph, and no single_planes */
    int first_level;                      /* pairs below this many pips are in the tables already; 0: none are */
    int64_t memory_bytes; /* bound of the working set beside graphs and tables; 0: none.  With one graph only. */
    bgr_path path;
    bgr_arithmetic arithmetic; /* with BGR_GNUBG scale is without effect, and there are no gammons */
    int n_threads;             /* at least 1 */
    bgr_progress progress;     /* or NULL; its level: the pips up to which all pairs are in the tables */
    void *context;             /* for progress */
} bgr_two_sided_options;

/* Values of all pairs of a position of graph a and a position of graph b, in 16 bits: equity times `scale`.
 *
 * A value is rounded once, to the nearest step (halves to even), from the exact mean of 36 stored values.  Money, with
 * a cube without limit. table_a [out] size of a x size of b x BGR_N_PLANES, [rank on roll][rank of the
 * opponent][plane], for a on roll; table_b [out] size of b x size of a x BGR_N_PLANES for b on roll.  With b NULL
 * (table_b NULL too) both sides come from graph a, and one table says everything.  A player on roll who has no checker
 * left has won, singly or doubly; a player on roll against nobody has lost.  With BGR_GNUBG a value v stands for the
 * equity (v + 1/2) / 32767.5.  BGR_ERR_SIZE if a number is out of range or
 * a graph too large, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_two_sided(const bgr_graph *a, const bgr_graph *b, const bgr_two_sided_options *options, int16_t *table_a,
                         int16_t *table_b);

/* ------------------------------------------------------------------ as GNU Backgammon's generator computes */

#define BGR_GNUBG_WIDTH 32 /* chances in a row of its one-sided files */

/* Distributions of the number of rolls, in parts of 65535, to the bit as makebearoff makes them.
 *
 * last [out] size x BGR_GNUBG_WIDTH, by index: chance that all checkers are off after exactly k rolls.
 * first [out] 1 + (positions with 15 checkers) x BGR_GNUBG_WIDTH: row 0 for all positions with fewer than 15, then one
 * for each position with 15: chance that the first checker comes off on exactly roll k.  NULL if it is not wanted;
 * else BGR_ERR_CHECKERS unless the space is for 15.
 * progress: called after each level with positions done and positions there are; or NULL.
 * Uses up to about 300 bytes for each position of the seven largest levels together, and 12 a position.
 * BGR_ERR_SIZE beyond 2^31 positions, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_gnubg_one_sided(const bgr_space *space, int n_threads, bgr_progress progress, void *context,
                               uint16_t *last, uint16_t *first);

/* ------------------------------------------------------------------ races of the single-checker model */

/* Most pips a side that the functions below go to. */
#define BGR_MAX_PIPS 2000

/* The chance to win of every pair of pip counts: points rolled are subtracted in turn, the first at 0 or less wins.
 *
 * limit: 0 .. BGR_MAX_PIPS.  win_probability [out] (limit + 1) x (limit + 1), [player on roll][opponent]: 1 where the
 * first count is 0, 0 where the second is, and NaN where both are.  BGR_ERR_SIZE. */
bgr_status bgr_race_win_probabilities(int limit, double *win_probability);

/* Equities of every pair of pip counts, to the player on roll, per unit of the present cube: with the right to double
 * before this roll where the cube is centered or mine; without it where the cube is theirs; and of rolling without
 * doubling.  Double/take is worth twice `theirs`, double/pass +1.
 *
 * Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 5.1, equations (7) to (15).
 * limit: 0 .. BGR_MAX_PIPS.  All five [out] (limit + 1) x (limit + 1), [player on roll][opponent]: +1 where the first
 * count is 0, else -1 where the second is.  BGR_ERR_SIZE. */
bgr_status bgr_race_equities(int limit, double *centered, double *mine, double *theirs, double *no_double_centered,
                             double *no_double_mine);

/* One cube state as a player on roll sees it. */
typedef struct bgr_cube_state {
    double win;    /* what bearing off the last checker pays */
    double gammon; /* the same if the loser still has all his checkers */
    int seen;      /* the state's number in the opponent's list */
    int turned;    /* the state after a double that is taken; negative if the player may not double */
    double factor; /* what a unit of the turned state is worth in units of this one, */
    double offset; /* and what its 0 is worth */
    double pass;   /* what a double that is passed pays */
} bgr_cube_state;

#define BGR_MAX_STATES 64

/* How to solve pairs in double precision.  Start from zeros and fill in what is wanted; states are needed. */
typedef struct bgr_exact_options {
    const bgr_cube_state *states_a, *states_b; /* n_states of them for either side on roll; with one graph only a's */
    int n_states;                              /* 1 .. BGR_MAX_STATES */
    int gammon_checkers;                       /* a loser with this many checkers left pays `gammon`; 0: nobody does */
    double total;          /* what both sides' values add up to: 0 for equities, 1 for probabilities */
    bgr_path path;         /* the bytes don't depend on it */
    int n_threads;         /* at least 1; nor on this */
    bgr_progress progress; /* or NULL */
    void *context;         /* for progress */
} bgr_exact_options;

/* All pairs of a position of graph a and a position of graph b, solved in double precision for any list of cube states:
 * money, one game of a match, with gammons or without.  Opaque; owned by the caller; read by any number of threads. */
typedef struct bgr_exact bgr_exact;

/* Solve.  With b NULL both sides come from graph a, and one list of states and one table say everything.  The graphs
 * must live as long as the solution, which takes 8 bytes for each state of each pair (the opponent's positions of equal
 * pips rounded up to whole eights), for either side on roll.
 * table_a [out] size of a x size of b x n_states, table_b [out] size of b x size of a x n_states: value of rolling now
 * without doubling.  Either may be NULL.  Free the solution with bgr_exact_free.
 * BGR_ERR_SIZE if a number is out of range, BGR_ERR_MEMORY, BGR_ERR_STOPPED. */
bgr_status bgr_exact_new(const bgr_graph *a, const bgr_graph *b, const bgr_exact_options *options, double *table_a,
                         double *table_b, bgr_exact **exact);
void bgr_exact_free(bgr_exact *exact); /* NULL is allowed */

/* The values of one pair, the same bits as in the tables.  side: 0 if a's position is on roll, 1 if b's is; with one
 * graph 0.  values [out] n_states.  BGR_ERR_INDEX. */
bgr_status bgr_exact_values(const bgr_exact *exact, int side, int64_t rank, int64_t opponent_rank, double *values);

/* ------------------------------------------------------------------ rollouts */

/* Ten rounds of Philox4x32 (Salmon, Moraes, Dror and Shaw, 2011): 128 random bits for a counter, under a key. */
void bgr_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* The throws of one side in one game come in blocks of this many. */
#define BGR_BLOCK_THROWS 12

/* Block 0, 1, ... of the throws of a side: numbers 6 * (first die - 1) + second die - 1, each 0 .. 35. */
void bgr_throws(uint64_t seed, uint64_t game, uint32_t side, uint32_t block, uint8_t throws[BGR_BLOCK_THROWS]);

/* How a player plays: by strategy H and I of Ross, Benjamin and Munson (section 3.1; csrc/rollout/rollout.c) as long as
 * a checker stands beyond the points of `space`, and from then on as the table says.  The dice that are left in the
 * turn in which the last checker arrives are played by `chains`.  The tables belong to the caller. */
typedef struct bgr_policy {
    const bgr_space *space; /* of 15 checkers, unless every position is in it from the start */
    const int32_t *best;    /* both from bgr_one_sided_chains; chains may be NULL if every position is in the space */
    const int32_t *chains;
} bgr_policy;

/* What every roll makes of n positions.  counts: n x BGR_MAX_POINTS, at most 15 checkers each; blocked: n sets of
 * points, bit j - 1 for point j, on which strategy H and I does not land.  results [out] n x BGR_N_ROLLS, indices in
 * the space `wide`, whose points must hold the positions.  BGR_ERR_POSITION. */
bgr_status bgr_policy_plays(const bgr_policy *policy, const bgr_space *wide, const int8_t *counts,
                            const uint32_t *blocked, int64_t n, int n_threads, int64_t *results);

/* A game of more rolls than this is given up; only one that two players block can come near. */
#define BGR_MAX_ROLLS 255

/* One side of a rollout. */
typedef struct bgr_roller {
    bgr_policy policy;
    int8_t counts[BGR_MAX_POINTS];
    int model_pips; /* of the single checker that runs along on the same dice; at least 1 */
} bgr_roller;

/* Sums over games; y is what is asked for, c the same of the two single checkers that ran along. */
enum { BGR_SUM_GAMES, BGR_SUM_Y, BGR_SUM_YY, BGR_SUM_C, BGR_SUM_CC, BGR_SUM_YC, BGR_N_SUMS };
/* What y is. */
enum { BGR_OF_ROLLS, BGR_OF_OPPONENT_ROLLS, BGR_OF_WINS, BGR_N_SUMMED };

/* What a number of games came to.  All numbers are whole, so that sums don't depend on the order. */
typedef struct bgr_rollout_sums {
    int64_t rolls[2][BGR_MAX_ROLLS + 1];       /* games in which a side needed exactly k rolls */
    int64_t sums[BGR_N_SUMMED][2][BGR_N_SUMS]; /* over the games of even and of odd number */
} bgr_rollout_sums;

/* Play games number first .. first + n - 1 of a seed, and add what they come to to `sums`.
 *
 * n_sides: 1, or 2: then side 0 throws first and wins if it needs no more rolls than side 1; both play on until off.
 * With `blocking`, strategy H and I does not land where the other side stands.
 * BGR_ERR_POSITION, or BGR_ERR_SIZE if a game went on for more than BGR_MAX_ROLLS rolls; then the sums are of no use.
 */
bgr_status bgr_rollout(const bgr_roller *sides, int n_sides, int blocking, uint64_t seed, int64_t first, int64_t n,
                       int n_threads, bgr_rollout_sums *sums);

#endif
