"""Chances of winning of single checkers; `bgrace.estimates` has what holds for every function."""

from __future__ import annotations

import math
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Floats, as_floats, scalar
from bgrace.board.dice import MEAN_PIPS
from bgrace.errors import ArgumentError
from bgrace.estimates.constants import VARIANCE_OFFSET, VARIANCE_PIPS
from bgrace.estimates.normal_distribution import if_playing, lead_and_sum, phi, phi_inverse, real_pips

__all__ = [
    "gnubg_kleinman",
    "gnubg_kleinman_ratio",
    "improved",
    "kleinman",
    "kleinman_fit",
    "kleinman_ratio",
    "kleinman_table",
    "least_squares",
    "normal",
]


@overload
def kleinman(x: float, y: float, sigma: float | None = ...) -> float: ...
@overload
def kleinman(x: npt.ArrayLike, y: npt.ArrayLike, sigma: float | None = ...) -> Floats: ...
def kleinman(x: npt.ArrayLike, y: npt.ArrayLike, sigma: float | None = None) -> Any:
    """Win probability by the normal approximation, also called Kleinman's D^2/S.

    Parameters
    ----------
    sigma : float, optional
        Standard deviation of a roll in pips.  4.29793, what dice have, unless given; 4 gives the variant that comes
        nearer to played races of 70 pips and more, and is further from the single-checker model.

    Raises
    ------
    ArgumentError
        If both counts are 0, or if `sigma` is not above 0.

    Notes
    -----
    RBM (7): Phi(D / sqrt(S) * sqrt(mu) / sigma) with D = y - x + mu/2, S = x + y and mu = 49/6 pips a roll.  Its
    greatest error against the single-checker model is 0.0020 where x is 60 to 130 and the lead -10 to 30; with
    ``sigma=4`` it is 0.0166.

    Examples
    --------
    >>> round(kleinman(100, 110), 4), round(kleinman(100, 110, sigma=4), 4)
    (0.7409, 0.7563)
    """
    ahead, both = _ahead_and_sum(x, y)
    return scalar(if_playing(x, y, phi(math.sqrt(MEAN_PIPS) / _checked_sigma(sigma) * ahead / np.sqrt(both))))


def _ahead_and_sum(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    """D = y - x + mu/2, what the player on roll is ahead by, and S = x + y."""
    own, other = real_pips(x, y)
    both = own + other
    if np.any(both == 0):
        raise ArgumentError("both sides have 0 pips: only one player can have finished, give at least 1 pip to a side")
    return other - own + MEAN_PIPS / 2, both


def _checked_sigma(sigma: float | None) -> float:
    if sigma is None:
        return math.sqrt(VARIANCE_PIPS)
    if isinstance(sigma, (bool, str)) or not 0 < sigma < math.inf:
        raise ArgumentError(f"sigma={sigma!r} is not a standard deviation: give a number above 0, such as 4")
    return float(sigma)


@overload
def kleinman_ratio(x: float, y: float) -> float: ...
@overload
def kleinman_ratio(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats: ...
def kleinman_ratio(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Kleinman's D^2/S, which goes with `kleinman_table`.

    Returns
    -------
    float, or float64 ndarray
        Pips, with the sign of D = y - x + 49/12, so that a negative ratio says that the opponent is the favourite.

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
    ahead, both = _ahead_and_sum(x, y)
    return scalar(ahead * np.abs(ahead) / both)


@overload
def kleinman_table(probability: float, sigma: float | None = ...) -> float: ...
@overload
def kleinman_table(probability: npt.ArrayLike, sigma: float | None = ...) -> Floats: ...
def kleinman_table(probability: npt.ArrayLike, sigma: float | None = None) -> Any:
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
    z = phi_inverse(probability)
    return scalar(_checked_sigma(sigma) ** 2 / MEAN_PIPS * z * np.abs(z))


@overload
def normal(x: float, y: float) -> float: ...
@overload
def normal(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats: ...
def normal(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Win probability by the normal approximation.

    Raises
    ------
    ArgumentError
        If both counts are 0.

    Notes
    -----
    Phi(sqrt(mu) (y - x + mu/2) / (sigma sqrt(x + y))) with mu = 49/6 pips a roll and sigma^2 = 665/36: the same as
    `kleinman`.  Dotsenko and Marynych, equation (6), whose print has a misplaced bracket; RBM (7).  Within leads of 30
    either way its greatest error is 0.0403 from 20 pips on, 0.0061 from 40 on and 0.0015 from 100 on.

    Examples
    --------
    >>> round(normal(100, 110), 4)     # the exact value is 0.7417
    0.7409
    """
    return kleinman(x, y)


@overload
def gnubg_kleinman(x: float, y: float) -> float: ...
@overload
def gnubg_kleinman(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats: ...
def gnubg_kleinman(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Win probability by the Kleinman count as players and GNU Backgammon compute it.

    Raises
    ------
    ArgumentError
        If the two add up to 4 or less, where GNU Backgammon says 0 whatever the position.

    Notes
    -----
    Phi((y - x + 4) / sqrt(2 (x + y - 4))): 8 pips a roll, a standard deviation of 4, half a roll for being on roll.
    D. Kleinman, "Normal Race Takes", bkgm.com.

    Examples
    --------
    >>> round(gnubg_kleinman(100, 110), 4), round(gnubg_kleinman(57, 65), 4)
    (0.7548, 0.7826)
    """
    lead, both = lead_and_sum(x, y, 4, "the Kleinman count")
    return scalar(if_playing(x, y, phi((lead + 4) / np.sqrt(2 * (both - 4)))))


@overload
def gnubg_kleinman_ratio(x: float, y: float) -> float: ...
@overload
def gnubg_kleinman_ratio(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats: ...
def gnubg_kleinman_ratio(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Players' K = (D + 4)^2 / (S - 4), D the lead and S the sum.

    Returns
    -------
    float, or float64 ndarray
        With the sign of D + 4.  `gnubg_kleinman` is Phi(sqrt(K / 2)).  What GNU Backgammon prints as K is sqrt(K) / 2.

    Raises
    ------
    ArgumentError
        If the two add up to 4 or less.

    Examples
    --------
    >>> round(gnubg_kleinman_ratio(57, 65), 4)
    1.2203
    """
    lead, both = lead_and_sum(x, y, 4, "the Kleinman count")
    return scalar((lead + 4) * np.abs(lead + 4) / (both - 4))


@overload
def kleinman_fit(ratio: float) -> float: ...
@overload
def kleinman_fit(ratio: npt.ArrayLike) -> Floats: ...
def kleinman_fit(ratio: npt.ArrayLike) -> Any:
    """Win probability from players' K without a normal table.

    Parameters
    ----------
    ratio : float or array_like
        K of `gnubg_kleinman_ratio`.

    Returns
    -------
    float, or float64 ndarray
        Cut off at 1.  A negative K, for a trailing player, gives 1 less the value at -K.

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
    return scalar(np.where(values < 0, 1 - favourite, favourite))


@overload
def improved(x: float, y: float) -> float: ...
@overload
def improved(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats: ...
def improved(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Win probability by the normal approximation with the variance put right.

    Raises
    ------
    ArgumentError
        If the two add up to less than 2, where the variance would be negative.

    Notes
    -----
    RBM (13): Phi(D / sqrt(sigma^2 S / mu + 2 mu^2 delta)), delta = `VARIANCE_OFFSET`.  The best of the closed formulas
    for single checkers: within 0.0009 where x is 60 to 130 and the lead -10 to 30.

    Examples
    --------
    >>> round(improved(100, 110), 6)     # the exact value is 0.741727
    0.741742
    """
    lead, both = lead_and_sum(x, y, 2, "the improved formula", included=True)
    variance = VARIANCE_PIPS / MEAN_PIPS * both + 2 * MEAN_PIPS**2 * VARIANCE_OFFSET
    return scalar(if_playing(x, y, phi((lead + MEAN_PIPS / 2) / np.sqrt(variance))))


@overload
def least_squares(x: float, y: float, *, clip: bool = ...) -> float: ...
@overload
def least_squares(x: npt.ArrayLike, y: npt.ArrayLike, *, clip: bool = ...) -> Floats: ...
def least_squares(x: npt.ArrayLike, y: npt.ArrayLike, *, clip: bool = True) -> Any:
    """Win probability by the rational least-squares formula, for a leader on roll.

    Parameters
    ----------
    clip : bool
        Whether to cut the result off at 1, which the formula exceeds from a lead of 27 at 20 pips, of 47 at 40 and of
        106 at 100.

    Raises
    ------
    ArgumentError
        If the player on roll trails: there the formula has a pole and means nothing.

    Notes
    -----
    Lamford and Gasquoine, "Improve Your Backgammon", as quoted by Dotsenko and Marynych, section 5.  They claim an
    error of 2% up to 40 pips and 1% from 100 to 500; against the exact values it reaches 5% up to 40 pips (at 28
    against 31), 2.5% from 100 pips on with a lead up to 10, and 7.8% with a lead of 30.  See `improved` for a better
    one.

    Examples
    --------
    >>> round(least_squares(100, 110), 4)     # the exact value is 0.7417
    0.7564
    """
    own, other = real_pips(x, y)
    if np.any(other < own):
        raise ArgumentError(f"x={x!r}, y={y!r}: the least-squares formula is for a leader, give y of at least x")
    lead = other - own
    values = 0.5 + (9 + own / 100 + 4 * lead) / (own + 7 * lead + 25)
    return scalar(if_playing(own, other, np.minimum(values, 1) if clip else values))
