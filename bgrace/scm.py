"""The single-checker model of a race.

Each player has one checker that runs home in a straight line: the points of their rolls are subtracted from their pip
count, doubles counted four times, and the first to reach 0 or less has won.  ``x`` is the pip count of the player on
roll, ``y`` the opponent's; every probability is for the player on roll, before the dice.

Sections of this module: the dice; exact values (tables, single values, distributions); asymptotic constants; estimates
of the win probability.  Every estimate has the same contract, so its docstring has only its own facts:

* ``x`` and ``y`` are float or array_like, and they broadcast.  Pip counts may have fractions.
* Numbers give a float (or a bool), arrays a float64 (or bool) ndarray of the broadcast shape.
* It raises ArgumentError if a count is negative or not finite.

Two kinds of estimate: `normal`, `kleinman`, `improved` and `least_squares` are for single checkers; `adjusted` and
`adjusted_unrounded` are fitted to races played on the board, which waste more, and so are wrong for single checkers.

Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races" (below RBM), section 2 for the model
and section 3 for races; numbers of equations are theirs unless another source is named; Dotsenko and Marynych,
"Optimal doubling strategies in backgammon", section 5.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, get_args, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Booleans, Floats, as_floats, as_integer, as_number, broadcast, elementwise, scalar
from bgrace._kernels import race as kernel
from bgrace.board.dice import MEAN_PIPS
from bgrace.errors import ArgumentError

__all__ = [
    "MAX_PIPS",
    "MEAN_OFFSET",
    "MEAN_SLOPE",
    "METHODS",
    "RACE_MEAN_OFFSET",
    "RACE_MEAN_SLOPE",
    "RACE_VARIANCE_OFFSET",
    "RACE_VARIANCE_SLOPE",
    "ROLL_PIPS",
    "ROLL_WAYS",
    "VARIANCE_OFFSET",
    "VARIANCE_PIPS",
    "VARIANCE_SLOPE",
    "above_80",
    "above_90",
    "adjusted",
    "adjusted_ratio",
    "adjusted_table",
    "adjusted_unrounded",
    "gnubg_kleinman",
    "gnubg_kleinman_ratio",
    "improved",
    "kleinman",
    "kleinman_fit",
    "kleinman_ratio",
    "kleinman_table",
    "least_squares",
    "mean_rolls",
    "normal",
    "roll_distribution",
    "table",
    "transition_matrix",
    "variance_rolls",
    "win_probability",
]

# ---- the dice

MAX_PIPS: Final[int] = kernel.MAX_PIPS
"""Most pips a side for exact values: 2000, five times the most on a board."""


_WAYS: Final = Counter(4 * a if a == b else a + b for a in range(1, 7) for b in range(1, 7))

ROLL_PIPS: Final[tuple[int, ...]] = tuple(sorted(_WAYS))
"""The pips of a roll, doubles counted four times: 3 to 12, 16, 20 and 24 pips."""

ROLL_WAYS: Final[tuple[int, ...]] = tuple(_WAYS[pips] for pips in ROLL_PIPS)
"""Number of the 36 throws that give each entry of `ROLL_PIPS`."""

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
        raise ArgumentError(f"{name}={np.max(value)} pips is too far: exact values reach {MAX_PIPS} pips")
    return np.asarray(np.maximum(counts, 0), dtype=np.int64)


def _rounded_up(limit: int) -> int:
    """Round a limit up to a multiple of 128, so that few different tables are computed."""
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
    # Squares about the mean: a difference of sums of squares would lose digits for long races.
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
        Chance of going from the state of the row to that of the column in one roll.  State 0, the end, is never left;
        state 1 + i has i pips.  From 0 pips the next step leads to the end.

    Raises
    ------
    ArgumentError
        If `limit` is not an integer in that range.

    Notes
    -----
    Ross, Benjamin and Munson, section 2.4, where 0 pips is called row 0: as a row of the matrix it is row 1.  With M
    the matrix, ``(M**k)[1 + x, 1]`` is the chance of needing exactly k rolls from x pips, because the state of 0 pips
    is left at once.

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
    return as_integer(limit, f"limit={limit!r} cannot be used: give a whole number from 0 to {most}", 0, most)


Method: TypeAlias = Literal["recursion", "first-passage", "markov"]

METHODS: Final[tuple[Method, ...]] = get_args(Method)
"""Ways to compute a `table`: they have only the dice in common, and agree to 1e-12."""


def table(limit: int, method: Method = "recursion") -> npt.NDArray[np.float64]:
    """Win probabilities of every pair of pip counts.

    Parameters
    ----------
    limit : int
        Greatest pip count of either side, 0 to `MAX_PIPS`.
    method : {"recursion", "first-passage", "markov"}
        By the recursion on pairs of pip counts, by the distributions of both sides' rolls, or by such distributions
        from the powers of `transition_matrix`.  They agree to 1e-12; the recursion is the fastest.

    Returns
    -------
    float64 ndarray, shape (limit + 1, limit + 1)
        ``[x, y]``, the player on roll first.  Row 0 is 1 and column 0 is 0, for races that one side has finished;
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
        1 if only `x` has finished, 0 if only `y` has.

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
    own, other = broadcast(x=check_pips(x, "x"), y=check_pips(y, "y"))
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
        The last axis is the number of rolls, from 0 to ceil(x / 3), the most for the greatest count.  Rows sum to 1.

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


# ---- asymptotic means and variances of the rolls of a race

VARIANCE_PIPS: Final[float] = 665 / 36
"""Variance of the pips of one roll; the standard deviation is 4.29793."""

MEAN_SLOPE: Final[float] = 6 / 49
"""Rolls per pip in a long race: mean_rolls(x) is about MEAN_SLOPE * x + MEAN_OFFSET."""

MEAN_OFFSET: Final[float] = 198 / 343
"""Rolls added to x / (49/6) because the last roll wastes pips.  The error is below 1.2e-5 from 80 pips on."""

VARIANCE_SLOPE: Final[float] = 570 / 16807
"""Variance per pip in a long race: variance_rolls(x) is about VARIANCE_SLOPE * x + VARIANCE_OFFSET."""

VARIANCE_OFFSET: Final[float] = -3270 / 117649
"""Offset of the variance.  The error is below 1.3e-4 from 80 pips on."""

RACE_MEAN_SLOPE: Final[float] = 0.122688
"""Rolls per pip in races played on the board, fitted by RBM (17)."""

RACE_MEAN_OFFSET: Final[float] = 0.90544
"""Offset of the mean of races played on the board, fitted by RBM (17); the single checker has `MEAN_OFFSET`."""

RACE_VARIANCE_SLOPE: Final[float] = 0.0330249
"""Variance per pip in races played on the board, fitted by RBM (18)."""

RACE_VARIANCE_OFFSET: Final[float] = -0.408285
"""Offset of the variance of races played on the board, fitted by RBM (18)."""


# ---- pip counts, and the normal distribution, element by element


def _phi(z: Floats) -> Floats:
    """Evaluate the standard normal distribution function."""
    flat = [0.5 * math.erfc(-value / math.sqrt(2)) for value in z.ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(z.shape)


def _phi_inverse(probability: npt.ArrayLike) -> Floats:
    """Evaluate the inverse of the standard normal distribution function; ArgumentError unless between 0 and 1."""
    values = as_floats(probability, f"{probability!r} is not a probability: give numbers between 0 and 1")
    if not np.all((values > 0) & (values < 1)):
        raise ArgumentError(f"a normal table has no entry for {probability!r}: give numbers between 0 and 1")
    from statistics import NormalDist  # noqa: PLC0415  (takes a while, and is seldom needed)

    inverse = NormalDist().inv_cdf
    return np.array([inverse(value) for value in values.ravel().tolist()]).reshape(values.shape)


def _real_pips(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return both pip counts as float64; ArgumentError if one is negative or not finite."""
    problem = f"x={x!r}, y={y!r} are not pip counts: give numbers of 0 or more"
    own, other = as_floats(x, problem), as_floats(y, problem)
    for name, value in (("x", own), ("y", other)):
        if not np.all(value >= 0) or not np.all(np.isfinite(value)):
            raise ArgumentError(f"{name}={value} is not a pip count: give numbers of 0 or more")
    own, other = broadcast(x=own, y=other)
    return own, other


def _if_playing(x: npt.ArrayLike, y: npt.ArrayLike, values: Floats) -> Floats:
    """Replace win probabilities of races that are over: 1 if only `x` is 0, 0 if only `y` is."""
    own, other = np.asarray(x), np.asarray(y)
    return np.where((own == 0) & (other > 0), 1.0, np.where((other == 0) & (own > 0), 0.0, values))


def _lead_and_sum(
    x: npt.ArrayLike, y: npt.ArrayLike, least: float, formula: str, *, included: bool = False
) -> tuple[Floats, Floats]:
    """Return ``y - x`` and ``x + y``; ArgumentError unless the sum is above `least`, or equal if `included`."""
    own, other = _real_pips(x, y)
    both = own + other
    if not np.all(both >= least if included else both > least):
        limit = f"{'at least' if included else 'more than'} {least:g}"
        raise ArgumentError(f"x + y = {float(both.min())!r} pips: {formula} is for {limit} pips together")
    return other - own, both


# ---- chances of winning of single checkers


@elementwise
def kleinman(x: npt.ArrayLike, y: npt.ArrayLike, sigma: float | None = None) -> Floats:
    """Win probability by the normal approximation, also called Kleinman's D^2/S.

    Parameters
    ----------
    sigma : float, optional
        Standard deviation of a roll in pips.  By default 4.29793, that of dice; 4 gives the variant that is nearer to
        played races of 70 pips and more, and farther from the single-checker model.

    Raises
    ------
    ArgumentError
        If both counts are 0, or if `sigma` is not above 0.

    Notes
    -----
    RBM (7): Phi(D / sqrt(S) * sqrt(mu) / sigma) with D = y - x + mu/2, S = x + y and mu = 49/6 pips a roll.  Its
    greatest error against the single-checker model is 0.0020 for x from 60 to 130 and leads from -10 to 30; with
    ``sigma=4`` it is 0.0166.

    Examples
    --------
    >>> round(kleinman(100, 110), 4), round(kleinman(100, 110, sigma=4), 4)
    (0.7409, 0.7563)
    """
    lead, both = _lead_and_sum(x, y, 0, "the normal approximation")
    ahead = lead + MEAN_PIPS / 2
    return _if_playing(x, y, _phi(math.sqrt(MEAN_PIPS) / _checked_sigma(sigma) * ahead / np.sqrt(both)))


def _checked_sigma(sigma: float | None) -> float:
    if sigma is None:
        return math.sqrt(VARIANCE_PIPS)
    problem = f"sigma={sigma!r:.80} is not a standard deviation: give a number above 0, such as 4"
    return as_number(sigma, problem, math.ulp(0.0), math.nextafter(math.inf, 0))


@elementwise
def kleinman_ratio(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """Kleinman's D^2/S, for use with `kleinman_table`.

    Returns
    -------
    float, or float64 ndarray
        Pips, with the sign of D = y - x + 49/12: a negative ratio means that the opponent is the favourite.

    Raises
    ------
    ArgumentError
        If both counts are 0.

    Notes
    -----
    RBM (8).

    Examples
    --------
    >>> round(kleinman_ratio(100, 110), 4)
    0.9445
    """
    lead, both = _lead_and_sum(x, y, 0, "Kleinman's ratio")
    ahead = lead + MEAN_PIPS / 2
    return ahead * np.abs(ahead) / both


@elementwise
def kleinman_table(probability: npt.ArrayLike, sigma: float | None = None) -> Floats:
    """Value of D^2/S at which `kleinman` gives a win probability.

    Parameters
    ----------
    probability : float or array_like
        Between 0 and 1.
    sigma : float, optional
        As in `kleinman`.

    Returns
    -------
    float, or float64 ndarray
        As `kleinman_ratio`: negative below 1/2.

    Raises
    ------
    ArgumentError
        If a probability is not between 0 and 1, or `sigma` is not above 0.

    Notes
    -----
    RBM (8): sigma^2/mu times the square of the normal quantile.  The factor is 2.2619, and 96/49 for ``sigma=4``.

    Examples
    --------
    >>> kleinman_table([0.5, 0.75, 0.8]).round(4).tolist()
    [0.0, 1.029, 1.6022]
    """
    z = _phi_inverse(probability)
    return _checked_sigma(sigma) ** 2 / MEAN_PIPS * z * np.abs(z)


@elementwise
def normal(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """Win probability by the normal approximation.

    Raises
    ------
    ArgumentError
        If both counts are 0.

    Notes
    -----
    Phi(sqrt(mu) (y - x + mu/2) / (sigma sqrt(x + y))) with mu = 49/6 pips a roll and sigma^2 = 665/36: the same as
    `kleinman`.  Dotsenko and Marynych, equation (6), printed with a misplaced bracket; RBM (7).  For leads of up to 30
    of either side, its greatest error is 0.0403 from 20 pips on, 0.0061 from 40 on and 0.0015 from 100 on.

    Examples
    --------
    >>> round(normal(100, 110), 4)     # the exact value is 0.7417
    0.7409
    """
    return kleinman(x, y)


@elementwise
def gnubg_kleinman(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """Win probability by the Kleinman count as players and GNU Backgammon compute it.

    Raises
    ------
    ArgumentError
        If the two add up to 4 or less, for which GNU Backgammon always gives 0.

    Notes
    -----
    Phi((y - x + 4) / sqrt(2 (x + y - 4))): 8 pips a roll, a standard deviation of 4, half a roll for being on roll.
    D. Kleinman, "Normal Race Takes", bkgm.com.

    Examples
    --------
    >>> round(gnubg_kleinman(100, 110), 4), round(gnubg_kleinman(57, 65), 4)
    (0.7548, 0.7826)
    """
    lead, both = _lead_and_sum(x, y, 4, "the Kleinman count")
    return _if_playing(x, y, _phi((lead + 4) / np.sqrt(2 * (both - 4))))


@elementwise
def gnubg_kleinman_ratio(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """Players' K = (D + 4)^2 / (S - 4), D the lead and S the sum.

    Returns
    -------
    float, or float64 ndarray
        It has the sign of D + 4.  `gnubg_kleinman` is Phi(sqrt(K / 2)).  GNU Backgammon prints sqrt(K) / 2 as K.

    Raises
    ------
    ArgumentError
        If the two add up to 4 or less.

    Examples
    --------
    >>> round(gnubg_kleinman_ratio(57, 65), 4)
    1.2203
    """
    lead, both = _lead_and_sum(x, y, 4, "the Kleinman count")
    return (lead + 4) * np.abs(lead + 4) / (both - 4)


@elementwise
def kleinman_fit(ratio: npt.ArrayLike) -> Floats:
    """Win probability from players' K without a normal table.

    Parameters
    ----------
    ratio : float or array_like
        K of `gnubg_kleinman_ratio`.

    Returns
    -------
    float, or float64 ndarray
        The probability, cut off at 1.  A negative K, for a trailing player, gives 1 less the value at -K.

    Raises
    ------
    ArgumentError
        If a ratio is not finite.

    Notes
    -----
    0.76 + 0.114 ln K from K = 1 on (Johansen), 0.5 + 0.267 sqrt(K) below (Bower).  O. Johansen, rec.games.backgammon,
    2001.  The two leave a step of 0.007 at K = 1.

    Examples
    --------
    >>> round(kleinman_fit(1.2203), 4)     # Phi(sqrt(K / 2)) is 0.7826
    0.7827
    """
    problem = f"ratio={ratio!r} is not a ratio: give finite numbers"
    values = as_floats(ratio, problem)
    if not np.all(np.isfinite(values)):
        raise ArgumentError(problem)
    size = np.abs(values)
    favourite = np.where(size >= 1, 0.76 + 0.114 * np.log(np.maximum(size, 1)), 0.5 + 0.267 * np.sqrt(size))
    favourite = np.minimum(favourite, 1)
    return np.where(values < 0, 1 - favourite, favourite)


@elementwise
def improved(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """Win probability by the normal approximation with a corrected variance.

    Raises
    ------
    ArgumentError
        If the two add up to less than 2, where the variance would be negative.

    Notes
    -----
    RBM (13): Phi(D / sqrt(sigma^2 S / mu + 2 mu^2 delta)), delta = `VARIANCE_OFFSET`.  The best of the closed formulas
    for single checkers: within 0.0009 for x from 60 to 130 and leads from -10 to 30.

    Examples
    --------
    >>> round(improved(100, 110), 6)     # the exact value is 0.741727
    0.741742
    """
    lead, both = _lead_and_sum(x, y, 2, "the improved formula", included=True)
    variance = VARIANCE_PIPS / MEAN_PIPS * both + 2 * MEAN_PIPS**2 * VARIANCE_OFFSET
    return _if_playing(x, y, _phi((lead + MEAN_PIPS / 2) / np.sqrt(variance)))


@elementwise
def least_squares(x: npt.ArrayLike, y: npt.ArrayLike, *, clip: bool = True) -> Floats:
    """Win probability by the rational least-squares formula, for a leader on roll.

    Parameters
    ----------
    clip : bool
        Whether to cut the result off at 1, which the formula exceeds for leads from 27 on at 20 pips, from 47 on at 40
        and from 106 on at 100.

    Raises
    ------
    ArgumentError
        If the player on roll trails, for which the formula has a pole and no meaning, or both sides have finished.

    Notes
    -----
    Lamford and Gasquoine, "Improve Your Backgammon", as quoted by Dotsenko and Marynych, section 5.  They claim an
    error of 2% up to 40 pips and 1% from 100 to 500; against the exact values it reaches 5% up to 40 pips (at 28
    against 31), 2.5% from 100 pips on with a lead up to 10, and 7.8% with a lead of 30.  `improved` is more accurate.

    Examples
    --------
    >>> round(least_squares(100, 110), 4)     # the exact value is 0.7417
    0.7564
    """
    lead, _ = _lead_and_sum(x, y, 0, "the least-squares formula")
    if np.any(lead < 0):
        raise ArgumentError(f"x={x!r}, y={y!r}: the least-squares formula is for a leader, give y of at least x")
    own = np.asarray(x, dtype=np.float64)
    values = 0.5 + (9 + own / 100 + 4 * lead) / (own + 7 * lead + 25)
    return _if_playing(x, y, np.minimum(values, 1) if clip else values)


# ---- chances of winning of races played on the board

_TABLE_FACTOR: Final = 2.194
"""The factor of RBM's Table 1, which is not RACE_VARIANCE_SLOPE / RACE_MEAN_SLOPE**2 = 2.194004."""

MIN_PIPS: Final = 40
"""Least sum of pips for the adjusted formulas; at 26, with 13 each, they would give 0.99."""

_TABLE_OFFSET: Final = 25  # 24.725889 rounded, (26)


@elementwise
def adjusted_unrounded(x: npt.ArrayLike, y: npt.ArrayLike, *, short: bool = False) -> Floats:
    """Win probability of a played race, by the fitted means and variances.

    Parameters
    ----------
    short : bool
        Whether to answer for shorter races too, down to the pole at 24.726 pips, near which chances have no meaning.

    Raises
    ------
    ArgumentError
        If the two add up to less than `MIN_PIPS`, or to 24.726 or less with `short`.

    Notes
    -----
    RBM (19) and (20): Phi((1/2 + u (y - x)) / sqrt(v S + 2 c)) with u = `RACE_MEAN_SLOPE`, v = `RACE_VARIANCE_SLOPE`
    and c = `RACE_VARIANCE_OFFSET`.

    Examples
    --------
    >>> round(adjusted_unrounded(70, 80), 6)
    0.802061
    """
    pole = -2 * RACE_VARIANCE_OFFSET / RACE_VARIANCE_SLOPE  # where the fitted variance is 0
    lead, both = _lead_and_sum(x, y, pole if short else MIN_PIPS, "the adjusted formula", included=not short)
    deviation = np.sqrt(RACE_VARIANCE_SLOPE * both + 2 * RACE_VARIANCE_OFFSET)
    return _if_playing(x, y, _phi((0.5 + RACE_MEAN_SLOPE * lead) / deviation))


@elementwise
def adjusted_ratio(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """The ratio to look up in RBM's Table 1.

    Returns
    -------
    float, or float64 ndarray
        0 or more, for the favourite, who is the player on roll if y - x + 4 is 0 or more.

    Raises
    ------
    ArgumentError
        If the two add up to 25 or less.

    Notes
    -----
    RBM (26): (Delta^2 + Delta/7) / (S - 25), Delta = y - x + 4.  For Delta between -1/7 and 0, which whole pip counts
    do not give, the numerator is negative and counts as 0.

    Examples
    --------
    >>> adjusted_ratio(70, 80), round(adjusted_ratio(70, 90), 4), round(adjusted_ratio(90, 70), 4)
    (1.584, 4.2921, 1.8794)
    """
    lead, both = _lead_and_sum(x, y, _TABLE_OFFSET, "the adjusted formula (26)")
    delta = lead + 4
    return np.maximum(delta**2 + delta / 7, 0) / (both - _TABLE_OFFSET)


@elementwise
def adjusted_table(probability: npt.ArrayLike) -> Floats:
    """RBM's Table 1: the ratio at which the favourite of a played race wins with a probability.

    Parameters
    ----------
    probability : float or array_like
        0.5 or more, below 1.

    Raises
    ------
    ArgumentError
        If a probability is below 0.5, or not below 1.

    Notes
    -----
    2.194 times the square of the normal quantile, which gives all 50 printed entries, 0.50 to 0.99, to six digits.

    Examples
    --------
    >>> adjusted_table([0.5, 0.8, 0.9]).round(5).tolist()
    [0.0, 1.55407, 3.60337]
    """
    z = _phi_inverse(probability)
    if np.any(z < 0):
        raise ArgumentError(f"probability={probability!r}: the table is for the favourite, give 0.5 or more")
    return _TABLE_FACTOR * z**2


@elementwise
def adjusted(x: npt.ArrayLike, y: npt.ArrayLike, *, short: bool = False) -> Floats:
    """Win probability of a played race, by RBM's formula for the board.

    Parameters
    ----------
    short : bool
        Whether to answer for shorter races too, down to the pole at 25 pips, near which chances have no meaning.

    Raises
    ------
    ArgumentError
        If the two add up to less than `MIN_PIPS`, or to 25 or less with `short`.

    Notes
    -----
    RBM (26) with Table 1 inverted: Phi(sign(Delta) sqrt(r / 2.194)), r = `adjusted_ratio`, Delta = y - x + 4.  At
    Delta = 0 it is exactly 1/2.  It is `adjusted_unrounded` with constants for mental arithmetic, within 0.0033 of it
    if both sides have 30 to 160 pips.

    Examples
    --------
    >>> round(adjusted(70, 80), 6), round(adjusted(90, 70), 6)
    (0.802251, 0.177347)
    """
    own, other = _real_pips(x, y)
    if not short:
        _lead_and_sum(own, other, MIN_PIPS, "the adjusted formula (26)", included=True)
    ratio = np.asarray(adjusted_ratio(own, other))
    return _if_playing(own, other, _phi(np.sign(other - own + 4) * np.sqrt(ratio / _TABLE_FACTOR)))


@overload
def above_80(x: float, y: float) -> bool: ...
@overload
def above_80(x: npt.ArrayLike, y: npt.ArrayLike) -> Booleans: ...
def above_80(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Whether the player on roll wins at least 80% by the simple rule y >= 1.1 x + 4.

    Notes
    -----
    RBM, end of section 3.  From 60 to 130 pips the least y that fulfils it is within one pip of that of played races.

    Examples
    --------
    >>> above_80(70, [80, 81]).tolist()
    [False, True]
    """
    return _is_ahead(x, y, 4)


@overload
def above_90(x: float, y: float) -> bool: ...
@overload
def above_90(x: npt.ArrayLike, y: npt.ArrayLike) -> Booleans: ...
def above_90(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Whether the player on roll wins at least 90% by the simple rule y >= 1.1 x + 12.

    Notes
    -----
    RBM, end of section 3.  From 60 to 130 pips the least y that fulfils it is within two pips of that of played races.

    Examples
    --------
    >>> above_90(70, [88, 89]).tolist()
    [False, True]
    """
    return _is_ahead(x, y, 12)


def _is_ahead(x: npt.ArrayLike, y: npt.ArrayLike, extra: int) -> Any:
    """Whether y >= 1.1 x + extra."""
    own, other = _real_pips(x, y)
    return scalar(10 * other >= 11 * own + 10 * extra)  # in tenths, so that 1.1 * 10 + 4 <= 15 holds
