/* The counts that players use over the board, and their errors.  The functions of bgrace.counts cite the source of
 * each; COUNTS in counts.c lists all. */
#pragma once

#include "bgrace.h"

enum { BGR_N_COUNTS = 13, BGR_N_COUNT_FIELDS = 11, BGR_N_DECISIONS = 3 };

/* The result of a count: the fields of bgrace.counts.Count.  Yes is 1, no 0; NaN: the count has no such field. */
typedef struct bgr_count {
    double counted, on_roll, opponent, double_from, redouble_from, take_to, doubles, redoubles, takes, win, ratio;
} bgr_count;

/* Variants of counts in the literature, and inputs that are not on the board. */
typedef struct bgr_count_options {
    int from_30, round_down, strict_take; /* Thorp's */
    int deuces;                           /* Ward's: checkers on the deuce point that cost nothing */
    double allowance;                     /* pips added to a take by expected pips */
} bgr_count_options;

/* "keith", ...; NULL beyond the last. */
const char *bgr_count_name(int count);

/* Bit sets of fields: those that a count has, and among these the whole numbers. */
unsigned bgr_count_fields(int count);
unsigned bgr_count_whole(int count);

/* Why a pair is out of a count's range: "{} pips ...", with {} for the number. */
const char *bgr_count_problem(int count);

/* Count a pair; both sides, BGR_MAX_POINTS each, have checkers.  epc: expected pip counts of both sides, for the count
 * that uses them.  number [out]: the number of bgr_count_problem.  BGR_ERR_COVERAGE: the pair is out of the count's
 * range. */
bgr_status bgr_count_pair(int count, const bgr_count_options *options, const int8_t *on_roll, const int8_t *opponent,
                          const double *epc, bgr_count *out, int *number);

/* ---- named parts of counts */

/* The greatest lead that is a take, by the pips of the player on roll, 55 or more for Nack 57. */
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

/* pips: for a stack, those of its stragglers.  NaN: more pips than bgr_almost_rolls_limit a checker, or fewer than one.
 */
double bgr_shape_epc(bgr_shape shape, double pips, int checkers, int stragglers);
double bgr_almost_rolls_limit(int checkers);

int bgr_is_pippish(const int8_t *counts);
double bgr_epc_by_hand(const int8_t *counts, bgr_shape *shape);

/* ---- judgement */

/* The truth about one decision: doubling with a centered cube, redoubling, or taking. */
typedef struct bgr_decision_truth {
    double margin;   /* value of yes minus value of no, in points; NaN: there is no such decision */
    double needed;   /* at a score, the least chance at which yes is right; NaN: none */
    double pips;     /* from the deciding player's count to a tie; NaN: no tie is near */
    double too_good; /* 1: too good to double */
} bgr_decision_truth;

/* The true answer; all members are numbers, as the web page passes them. */
typedef struct bgr_count_truth {
    double epc[2];   /* of both sides; NaN: not known */
    double error;    /* of the answer, in points per unit of the cube */
    double at_score; /* 1: judge counts by their chance, since their limits in pips are for money */
    double waste[2]; /* wastage of both sides in pips; NaN: do not look for culprits */
    double win;      /* the chance of the player on roll */
    bgr_decision_truth decision[BGR_N_DECISIONS];
} bgr_count_truth;

/* The culprit, the part of a count that makes its advice wrong: bgrace.counts.Culprit. */
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
    double reached, number;       /* reached: 0 if the pair is out of range, and only number, that of
                                   * bgr_count_problem, is set */
    bgr_count count;              /* at a score with the advice by its chance */
    double loss[BGR_N_DECISIONS]; /* points per unit of the cube; NaN: no advice, or no such decision */
    bgr_culprit culprit[BGR_N_DECISIONS];
} bgr_judged_count;

/* The greatest difference between two choices that counts as a tie: the stated error, clamped.  The least value prints
 * as 0.0000; the greatest is a difference that a player would notice, since most errors are smaller than stated. */
double bgr_closeness(double error);

/* "wastage", ... */
const char *bgr_culprit_name(int term);

/* Judge every count of a pair.  judged [out]: BGR_N_COUNTS. */
void bgr_judge_counts(const int8_t *on_roll, const int8_t *opponent, const bgr_count_truth *truth,
                      bgr_judged_count *judged);
