/* Functions that patch.py has functions of GNU Backgammon call first. */
#ifndef BGRACE_GNUBG_H
#define BGRACE_GNUBG_H

#include "eval.h"

/* Called by EvaluatePositionFull.  Return 1 if the chances of a race were written, 0 if the program must find them. */
int bgrace_evaluate(const TanBoard board, float chances[NUM_OUTPUTS], const cubeinfo *stakes,
                    const evalcontext *context);

/* Called by EvaluatePositionCubeful4.  The same, with the value of each of n cubes to the player on roll.  top: 1 for
 * values without the right to double first, as a cube decision needs them. */
int bgrace_evaluate_cubes(const TanBoard board, float chances[NUM_OUTPUTS], float *values, const cubeinfo *cubes, int n,
                          const cubeinfo *stakes, const evalcontext *context, int top);

/* Called by FindnSaveBestMoves: this thread will ask for the plays of a roll from this position. */
void bgrace_begin_plays(const TanBoard board, const cubeinfo *stakes, const evalcontext *context);

/* Called at the beginning and the end of BasicCubefulRollout, in this thread. */
void bgrace_begin_rollout(void);
void bgrace_end_rollout(const int *unused);
#define BGRACE_ROLLOUT                                                                                                 \
    const int bgrace_rollout __attribute__((cleanup(bgrace_end_rollout), unused)) = (bgrace_begin_rollout(), 0)

/* Called by InitMatchEquity and invertMET: forget answers, which belong to another match equity table. */
void bgrace_forget(void);

#endif
