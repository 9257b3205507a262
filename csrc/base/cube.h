/* The arithmetic of a cube decision, for equities of any origin.
 *
 * Equities are for the player on roll, all in one unit: of rolling without doubling, of double/take, and of
 * double/pass.  The opponent picks the lesser of the last two.
 *
 * Dotsenko and Marynych, "Optimal doubling strategies in backgammon", sections 2 and 4. */
#pragma once

#include "bgrace.h"

/* Equity with the right to double first. */
static inline double bgr_with_double(double no_double, double taken, double passed)
{
    double doubled = taken < passed ? taken : passed;
    return doubled > no_double ? doubled : no_double;
}

/* Decide.  Equities that differ by no more than `tie` are equal: then the player on roll doubles, and the opponent
 * takes.  taken: without a beaver.  with_beavers: 1 if beavers are allowed; a beaver is right if a taken double is
 * worth less than 0, and doubles that value.  With NaN every comparison fails. */
static inline bgr_cube_values bgr_decide(double no_double, double taken, double passed, double tie, int with_beavers)
{
    bgr_cube_values values = {.no_double = no_double, .double_pass = passed};
    values.takes = taken <= passed + tie;
    values.beavers = with_beavers && taken < -tie;
    values.double_take = values.beavers ? 2 * taken : taken;
    values.value = bgr_with_double(no_double, values.double_take, passed);
    double least = no_double - tie;
    values.doubles = values.double_take >= least && passed >= least; /* the lesser of both is */
    if (values.doubles)
        values.verdict = values.beavers ? BGR_VERDICT_DOUBLE_BEAVER
                         : values.takes ? BGR_VERDICT_DOUBLE_TAKE
                                        : BGR_VERDICT_DOUBLE_PASS;
    else
        values.verdict = !values.takes && no_double > passed ? BGR_VERDICT_TOO_GOOD : BGR_VERDICT_NO_DOUBLE;
    return values;
}
