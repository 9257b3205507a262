/* A question about a race, while it is being answered. */
#ifndef BGR_QUESTION_H
#define BGR_QUESTION_H

#include "base/stakes.h"
#include "solve/cube_chart.h"
#include "turns/endgame_table.h"
#include "turns/pairs.h"

enum { BGR_MAX_TABLES = 64, BGR_KEPT_TABLES = 3 };

struct bgr_solver {
    bgr_reach_home *home;
    bgr_cube_chart *chart; /* for estimates */
    int n_tables;
    bgr_known *tables[BGR_MAX_TABLES];
};

/* Tables that were made for questions, for later ones. */
struct bgr_kept_tables {
    bgr_known *table[BGR_KEPT_TABLES];
    int oldest;
};

typedef struct bgr_question {
    const bgr_solver *solver;
    const bgr_stakes *stakes;
    bgr_solve_options options; /* with their defaults */
    int8_t counts[2][BGR_MAX_POINTS];
    int loses[2];   /* the most that each side may lose by, as far as chances are worth looking at */
    int first_roll; /* as in bgr_reach_options */
    int precision;  /* asked for; negative: none */
    bgr_planes planes;
    bgr_pairs_options pairs;
    bgr_cube cube; /* the place whose values are held, if any are */
    bgr_known_view view;
    bgr_known *own_table;  /* a table for this question alone, or NULL */
    bgr_kept_tables *kept; /* or NULL */
    bgr_stored stored;     /* the database */
    bgr_candidates *candidates[2];
    bgr_reach *reach[2];
    bgr_pairs_size size;
    double delta;        /* as in bgr_answer_info */
    double win_left_out; /* the chance to win, at most, of a side that is taken not to win */
} bgr_question;

/* Read what is asked, but for the solver, the path and the precision.  BGR_ERR_POINTS, BGR_ERR_POSITION,
 * BGR_ERR_CONTACT, BGR_ERR_SIZE, BGR_ERR_ROLL, and what bgr_stored_open returns. */
bgr_status bgr_question_read(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                             const bgr_solve_options *options, bgr_question *question);

/* Free what was found on the way. */
void bgr_question_forget(bgr_question *question);

/* One side's checkers on BGR_MAX_POINTS points.  BGR_ERR_POSITION. */
bgr_status bgr_question_position(int points, const int8_t *from, int8_t *counts);

/* The highest point with a checker; 0: none. */
int bgr_question_highest(const int8_t *counts);

/* The kind of loss of a side with these checkers left. */
int bgr_question_loss(const int8_t *counts);

/* Planes and followers for what each side may lose by, and which of them to hold.  BGR_ERR_STAKES. */
bgr_status bgr_question_planes(bgr_question *question);

#endif
