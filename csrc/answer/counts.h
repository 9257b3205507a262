/* The counts that players use over the board, and what they get wrong.  The functions of bgrace.counts say where each
 * comes from; COUNTS in counts.c has all of them. */
#pragma once

#include "bgrace.h"

enum { BGR_N_COUNTS = 13, BGR_N_COUNT_FIELDS = 11, BGR_N_DECISIONS = 3 };

/* The result of a count, NaN where it says nothing: the fields of bgrace.counts.Count.  Yes is 1, no 0. */
typedef struct bgr_count {
    double counted, on_roll, opponent, double_from, redouble_from, take_to, doubles, redoubles, takes, win, ratio;
} bgr_count;

/* Where retellings differ, and what a count cannot see on the board. */
typedef struct bgr_count_options {
    int from_30, round_down, strict_take; /* Thorp's */
    int deuces;                           /* Ward's: checkers on the deuce point that cost nothing */
    double allowance;                     /* pips added to a take by expected pips */
} bgr_count_options;

/* "keith", ...; NULL beyond the last. */
const char *bgr_count_name(int count);

/* A bit for each of the fields: those that the count has; of them those that are whole numbers. */
unsigned bgr_count_fields(int count);
unsigned bgr_count_whole(int count);

/* Why a count does not reach a pair: "{} pips ..." with a place for the number. */
const char *bgr_count_problem(int count);

/* Count a pair; both sides, BGR_MAX_POINTS each, have checkers.  epc: expected pips of both, for the count by them.
 * number [out]: the one of bgr_count_problem.  BGR_ERR_COVERAGE: the count does not reach it. */
bgr_status bgr_count_pair(int count, const bgr_count_options *options, const int8_t *on_roll, const int8_t *opponent,
                          const double *epc, bgr_count *out, int *number);

/* ---- parts of counts that have a name */

/* The greatest lead that is a take, by the pips of the player on roll; for Nack 57 55 or more. */
int64_t bgr_trice62_take_point(int64_t pips);
int64_t bgr_nack57_take_point(int64_t pips);

/* Expected pips by hand: a rule for each shape. */
typedef enum bgr_shape {
    BGR_SHAPE_ROLLS,
    BGR_SHAPE_ALMOST_ROLLS,
    BGR_SHAPE_STACK,
    BGR_SHAPE_LOW_WASTAGE,
    BGR_SHAPE_FLAT
} bgr_shape;

const char *bgr_shape_name(int shape);

/* pips: of a stack those of its stragglers, so many.  NaN: more pips than bgr_almost_rolls_limit a checker, or fewer
 * than one. */
double bgr_shape_epc(bgr_shape shape, double pips, int checkers, int stragglers);
double bgr_almost_rolls_limit(int checkers);

int bgr_is_pippish(const int8_t *counts);
double bgr_epc_by_hand(const int8_t *counts, bgr_shape *shape);

/* ---- judged */

/* Of doubling with a cube in the middle, of redoubling, of taking. */
typedef struct bgr_decision_truth {
    double margin;   /* by how many points yes is better; NaN: there is no such decision */
    double needed;   /* at a score, the chance from which on yes is right; NaN: none */
    double pips;     /* which the player who decides is from a tie; NaN: there is none near */
    double too_good; /* 1: to double */
} bgr_decision_truth;

/* The right answer; numbers only, as the page hands them over. */
typedef struct bgr_count_truth {
    double epc[2];   /* of both sides; NaN: not known */
    double error;    /* of the answer, in points per unit of the cube */
    double at_score; /* 1: counts go by their chance, since their limits in pips are those of money */
    double waste[2]; /* pips of both sides; NaN: what is wrong with a count is not asked for */
    double win;      /* the chance of the player on roll */
    bgr_decision_truth decision[BGR_N_DECISIONS];
} bgr_count_truth;

/* The part of a count that makes its advice wrong: bgrace.counts.Culprit. */
enum {
    BGR_CULPRIT_NONE,
    BGR_CULPRIT_WASTAGE, /* of both sides */
    BGR_CULPRIT_ON_ROLL, /* the wastage of one side */
    BGR_CULPRIT_OPPONENT,
    BGR_CULPRIT_LIMIT,
    BGR_CULPRIT_BOTH, /* wastage and limit */
    BGR_CULPRIT_GAMMONS,
    BGR_CULPRIT_CHANCE
};

/* A number of the count, and the true one. */
typedef struct bgr_against_truth {
    double counted, right;
} bgr_against_truth;

typedef struct bgr_culprit {
    double term;
    bgr_against_truth on_roll, opponent, limit, chance; /* NaN: not asked for, or none */
} bgr_culprit;

typedef struct bgr_judged_count {
    double reached, number;       /* 0: only the number of bgr_count_problem is there */
    bgr_count count;              /* at a score with the advice of its chance */
    double loss[BGR_N_DECISIONS]; /* points per unit of the cube; NaN: no advice, or no such decision */
    bgr_culprit culprit[BGR_N_DECISIONS];
} bgr_judged_count;

/* The greatest difference of two choices that counts as none: the error, within limits.  The least prints as 0.0000;
 * the greatest is one that a player would notice, since stated errors are larger than most that occur. */
double bgr_closeness(double error);

/* "wastage", ... */
const char *bgr_culprit_name(int term);

/* Judge every count of a pair.  judged [out]: BGR_N_COUNTS. */
void bgr_judge_counts(const int8_t *on_roll, const int8_t *opponent, const bgr_count_truth *truth,
                      bgr_judged_count *judged);
