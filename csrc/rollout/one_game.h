/* A game while it is played, or looked at: what its positions and plays are worth by the solution. */
#ifndef BGR_ONE_GAME_H
#define BGR_ONE_GAME_H

#include "answer/ways.h"
#include "base/dice.h"
#include "rollout/blend_lookup.h"
#include "rollout/throws.h"

/* A race solved, with the values of all of its turns.  Owned by the caller. */
typedef struct bgr_games bgr_games;
struct bgr_games {
    bgr_question q;
    bgr_held held;
    int plane; /* of the cube in its place */
    bgr_view view;
    bgr_packed position[2];
    bgr_reach_options options[2];
    bgr_standing *standing[2];
};

/* A game so far.  An outcome that is x in the plane, for the one who is on roll first, is offset + factor x in that of
 * the cube where it was. */
typedef struct bgr_game {
    const bgr_games *games;
    bgr_nodes *nodes[2]; /* plays that a thread remembers */
    uint64_t seed, game;
    uint8_t throws[2][BGR_BLOCK_THROWS];
    int rolls[2];
    int32_t node[2];
    int stands[2]; /* whether the values know what this position is like: */
    bgr_blend blend[2];
    int plane;
    double factor, offset, luck;
} bgr_game;

/* Planes that are looked at, all of them held. */
typedef struct bgr_looked_at {
    int n;
    const int *planes;
} bgr_looked_at;

/* The best play of a roll by a plane. */
typedef struct bgr_best_play {
    double value;
    int32_t node;
    int itself; /* whether it is worth this, and not what others like it are */
    int stands;
    bgr_blend blend;
} bgr_best_play;

static inline int bgr_loss_of(bgr_packed p)
{
    if (bgr_packed_any_off(p))
        return BGR_LOST_SINGLE;
    return bgr_packed_any_straggler(p) ? BGR_LOST_BACKGAMMON : BGR_LOST_GAMMON;
}

/* Whether pairs of this position are known exactly. */
static inline int bgr_in_boundary(const bgr_question *q, bgr_packed p)
{
    return bgr_packed_home(p) && BGR_MAX_CHECKERS - (int)(p.near >> 60) <= q->pairs.boundary.checkers;
}

/* Exact values to `side`, on roll, by plane, and with the right to double. */
void bgr_game_exact(const bgr_question *question, int side, bgr_packed on_roll, bgr_packed other, double *values);
double bgr_game_with_right(const bgr_planes *planes, int plane, int side, const double *now);

/* The value to `side` of having moved to a position, by plane.  0: that is not known. */
int bgr_game_value_moved(const bgr_game *g, int side, const bgr_node *moved, int stands, const bgr_blend *blend,
                         bgr_looked_at looked_at, double *values);

/* The best play of every roll by every plane looked at, best[roll * n + k].  known: whether the values of all rolls
 * are. BGR_ERR_MEMORY. */
bgr_status bgr_game_find_plays(bgr_game *g, int side, bgr_looked_at looked_at, bgr_best_play *best, int *known);

/* The next roll of a side. */
int bgr_game_throw(bgr_game *g, int side);

/* Nodes of a side to begin with, unless there are some that it may remember.  BGR_ERR_MEMORY. */
bgr_status bgr_game_sit_down(const bgr_games *games, int side, const bgr_reach_options *options, bgr_nodes *nodes);

#endif
