"""The single-checker model of a race.

Each player has one checker that runs home in a straight line: the points of their rolls are subtracted from their pip
count, doubles counted four times, and the first to reach 0 or less has won.  ``x`` is the pip count of the player on
roll, ``y`` the opponent's; every probability is for the player on roll, before the dice.

Sections of this module: the dice, and exact values (tables, single values, distributions).  Asymptotic constants and
estimates of the win probability are `bgrace.estimates`, whose names are names of this module too.

Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 2; Dotsenko and Marynych,
"Optimal doubling strategies in backgammon", section 5.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from bgrace import estimates
from bgrace._base.arrays import Floats, check_broadcast, elementwise
from bgrace._kernels import race as kernel
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.errors import ArgumentError
from bgrace.estimates import *  # noqa: F403 - its names are names of this module too

__all__ = [
    "MAX_PIPS",
    "METHODS",
    "ROLL_PIPS",
    "ROLL_WAYS",
    "mean_rolls",
    "roll_distribution",
    "table",
    "transition_matrix",
    "variance_rolls",
    "win_probability",
]
__all__ += estimates.__all__

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
"""The pips of a roll, doubles counted four times: 3 to 12, 16, 20 and 24 pips."""

ROLL_WAYS: Final[tuple[int, ...]] = tuple(_roll_totals().values())
"""In how many of 36 ways each entry of `ROLL_PIPS` is thrown."""

# ---- exact values


def check_pips(value: npt.ArrayLike, name: str) -> npt.NDArray[np.int64]:
    """Return pip counts as an int64 array, negative ones raised to 0; the error calls them `name`."""
    try:
        counts = np.asarray(value)
    except ValueError:  # rows of different lengths
        counts = np.asarray(None)
    if counts.dtype.kind == "f" and np.all(counts == np.floor(counts)) and np.all(np.isfinite(counts)):
        counts = np.clip(counts, -1, MAX_PIPS + 1).astype(np.int64)
    if counts.dtype.kind not in "iu":
        raise ArgumentError(f"{name}={value!r} is not a pip count: give whole numbers from 0 to {MAX_PIPS}")
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


def transition_matrix(limit: int) -> npt.NDArray[np.float64]:
    """The race of one checker as a Markov chain.

    Parameters
    ----------
    limit : int
        Greatest pip count, 0 to `MAX_PIPS`.

    Returns
    -------
    float64 ndarray, shape (limit + 2, limit + 2)
        Chance of going from the state of the row to that of the column in one roll.  State 0 is done, which is never
        left; state 1 + i has i pips.  From 0 pips the next step is done.

    Raises
    ------
    ArgumentError
        If `limit` is not an integer in that range.

    Notes
    -----
    Ross, Benjamin and Munson, section 2.4, where 0 pips is called row 0: as a row of the matrix it is row 1.  With M
    the matrix, ``(M**k)[1 + x, 1]`` is the chance of needing exactly k rolls from x pips, because 0 pips are left at
    once.

    Examples
    --------
    >>> (36 * transition_matrix(4))[-1].round().tolist()     # 4 pips: done but for 2 of 36 rolls, which leave 1
    [0.0, 34.0, 2.0, 0.0, 0.0, 0.0]
    """
    size = check_limit(limit)
    matrix = np.zeros((size + 2, size + 2))
    matrix[0, 0] = matrix[1, 0] = 1
    states = np.arange(2, size + 2)
    for pips, ways in zip(ROLL_PIPS, ROLL_WAYS, strict=True):
        matrix[states, np.maximum(states - pips, 1)] += ways
    matrix[2:] /= 36
    return matrix


def _markov_distributions(limit: int) -> npt.NDArray[np.float64]:
    """Chance of needing exactly n rolls from m pips, [m, n], by powers of the transition matrix."""
    matrix = transition_matrix(limit)
    values = np.zeros((limit + 1, -(-limit // 3) + 1))
    column = np.zeros(limit + 2)
    column[1] = 1
    for n in range(values.shape[1]):
        values[:, n] = column[1:]
        column = matrix @ column
    return values


def _from_distributions(chances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Win probabilities of independent sides: the player on roll needs no more rolls than the opponent."""
    needs_at_least = np.cumsum(chances[:, ::-1], axis=1)[:, ::-1]
    values = chances @ needs_at_least.T
    values[0], values[:, 0] = 1, 0  # exact, where sums of rounded chances are not
    values[0, 0] = np.nan
    return np.asarray(values)


def check_limit(limit: int, most: int = MAX_PIPS) -> int:
    """Return `limit` as an int from 0 to `most`, or raise ArgumentError."""
    if isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or not 0 <= limit <= most:
        raise ArgumentError(f"limit={limit!r} cannot be used: give a whole number from 0 to {most}")
    return int(limit)


Method: TypeAlias = Literal["recursion", "first-passage", "markov"]

METHODS: Final[tuple[Method, ...]] = get_args(Method)
"""Ways to compute a `table`: they share nothing but the dice, and agree to 1e-12."""


def table(limit: int, method: Method = "recursion") -> npt.NDArray[np.float64]:
    """Win probabilities of every pair of pip counts.

    Parameters
    ----------
    limit : int
        Greatest pip count of either side, 0 to `MAX_PIPS`.
    method : {"recursion", "first-passage", "markov"}
        How: by the recursion on pairs of pip counts, by the distributions of both sides' rolls, or by such
        distributions from the powers of `transition_matrix`.  They agree to 1e-12; the recursion is the fastest.

    Returns
    -------
    float64 ndarray, shape (limit + 1, limit + 1)
        ``[x, y]``, the player on roll first.  Row 0 is 1 and column 0 is 0, for a race that one side has finished;
        ``[0, 0]`` is NaN.

    Raises
    ------
    ArgumentError
        If `limit` is not an integer in that range, or `method` is unknown.

    Notes
    -----
    Ross, Benjamin and Munson, section 2.  Recursion: WP(X, Y) = 1 - sum over n of p(n) WP(Y, X - n).  Distributions:
    WP(X, Y) = sum over k of P(n_X = k) P(n_Y >= k).

    Examples
    --------
    >>> float(table(8)[5, 1])     # 31 of 36 rolls bring 5 pips
    0.8611111111111112
    >>> round(float(table(110, "markov")[100, 110]), 9)
    0.741726545
    """
    size = check_limit(limit)
    if method == "recursion":
        return kernel.win_probabilities(size)
    if method == "first-passage":
        return _from_distributions(_distributions(size))
    if method == "markov":
        return _from_distributions(_markov_distributions(size))
    raise ArgumentError(f"method={method!r} is unknown: use one of {', '.join(METHODS)}")


@elementwise
def win_probability(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
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
        If a count is not an integer, is greater than `MAX_PIPS`, or if both sides of a pair have finished.

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
    check_broadcast(x=own, y=other)
    limit = int(max(own.max(initial=0), other.max(initial=0)))
    values: Floats = _win_table(_rounded_up(limit))[own, other]
    if np.any(np.isnan(values)):
        raise ArgumentError("both sides have 0 pips: only one player can have finished, give at least 1 pip to a side")
    return values


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
        If a count is not an integer or is greater than `MAX_PIPS`.

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


@elementwise
def mean_rolls(x: npt.ArrayLike) -> Floats:
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
        If a count is not an integer or is greater than `MAX_PIPS`.

    Examples
    --------
    >>> mean_rolls(6), round(mean_rolls(100), 6)
    (1.25, 12.822157)
    """
    return _moment(x, 0)


@elementwise
def variance_rolls(x: npt.ArrayLike) -> Floats:
    """Variance of the number of rolls; parameters and errors as for `mean_rolls`.

    Examples
    --------
    >>> round(variance_rolls(6), 6), round(variance_rolls(100), 6)
    (0.1875, 3.36365)
    """
    return _moment(x, 1)


def _moment(x: npt.ArrayLike, which: int) -> Floats:
    """Look up a mean (0) or a variance (1)."""
    counts = check_pips(x, "x")
    return np.asarray(_moments(_rounded_up(int(counts.max(initial=0))))[which][counts])
