/* A question about a race, while it is being answered. */
#pragma once

#include "turns/pairs.h"
#include "turns/race_solver.h"
#include "turns/stored_pairs.h"

/* The arguments of a question. */
typedef struct bgr_asked {
    bgr_stakes stakes;
    bgr_solve_options options;                   /* defaults filled in */
    int (*progress)(void *context, double done); /* the caller's; options.progress checks `stop` first */
    void *context;                               /* for progress */
    int8_t counts[2][BGR_MAX_POINTS];
    int loses[2];     /* the greatest loss of each side that is considered */
    int first_roll;   /* as in bgr_reach_options */
    int may_be_over;  /* in: 1 if one side may have borne off; else that is BGR_ERR_POSITION */
    int may_estimate; /* in: 1 lets bgr_choose give up if the budget is too small; it then sets too_dear and returns
                       * BGR_ERR_SIZE */
} bgr_asked;

/* Known pairs of few checkers. */
typedef struct bgr_known_pairs {
    bgr_pair_lookup lookup;
    bgr_pair_table *own_table; /* a table made for this question, or a kept one; or NULL */
    bgr_kept_tables *kept;     /* or NULL */
    bgr_stored stored;         /* the database */
} bgr_known_pairs;

/* The outcome of choosing the plays to compare. */
typedef struct bgr_chosen {
    double delta;        /* as in bgr_answer_info */
    double win_left_out; /* upper bound of the neglected chance to win of a side with cannot_win */
    int too_dear;
} bgr_chosen;

typedef struct bgr_question {
    const bgr_solver *solver;
    bgr_asked asked;
    bgr_planes planes;
    bgr_pairs_options pairs;
    bgr_known_pairs known;
    bgr_candidates *candidates[2];
    bgr_reach *reach[2];
    bgr_pairs_size size;
    bgr_chosen chosen;
} bgr_question;

/* Read the arguments, except options that only answers use.  Progress and `stop` then go through *asked, which must not
 * move.  BGR_ERR_POINTS, BGR_ERR_POSITION, BGR_ERR_CONTACT, BGR_ERR_SIZE. */
bgr_status bgr_asked_read(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                          const bgr_solve_options *options, bgr_asked *asked);

/* Copy one side's checkers to BGR_MAX_POINTS points.  BGR_ERR_POINTS, BGR_ERR_POSITION. */
bgr_status bgr_question_position(int points, const int8_t *from, int8_t *counts);

/* The highest point with a checker; 0: none. */
static inline int bgr_question_highest(const int8_t *counts) { return bgr_highest(BGR_MAX_POINTS, counts); }

/* The greater of both sides' greatest losses. */
static inline int bgr_worst_loss(const bgr_asked *asked) { return asked->loses[asked->loses[1] > asked->loses[0]]; }

/* Choose planes and followers by the losses of each side.  BGR_ERR_STAKES. */
bgr_status bgr_question_planes(bgr_question *question);

/* Free what a question has found. */
void bgr_question_forget(bgr_question *question);
