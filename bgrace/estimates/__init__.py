"""Closed formulas for a race: asymptotic constants of the single-checker model, and estimates of the win probability.

Every function has the same contract, so its docstring says only what is its own:

* ``x`` is the pip count of the player on roll, ``y`` the opponent's: float or array_like, and they broadcast.  Pip
  counts may have fractions.
* Numbers give a float (or a bool), arrays a float64 (or bool) ndarray of the broadcast shape.  Probabilities are for
  the player on roll, before the dice, without a cube.
* It raises ArgumentError if a count is negative or not finite.

`bgrace.scm` offers all of this beside the exact values.

Two kinds of estimate: `normal`, `kleinman`, `improved` and `least_squares` are for single checkers; `adjusted` and
`adjusted_unrounded` are fitted to races played on the board, which waste more, and so are wrong for single checkers.

Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races" (below RBM), section 2 for the model
and section 3 for races; numbers of equations are theirs unless another source is named.
"""

from bgrace.estimates.constants import (
    MEAN_OFFSET,
    MEAN_SLOPE,
    RACE_MEAN_OFFSET,
    RACE_MEAN_SLOPE,
    RACE_VARIANCE_OFFSET,
    RACE_VARIANCE_SLOPE,
    VARIANCE_OFFSET,
    VARIANCE_PIPS,
    VARIANCE_SLOPE,
)
from bgrace.estimates.played_races import (
    above_80,
    above_90,
    adjusted,
    adjusted_ratio,
    adjusted_table,
    adjusted_unrounded,
)
from bgrace.estimates.single_checkers import (
    gnubg_kleinman,
    gnubg_kleinman_ratio,
    improved,
    kleinman,
    kleinman_fit,
    kleinman_ratio,
    kleinman_table,
    least_squares,
    normal,
)

__all__ = [
    "MEAN_OFFSET",
    "MEAN_SLOPE",
    "RACE_MEAN_OFFSET",
    "RACE_MEAN_SLOPE",
    "RACE_VARIANCE_OFFSET",
    "RACE_VARIANCE_SLOPE",
    "VARIANCE_OFFSET",
    "VARIANCE_PIPS",
    "VARIANCE_SLOPE",
    "above_80",
    "above_90",
    "adjusted",
    "adjusted_ratio",
    "adjusted_table",
    "adjusted_unrounded",
    "gnubg_kleinman",
    "gnubg_kleinman_ratio",
    "improved",
    "kleinman",
    "kleinman_fit",
    "kleinman_ratio",
    "kleinman_table",
    "least_squares",
    "normal",
]
