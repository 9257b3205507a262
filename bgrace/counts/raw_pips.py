"""Counts of raw pips: percentages, points of last take, and chances of winning."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Integers, as_floats, scalar
from bgrace._kernels import counts as kernel
from bgrace.counts.count import CountOfPair, CountOfPairs, counted, of_positions
from bgrace.counts.sides import AnyPositions
from bgrace.errors import ArgumentError

# ---- percentages of the pip count


@of_positions
def eight_nine_twelve(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """The 8-9-12 rule: double with a lead of 8 %, redouble with 9 %, take up to 12 %.

    Returns
    -------
    Count
        Raw pip counts; the win probability is Bower's, 54 % and 2 % more for each per cent of lead.

    Notes
    -----
    Per cent of the pips of the player on roll, limits included.  For long, smooth races; backgammon glossary at
    bkgm.com, S. Woodhead 1991 and C. Bower 1998 in rec.games.backgammon, who quotes B. Robertie for the 12 %.  GNU
    Backgammon leaves the limits out, and exchanges the words double and redouble.

    Examples
    --------
    >>> print(eight_nine_twelve("4x2 5x3 6x4 8x3 10x3", "5x4 6x5 8x3 13x3"))
    eight_nine_twelve 101 : 113, wins 77.8 %: double, redouble, take
    """
    return counted("eight_nine_twelve", on_roll, opponent)


@of_positions
def ten_percent(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """The 10 % rule: take up to a lead of 10 % and 2 pips, redouble from 3 pips less, double from 4 pips less.

    Returns
    -------
    Count
        Raw pip counts.

    Notes
    -----
    Double from P/10 - 2, redouble from P/10 - 1, take up to P/10 + 2, P the pips of the player on roll, not rounded.
    For 50 to 120 pips; D. Zare, 2003, bkgm.com, and the glossary there.

    Examples
    --------
    >>> print(ten_percent("1,1,2,2,2,2", "0,1,2,2,2,3"))
    ten_percent 39 : 44: double, redouble, take
    """
    return counted("ten_percent", on_roll, opponent)


# ---- points of last take: the greatest lead that is a take, by the pips of the player on roll, whole numbers


def _checked_pips(pips: npt.ArrayLike, least: int) -> Integers:
    problem = f"pips={pips!r:.80} cannot be used: give whole numbers of at least {least}"
    counts = as_floats(pips, problem)
    if not np.all((counts >= least) & (counts < 1 << 31) & (counts == np.floor(counts))):
        raise ArgumentError(problem)
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
    return scalar(kernel.trice62_take_point(p.ravel()).reshape(p.shape))


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
    p = _checked_pips(pips, 55)
    return scalar(kernel.nack57_take_point(p.ravel()).reshape(p.shape))


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
    return counted("trice62", on_roll, opponent)


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
    return counted("nack57", on_roll, opponent)


# ---- counts by a formula for the chance of winning


@of_positions
def kleinman(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """Kleinman's count: K = (D + 4)^2 / (S - 4), D the lead and S the sum of both raw counts.

    Returns
    -------
    Count
        Raw pip counts, K as `ratio`, and its win probability Phi(sqrt(K / 2)).

    Raises
    ------
    PositionError
        If the two add up to 4 pips or fewer.

    Notes
    -----
    Double from K = 0.5, redouble from 0.7, take up to 1.2: O. Johansen, rec.games.backgammon, 2001.  D. Kleinman,
    "Vision Laughs at Counting" and "Normal Race Takes", bkgm.com.  For long, smooth races.

    Examples
    --------
    >>> count = kleinman("1,1,2,2,2,2", "0,1,2,2,2,3")
    >>> print(count, round(count.ratio, 4), sep="; ")
    kleinman 39 : 44, wins 76.3 %: double, redouble, take; 1.0253
    """
    return counted("kleinman", on_roll, opponent)


@of_positions
def lamford(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """Lamford's formula for the win probability of the leader; it says nothing about the cube.

    Returns
    -------
    Count
        Raw pip counts and the win probability.

    Raises
    ------
    PositionError
        If the player on roll trails: nothing is known about that.

    Notes
    -----
    50 + (900 + R + 400 l) / (R + 7 l + 25) per cent: P. Lamford with S. Gasquoine, "Improve Your Backgammon", as quoted
    in a review at thedoublingcube.com.  The review does not say what R and l are; Dotsenko and Marynych print the same
    formula with the count of the player on roll and their lead, `bgrace.scm.least_squares`.

    Examples
    --------
    >>> print(lamford("2,2,2,3,3,3", "1,1,2,3,4,4"))
    lamford 57 : 65, wins 80.1 %
    """
    return counted("lamford", on_roll, opponent)
