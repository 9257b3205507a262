"""Counts by the point of last take: the greatest lead that is a take, by the pips of the player on roll."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Integers, scalar
from bgrace.counts.count import Count, CountOfPair, CountOfPairs, decided, of_positions
from bgrace.counts.sides import AnyPositions, sides
from bgrace.errors import ArgumentError, PositionError

__all__ = ["nack57", "nack57_take_point", "ten_percent_take_point", "trice62", "trice62_take_point"]


def _checked_pips(pips: npt.ArrayLike, least: int) -> Integers:
    counts = np.asarray(pips)
    if counts.dtype.kind not in "iu" or (counts.size and counts.min() < least):
        raise ArgumentError(f"pips={pips!r} cannot be used: give whole numbers of at least {least}")
    return counts.astype(np.int64)


@overload
def ten_percent_take_point(pips: int) -> int: ...
@overload
def ten_percent_take_point(pips: npt.ArrayLike) -> Integers: ...
def ten_percent_take_point(pips: npt.ArrayLike) -> Any:
    """Greatest lead that is a take by `ten_percent`.

    Parameters
    ----------
    pips : int or array_like of int
        Raw count of the player on roll.

    Returns
    -------
    int, or int64 ndarray
        A tenth, rounded down, and 2.

    Raises
    ------
    ArgumentError
        If a count is not an integer, or negative.

    Examples
    --------
    >>> ten_percent_take_point([61, 79, 110]).tolist()
    [8, 9, 13]
    """
    return scalar(_checked_pips(pips, 0) // 10 + 2)


@overload
def trice62_take_point(pips: int) -> int: ...
@overload
def trice62_take_point(pips: npt.ArrayLike) -> Integers: ...
def trice62_take_point(pips: npt.ArrayLike) -> Any:
    """Greatest lead that is a take by `trice62`.

    Parameters
    ----------
    pips : int or array_like of int
        Count of the player on roll.

    Returns
    -------
    int, or int64 ndarray
        A tenth, rounded up, and 1, above 62 pips; else a seventh of what is beyond 5 pips, rounded down.  -1 below 5.

    Raises
    ------
    ArgumentError
        If a count is not an integer, or negative.

    Examples
    --------
    >>> trice62_take_point([20, 50, 62, 65, 100]).tolist()
    [2, 6, 8, 8, 11]
    """
    p = _checked_pips(pips, 0)
    return scalar(np.where(p > 62, -(-p // 10) + 1, (p - 5) // 7))


@overload
def nack57_take_point(pips: int) -> int: ...
@overload
def nack57_take_point(pips: npt.ArrayLike) -> Integers: ...
def nack57_take_point(pips: npt.ArrayLike) -> Any:
    """Greatest lead that is a take by `nack57`.

    Parameters
    ----------
    pips : int or array_like of int
        Count of the player on roll, 55 or more.

    Returns
    -------
    int, or int64 ndarray
        The whole number next to the square root of twice what is beyond 33 pips.

    Raises
    ------
    ArgumentError
        If a count is not an integer, or below 55.

    Examples
    --------
    >>> nack57_take_point([57, 80, 110]).tolist()
    [7, 10, 12]
    """
    # Nearest to sqrt(2 m) is half of sqrt(8 m) + 1, rounded down; a tie is impossible.
    root = np.floor(np.sqrt(8.0 * (_checked_pips(pips, 55) - 33))).astype(np.int64)
    return scalar((root + 1) // 2)


@of_positions
def trice62(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """Trice's rule 62, on raw pip counts.

    Notes
    -----
    Take up to `trice62_take_point`, redouble from 2 pips less, double from 3 pips less.  For smooth positions.  W.
    Trice, "Backgammon Boot Camp", as retold at bgaddict.com, boardgamestrategy.blogspot.com and bgonline.org; the
    rounding is the one that gives the misses that N. Ballard lists.

    Examples
    --------
    >>> print(trice62("2,2,2,3,3,3", "1,1,2,3,4,4"))
    trice62 57 : 65: double, redouble, pass
    """
    own, other = sides(on_roll, opponent)
    take_to = np.asarray(trice62_take_point(own.pips))
    return decided("trice62", 1, own.pips, own.pips, other.pips, (take_to - 3, take_to - 2, take_to))


@of_positions
def nack57(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """Ballard's Nack 57, on raw pip counts: whether to take.

    Returns
    -------
    Count
        When to double is not known: `double` and `redouble` are None.

    Raises
    ------
    PositionError
        If the player on roll has fewer than 55 pips.

    Notes
    -----
    Take up to `nack57_take_point`.  For smooth positions from 57 pips on, or 55 according to its author: N. Ballard,
    bgonline.org, 3 February 2010.

    Examples
    --------
    >>> print(nack57("2,2,2,3,3,3", "1,1,2,3,4,4"))
    nack57 57 : 65: pass
    """
    own, other = sides(on_roll, opponent)
    p, q = own.pips, other.pips
    if np.any(p < 55):
        raise PositionError(f"{p.min()} pips of the player on roll: Nack 57 is for 55 or more")
    take_to = np.broadcast_to(nack57_take_point(p), np.broadcast_shapes(p.shape, q.shape))
    return Count("nack57", scalar(p), scalar(p), scalar(q), take_to=scalar(take_to), take=scalar(q - p <= take_to))
