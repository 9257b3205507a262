/* What a roll makes of a position, with the mean rolls of each result. */
#ifndef BGR_RESULTS_H
#define BGR_RESULTS_H

#include "turns/home_board.h"
#include "turns/tuning.h"

typedef struct {
    bgr_packed position;
    double mean; /* exact in the home board, an estimate outside */
} bgr_result;

/* What is looked for: few rolls to the last checker, or to the first of 15. */
typedef enum { BGR_LAST_CHECKER, BGR_FIRST_CHECKER, BGR_N_AIMS } bgr_aim;

/* A position between two dice, with what a step of one checker adds to its estimate, but for levels: so far before a
 * point (`within`), at the point that the checker comes to, and at the one that it leaves. */
typedef struct {
    bgr_packed position;
    double estimate; /* the estimate, but for levels */
    int8_t places[BGR_MAX_POINTS + 1], sums[BGR_MAX_POINTS + 2];
    int highest, n_outside, pips;
    float within[BGR_MAX_POINTS + 1], arrive[BGR_MAX_POINTS + 1], leave[BGR_MAX_POINTS + 1];
} bgr_stand;

/* Positions after one die. */
typedef struct {
    int n; /* 0: not looked at yet */
    bgr_stand stand[TUNED_MAX_STANDS];
} bgr_stands;

/* A position to play from.  Opaque but for what is found. */
typedef struct {
    const bgr_reach_home *home;
    bgr_packed position;
    int8_t places[BGR_MAX_POINTS + 1]; /* off, 1, .. 24 */
    int8_t sums[BGR_MAX_POINTS + 2];   /* checkers on a point or beyond */
    double estimate, pairs_worth;      /* the estimate, and that but for levels */
    const bgr_pip_levels *levels;      /* of what a roll leaves */
    int pips;
    double margin, least;
    int unweighed;        /* 1: every result is wanted, without its mean */
    bgr_result *outcomes; /* room for BGR_MAX_PLAYS */
    int n_found;
    bgr_stands start[BGR_N_AIMS], after[BGR_N_AIMS][6];
} bgr_player;

/* The mean of a position: exact in the home board, an estimate outside. */
double bgr_position_mean(const bgr_reach_home *home, bgr_packed position);

/* An estimate of the mean number of rolls to the first of 15 checkers; exact in the home board. */
double bgr_position_first(const bgr_reach_home *home, bgr_packed position);

/* The variance of the number of rolls to the last checker, as the mean. */
double bgr_position_variance(const bgr_reach_home *home, bgr_packed position);

/* About how many rolls bring the last checker out of points 19 to 24. */
double bgr_position_straggler(const bgr_reach_home *home, bgr_packed position);

/* Put a position on the board of a player whose `home` and `found` are set. */
void bgr_player_set(bgr_player *player, bgr_packed position);

/* Every distinct result of a roll whose mean is within `margin` of the least, into player->found. */
void bgr_player_roll(bgr_player *player, int roll, double margin);

/* Every distinct result of a roll, without means: which takes a third of the time. */
void bgr_player_every(bgr_player *player, int roll);

/* As bgr_player_roll from outside the home board by estimates between the dice, for a margin that is finite and the
 * same for all rolls of a position: what looks poor after one die is not followed, so now and then a result is missed.
 * Ten times as quick. */
void bgr_player_quick_roll(bgr_player *player, bgr_aim aim, int roll, double margin);

/* The result of each roll that has the least mean: to the last checker in the home board, to what is aimed at outside,
 * by estimates.  results [out] BGR_N_ROLLS.  BGR_ERR_MEMORY. */
bgr_status bgr_best_of_rolls(const bgr_reach_home *home, bgr_packed position, bgr_aim aim, bgr_packed *results);

#endif
