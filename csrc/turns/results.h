/* The results of a roll from a position, with the mean rolls of each; and the mean and the variance of one position,
 * exact in the home board and estimates outside. */
#pragma once

#include "base/tuning.h"
#include "turns/home_board.h"

typedef struct {
    bgr_packed position;
    double mean; /* exact in the home board, an estimate outside */
} bgr_result;

/* The aim of play: the least mean number of rolls to the last checker off, or to the first of 15. */
typedef enum { BGR_LAST_CHECKER, BGR_FIRST_CHECKER, BGR_N_AIMS } bgr_aim;

/* A position between two dice, with the changes of its estimate, without levels, by a step of one checker: sums over
 * the points up to each (`within`), at the point of arrival, and at the source. */
typedef struct {
    bgr_packed position;
    double estimate; /* the estimate without levels */
    int8_t places[BGR_MAX_POINTS + 1], sums[BGR_MAX_POINTS + 2];
    int highest, n_outside, pips;
    float within[BGR_MAX_POINTS + 1], arrive[BGR_MAX_POINTS + 1], leave[BGR_MAX_POINTS + 1];
} bgr_stand;

/* Positions after one die. */
typedef struct {
    int n; /* 0: not found yet */
    bgr_stand stand[TUNED_MAX_STANDS];
} bgr_stands;

/* Positions between two dice, for each aim: before the first die and after each. */
typedef struct {
    int n; /* positions found */
    bgr_stands start[BGR_N_AIMS], after[BGR_N_AIMS][6];
} bgr_die_by_die;

/* A finder of the results of rolls from a position.  Callers set `home` and `outcomes`, and read outcomes, n_found,
 * least, sums and by_die.n. */
typedef struct {
    const bgr_home_board *home;
    bgr_packed position;
    int8_t places[BGR_MAX_POINTS + 1]; /* off, 1, .. 24 */
    int8_t sums[BGR_MAX_POINTS + 2];   /* checkers on each point or beyond */
    const bgr_pip_levels *levels;      /* at the pips after the roll */
    int pips;
    double margin, least;
    int unweighed;        /* 1: find every result, without means */
    bgr_result *outcomes; /* room for BGR_MAX_PLAYS */
    int n_found;
    bgr_die_by_die by_die;
} bgr_result_finder;

/* The mean of a position: exact in the home board, an estimate outside. */
double bgr_position_mean(const bgr_home_board *home, bgr_packed position);

/* An estimate of the mean number of rolls to the first of 15 checkers; exact in the home board. */
double bgr_position_first(const bgr_home_board *home, bgr_packed position);

/* The variance of the number of rolls to the last checker: exact in the home board, an estimate outside. */
double bgr_position_variance(const bgr_home_board *home, bgr_packed position);

/* Estimate the rolls that bring the last checker out of points 19 to 24. */
double bgr_position_straggler(const bgr_home_board *home, bgr_packed position);

/* Set the position of a finder whose `home` and `outcomes` are set. */
void bgr_find_results_from(bgr_result_finder *finder, bgr_packed position);

/* Find every distinct result of a roll whose mean is within `margin` of the least, into finder->outcomes. */
void bgr_find_results(bgr_result_finder *finder, int roll, double margin);

/* Find every distinct result of a roll, without means, in a third of the time. */
void bgr_find_every_result(bgr_result_finder *finder, int roll);

/* Find results as bgr_find_results does, ten times as fast, from outside the home board, by estimates after each die.
 * margin: finite, the same for all rolls of a position.  A position that looks poor after one die is dropped, so a
 * result is occasionally missed. */
void bgr_find_results_quickly(bgr_result_finder *finder, bgr_aim aim, int roll, double margin);

/* Results of a roll, that with the least mean first. */
enum { BGR_MAX_BEST = 3 };
typedef struct {
    int n;
    bgr_packed result[BGR_MAX_BEST];
} bgr_best;

/* Find the result of each roll with the least mean, for the last checker in the home board, for `aim` outside, by
 * estimates; then others within `margin`, 0 for none.  best [out] BGR_N_ROLLS.  BGR_ERR_MEMORY. */
bgr_status bgr_best_of_rolls(const bgr_home_board *home, bgr_packed position, bgr_aim aim, double margin,
                             bgr_best *best);
