"""Chances of winning of races played on the board; `bgrace.estimates` has what holds for every function."""

from __future__ import annotations

from typing import Any, Final, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Booleans, Floats, scalar
from bgrace.errors import ArgumentError
from bgrace.estimates.constants import RACE_MEAN_SLOPE, RACE_VARIANCE_OFFSET, RACE_VARIANCE_SLOPE
from bgrace.estimates.normal_distribution import if_playing, lead_and_sum, phi, phi_inverse, real_pips

__all__ = [
    "MIN_PIPS",
    "above_80",
    "above_90",
    "adjusted",
    "adjusted_ratio",
    "adjusted_table",
    "adjusted_unrounded",
]

_TABLE_FACTOR: Final = (
    2.194  # RBM's Table 1 is built on this, not on RACE_VARIANCE_SLOPE / RACE_MEAN_SLOPE**2 = 2.194004
)
MIN_PIPS: Final = 40
"""Pips of both sides together from which the adjusted formulas answer; at 26, with 13 each, they would say 0.99."""

_TABLE_OFFSET: Final = 25  # 24.725889 rounded, (26)


@overload
def adjusted_unrounded(x: float, y: float, *, short: bool = ...) -> float: ...
@overload
def adjusted_unrounded(x: npt.ArrayLike, y: npt.ArrayLike, *, short: bool = ...) -> Floats: ...
def adjusted_unrounded(x: npt.ArrayLike, y: npt.ArrayLike, *, short: bool = False) -> Any:
    """Win probability of a played race, by the fitted means and variances.

    Parameters
    ----------
    short : bool
        Whether to answer for shorter races too, down to the pole at 24.726 pips, near which the chances mean nothing.

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
    lead, both = lead_and_sum(x, y, pole if short else MIN_PIPS, "the adjusted formula", included=not short)
    deviation = np.sqrt(RACE_VARIANCE_SLOPE * both + 2 * RACE_VARIANCE_OFFSET)
    return scalar(if_playing(x, y, phi((0.5 + RACE_MEAN_SLOPE * lead) / deviation)))


@overload
def adjusted_ratio(x: float, y: float) -> float: ...
@overload
def adjusted_ratio(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats: ...
def adjusted_ratio(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """The ratio that is looked up in RBM's Table 1.

    Returns
    -------
    float, or float64 ndarray
        0 or more, whoever leads: the favourite's.  The player on roll is the favourite if y - x + 4 is 0 or more.

    Raises
    ------
    ArgumentError
        If the two add up to 25 or less.

    Notes
    -----
    RBM (26): (Delta^2 + Delta/7) / (S - 25), Delta = y - x + 4.  Between two whole pip counts the numerator is negative
    for Delta between -1/7 and 0; it counts as 0 there.

    Examples
    --------
    >>> adjusted_ratio(70, 80), round(adjusted_ratio(70, 90), 4), round(adjusted_ratio(90, 70), 4)
    (1.584, 4.2921, 1.8794)
    """
    lead, both = lead_and_sum(x, y, _TABLE_OFFSET, "the adjusted formula (26)")
    delta = lead + 4
    return scalar(np.maximum(delta**2 + delta / 7, 0) / (both - _TABLE_OFFSET))


@overload
def adjusted_table(probability: float) -> float: ...
@overload
def adjusted_table(probability: npt.ArrayLike) -> Floats: ...
def adjusted_table(probability: npt.ArrayLike) -> Any:
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
    2.194 times the square of the normal quantile; all 50 printed entries, 0.50 to 0.99, are this to six digits.

    Examples
    --------
    >>> adjusted_table([0.5, 0.8, 0.9]).round(5).tolist()
    [0.0, 1.55407, 3.60337]
    """
    z = phi_inverse(probability)
    if np.any(z < 0):
        raise ArgumentError(f"probability={probability!r}: the table is for the favourite, give 0.5 or more")
    return scalar(_TABLE_FACTOR * z**2)


@overload
def adjusted(x: float, y: float, *, short: bool = ...) -> float: ...
@overload
def adjusted(x: npt.ArrayLike, y: npt.ArrayLike, *, short: bool = ...) -> Floats: ...
def adjusted(x: npt.ArrayLike, y: npt.ArrayLike, *, short: bool = False) -> Any:
    """Win probability of a played race, by RBM's formula for the board.

    Parameters
    ----------
    short : bool
        Whether to answer for shorter races too, down to the pole at 25 pips, near which the chances mean nothing.

    Raises
    ------
    ArgumentError
        If the two add up to less than `MIN_PIPS`, or to 25 or less with `short`.

    Notes
    -----
    RBM (26) with Table 1 inverted: Phi(sign(Delta) sqrt(r / 2.194)), r = `adjusted_ratio`, Delta = y - x + 4.  At
    Delta = 0 it is exactly 1/2.  It is `adjusted_unrounded` with constants for mental arithmetic, within 0.0033 of it
    where both sides have 30 to 160 pips.

    Examples
    --------
    >>> round(adjusted(70, 80), 6), round(adjusted(90, 70), 6)
    (0.802251, 0.177347)
    """
    own, other = real_pips(x, y)
    if not short:
        lead_and_sum(own, other, MIN_PIPS, "the adjusted formula (26)", included=True)
    ratio = np.asarray(adjusted_ratio(own, other))
    return scalar(if_playing(own, other, phi(np.sign(other - own + 4) * np.sqrt(ratio / _TABLE_FACTOR))))


@overload
def above_80(x: float, y: float) -> bool: ...
@overload
def above_80(x: npt.ArrayLike, y: npt.ArrayLike) -> Booleans: ...
def above_80(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Whether the player on roll wins at least 80% by the simple rule y >= 1.1 x + 4.

    Notes
    -----
    RBM, end of section 3.  From 60 to 130 pips the least y that passes is within one pip of that of played races.

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
    RBM, end of section 3.  From 60 to 130 pips the least y that passes is within two pips of that of played races.

    Examples
    --------
    >>> above_90(70, [88, 89]).tolist()
    [False, True]
    """
    return _is_ahead(x, y, 12)


def _is_ahead(x: npt.ArrayLike, y: npt.ArrayLike, extra: int) -> Any:
    """Whether y >= 1.1 x + extra."""
    own, other = real_pips(x, y)
    return scalar(10 * other >= 11 * own + 10 * extra)  # in tenths, so that 1.1 * 10 + 4 <= 15 holds
