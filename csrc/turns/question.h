/* A question about a race, while it is being answered. */
#ifndef BGR_QUESTION_H
#define BGR_QUESTION_H

#include "turns/pairs.h"
#include "turns/race_solver.h"
#include "turns/stored_pairs.h"

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

#endif
