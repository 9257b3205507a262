"""Rollouts adjusted for the luck of the dice."""

from __future__ import annotations

from math import inf, sqrt
from typing import Final

from bgrace._base.arrays import Integers

__all__ = ["MIN_GAMES", "Y", "adjusted"]

MIN_GAMES: Final = 64
"""Fewer games say nothing of the standard error of an adjusted mean: the regression may then fit them exactly."""

# Columns of the sums over games: y is what is asked for, c the same of the single checkers.
_N, Y, _YY, _C, _CC, _YC = range(6)


def adjusted(moments: Integers, expected: float) -> tuple[float, float]:
    """Mean of y less its regression on c - expected, and its standard error, infinite below `MIN_GAMES` games."""
    # Python's numbers: squares of sums of 2**40 games pass 64 bits.
    halves = [[int(value) for value in half] for half in moments]
    n = sum(half[_N] for half in halves)
    total, variance = 0.0, 0.0
    for half, other in (halves, halves[::-1]):
        games = half[_N]
        spread = other[_N] * other[_CC] - other[_C] ** 2
        factor = (other[_N] * other[_YC] - other[Y] * other[_C]) / spread if spread else 0.0
        yy = half[_YY] - half[Y] ** 2 / games
        yc = half[_YC] - half[Y] * half[_C] / games
        cc = half[_CC] - half[_C] ** 2 / games
        total += half[Y] - factor * (half[_C] - games * expected)
        # The sum over a half has variance games * s^2, s^2 the sample variance of y - factor c.
        variance += max(0.0, yy - 2 * factor * yc + factor**2 * cc) * games / max(1, games - 1)
    return total / n, sqrt(variance) / n if n >= MIN_GAMES else inf
