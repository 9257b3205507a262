"""The distribution of winnings, against rational opponents and others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON, Summarised, as_floats, plain
from bgrace.cube.continuous.thresholds import HIGH, LOW, check_levels
from bgrace.errors import ArgumentError

__all__ = ["Winnings", "cautious", "insolent", "two_thresholds", "winnings"]

MAX_DOUBLES: Final = 60
"""Most doubles in a row that a distribution lists: the stake is then 2**60."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Winnings(Summarised):
    """What player A wins, and how likely.

    Attributes
    ----------
    values : int64 ndarray, shape (n,)
        In units of the first stake, rising.
    probabilities : float64 ndarray, shape (n,)
        Of the same order.
    tail : float
        Chance of a value beyond those listed.
    mean : float
        Of the whole distribution, tail included; NaN where there is none.
    start, low, high : float
        A's chance at the beginning, and where B and A double.  At 0 and 1 there is nothing left to double.
    a_takes, b_takes : bool
        Whether A and B take.
    """

    values: npt.NDArray[np.int64]
    probabilities: npt.NDArray[np.float64]
    tail: float
    mean: float
    start: float
    low: float
    high: float
    a_takes: bool
    b_takes: bool

    def probability(self, value: int) -> float:
        """Chance of winning exactly `value`; 0 if it is not listed."""
        at = np.flatnonzero(self.values == value)
        return float(self.probabilities[at[0]]) if at.size else 0.0

    def to_dict(self) -> dict[str, JSON]:
        """Every attribute under its name, as plain numbers and lists."""
        result: dict[str, JSON] = plain(self)
        return result


def _listed(
    chances: dict[int, float],
    mean: float,
    *,
    start: float = 0.5,
    low: float = LOW,
    high: float = HIGH,
    a_takes: bool = True,
    b_takes: bool = True,
) -> Winnings:
    values = sorted(chances)
    probabilities = np.array([chances[value] for value in values])
    tail = max(0.0, 1 - math.fsum(probabilities.tolist()))
    return Winnings(
        np.array(values, dtype=np.int64),
        probabilities,
        # What is left of 1 by rounding is not a tail: only a game in which both take and double can go on for ever.
        tail if a_takes and b_takes and low > 0 and high < 1 else 0.0,
        mean,
        start,
        low,
        high,
        a_takes,
        b_takes,
    )


def _check_k_max(k_max: int) -> int:
    if isinstance(k_max, bool) or not isinstance(k_max, (int, np.integer)) or not 1 <= k_max <= MAX_DOUBLES:
        raise ArgumentError(f"k_max={k_max!r} cannot be used: give a whole number from 1 to {MAX_DOUBLES}")
    return int(k_max)


def two_thresholds(
    k_max: int,
    *,
    start: float = 0.5,
    low: float = LOW,
    high: float = HIGH,
    a_takes: bool = True,
    b_takes: bool = True,
) -> Winnings:
    """Distribution of A's winnings for any two doubling points.

    Parameters
    ----------
    k_max : int
        Greatest exponent listed: values up to ``2**k_max``, 1 to 60.
    start : float
        A's chance at the beginning, with the cube centered and stake 1.
    low, high : float
        Where B and A double, ``0 <= low < start < high <= 1``; a player whose point is the end of the game never
        doubles.
    a_takes, b_takes : bool
        Whether A always takes B's doubles or always passes, and whether B does A's.

    Returns
    -------
    Winnings
        Its mean is NaN if both take and the stakes rise so fast that there is no mean.

    Raises
    ------
    ArgumentError
        If the levels are not in that order, or `k_max` is out of range.

    Notes
    -----
    From the lemma alone.  With u the chance that A doubles first, alpha that they then win without a redouble, beta the
    same for B, and rho = (1 - alpha)(1 - beta), odd exponents have u alpha rho^k and (1 - u) beta rho^k, k = 0, 1, ...,
    and even ones (1 - u)(1 - beta) alpha rho^(k-1) and u (1 - alpha) beta rho^(k-1), k = 1, 2, ....

    Examples
    --------
    >>> two_thresholds(4, low=0.3).probabilities.round(4).tolist()
    [0.0077, 0.0402, 0.0714, 0.375, 0.2857, 0.1607, 0.0306, 0.0172]
    """
    k_max = _check_k_max(k_max)
    check_levels(start, low, high)
    first = (start - low) / (high - low)
    chances: dict[int, float] = {}
    for a_doubles, chance in ((True, first), (False, 1 - first)):
        # Follow one first doubler: `here` is the chance that the doubler is at their point, and the cube shows `stake`.
        now, stake = chance, 1
        while now > 0 and stake <= 2**k_max:
            sign = 1 if a_doubles else -1
            wins = 1.0  # as it is if their point is the end, where nobody doubles, or if the double is passed
            if (b_takes if a_doubles else a_takes) and (high if a_doubles else low) not in (0, 1):
                # The taker owns the cube: the doubler wins at their end, or the taker gets to their own point.
                stake *= 2
                wins = (high - low) / (1 - low) if a_doubles else (high - low) / high
            if stake <= 2**k_max:
                chances[sign * stake] = chances.get(sign * stake, 0.0) + now * wins
            now *= 1 - wins
            a_doubles = not a_doubles  # noqa: PLW2901 - the roles change at every double
    if a_takes and b_takes and low > 0 and high < 1:
        mean = _both_take_mean(first, (high - low) / (1 - low), (high - low) / high)
    else:
        mean = math.fsum(value * chance for value, chance in chances.items())
    return _listed(chances, mean, start=start, low=low, high=high, a_takes=a_takes, b_takes=b_takes)


def _both_take_mean(first: float, alpha: float, beta: float) -> float:
    """Sum the four geometric series of values times chances; NaN where they diverge."""
    rho = (1 - alpha) * (1 - beta)
    if 4 * rho >= 1:
        return math.nan
    odd = 2 * (first * alpha - (1 - first) * beta)
    even = 4 * ((1 - first) * (1 - beta) * alpha - first * (1 - alpha) * beta)
    return (odd + even) / (1 - 4 * rho)


def winnings(k_max: int) -> Winnings:
    """Distribution of a rational player's winnings against a rational opponent, both of whom take.

    Parameters
    ----------
    k_max : int
        Greatest exponent listed: values up to ``2**k_max``, 1 to 60.

    Returns
    -------
    Winnings
        Of mean 0 and infinite variance.

    Raises
    ------
    ArgumentError
        If `k_max` is out of range.

    Notes
    -----
    Dotsenko and Marynych, Theorem 1: 2^k and -2^k have chance (3/8) 4^(1-k) each, k = 1, 2, ....

    Examples
    --------
    >>> winnings(3).values.tolist()
    [-8, -4, -2, 2, 4, 8]
    >>> winnings(3).probabilities.tolist(), winnings(3).mean
    ([0.0234375, 0.09375, 0.375, 0.375, 0.09375, 0.0234375], 0.0)
    """
    exponents = range(1, _check_k_max(k_max) + 1)
    chances = {sign * 2**k: 0.375 * 0.25 ** (k - 1) for k in exponents for sign in (-1, 1)}
    return _listed(chances, 0.0)


def insolent(t: float, k_max: int) -> Winnings:
    """Distribution of a rational player's winnings against one who doubles too early, at 0.2 + t; both take.

    Parameters
    ----------
    t : float
        How far above 0.2 B doubles, 0 <= t < 0.3.
    k_max : int
        Greatest exponent listed: values up to ``2**k_max``, 1 to 60.

    Returns
    -------
    Winnings
        Of mean (5/8) t / (0.3 - t) and infinite variance.

    Raises
    ------
    ArgumentError
        If either is out of range.

    Notes
    -----
    Dotsenko and Marynych, section 3.1.  They print the chances of 2^(2k+1) and -2^(2k+1) for k = 1, 2, ...; both hold
    for k = 0 as well, without which the two most likely results would be missing.

    Examples
    --------
    >>> against = insolent(0.1, 4)
    >>> round(against.probability(2), 9), round(against.probability(-4), 9), round(against.mean, 9)
    (0.285714286, 0.071428571, 0.3125)
    """
    k_max = _check_k_max(k_max)
    problem = f"t={t} is out of range: an insolent opponent doubles at 0.2 + t, give 0 <= t < 0.3"
    if not 0 <= as_floats(t, problem) < 0.3:
        raise ArgumentError(problem)
    ratio = (0.2 + t) / (4 * (0.8 - t))
    chances: dict[int, float] = {}
    for exponent in range(1, k_max + 1):
        if exponent % 2:
            k = (exponent - 1) // 2
            chances[2**exponent] = (0.3 - t) / (0.8 - t) * ratio**k
            chances[-(2**exponent)] = 3 / 8 * ratio**k
        else:
            k = exponent // 2
            chances[2**exponent] = 3 / 8 * (0.2 + t) / (0.8 - t) * ratio ** (k - 1)
            chances[-(2**exponent)] = 1 / 4 * (0.3 - t) / (0.8 - t) * ratio ** (k - 1)
    return _listed(chances, 5 / 8 * t / (0.3 - t), low=0.2 + t)


def cautious(t: float, takes: bool = False) -> Winnings:
    """Distribution of a rational player's winnings against one who doubles too late, at 0.2 - t, and gets a pass.

    Parameters
    ----------
    t : float
        How far below 0.2 B doubles, 0 < t <= 0.2.  At 0.2 they never double.
    takes : bool
        Whether B takes A's double at 0.8.

    Returns
    -------
    Winnings
        If B passes, of mean t / (0.6 + t); if they take, of mean t (1.1 + 2t) / ((0.6 + t)(0.8 + t)).

    Raises
    ------
    ArgumentError
        If `t` is out of range.

    Notes
    -----
    Dotsenko and Marynych, section 3.2, who give the first mean only.

    Examples
    --------
    >>> cautious(0.1).values.tolist(), cautious(0.1).probabilities.round(6).tolist()
    ([-1, 1], [0.428571, 0.571429])
    >>> cautious(0.1, takes=True).values.tolist(), cautious(0.1, takes=True).probabilities.round(6).tolist()
    ([-2, -1, 2], [0.126984, 0.428571, 0.444444])
    """
    problem = f"t={t} is out of range: a cautious opponent doubles at 0.2 - t, give 0 < t <= 0.2"
    if not 0 < as_floats(t, problem) <= 0.2:
        raise ArgumentError(problem)
    # 0.2 - 0.2 is 0 in floating point as well: B's threshold is then the end of the game, as it should be.
    if takes:
        chances = {2: (0.3 + t) / (0.8 + t), -1: 0.3 / (0.6 + t), -2: 0.2 * (0.3 + t) / ((0.6 + t) * (0.8 + t))}
        return _listed(chances, t * (1.1 + 2 * t) / ((0.6 + t) * (0.8 + t)), low=0.2 - t, a_takes=False)
    chances = {1: (0.3 + t) / (0.6 + t), -1: 0.3 / (0.6 + t)}
    return _listed(chances, t / (0.6 + t), low=0.2 - t, a_takes=False, b_takes=False)
