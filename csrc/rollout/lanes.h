/* Many games of one side at once, from positions in the table of its policy on. */
#pragma once

#include "rollout/rollout.h"
#include "rollout/throws.h"

/* Games at once: their arrays fit into the first cache, and their look-ups overlap. */
enum { BGR_LANES = 256 };

/* One side of several games, with the single-checker models that use the same dice. */
typedef struct bgr_lanes {
    int n;                          /* at most BGR_LANES */
    int skipping;                   /* 1: some lane has throws to skip */
    uint64_t game[BGR_LANES];       /* number of the game */
    uint32_t block[BGR_LANES];      /* the next block of throws */
    int32_t skipped[BGR_LANES];     /* throws of that block that were used before, while bearing in */
    uint32_t index[BGR_LANES];      /* in the table */
    int32_t model_pips[BGR_LANES];  /* of the single checker; 0 or less: it is off */
    int32_t rolls[BGR_LANES];       /* so far */
    int32_t model_rolls[BGR_LANES]; /* so far */
} bgr_lanes;

/* Set up a game. */
static inline void bgr_begin_lane(bgr_lanes *l, int lane, uint64_t game, int64_t index, int model_pips)
{
    l->game[lane] = game;
    l->block[lane] = 0;
    l->skipped[lane] = 0;
    l->index[lane] = (uint32_t)index;
    l->model_pips[lane] = model_pips;
    l->rolls[lane] = 0;
    l->model_rolls[lane] = 0;
}

/* Pairs of throws: the numbers of both rolls in bgr_rolls, and their pips, a byte each from the lowest on. */
typedef struct bgr_throw_pairs {
    uint32_t of[36 * 36];
} bgr_throw_pairs;

void bgr_throw_pairs_init(bgr_throw_pairs *pairs);

/* Play all lanes until side and single checker are off.  rolls, model_rolls [out] l->n each: numbers of rolls, with
 * those before.  Other members of l are overwritten. */
void bgr_lanes_play(const bgr_policy *policy, const bgr_throw_pairs *pairs, uint64_t seed, uint32_t side, bgr_lanes *l,
                    int32_t *rolls, int32_t *model_rolls);
