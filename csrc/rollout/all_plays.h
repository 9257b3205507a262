/* Everywhere that the legal plays of one side lead to, roll by roll and die by die. */
#ifndef BGR_ALL_PLAYS_H
#define BGR_ALL_PLAYS_H

#include "rollout/one_game.h"

/* Positions first .. first + n - 1 of a list. */
typedef struct bgr_position_set {
    int64_t first, n;
} bgr_position_set;

/* The results of a die from the positions of a set: those of `to` that edge[start[k]] .. edge[start[k + 1] - 1] number.
 */
typedef struct bgr_die_step {
    bgr_position_set from, to;
    int64_t start;
} bgr_die_step;

/* Zero it first, and free it with bgr_all_plays_free. */
typedef struct bgr_all_plays {
    const bgr_question *question;
    bgr_die_step *steps;
    int n_steps;
    bgr_packed *position;
    int64_t n, room;
    int64_t *start;
    int64_t n_starts, start_room;
    int32_t *edge;
    int64_t n_edges, edge_room;
    int32_t *slot;
    int64_t n_slots, slot_room;
    bgr_position_set set; /* that is being made */
} bgr_all_plays;

static const bgr_packed bgr_empty_board = {(uint64_t)BGR_MAX_CHECKERS << 60, 0};

/* Whether a game is over for a side here, if its opponent is at a position. */
static inline int bgr_is_over(const bgr_question *q, bgr_packed mine, bgr_packed other)
{
    return bgr_packed_same(mine, bgr_empty_board) || (bgr_in_boundary(q, mine) && bgr_in_boundary(q, other));
}

/* Forget all plays so far; layer [out]: of this position alone.  BGR_ERR_MEMORY. */
bgr_status bgr_all_plays_begin(bgr_all_plays *plays, const bgr_question *question, bgr_packed position,
                               bgr_position_set *layer);

/* From a layer to that of what a roll leads to; of positions where the game is over against `other`, if that is given,
 * to nothing.  BGR_ERR_SIZE beyond 2^27 edges, BGR_ERR_MEMORY. */
bgr_status bgr_all_plays_of(bgr_all_plays *plays, int roll, const bgr_packed *other, bgr_position_set *layer);

/* Values, n by position, of what a step begins with, from the greatest of what it leads to. */
void bgr_take_greatest(const bgr_all_plays *plays, const bgr_die_step *step, int n, double *value);

void bgr_all_plays_free(bgr_all_plays *plays);

#endif
