/* The calls that patch.py puts into GNU Backgammon's source, each at the head of a function. */
#ifndef BGRACE_GNUBG_H
#define BGRACE_GNUBG_H

#include "eval.h"

/* EvaluatePositionFull: 1 if the chances of a race were written, 0 if the program is to find them. */
int bgrace_evaluate(const TanBoard board, float chances[NUM_OUTPUTS], const cubeinfo *stakes,
                    const evalcontext *context);

/* EvaluatePositionCubeful4: the same with what each of n cubes is worth to the player on roll.  top: 1 without the
 * right to double first, which is what a cube decision asks. */
int bgrace_evaluate_cubes(const TanBoard board, float chances[NUM_OUTPUTS], float *values, const cubeinfo *cubes, int n,
                          const cubeinfo *stakes, const evalcontext *context, int top);

/* FindnSaveBestMoves: the plays of a roll from this position are asked for next, by this thread. */
void bgrace_begin_plays(const TanBoard board, const cubeinfo *stakes, const evalcontext *context);

/* BasicCubefulRollout, in this thread. */
void bgrace_begin_rollout(void);
void bgrace_end_rollout(const int *unused);
#define BGRACE_ROLLOUT                                                                                                 \
    const int bgrace_rollout __attribute__((cleanup(bgrace_end_rollout), unused)) = (bgrace_begin_rollout(), 0)

/* InitMatchEquity, invertMET: what was answered is of another match equity table. */
void bgrace_forget(void);

#endif
