/* Races played out with random dice. */
#pragma once

#include "base/dice.h"

/* A player's policy: strategy H and I of Ross, Benjamin and Munson (section 3.1; csrc/rollout/rollout.c) while a
 * checker is beyond the points of `space`, then the plays of the table.  The dice left in the turn in which the last
 * checker arrives are played by `chains`.  The tables belong to the caller. */
typedef struct bgr_policy {
    const bgr_space *space; /* of 15 checkers, unless every start position is in it */
    const int32_t *best;    /* both from bgr_one_sided_means; chains may be NULL if every start position is in the
                             * space */
    const int32_t *chains;
    const uint16_t *narrow; /* a copy of best in 16 bits; NULL if the space has more than 65,536 positions */
} bgr_policy;

/* Find the result of every roll from n positions.  counts: n x BGR_MAX_POINTS, at most 15 checkers each; blocked: n
 * sets of points, bit j - 1 for point j, on which strategy H and I does not land.  results [out] n x BGR_N_ROLLS,
 * indices in the space `wide`, whose points must hold the positions.  BGR_ERR_POSITION. */
bgr_status bgr_policy_plays(const bgr_policy *policy, const bgr_space *wide, const int8_t *counts,
                            const uint32_t *blocked, int64_t n, int n_threads, int64_t *results);

/* Games of more rolls are given up; only games with blocking can come near this. */
#define BGR_MAX_GAME_ROLLS 255

/* One side of a rollout. */
typedef struct bgr_roller {
    bgr_policy policy;
    int8_t counts[BGR_MAX_POINTS];
    int model_pips; /* of the single-checker model, which uses the same dice; at least 1 */
} bgr_roller;

/* Sums over games; y is the quantity, c the same of the single-checker models. */
enum { BGR_SUM_GAMES, BGR_SUM_Y, BGR_SUM_YY, BGR_SUM_C, BGR_SUM_CC, BGR_SUM_YC, BGR_N_SUMS };
/* The quantity y: */
enum { BGR_OF_ROLLS, BGR_OF_OPPONENT_ROLLS, BGR_OF_WINS, BGR_N_SUMMED };

/* Sums over a number of games.  All numbers are integers, so sums do not depend on the order. */
typedef struct bgr_rollout_sums {
    int64_t rolls[2][BGR_MAX_GAME_ROLLS + 1];  /* games in which a side needed exactly k rolls */
    int64_t sums[BGR_N_SUMMED][2][BGR_N_SUMS]; /* over the games of even and of odd number */
} bgr_rollout_sums;

/* Games number first .. first + n - 1 of a seed.  n_sides: 1, or 2: then side 0 throws first and wins if it needs no
 * more rolls than side 1; both play on until off. */
typedef struct bgr_games {
    bgr_roller sides[2];
    int n_sides;
    int blocking; /* strategy H and I does not land where the other side stands */
    uint64_t seed;
    int64_t first, n;
} bgr_games;

/* Play games, and add their results to `sums`.
 * BGR_ERR_POSITION, BGR_ERR_MEMORY, or BGR_ERR_SIZE if a game went on for more than BGR_MAX_GAME_ROLLS rolls; then the
 * sums are invalid. */
bgr_status bgr_rollout(const bgr_games *games, int n_threads, bgr_rollout_sums *sums);
