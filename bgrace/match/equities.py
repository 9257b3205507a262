"""Chances to win the match as equities of the game, and back."""

from __future__ import annotations

from bgrace._base.arrays import as_number
from bgrace.errors import ArgumentError
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score, check_cube_value

_ROUNDING = 1e-6  # what sums of chances may be off by, in single precision too


def normalised_equity(met: MatchEquityTable, score: Score, cube_value: int, mwc: float) -> float | None:
    """A chance to win the match as points per unit of the cube: +1 is a single win, -1 a single loss.

    Parameters
    ----------
    met : MatchEquityTable
    score : Score
    cube_value : int
        Value that is played for.
    mwc : float
        Chance of the player on roll to win the match.

    Returns
    -------
    float, or None
        None where the table does not tell winning from losing.

    Raises
    ------
    ArgumentError
        If `mwc` is not from 0 to 1.

    Notes
    -----
    The straight line through R(cube) and R(-cube), as GNU Backgammon and eXtreme Gammon draw it.
    """
    check_cube_value(cube_value)
    mwc = as_number(mwc, f"mwc={mwc!r:.80} is not a chance to win the match: give 0 to 1")
    if not -_ROUNDING <= mwc <= 1 + _ROUNDING:
        raise ArgumentError(f"mwc={mwc!r} is not a chance to win the match: give 0 to 1")
    won, lost = met.after(score, cube_value), met.after(score, -cube_value)
    return (2 * mwc - won - lost) / (won - lost) if won > lost else None


def mwc_of(met: MatchEquityTable, score: Score, cube_value: int, equity: float) -> float:
    """The inverse of `normalised_equity`: the chance to win the match that an equity stands for."""
    check_cube_value(cube_value)
    equity = as_number(equity, f"equity={equity!r:.80} is not an equity: give a number")
    won, lost = met.after(score, cube_value), met.after(score, -cube_value)
    return lost + (equity + 1) * (won - lost) / 2
