"""Skill from results at money play."""

from __future__ import annotations

from collections.abc import Sequence

from bgrace.errors import ArgumentError
from bgrace.match.zadeh.checks import as_pair

__all__ = ["money_expectation", "money_points", "skill_from_expectation"]


def skill_from_expectation(
    expectation: float,
    delta: float | Sequence[float] = 0.08,
    delta_bar: float | Sequence[float] = 0.06,
) -> float:
    """B that gives player 1 an expectation in money play, every double counted as dropped.

    Parameters
    ----------
    expectation : float
        Points per game, at least 0 and below 0.75.
    delta, delta_bar : float, or pair of float
        As for `ZadehModel`.

    Returns
    -------
    float

    Raises
    ------
    ArgumentError
        If an argument is out of range.

    Notes
    -----
    NZ, last section: (13), (15), (16) with Dbar = 3/4 for both players and every cube.  Found by bisection.

    Examples
    --------
    >>> round(skill_from_expectation(0.4, (0.07, 0.09), (0.05, 0.07)), 9)
    0.393605591
    """
    if not 0 <= expectation < 0.75:
        raise ArgumentError(f"expectation {expectation!r} points a game: give at least 0 and less than 0.75")
    late = as_pair(delta)
    late_first = as_pair(delta_bar)
    low, high = 0.0, 10.0
    if money_expectation(low, late, late_first) > expectation:
        raise ArgumentError(f"expectation {expectation!r}: with these corrections it is larger without any skill")
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if money_expectation(middle, late, late_first) < expectation:
            low = middle
        else:
            high = middle


def money_points(skill: float, delta: float | Sequence[float] = 0.08) -> tuple[float, float]:
    """D of both players in money play without gammons, where Dbar = 3/4: NZ (15), (16) as a fixed point.

    Examples
    --------
    >>> [round(point, 9) for point in money_points(0.398, (0.07, 0.09))]
    [0.700685585, 0.851620026]
    """
    late1, late2 = as_pair(delta)
    v, b = 0.25, skill
    w = v / (1 + b * (1 - v))
    d1 = (1 + v * b - v * (1 + b) * (1 + late2 - w * late1)) / (1 + v * b - v * w * (1 + b))
    return d1, 1 - w * (d1 + late1)


def money_expectation(
    skill: float, delta: float | Sequence[float] = 0.08, delta_bar: float | Sequence[float] = 0.06
) -> float:
    """Points per game of player 1 in money play, every double counted as dropped.

    Examples
    --------
    >>> round(money_expectation(0.398, (0.07, 0.09), (0.05, 0.07)), 6)
    0.403208
    """
    first = as_pair(delta_bar)
    d1, d2 = money_points(skill, delta)
    distance = (d2 + first[1] - 0.5) * (1 + skill)
    return 2 * distance / (distance + d1 + first[0] - 0.5) - 1
