/* The arithmetic of a cube decision, whatever gave the equities.
 *
 * Equities are for the player on roll, all in one unit: of rolling without doubling, of a double that is taken, and of
 * one that is passed.  The opponent picks the lesser of the last two.
 *
 * Dotsenko and Marynych, "Optimal doubling strategies in backgammon", sections 2 and 4. */
#ifndef BGR_CUBE_H
#define BGR_CUBE_H

#include "bgrace.h"

/* The right decisions, each 1 or 0; the opponent's answers are to a double, right or wrong. */
typedef struct bgr_decision {
    int doubles;
    int takes;
    int beavers; /* turns the cube once more at once and keeps it */
    bgr_cube_verdict verdict;
} bgr_decision;

/* Decide.  Equities that differ by no more than `tie` are equal, and so a player for whom doubling is worth the same
 * doubles, and one for whom taking is worth the same takes.  `with_beavers` says whether a beaver is allowed: it is
 * right where a taken double is worth less than 0, and makes that worth twice as much.  A NaN makes every comparison
 * fail. */
static inline bgr_decision bgr_decide(double no_double, double taken, double passed, double tie, int with_beavers)
{
    bgr_decision decision;
    decision.takes = taken <= passed + tie;
    decision.beavers = with_beavers && taken < -tie;
    double answered = decision.beavers ? 2 * taken : taken, least = no_double - tie;
    decision.doubles = answered >= least && passed >= least; /* the lesser of them is */
    if (decision.doubles)
        decision.verdict = decision.beavers ? BGR_VERDICT_DOUBLE_BEAVER
                           : decision.takes ? BGR_VERDICT_DOUBLE_TAKE
                                            : BGR_VERDICT_DOUBLE_PASS;
    else
        decision.verdict = !decision.takes && no_double > passed ? BGR_VERDICT_TOO_GOOD : BGR_VERDICT_NO_DOUBLE;
    return decision;
}

/* Equity with the right to double first. */
static inline double bgr_with_double(double no_double, double taken, double passed)
{
    double doubled = taken < passed ? taken : passed;
    return doubled > no_double ? doubled : no_double;
}

#endif
