"""The doubling points, and equities when both sides double there."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import as_floats, check_broadcast, scalar
from bgrace.errors import ArgumentError

__all__ = ["HIGH", "LOW", "check_levels", "equity", "hitting_probability"]

HIGH: Final = 0.8
"""Where a rational player A doubles: there a take and a pass cost B the same."""

LOW: Final = 0.2
"""Where a rational player B doubles."""


def hitting_probability(x: npt.ArrayLike, low: npt.ArrayLike, high: npt.ArrayLike) -> Any:
    """Chance that a Brownian motion reaches `high` before `low`.

    Parameters
    ----------
    x, low, high : float or array_like
        Where it starts and the two levels, ``low <= x <= high`` and ``low < high``; they broadcast.

    Returns
    -------
    float, or float64 ndarray

    Raises
    ------
    ArgumentError
        If the levels are not in that order.

    Notes
    -----
    Keeler and Spencer's lemma; Dotsenko and Marynych, Lemma 1: a / (a + b) with a = x - low and b = high - x.

    Examples
    --------
    >>> round(hitting_probability(0.8, 0.2, 1), 6)     # the doubler's chance not to be redoubled
    0.75
    """
    problem = f"x={x!r}, low={low!r}, high={high!r}: give low <= x <= high, low < high"
    start, bottom, top = (as_floats(value, problem) for value in (x, low, high))
    check_broadcast(x=start, low=bottom, high=top)
    if not np.all((bottom <= start) & (start <= top) & (bottom < top)):
        raise ArgumentError(problem)
    chance = (start - bottom) / (top - bottom)
    return scalar(chance)


def equity(x: npt.ArrayLike, cube: Literal["centered", "mine", "theirs"] = "centered") -> Any:
    """Equity of player A when both sides double at the best point, `LOW` and `HIGH`.

    A straight line between the points where its value is known: -1 where A has lost or passes, +1 where A has won or
    B is indifferent between taking and passing.

    Parameters
    ----------
    x : float or array_like
        A's chance to win, 0 to 1.
    cube : str
        Where the cube is, seen by A: ``"centered"``, ``"mine"`` or ``"theirs"``.

    Returns
    -------
    float, or float64 ndarray of the same shape
        Per unit of the present cube.

    Raises
    ------
    ArgumentError
        If `x` is not from 0 to 1, or `cube` is unknown.

    Notes
    -----
    Keeler and Spencer, "Optimal doubling in backgammon", Theorem 1.  At 0.8 a double that is taken is worth
    2 (2.5 * 0.8 - 1.5) = 1, and so the same as one that is passed: this is what fixes the point.

    Examples
    --------
    >>> round(2 * equity(0.8, "theirs"), 12), equity(0.8), equity(0.8, "mine")
    (1.0, 1.0, 1.0)
    """
    spans = {"centered": (LOW, HIGH), "mine": (0.0, HIGH), "theirs": (LOW, 1.0)}
    if cube not in spans:
        raise ArgumentError(f"cube {cube!r} is unknown: use one of {', '.join(spans)}")
    problem = f"x={x!r} is not a probability: give numbers from 0 to 1"
    chance = as_floats(x, problem)
    if not np.all((chance >= 0) & (chance <= 1)):
        raise ArgumentError(problem)
    bottom, top = spans[cube]
    value = np.clip((2 * chance - bottom - top) / (top - bottom), -1, 1)
    return scalar(value)


def check_levels(start: float, low: float, high: float) -> None:
    """Raise ArgumentError unless 0 <= low < start < high <= 1."""
    problem = f"low={low}, start={start}, high={high}: give 0 <= low < start < high <= 1"
    levels = as_floats((0, low, start, high, 1), problem)
    if levels.ndim > 1 or not levels[0] <= levels[1] < levels[2] < levels[3] <= levels[4]:
        raise ArgumentError(problem)
