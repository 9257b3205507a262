"""Rollouts adjusted for the luck of the dice."""

from __future__ import annotations

from math import sqrt

from bgrace._base.arrays import Integers

__all__ = ["Y", "adjusted"]

# Columns of the sums over games: y is what is asked for, c the same of the single checkers.
_N, Y, _YY, _C, _CC, _YC = range(6)


def adjusted(moments: Integers, expected: float) -> tuple[float, float]:
    """Mean of y less its regression on c - expected, and its standard error.

    moments: int64, shape (2, 6), games of even and of odd number.
    """
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
    return total / n, (sqrt(variance) if variance else _unseen(halves, expected)) / n


def _unseen(halves: list[list[int]], expected: float) -> float:
    """Standard error of the sum of y where neither half shows a spread about its regression."""
    n, y, yy, c, cc = (sum(half[which] for half in halves) for which in (_N, Y, _YY, _C, _CC))
    if n * cc == c**2 and c == n * expected:  # the single checkers have one result only
        return 0.0
    if n * yy > y**2 and not any(half[_N] * half[_CC] > half[_C] ** 2 for half in halves):
        return sqrt((yy - y**2 / n) * n / (n - 1))  # too few games for two halves: their spread together
    return 1.0  # no game off the line: one that is, by 1, has a chance of about 1/n all the same
