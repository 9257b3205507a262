/* The arithmetic of a cube decision, whatever gave the equities.
 *
 * Equities are for the player on roll, all in one unit: of rolling without doubling, of a double that is taken, and of
 * one that is passed.  The opponent picks the lesser of the last two.
 *
 * Dotsenko and Marynych, "Optimal doubling strategies in backgammon", sections 2 and 4. */
#ifndef BGR_CUBE_H
#define BGR_CUBE_H

typedef enum bgr_verdict {
    BGR_NO_DOUBLE,
    BGR_DOUBLE_TAKE,
    BGR_DOUBLE_BEAVER,
    BGR_DOUBLE_PASS,
    BGR_TOO_GOOD, /* to double: playing on for a gammon is worth more than the pass */
    BGR_N_VERDICTS
} bgr_verdict;

/* The right decisions, each 1 or 0; the opponent's answers are to a double, right or wrong. */
typedef struct bgr_decision {
    int doubles;
    int takes;
    int beavers; /* turns the cube once more at once and keeps it */
    bgr_verdict verdict;
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
        decision.verdict = decision.beavers ? BGR_DOUBLE_BEAVER : decision.takes ? BGR_DOUBLE_TAKE : BGR_DOUBLE_PASS;
    else
        decision.verdict = !decision.takes && no_double > passed ? BGR_TOO_GOOD : BGR_NO_DOUBLE;
    return decision;
}

/* Equity with the right to double first, which a pass answers with 1. */
static inline double bgr_with_double(double no_double, double taken)
{
    double doubled = taken < 1 ? taken : 1;
    return doubled > no_double ? doubled : no_double;
}

#endif
