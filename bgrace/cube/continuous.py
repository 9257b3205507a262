"""The cube in a game whose win probability moves continuously: Keeler and Spencer's Brownian model.

The chance of player A to win is a Brownian motion on [0, 1] that stops at either end.  A doubles when it reaches a
threshold `high`, B when it falls to `low`.  Winnings are A's, in units of the stake at the beginning; a taken double
doubles the stake and gives the taker the sole right to the next one.

Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 3, with three kinds of opponents: rational
(Theorem 1), insolent, who double too early, and excessively cautious, who double too late.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import (
    Floats,
    ShortRepr,
    ToDict,
    as_choice,
    as_floats,
    as_integer,
    as_number,
    broadcast,
    elementwise,
)
from bgrace.cube.model import check_probability
from bgrace.errors import ArgumentError

__all__ = [
    "HIGH",
    "LOW",
    "Simulation",
    "Winnings",
    "cautious",
    "chance_within_norming",
    "equity",
    "hitting_probability",
    "insolent",
    "norming_constant",
    "simulate",
    "truncated_second_moment",
    "two_thresholds",
    "winnings",
]

# ---- the doubling points, and equities when both sides double there

HIGH: Final = 0.8
"""The point where a rational player A doubles: a take and a pass cost B the same."""

LOW: Final = 0.2
"""The point where a rational player B doubles."""


@elementwise
def hitting_probability(x: npt.ArrayLike, low: npt.ArrayLike, high: npt.ArrayLike) -> Floats:
    """Chance that a Brownian motion reaches `high` before `low`.

    Parameters
    ----------
    x, low, high : float or array_like
        Starting point and the two levels, ``low <= x <= high`` and ``low < high``; they broadcast.

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
    given = {"x": x, "low": low, "high": high}
    start, bottom, top = broadcast(**{name: as_floats(value, problem) for name, value in given.items()})
    if not np.all((bottom <= start) & (start <= top) & (bottom < top)):
        raise ArgumentError(problem)
    return np.asarray((start - bottom) / (top - bottom))


@elementwise
def equity(x: npt.ArrayLike, cube: Literal["centered", "mine", "theirs"] = "centered") -> Floats:
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
    2 (2.5 * 0.8 - 1.5) = 1, the same as a double that is passed, which determines the point.

    Examples
    --------
    >>> round(2 * equity(0.8, "theirs"), 12), equity(0.8), equity(0.8, "mine")
    (1.0, 1.0, 1.0)
    """
    spans = {"centered": (LOW, HIGH), "mine": (0.0, HIGH), "theirs": (LOW, 1.0)}
    chance = check_probability(x, "x")
    bottom, top = spans[as_choice("cube", cube, spans)]
    return np.clip((2 * chance - bottom - top) / (top - bottom), -1, 1)


def check_levels(start: float, low: float, high: float) -> None:
    """Raise ArgumentError unless 0 <= low < start < high <= 1."""
    problem = f"low={low}, start={start}, high={high}: give 0 <= low < start < high <= 1"
    levels = as_floats((0, low, start, high, 1), problem)
    if levels.ndim > 1 or not levels[0] <= levels[1] < levels[2] < levels[3] <= levels[4]:
        raise ArgumentError(problem)


# ---- the distribution of winnings, against rational opponents and others

MAX_DOUBLES: Final = 60
"""Most doubles of a game that a distribution lists: the stake is then 2**60."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Winnings(ToDict, ShortRepr):
    """The winnings of player A, and their chances.

    Attributes
    ----------
    values : int64 ndarray, shape (n,)
        In units of the first stake, rising.
    probabilities : float64 ndarray, shape (n,)
        Chances of `values`.
    tail : float
        Chance of a value beyond those listed.
    mean : float
        Mean of the whole distribution, tail included; NaN if it does not exist.
    start, low, high : float
        A's chance at the beginning, and the points where B and A double; a player whose point is 0 or 1 never doubles.
    a_takes, b_takes : bool
        Whether A and B take.
    """

    values: npt.NDArray[np.int64]
    probabilities: npt.NDArray[np.float64]
    tail: float
    mean: float
    start: float = 0.5
    low: float = LOW
    high: float = HIGH
    a_takes: bool = True
    b_takes: bool = True

    def probability(self, value: int) -> float:
        """Chance of winning exactly `value`; 0 if it is not listed."""
        return float(self.probabilities[self.values == value].sum())


def _make_winnings(chances: dict[int, float], mean: float, endless: bool, **levels: Any) -> Winnings:
    """Make winnings in rising order; default levels and takes are those of rational players who take."""
    values = sorted(chances)
    probabilities = np.array([chances[value] for value in values])
    # A remainder of 1 is rounding, and not a tail, unless the game can go on for ever.
    tail = max(0.0, 1 - math.fsum(probabilities.tolist())) if endless else 0.0
    return Winnings(np.array(values, dtype=np.int64), probabilities, tail, mean, **levels)


def _check_k_max(k_max: int) -> int:
    problem = f"k_max={k_max!r} cannot be used: give a whole number from 1 to {MAX_DOUBLES}"
    return as_integer(k_max, problem, 1, MAX_DOUBLES)


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
        Points where B and A double, ``0 <= low < start < high <= 1``; a player whose point is the end of the game never
        doubles.
    a_takes, b_takes : bool
        Whether A always takes B's doubles, and B always A's; if not, they always pass.

    Returns
    -------
    Winnings
        The mean is NaN if both take and the stakes rise so fast that it does not exist.

    Raises
    ------
    ArgumentError
        If the levels are not in that order, or `k_max` is out of range.

    Notes
    -----
    It follows from the lemma.  Let u be the chance that A doubles first, alpha that they then win without a redouble,
    beta the same for B, and rho = (1 - alpha)(1 - beta).  Odd exponents have chances u alpha rho^k and (1 - u) beta
    rho^k, k = 0, 1, ..., even ones (1 - u)(1 - beta) alpha rho^(k-1) and u (1 - alpha) beta rho^(k-1), k = 1, 2, ....

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
        # Games with the same first doubler: `now` is the chance that a doubler is at their point, at this `stake`.
        now, stake = chance, 1
        while now > 0 and stake <= 2**k_max:
            sign = 1 if a_doubles else -1
            wins = 1.0  # if their point is the end of the game, or if the double is passed
            if (b_takes if a_doubles else a_takes) and (high if a_doubles else low) not in (0, 1):
                # The taker owns the cube: either the doubler wins, or the taker reaches their own doubling point.
                stake *= 2
                wins = (high - low) / (1 - low) if a_doubles else (high - low) / high
            if stake <= 2**k_max:
                chances[sign * stake] = chances.get(sign * stake, 0.0) + now * wins
            now *= 1 - wins
            a_doubles = not a_doubles  # noqa: PLW2901 - the roles change at every double
    endless = a_takes and b_takes and low > 0 and high < 1
    if endless:
        mean = _both_take_mean(first, (high - low) / (1 - low), (high - low) / high)
    else:
        mean = math.fsum(value * chance for value, chance in chances.items())
    return _make_winnings(chances, mean, endless, start=start, low=low, high=high, a_takes=a_takes, b_takes=b_takes)


def _both_take_mean(first: float, alpha: float, beta: float) -> float:
    """Sum the four geometric series of values times chances; NaN if they diverge."""
    rho = (1 - alpha) * (1 - beta)
    if 4 * rho >= 1:
        return math.nan
    odd = 2 * (first * alpha - (1 - first) * beta)
    even = 4 * ((1 - first) * (1 - beta) * alpha - first * (1 - alpha) * beta)
    return (odd + even) / (1 - 4 * rho)


def winnings(k_max: int) -> Winnings:
    """Distribution of a rational player's winnings against a rational opponent, if both take.

    Parameters
    ----------
    k_max : int
        Greatest exponent listed: values up to ``2**k_max``, 1 to 60.

    Returns
    -------
    Winnings
        Its mean is 0 and its variance infinite.

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
    return _make_winnings(chances, 0.0, endless=True)


def insolent(t: float, k_max: int) -> Winnings:
    """Distribution of a rational player's winnings against one who doubles too early, at 0.2 + t; both take.

    Parameters
    ----------
    t : float
        Distance of B's doubling point above 0.2, 0 <= t < 0.3.
    k_max : int
        Greatest exponent listed: values up to ``2**k_max``, 1 to 60.

    Returns
    -------
    Winnings
        Its mean is (5/8) t / (0.3 - t) and its variance infinite.

    Raises
    ------
    ArgumentError
        If either is out of range.

    Notes
    -----
    Dotsenko and Marynych, section 3.1.  With r = (0.2 + t)/(4 (0.8 - t)) the chances of 2^(2k+1) and -2^(2k+1) are
    (0.3 - t)/(0.8 - t) r^k and (3/8) r^k, k >= 0; those of 2^(2k) and -2^(2k) are (3/8)(0.2 + t)/(0.8 - t) r^(k-1) and
    (1/4)(0.3 - t)/(0.8 - t) r^(k-1), k >= 1.  The paper prints the odd exponents for k = 1, 2, ... only, which leaves
    out the two most likely results.

    Examples
    --------
    >>> against = insolent(0.1, 4)
    >>> round(against.probability(2), 9), round(against.probability(-4), 9), round(against.mean, 9)
    (0.285714286, 0.071428571, 0.3125)
    """
    problem = f"t={t} is out of range: an insolent opponent doubles at 0.2 + t, give 0 <= t < 0.3"
    t = as_number(t, problem, 0, math.nextafter(0.3, 0))
    # The formula of the mean is more accurate than the sum of the series.
    return replace(two_thresholds(k_max, low=0.2 + t), mean=5 / 8 * t / (0.3 - t))


def cautious(t: float, takes: bool = False) -> Winnings:
    """Distribution of a rational player's winnings against one who doubles too late, at 0.2 - t, and gets a pass.

    Parameters
    ----------
    t : float
        Distance of B's doubling point below 0.2, 0 < t <= 0.2.  At 0.2 they never double.
    takes : bool
        Whether B takes A's double at 0.8.

    Returns
    -------
    Winnings
        Its mean is t / (0.6 + t) if B passes, and t (1.1 + 2t) / ((0.6 + t)(0.8 + t)) if they take.

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
    as_number(t, problem, math.ulp(0.0), 0.2)
    # 0.2 - 0.2 is 0 in floating point as well, so that B's threshold is then the end of the game.
    return two_thresholds(1, low=0.2 - t, a_takes=False, b_takes=takes)


# ---- the central limit theorem for sums of winnings


@elementwise
def truncated_second_moment(x: npt.ArrayLike) -> Floats:
    """Second moment of `winnings` truncated at x: the mean of the squares of absolute values up to x.

    Parameters
    ----------
    x : float or array_like
        0 or more.

    Returns
    -------
    float, or float64 ndarray of the same shape
        3 floor(log2 x) for x >= 1, else 0.

    Raises
    ------
    ArgumentError
        If `x` is negative or not finite.

    Notes
    -----
    Dotsenko and Marynych, proof of Theorem 2.  It varies slowly, so sums are asymptotically normal although the
    variance is infinite.

    Examples
    --------
    >>> truncated_second_moment([0.5, 1.9, 2, 1024]).tolist()
    [0.0, 0.0, 3.0, 30.0]
    """
    problem = f"x={x!r} cannot be used: give numbers of 0 or more"
    value = as_floats(x, problem)
    if not np.all((value >= 0) & np.isfinite(value)):
        raise ArgumentError(problem)
    # frexp is exact where a logarithm might round a power of two down: x = m 2^e, 1/2 <= m < 1.
    return np.asarray(3.0 * np.maximum(np.frexp(value)[1] - 1, 0))


def norming_constant(n: int) -> float:
    """Scale of the sum of n independent `winnings`: a_n = sqrt(1.5 n log2 n).

    Parameters
    ----------
    n : int
        Number of games, 2 to 10^300.

    Returns
    -------
    float
        In units of the first stake.

    Raises
    ------
    ArgumentError
        If `n` is not a whole number, or out of range.

    Notes
    -----
    Dotsenko and Marynych, Theorem 2: the sum divided by a_n tends to the standard normal distribution, but so slowly
    that a_n must not be used for error bars: see `chance_within_norming`.

    Examples
    --------
    >>> round(norming_constant(10_000), 3)
    446.448
    """
    n = as_integer(n, f"n={n!r:.80} games: give a whole number from 2 to 10^300", 2, 10**300)
    return math.sqrt(1.5 * n * math.log2(n))


def chance_within_norming(n: int) -> float:
    """Chance that the sum of n independent `winnings` is within a_n of 0; in the limit 0.6827.

    Parameters
    ----------
    n : int
        Number of games, 2 to 10,000,000.

    Returns
    -------
    float
        Exact to about 1e-5: the sum's distribution is found by a fast Fourier transform on a circle so large that
        almost no sum wraps around it.

    Raises
    ------
    ArgumentError
        If `n` is not a whole number, or out of range.

    Notes
    -----
    Dotsenko and Marynych, Theorem 2, do not give the rate of convergence: it is logarithmic.

    Examples
    --------
    >>> round(chance_within_norming(1000), 4)
    0.582
    """
    n = as_integer(n, f"n={n!r:.80} games cannot be counted: give a whole number, 2 to 10,000,000", 2, 10_000_000)
    a_n = norming_constant(n)
    # Winnings are even numbers, so the circle has their halves.  A game beyond it would have to win more than 1000 a_n;
    # the chance that one of n games does is about n / (1000 a_n)^2, below 1e-6.
    size = 1 << math.ceil(math.log2(1000 * a_n))
    chances = np.zeros(size)
    for k in range(size.bit_length() - 1):
        # At half of the circle 2^k and its negative are the same entry, which gets both chances.
        chances[2**k] += 0.375 * 0.25**k
        chances[-(2**k)] += 0.375 * 0.25**k
    chances[0] += 1 - chances.sum()  # greater winnings are multiples of the circle's length
    sums = np.fft.irfft(np.fft.rfft(chances) ** n, size)
    reach = int(a_n / 2)
    return float(sums[0] + sums[1 : reach + 1].sum() + sums[-reach:].sum()) if reach else float(sums[0])


# ---- games of the continuous model, played by fair coins


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(ShortRepr):
    """Results of simulated games.

    Attributes
    ----------
    games : int
    seed : int
    values : int64 ndarray, shape (n,)
        Winnings of A that occurred, rising.
    counts : int64 ndarray, shape (n,)
        Number of games with each value.
    """

    games: int
    seed: int
    values: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @property
    def frequencies(self) -> npt.NDArray[np.float64]:
        """Share of the games with each value, float64, shape (n,)."""
        return self.counts / self.games

    @property
    def mean(self) -> float:
        """Mean winnings."""
        return float(self.values @ self.counts / self.games)

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, estimated from the sample.

        If the true variance is infinite, as it is when both sides take, the error of the mean is larger than this.
        """
        squares = float(self.values.astype(np.float64) ** 2 @ self.counts / self.games)
        return math.sqrt(max(squares - self.mean**2, 0) / self.games)

    def frequency(self, value: int) -> float:
        """Share of the games in which A won exactly `value`."""
        return float(self.frequencies[self.values == value].sum())


MAX_SIMULATED: Final = 1 << 40
"""Most games that `simulate` plays."""

BATCH: Final = 1 << 18
"""Games that are simulated in one array: enough for numpy to be fast, few enough for memory."""


def simulate(
    games: int,
    seed: int,
    *,
    start: float = 0.5,
    low: float = LOW,
    high: float = HIGH,
    a_takes: bool = True,
    b_takes: bool = True,
) -> Simulation:
    """Play games of the continuous model.

    The motion is followed by fair coins, without the formulas of this module: by symmetry, it reaches either end of an
    interval around its place with equal chance.  The interval is the widest with no level inside.

    Parameters
    ----------
    games : int
        1 or more.
    seed : int
        Seed of the random numbers; the same seed gives the same games on every machine.
    start, low, high, a_takes, b_takes
        As in `two_thresholds`.

    Returns
    -------
    Simulation

    Raises
    ------
    ArgumentError
        If the levels are not in order, or `games` is less than 1.

    Examples
    --------
    >>> from bgrace.cube.continuous import cautious
    >>> played = simulate(100_000, seed=1, low=0.1, a_takes=False)       # a cautious opponent who takes
    >>> played.values.tolist()
    [-2, -1, 2]
    >>> abs(played.frequency(2) - cautious(0.1, takes=True).probability(2)) < 0.005
    True
    """
    check_levels(start, low, high)
    problem = f"games={games!r:.80} cannot be played: give 1 or more, {MAX_SIMULATED:,} at most"
    games = as_integer(games, problem, 1, MAX_SIMULATED)
    seed = as_integer(seed, f"seed={seed!r:.80} is not a seed: give a whole number of 0 or more", 0)
    generator = np.random.default_rng(seed)
    totals = Counter[int]()
    for done in range(0, games, BATCH):
        results = _play(generator, np.full(min(BATCH, games - done), start), (low, high), (a_takes, b_takes))
        values, counts = np.unique(results, return_counts=True)
        totals.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
    values, counts = np.array(sorted(totals.items()), dtype=np.int64).T.copy()
    return Simulation(games, seed, values, counts)


CENTER, WITH_A, WITH_B = 0, 1, 2


def _play(
    generator: np.random.Generator,
    place: npt.NDArray[np.float64],
    levels: tuple[float, float],
    takes: tuple[bool, bool],
) -> npt.NDArray[np.int64]:
    """Play a game from each place; returns A's winnings."""
    (low, high), (a_takes, b_takes) = levels, takes
    results = np.zeros(place.size, dtype=np.int64)
    game = np.arange(place.size)
    cube, stake = np.full(place.size, CENTER), np.ones(place.size, dtype=np.int64)
    while game.size:
        top = np.where(cube == WITH_B, 1.0, high)
        bottom = np.where(cube == WITH_A, 0.0, low)
        up = generator.random(game.size) < 0.5
        step = np.minimum(top - place, place - bottom)
        # The nearer end is reached exactly, which place +- step may miss by rounding.
        at_top = up & (top - place <= place - bottom)
        at_bottom = ~up & (place - bottom <= top - place)
        place = np.where(at_top, top, np.where(at_bottom, bottom, np.where(up, place + step, place - step)))

        won, lost = at_top & (top == 1), at_bottom & (bottom == 0)
        a_doubles, b_doubles = at_top & ~won, at_bottom & ~lost
        if not b_takes:
            won |= a_doubles
            a_doubles[:] = False
        if not a_takes:
            lost |= b_doubles
            b_doubles[:] = False
        results[game[won]] = stake[won]
        results[game[lost]] = -stake[lost]
        stake = np.where(a_doubles | b_doubles, 2 * stake, stake)
        cube = np.where(a_doubles, WITH_B, np.where(b_doubles, WITH_A, cube))
        on = ~(won | lost)
        game, place, cube, stake = game[on], place[on], cube[on], stake[on]
    return results
