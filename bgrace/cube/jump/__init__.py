"""Higgins' jump model of the doubling cube, in its second version.

From one decision of a player to their next, the chance P of winning jumps by J, with mean zero and E|J| = alpha, the
*jump volatility*.  The larger it is, the likelier a jump over the opponent's take point, which costs the owner of the
cube.  The *local* volatility is that of the position on the board, the *remote* one that after the game has turned.

===========================  ========================================================================================
`linear`                     straight pieces in closed form, remote and local volatility
`nonlinear`                  one more integration: smooth, better for high volatilities
`exact`                      the three coupled integral equations solved, any volatility profile
`implied_life_indexes`       Janowski's two indexes that the linear approximation implies
`local_volatility`           of a race position, from exact chances after the next two rolls
`conditional_jumps`, ...     jumps in recorded games: see `bgrace.cube.jump.estimates`
===========================  ========================================================================================

Every model object has the decision points as attributes (`bgrace.cube.model.DecisionPoints`), ``equities(p)`` for the
three cube states and ``cube_action(p, cube)``.

M. Higgins, "Cube Handling in Backgammon Money Games Under a Jump Model", arXiv:1203.5692, version of April 2012.
The numbers of the first version, of March, differ from these: they are in `bgrace_apps.studies.jump_publications`.
"""

from bgrace.cube.jump.approximations import LinearModel, NonlinearModel, implied_life_indexes, linear, nonlinear
from bgrace.cube.jump.distributions import (
    DISTRIBUTIONS,
    VolatilityRamp,
    from_standard_deviation,
    ramp,
    to_standard_deviation,
)
from bgrace.cube.jump.estimates import (
    PLAYED_LINEAR,
    PLAYED_NONLINEAR,
    Buckets,
    JumpStatistics,
    LocalVolatility,
    bucket_jumps,
    conditional_jumps,
    jump_statistics,
    local_volatility,
    play_races,
    played_points,
    window_jumps,
)
from bgrace.cube.jump.exact_model import ExactModel, exact

__all__ = [
    "DISTRIBUTIONS",
    "PLAYED_LINEAR",
    "PLAYED_NONLINEAR",
    "Buckets",
    "ExactModel",
    "JumpStatistics",
    "LinearModel",
    "LocalVolatility",
    "NonlinearModel",
    "VolatilityRamp",
    "bucket_jumps",
    "conditional_jumps",
    "exact",
    "from_standard_deviation",
    "implied_life_indexes",
    "jump_statistics",
    "linear",
    "local_volatility",
    "nonlinear",
    "play_races",
    "played_points",
    "ramp",
    "to_standard_deviation",
    "window_jumps",
]
