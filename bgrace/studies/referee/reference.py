"""The stand-in for exact cubeful equities where no two-sided table reaches.

A race of real positions is replaced by a race of single checkers that is as likely won: the player on roll has the same
expected pip count, and the opponent stands where the chance of winning without a cube is the same.  The recurrences of
`bgrace.cube.race` solve that race exactly.  Left out is how the chance jumps from turn to turn where it does
not do so like that of single checkers: near the end of a bearoff, but hardly in a long race.
"""

from __future__ import annotations

from typing import Any, Final, overload

import numpy as np
import numpy.typing as npt

from bgrace import scm
from bgrace._base.arrays import Floats, scalar
from bgrace.cube import race
from bgrace.cube.model import check_number, check_probability
from bgrace.studies.race_windows import interpolated

_HALVINGS: Final = 50
_FURTHEST: Final = 200
"""Pips beyond the player on roll's where the opponent is looked for, at the most."""


@overload
def matched_equities(k: float, win: float) -> tuple[float, float, float]: ...
@overload
def matched_equities(k: npt.ArrayLike, win: npt.ArrayLike) -> tuple[Floats, Floats, Floats]: ...
def matched_equities(k: npt.ArrayLike, win: npt.ArrayLike) -> tuple[Any, Any, Any]:
    """Cubeful equities of the single-checker races that are as likely won.

    Parameters
    ----------
    k : float or array_like
        Pips at which a single checker has the expected pip count of the player on roll, 1 or more; see
        `bgrace.studies.race_windows.equivalent_pips`.
    win : float or array_like
        Chance that the player on roll wins, without a cube.

    Returns
    -------
    no_double, no_redouble, double_take : float, or float64 ndarray of the broadcast shape
        Equity of rolling with a cube in the middle and with an own one, and of a double that is taken.

    Raises
    ------
    ArgumentError
        If any `k` is below 1 or beyond what `bgrace.cube.race` solves, or any chance not from 0 to 1.

    Examples
    --------
    39 pips against 44, 1,1,2,2,2,2 against 0,1,2,2,2,3, whose exact equities are 0.8098, 0.8325 and 0.9813:

    >>> from bgrace.studies.race_windows import equivalent_pips
    >>> [round(value, 4) for value in matched_equities(equivalent_pips(46.9468), 0.77268)]
    [0.8138, 0.8366, 0.9775]
    """
    own, chance = np.broadcast_arrays(
        check_number("k", k, 1, scm.MAX_PIPS - _FURTHEST - 2, "a pip count"), check_probability(win, "win")
    )
    limit = int(own.max(initial=0)) + _FURTHEST + 2
    table, chances = race.solve(limit), scm.table(limit)
    low, high = np.full(own.shape, 1.0), np.full(own.shape, float(limit - 1))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        less = interpolated(chances, own, middle) < chance
        low, high = np.where(less, middle, low), np.where(less, high, middle)
    at = (low + high) / 2
    values = (table.no_double_centered, table.no_double_mine, table.double_take)
    no_double, no_redouble, double_take = (scalar(interpolated(value, own, at)) for value in values)
    return no_double, no_redouble, double_take
