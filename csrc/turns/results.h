/* What a roll makes of a position, with the mean rolls of each result. */
#ifndef BGR_RESULTS_H
#define BGR_RESULTS_H

#include "turns/packed.h"

typedef struct {
    bgr_packed position;
    double mean; /* exact in the home board, an estimate outside */
} bgr_result;

/* A position to play from.  Opaque but for what is found. */
typedef struct {
    const bgr_reach_home *home;
    bgr_packed position;
    int8_t places[BGR_MAX_POINTS + 1]; /* off, 1, .. 24 */
    int8_t sums[BGR_MAX_POINTS + 2];   /* checkers on a point or beyond */
    double worth;                      /* the estimate */
    double margin, least;
    bgr_result *found; /* room for BGR_MAX_PLAYS */
    int n_found;
} bgr_player;

/* The mean of a position: exact in the home board, an estimate outside. */
double bgr_position_mean(const bgr_reach_home *home, bgr_packed position);

/* An estimate of the mean number of rolls to the first of 15 checkers; exact in the home board. */
double bgr_position_first(const bgr_reach_home *home, bgr_packed position);

/* About how many rolls bring the last checker out of points 19 to 24. */
double bgr_position_straggler(const bgr_reach_home *home, bgr_packed position);

/* Put a position on the board of a player whose `home` and `found` are set. */
void bgr_player_set(bgr_player *player, bgr_packed position);

/* Every distinct result of a roll whose mean is within `margin` of the least, into player->found. */
void bgr_player_roll(bgr_player *player, int roll, double margin);

#endif
