/* Many games of one side at once, from where the table of its policy reaches all of its checkers. */
#pragma once

#include "rollout/rollout.h"
#include "rollout/throws.h"

/* Games side by side: their arrays stay in the first cache, and no game waits for what another one looks up. */
enum { BGR_LANES = 256 };

/* One side of a number of games, and the single checkers that run along on the same dice. */
typedef struct bgr_lanes {
    int n;                          /* at most BGR_LANES */
    int skipping;                   /* whether there is a throw to be skipped */
    uint64_t game[BGR_LANES];       /* its number */
    uint32_t block[BGR_LANES];      /* of throws, that comes next */
    int32_t skipped[BGR_LANES];     /* throws of that block that have been used: none, or those of a race bearing in */
    uint32_t index[BGR_LANES];      /* in the table */
    int32_t model_pips[BGR_LANES];  /* of the single checker; 0 or less: it is off */
    int32_t rolls[BGR_LANES];       /* so far */
    int32_t model_rolls[BGR_LANES]; /* so far */
} bgr_lanes;

/* A game at its beginning. */
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

/* Two throws: rolls, as they are numbered in bgr_rolls, of the first and the second, and what they are worth in pips, a
 * byte each from the lowest on. */
typedef struct bgr_throw_pairs {
    uint32_t of[36 * 36];
} bgr_throw_pairs;

void bgr_throw_pairs_init(bgr_throw_pairs *pairs);

/* Play all lanes until side and single checker are off.
 * rolls, model_rolls [out] l->n each: how many it took, those before included.  The rest of l is used up. */
void bgr_lanes_play(const bgr_policy *policy, const bgr_throw_pairs *pairs, uint64_t seed, uint32_t side, bgr_lanes *l,
                    int32_t *rolls, int32_t *model_rolls);
