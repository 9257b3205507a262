/* The parts of an answer, for its makers. */
#pragma once

#include "answer/all_pairs.h"
#include "turns/question.h"

#include <string.h>

/* A result of the first roll, and its values by plane for the opponent on roll. */
typedef struct bgr_first_result {
    int8_t counts[BGR_MAX_POINTS];
    double values[BGR_MAX_LINES];
} bgr_first_result;

/* Functions of an answer that depend on its way. */
typedef struct bgr_answer_ops {
    /* Get the values by plane for the opponent on roll after a move; counts has a checker.  values: BGR_PLAN_PLANES. */
    bgr_status (*values_after)(const bgr_answer *answer, const int8_t *counts, double *values);
    /* Get the chances of the player on roll after the same move. */
    bgr_status (*chances_after)(const bgr_answer *answer, const int8_t *counts, bgr_chances *chances);
    void (*hold)(const bgr_answer *answer); /* called for a copy */
    void (*release)(const bgr_answer *answer);
} bgr_answer_ops;

/* Data of an estimate, from which plays are valued. */
typedef struct bgr_estimated bgr_estimated;

/* 1: gammons count; the Jacoby rule is in force; beavers are allowed. */
typedef struct bgr_rules {
    int gammons, jacoby, beavers;
} bgr_rules;

/* Part of an answer whose results are listed. */
typedef struct bgr_listed {
    unsigned followers; /* as in bgr_pairs_options */
    int64_t n;
    bgr_first_result *results; /* sorted */
} bgr_listed;

/* Part of an answer by all pairs. */
typedef struct bgr_paired {
    bgr_all_pairs *all;
    int side; /* the side of the pairs that is on roll */
} bgr_paired;

struct bgr_answer {
    const bgr_answer_ops *ops;        /* NULL: results are listed */
    bgr_rules rules;                  /* of the stakes */
    bgr_planes planes;                /* positions of the cube and payoffs as the player on roll sees them */
    int8_t counts[2][BGR_MAX_POINTS]; /* on roll, opponent */
    int over;                         /* 1: a side has borne off */
    int worst_loss;                   /* the greatest loss that the planes allow for */
    int cubeless_plane;
    int opponent_loss; /* how much the opponent loses if the player on roll wins with this roll */
    double now[BGR_PLAN_PLANES + BGR_N_FOLLOWERS]; /* values of rolling now: planes, then followers */
    bgr_chances chances;
    bgr_answer_info info;
    double *off[2]; /* not with all pairs: each side's chances to be off in exactly 0, 1, .. rolls, by itself */
    bgr_listed listed;
    bgr_paired pairs;
    bgr_estimated *estimated; /* or NULL */
};

/* Set up an answer, all zeros except for its planes, from a question. */
static inline void bgr_answer_begin(const bgr_asked *asked, bgr_answer *answer)
{
    memcpy(answer->counts, asked->counts, sizeof answer->counts);
    answer->opponent_loss = bgr_loss_of(asked->counts[1]);
    answer->cubeless_plane = answer->planes.place[BGR_CUBE_NONE].now.plane;
    answer->rules = (bgr_rules){asked->stakes.gammons, asked->stakes.jacoby, asked->stakes.beavers};
}
