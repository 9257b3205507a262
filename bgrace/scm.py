"""The single-checker model of a race.

Each player has one checker that runs home in a straight line: the points of his rolls are subtracted from his pip
count, doubles counted four times, and the first to reach 0 or less has won.  ``x`` is the pip count of the player on
roll, ``y`` the opponent's; every probability is for the player on roll, before the dice.

Sections of this module: the dice, exact values (tables, single values, distributions), asymptotic constants, and
estimates of the win probability.

Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 2; Dotsenko and Marynych,
"Optimal doubling strategies in backgammon", section 5.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._kernels import race as kernel
from bgrace.dice import MEAN_PIPS, ROLLS, WEIGHTS
from bgrace.errors import ArgumentError

__all__ = [
    "MAX_PIPS",
    "MEAN_OFFSET",
    "MEAN_SLOPE",
    "ROLL_PIPS",
    "ROLL_WAYS",
    "VARIANCE_OFFSET",
    "VARIANCE_PIPS",
    "VARIANCE_SLOPE",
    "least_squares",
    "mean_rolls",
    "normal",
    "roll_distribution",
    "table",
    "variance_rolls",
    "win_probability",
]

# ---- the dice

MAX_PIPS: Final[int] = kernel.MAX_PIPS
"""Most pips a side that exact values are offered for: 2000, five times what a board holds."""


def _roll_totals() -> dict[int, int]:
    ways: dict[int, int] = {}
    for (larger, smaller), weight in zip(ROLLS, WEIGHTS, strict=True):
        pips = 4 * larger if larger == smaller else larger + smaller
        ways[pips] = ways.get(pips, 0) + weight
    return dict(sorted(ways.items()))


ROLL_PIPS: Final[tuple[int, ...]] = tuple(_roll_totals())
"""What a roll can be worth, doubles counted four times: 3 to 12, 16, 20 and 24 pips."""

ROLL_WAYS: Final[tuple[int, ...]] = tuple(_roll_totals().values())
"""In how many of 36 ways each entry of `ROLL_PIPS` is thrown."""

VARIANCE_PIPS: Final[float] = 665 / 36
"""Variance of the pips of one roll; the standard deviation is 4.29793."""

# ---- exact values


def check_pips(value: Any, name: str) -> npt.NDArray[np.int64]:
    """Return pip counts as an int64 array, negative ones raised to 0.

    Parameters
    ----------
    value : int or array_like of int
        Pip counts.  Numbers with a fraction of zero count as integers.
    name : str
        What the error message calls them.

    Returns
    -------
    int64 ndarray of the same shape

    Raises
    ------
    ArgumentError
        If any is no integer or greater than `MAX_PIPS`.
    """
    counts = np.asarray(value)
    if counts.dtype.kind == "f" and np.all(counts == np.floor(counts)) and np.all(np.isfinite(counts)):
        counts = np.clip(counts, -1, MAX_PIPS + 1).astype(np.int64)
    if counts.dtype.kind not in "iu":
        raise ArgumentError(f"{name}={value!r} is no pip count: give whole numbers from 0 to {MAX_PIPS}")
    if counts.size and counts.max() > MAX_PIPS:
        raise ArgumentError(f"{name}={counts.max()} pips is too far: exact values reach {MAX_PIPS} pips")
    return np.asarray(np.maximum(counts, 0), dtype=np.int64)


def _rounded_up(limit: int) -> int:
    """Round a limit up to a multiple of 128, so that few distinct tables serve."""
    return min(-(-max(limit, 1) // 128) * 128, MAX_PIPS)


@lru_cache(maxsize=4)
def _win_table(limit: int) -> npt.NDArray[np.float64]:
    values = kernel.win_probabilities(limit)
    values.flags.writeable = False
    return values


@lru_cache(maxsize=4)
def _distributions(limit: int) -> npt.NDArray[np.float64]:
    """Chance of needing exactly n rolls from m pips, float64, [m, n], m = 0 .. limit."""
    values = np.zeros((limit + 1, -(-limit // 3) + 1))
    values[0, 0] = 1
    pips, ways = np.array(ROLL_PIPS), np.array(ROLL_WAYS, dtype=np.float64)
    for m in range(1, limit + 1):
        values[m, 1:] = ways @ values[np.maximum(m - pips, 0), :-1] / 36
    values.flags.writeable = False
    return values


@lru_cache(maxsize=4)
def _moments(limit: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Mean and variance of the rolls needed from 0 .. limit pips."""
    chances = _distributions(limit)
    rolls = np.arange(chances.shape[1])
    mean = chances @ rolls
    # Squares are taken about the mean: sums of squares would cancel, and lose digits for long races.
    variance = np.einsum("mn,mn->m", chances, (rolls - mean[:, np.newaxis]) ** 2)
    return mean, variance


def table(limit: int) -> npt.NDArray[np.float64]:
    """Win probabilities of every pair of pip counts.

    Parameters
    ----------
    limit : int
        Greatest pip count of either side, 0 to `MAX_PIPS`.

    Returns
    -------
    float64 ndarray, shape (limit + 1, limit + 1)
        ``[x, y]``, the player on roll first.  Row 0 is 1 and column 0 is 0, for a race that one side has finished;
        ``[0, 0]`` is NaN.

    Raises
    ------
    ArgumentError
        If `limit` is no integer in that range.

    Notes
    -----
    Ross, Benjamin and Munson, section 2: WP(X, Y) = 1 - sum over n of p(n) WP(Y, X - n).

    Examples
    --------
    >>> float(table(8)[5, 1])     # 31 of 36 rolls bring 5 pips
    0.8611111111111112
    """
    if isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or not 0 <= limit <= MAX_PIPS:
        raise ArgumentError(f"limit={limit!r} cannot be used: give a whole number from 0 to {MAX_PIPS}")
    return kernel.win_probabilities(int(limit))


def win_probability(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Chance that the player on roll wins.

    Parameters
    ----------
    x, y : int or array_like of int
        Pip counts of the player on roll and of the opponent; they broadcast.  0 or less has finished.

    Returns
    -------
    float, or float64 ndarray
        1 where only `x` has finished, 0 where only `y` has.

    Raises
    ------
    ArgumentError
        If a count is no integer, is greater than `MAX_PIPS`, or if both sides of a pair have finished.

    Notes
    -----
    Ross, Benjamin and Munson, section 2; F(k, s) of Dotsenko and Marynych, equation (4).  Safe to call from several
    threads.

    Examples
    --------
    >>> round(win_probability(100, 110), 6)
    0.741727
    >>> win_probability([4, 5, 8], [4, 5, 8]).round(4).tolist()
    [0.9475, 0.8804, 0.7444]
    """
    own, other = check_pips(x, "x"), check_pips(y, "y")
    limit = int(max(own.max(initial=0), other.max(initial=0)))
    values: Any = _win_table(_rounded_up(limit))[own, other]
    if np.any(np.isnan(values)):
        raise ArgumentError("both sides have 0 pips: only one player can have finished, give at least 1 pip to a side")
    return float(values) if np.ndim(values) == 0 else values


def roll_distribution(x: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Chances of needing exactly 0, 1, 2, ... rolls.

    Parameters
    ----------
    x : int or array_like of int, shape (...)
        Pip counts; 0 or less has finished.

    Returns
    -------
    float64 ndarray, shape (..., n)
        The last axis counts rolls, from 0 to the most that the greatest count can take, ceil(x / 3).  Sums to 1.

    Raises
    ------
    ArgumentError
        If a count is no integer or is greater than `MAX_PIPS`.

    Notes
    -----
    Dotsenko and Marynych, equation (5).  Safe to call from several threads.

    Examples
    --------
    >>> roll_distribution(10).round(4).tolist()
    [0.0, 0.2222, 0.7153, 0.0623, 0.0002]
    """
    counts = check_pips(x, "x")
    limit = int(counts.max(initial=0))
    return np.asarray(_distributions(_rounded_up(limit))[counts, : -(-limit // 3) + 1])


def mean_rolls(x: npt.ArrayLike) -> Any:
    """Mean number of rolls.

    Parameters
    ----------
    x : int or array_like of int
        Pip counts; 0 or less has finished.

    Returns
    -------
    float, or float64 ndarray of the same shape
        Rolls.  Times 49/6 it is the expected pip count of the single checker.

    Raises
    ------
    ArgumentError
        If a count is no integer or is greater than `MAX_PIPS`.

    Examples
    --------
    >>> mean_rolls(6), round(mean_rolls(100), 6)
    (1.25, 12.822157)
    """
    counts = check_pips(x, "x")
    values: Any = _moments(_rounded_up(int(counts.max(initial=0))))[0][counts]
    return float(values) if np.ndim(values) == 0 else values


def variance_rolls(x: npt.ArrayLike) -> Any:
    """Variance of the number of rolls.

    Parameters
    ----------
    x : int or array_like of int
        Pip counts; 0 or less has finished.

    Returns
    -------
    float, or float64 ndarray of the same shape
        Rolls squared.

    Raises
    ------
    ArgumentError
        If a count is no integer or is greater than `MAX_PIPS`.

    Examples
    --------
    >>> round(variance_rolls(6), 6), round(variance_rolls(100), 6)
    (0.1875, 3.36365)
    """
    counts = check_pips(x, "x")
    values: Any = _moments(_rounded_up(int(counts.max(initial=0))))[1][counts]
    return float(values) if np.ndim(values) == 0 else values


# ---- asymptotic constants

MEAN_SLOPE: Final[float] = 6 / 49
"""Rolls that a pip takes in a long race: mean_rolls(x) is about MEAN_SLOPE * x + MEAN_OFFSET."""

MEAN_OFFSET: Final[float] = 198 / 343
"""Rolls beyond x / (49/6): what the last roll overshoots.  Off by less than 1.2e-5 from 80 pips on."""

VARIANCE_SLOPE: Final[float] = 570 / 16807
"""Variance that a pip adds in a long race: variance_rolls(x) is about VARIANCE_SLOPE * x + VARIANCE_OFFSET."""

VARIANCE_OFFSET: Final[float] = -3270 / 117649
"""Offset of the variance.  Off by less than 1.3e-4 from 80 pips on."""

# ---- estimates


def _phi(z: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Evaluate the standard normal distribution function."""
    flat = [0.5 * math.erfc(-value / math.sqrt(2)) for value in z.ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(z.shape)


def _real_pips(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    try:
        own, other = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"x={x!r}, y={y!r} are no pip counts: give numbers of 0 or more") from None
    for name, value in (("x", own), ("y", other)):
        if not np.all(value >= 0) or not np.all(np.isfinite(value)):
            raise ArgumentError(f"{name}={value} is no pip count: give numbers of 0 or more")
    return own, other


def least_squares(x: npt.ArrayLike, y: npt.ArrayLike, *, clip: bool = True) -> Any:
    """Win probability by the rational least-squares formula, for a leader on roll.

    Parameters
    ----------
    x, y : float or array_like
        Pip counts of the player on roll and of the opponent, ``y >= x >= 0``; they broadcast.
    clip : bool
        Whether to cut the result off at 1, which the formula exceeds from a lead of 27 at 20 pips, of 47 at 40 and of
        106 at 100.

    Returns
    -------
    float, or float64 ndarray

    Raises
    ------
    ArgumentError
        If a count is negative, or the player on roll trails: there the formula has a pole and means nothing.

    Notes
    -----
    Lamford and Gasquoine, "Improve Your Backgammon", as quoted by Dotsenko and Marynych, section 5.  They claim an
    error of 2% up to 40 pips and 1% from 100 to 500; against the exact values it reaches 5% up to 40 pips (at 28
    against 31), 2.5% from 100 pips on with a lead up to 10, and 7.8% with a lead of 30.  See `normal` for a better one.

    Examples
    --------
    >>> round(least_squares(100, 110), 4), round(win_probability(100, 110), 4)
    (0.7564, 0.7417)
    """
    own, other = _real_pips(x, y)
    if np.any(other < own):
        raise ArgumentError(f"x={x!r}, y={y!r}: the least-squares formula is for a leader, give y of at least x")
    lead = other - own
    values = 0.5 + (9 + own / 100 + 4 * lead) / (own + 7 * lead + 25)
    values = np.minimum(values, 1) if clip else values
    return float(values) if values.ndim == 0 else values


def normal(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Win probability by the normal approximation.

    Parameters
    ----------
    x, y : float or array_like
        Pip counts of the player on roll and of the opponent, not both 0; they broadcast.

    Returns
    -------
    float, or float64 ndarray

    Raises
    ------
    ArgumentError
        If a count is negative, or if both are 0.

    Notes
    -----
    Phi(sqrt(mu) (y - x + mu/2) / (sigma sqrt(x + y))) with mu = 49/6 pips a roll and sigma^2 = 665/36.  Dotsenko and
    Marynych, equation (6), whose print has a misplaced bracket; Ross, Benjamin and Munson, equation (7).  Within leads
    of 30 either way its greatest error is 0.0403 from 20 pips on, 0.0061 from 40 on and 0.0015 from 100 on.

    Examples
    --------
    >>> round(normal(100, 110), 4), round(win_probability(100, 110), 4)
    (0.7409, 0.7417)
    """
    own, other = _real_pips(x, y)
    both = own + other
    if np.any(both == 0):
        raise ArgumentError("both sides have 0 pips: only one player can have finished, give at least 1 pip to a side")
    z = math.sqrt(MEAN_PIPS / VARIANCE_PIPS) * (other - own + MEAN_PIPS / 2) / np.sqrt(both)
    values = _phi(z)
    return float(values) if values.ndim == 0 else values
