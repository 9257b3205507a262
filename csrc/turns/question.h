/* A question about a race, while it is being answered, and the pairs of few checkers that are known beforehand. */
#ifndef BGR_QUESTION_H
#define BGR_QUESTION_H

#include "base/lock.h"
#include "base/stakes.h"
#include "solve/cube_chart.h"
#include "turns/pairs.h"

/* ------------------------------------------------------------------ pairs of few checkers at home whose values are
 * known: boundaries for pairs of equal turns */

enum { BGR_TABLE_CHECKERS = 8 }; /* at most */

/* Every pair of positions of at most `checkers` checkers on six points, for either side's view of some planes.  Opaque;
 * owned by the caller; read by any number of threads. */
typedef struct bgr_pair_table bgr_pair_table;

/* The bytes of a table, and about how many row operations (as in bgr_pairs_size) it costs to make one. */
void bgr_pair_table_measure(const bgr_planes *planes, int checkers, int64_t *bytes, int64_t *operations);

/* BGR_ERR_CHECKERS, BGR_ERR_MEMORY. */
bgr_status bgr_pair_table_new(const bgr_planes *planes, int checkers, bgr_pair_table **table);
void bgr_pair_table_free(bgr_pair_table *table); /* NULL is allowed; lets go, if others hold it */
bgr_pair_table *bgr_pair_table_hold(bgr_pair_table *table);

int bgr_pair_table_checkers(const bgr_pair_table *table);

/* Whether a table of these planes would have the same bits: 1 or 0. */
int bgr_pair_table_is_of(const bgr_pair_table *table, const bgr_planes *planes);

/* Planes looked up in a table, whatever planes it was made for; then followers, which are 0. */
typedef struct bgr_pair_lookup {
    const bgr_pair_table *table;
    int n_planes, n_followers;
    int plane[2][BGR_MAX_PLANES]; /* by the side on roll and the plane asked for, the plane of the table */
} bgr_pair_lookup;

/* Whether a table has the values of these planes: 1 or 0. */
int bgr_pair_table_find(const bgr_pair_table *table, const bgr_planes *planes, int n_followers,
                        bgr_pair_lookup *lookup);

/* For bgr_boundary, whose context is a bgr_pair_lookup. */
void bgr_pair_table_values(void *lookup, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                           double *values);

/* The tables of pairs of a database, as a solver looks values up in them.  All zeros: there are none. */
typedef struct bgr_stored {
    const bgr_db *db;
    int file;       /* which of the database's files has most pairs */
    int checkers;   /* pairs with at most this many a side are there, and nobody can lose a gammon in them */
    int in_place;   /* 1: a pair's values lie in memory; 0: they are read or unpacked */
    int32_t *index; /* the file's, by those on six points, which a solver knows; NULL if they are the same */
    int n_planes, n_followers;
    bgr_cube cube[2][BGR_MAX_PLANES]; /* by the side on roll and the plane: the place of the cube whose value it is */
    int64_t status;                   /* bgr_status of a value that could not be read, else BGR_OK */
} bgr_stored;

/* db: NULL is allowed.  Close it even if this fails: BGR_ERR_COVERAGE if no pairs are on six points or more, small
 * files left out, BGR_ERR_MEMORY. */
bgr_status bgr_stored_open(const bgr_db *db, bgr_stored *stored);
void bgr_stored_close(bgr_stored *stored);

/* About how many row operations (as in bgr_pairs_size) it takes to look a pair up. */
int bgr_stored_work(const bgr_stored *stored);

/* Get ready for some planes: how many checkers a side can be looked up, 0 if the stakes are not money. */
int bgr_stored_find(bgr_stored *stored, const bgr_planes *planes, unsigned followers);

/* For bgr_boundary, whose context is a bgr_stored.  Values that cannot be read are 0, and set `status`. */
void bgr_stored_values(void *stored, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                       double *values);

/* ------------------------------------------------------------------ questions */

enum { BGR_KEPT_TABLES = 3 };

struct bgr_solver {
    bgr_holders holders;
    bgr_lock lock;
    bgr_home_board *home;  /* NULL until bgr_solver_ready() has been called */
    bgr_cube_chart *chart; /* for estimates */
    int64_t n_tables, room;
    bgr_pair_table **tables;
};

/* bgr_solver_new() without the home board, which a single question may not need. */
bgr_status bgr_solver_begin(bgr_solver **solver);

/* The chart of the cube that a solver has. */
const bgr_cube_chart *bgr_solver_chart(const bgr_solver *solver);

/* Hold it; bgr_solver_free lets go. */
bgr_solver *bgr_solver_hold(const bgr_solver *solver);

/* Whether its home board has been solved. */
int bgr_solver_is_ready(const bgr_solver *solver);

/* Before the home board is looked at: solve it, if nobody has yet.  For any number of threads.  BGR_ERR_MEMORY. */
bgr_status bgr_solver_ready(const bgr_solver *solver);

/* The latest tables that were made for questions alone, for later ones; for any number of threads.  Where all is zeros
 * but `lock`, which belongs to the cache, none are kept yet. */
typedef struct bgr_kept_tables {
    bgr_lock *lock;
    bgr_pair_table *table[BGR_KEPT_TABLES];
    int oldest;
} bgr_kept_tables;

typedef struct bgr_question {
    const bgr_solver *solver;
    bgr_stakes stakes;                                 /* as read */
    bgr_solve_options options;                         /* with their defaults */
    int (*asked_progress)(void *context, double done); /* the caller's, where options.progress looks at `stop` */
    void *asked_context;                               /* for asked_progress */
    int8_t counts[2][BGR_MAX_POINTS];
    int loses[2];     /* the most that each side may lose by, as far as chances are worth looking at */
    int first_roll;   /* as in bgr_reach_options */
    int may_be_over;  /* in: whether one side may have borne off; that is BGR_ERR_POSITION otherwise */
    int may_estimate; /* in: 1 lets bgr_choose give up if the budget is too small; it then sets too_dear and returns
                       * BGR_ERR_SIZE */
    int too_dear;
    bgr_planes planes;
    bgr_pairs_options pairs;
    bgr_pair_lookup lookup;
    bgr_pair_table *own_table; /* a table that was made for this question, or kept; or NULL */
    bgr_kept_tables *kept;     /* or NULL */
    bgr_stored stored;         /* the database */
    bgr_candidates *candidates[2];
    bgr_reach *reach[2];
    bgr_pairs_size size;
    double delta;        /* as in bgr_answer_info */
    double win_left_out; /* the chance to win, at most, of a side that is taken not to win */
} bgr_question;

/* Read what is asked, but for the solver, and the options of answers alone.  BGR_ERR_POINTS, BGR_ERR_POSITION,
 * BGR_ERR_CONTACT, BGR_ERR_SIZE. */
bgr_status bgr_question_read(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                             const bgr_solve_options *options, bgr_question *question);

/* Free what was found on the way. */
void bgr_question_forget(bgr_question *question);

/* One side's checkers on BGR_MAX_POINTS points.  BGR_ERR_POINTS, BGR_ERR_POSITION. */
bgr_status bgr_question_position(int points, const int8_t *from, int8_t *counts);

/* The highest point with a checker; 0: none. */
static inline int bgr_question_highest(const int8_t *counts) { return bgr_highest(BGR_MAX_POINTS, counts); }

/* The most that either side may lose by. */
static inline int bgr_worst_loss(const bgr_question *q) { return q->loses[q->loses[1] > q->loses[0]]; }

/* Planes and followers for what each side may lose by.  BGR_ERR_STAKES. */
bgr_status bgr_question_planes(bgr_question *question);

/* ------------------------------------------------------------------ which pairs are known for a question */

/* Look for pairs that are known already, for the question's planes as they are. */
void bgr_find_table(bgr_question *question);

/* If none are, make a table, as large as is worth its while for the size of the question.  BGR_ERR_STAKES. */
bgr_status bgr_make_table(bgr_question *question);

/* ------------------------------------------------------------------ which plays to compare */

/* Carry both sides forward, as far as the budget and the options go.  Outcomes that cannot happen are left out of the
 * planes. BGR_ERR_STAKES, BGR_ERR_MEMORY. */
bgr_status bgr_choose(bgr_question *question);

#endif
