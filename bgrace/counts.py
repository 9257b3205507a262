"""Over-the-board counts: how players judge a race, and what the counts say about the cube.

Every function takes the position of the player on roll and the opponent's, without contact between them, and returns a
`Count`: both adjusted counts, the win probability where the method gives one, and whether to double, redouble and
take.  Money play without gammons; nobody is too good to double.  Ties are the authors': they are decided in whole
numbers, so that a count of 55 is never 55.000000000000007.

`COUNTS` has all of them by name.  What they say is advice; exact answers come from `bgrace.solve` and from databases.

Left out, because no public text defines them well enough: the counts of Keeler and Gillogly and of Lamford and
Gasquoine (whose formula for win probabilities is here), Kleinman's full count, Matussek's, Chabot's and Benjamin's
formulas, Nack 58, the Stick variant of Keith's count, and Lamford's rules for three checkers or fewer.

Each function names its source.  Where retellings differ, a parameter chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace.arrays import Integers, plain, scalar
from bgrace.cube.action import check_cube
from bgrace.errors import ArgumentError, PositionError
from bgrace.estimates import gnubg_kleinman, gnubg_kleinman_ratio, least_squares
from bgrace.hand_epc import (
    EpcEstimate,
    almost_n_roll_epc,
    estimate_epc,
    flat_epc,
    is_pippish,
    low_wastage_epc,
    n_roll_epc,
    stack_epc,
)
from bgrace.notation import HOME_POINTS, MAX_CHECKERS, MAX_POINTS, parse_position
from bgrace.one_sided import solve_one_sided
from bgrace.positions import PositionSpace

__all__ = [
    "COUNTS",
    "Count",
    "EpcEstimate",
    "almost_n_roll_epc",
    "effective_by_hand",
    "effective_pips",
    "eight_nine_twelve",
    "estimate_epc",
    "flat_epc",
    "is_pippish",
    "isight",
    "keith",
    "kleinman",
    "lamford",
    "low_wastage_epc",
    "n_roll_epc",
    "nack57",
    "nack57_take_point",
    "stack_epc",
    "ten_percent",
    "ten_percent_take_point",
    "thorp",
    "trice62",
    "trice62_take_point",
    "ward",
    "woolsey_doubles",
]

Positions: TypeAlias = Any
"""One position (counts, ace point first, or text), or an array of int whose last axis is the points."""


# ---- results


@dataclass(frozen=True, slots=True)
class Count:
    """What a count says about a pair of positions.

    Every field but `name` is a scalar for one pair and an array for arrays of positions; None where the method says
    nothing.

    Attributes
    ----------
    name : str
        The function that made it.
    counted : int or float
        Adjusted count of the player on roll, before what he is charged for being on roll.
    on_roll, opponent : int or float
        The two counts that are compared, in pips.
    double_from, redouble_from, take_to : float
        Least lead to double with a centered cube, least lead to redouble with an own cube, and greatest lead that the
        opponent takes against, in pips.
    double, redouble, take : bool
        Whether to double with a centered cube, to redouble with an own one, and whether the opponent takes.
    win_probability : float
        Chance that the player on roll wins, cut off at 0 and 1.
    ratio : float
        Kleinman's K.
    """

    name: str
    counted: Any
    on_roll: Any
    opponent: Any
    double_from: Any = None
    redouble_from: Any = None
    take_to: Any = None
    double: Any = None
    redouble: Any = None
    take: Any = None
    win_probability: Any = None
    ratio: Any = None

    @property
    def lead(self) -> Any:
        """Lead of the player on roll by these counts: `opponent` less `on_roll`."""
        return self.opponent - self.on_roll

    @property
    def advice(self) -> str:
        """The three decisions of one pair in words, as far as the method makes them.

        Examples
        --------
        >>> thorp("2,2,2,3,3,3", "1,1,2,3,4,4").advice
        'double, no redouble, take'
        """
        decisions = (
            (self.double, "double", "no double"),
            (self.redouble, "redouble", "no redouble"),
            (self.take, "take", "pass"),
        )
        return ", ".join(yes if said else no for said, yes, no in decisions if said is not None)

    def verdict(self, cube: str = "centered") -> Any:
        """Say what to do with the cube, in the words of `bgrace.cube.action`.

        Parameters
        ----------
        cube : str
            Where the cube is, seen by the player on roll: ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``.

        Returns
        -------
        str, or ndarray of str, or None
            ``"no double"``, ``"double/take"``, ``"double/pass"`` or ``"no cube"``; None if the method does not say
            when to double.

        Raises
        ------
        ArgumentError
            If `cube` is unknown.

        Examples
        --------
        >>> count = thorp("2,2,2,3,3,3", "1,1,2,3,4,4")
        >>> count.verdict(), count.verdict("mine")
        ('double/take', 'no double')
        """
        where = check_cube(cube)
        double = self.redouble if where == "mine" else self.double
        if double is None or self.take is None:
            return None
        verdict = np.where(double, np.where(self.take, "double/take", "double/pass"), "no double")
        if where in ("theirs", "none"):
            verdict = np.full(verdict.shape, "no cube")
        return scalar(verdict)

    def to_dict(self) -> dict[str, Any]:
        """Every attribute under its name, as plain numbers and words or lists."""
        found: dict[str, Any] = plain(self)
        return found

    def __str__(self) -> str:
        if np.ndim(self.on_roll) or np.ndim(self.opponent):
            return f"{self.name} of {np.broadcast_shapes(np.shape(self.on_roll), np.shape(self.opponent))} pairs"
        text = f"{self.name} {self.on_roll:g} : {self.opponent:g}"
        if self.win_probability is not None:
            text += f", wins {100 * self.win_probability:.1f} %"
        return f"{text}: {self.advice}" if self.advice else text


# ---- positions


@dataclass(frozen=True, slots=True)
class _Side:
    """Checkers of one side, and what the counts ask about them."""

    points: Integers  # shape (..., 24)

    def on(self, point: int) -> Integers:
        return np.asarray(self.points[..., point - 1])

    def beyond(self, point: int, free: int) -> Integers:
        """Checkers on a point beyond the first few."""
        return np.maximum(self.on(point) - free, 0)

    @property
    def pips(self) -> Integers:
        return np.asarray(self.points @ np.arange(1, MAX_POINTS + 1))

    @property
    def checkers(self) -> Integers:
        return np.asarray(self.points.sum(axis=-1))

    @property
    def covered(self) -> Integers:
        """Occupied points of the home board."""
        return np.asarray(np.count_nonzero(self.points[..., :HOME_POINTS], axis=-1))

    @property
    def outside(self) -> Integers:
        return np.asarray(self.points[..., HOME_POINTS:].sum(axis=-1))

    @property
    def crossovers(self) -> Integers:
        """Quarters of the board to be crossed until all checkers are home."""
        return np.asarray(self.points @ (np.arange(MAX_POINTS) // HOME_POINTS))


def _side(pos: Positions, name: str) -> _Side:
    """Read positions; PositionError names the side."""
    if isinstance(pos, str) or np.ndim(pos) < 2:
        counts = np.array(parse_position(pos).resized(MAX_POINTS), dtype=np.int64)
    else:
        given = np.asarray(pos)
        if given.dtype.kind not in "iu":
            raise PositionError(f"the counts of {name} must be integers, not {given.dtype}: give arrays of int")
        if not 1 <= given.shape[-1] <= MAX_POINTS:
            raise PositionError(f"{name} of shape {given.shape}: the last axis lists 1 to {MAX_POINTS} points")
        if given.size and (given.min() < 0 or given.max() > MAX_CHECKERS):
            raise PositionError(
                f"{name} has counts of {given.min()} to {given.max()}: give 0 to {MAX_CHECKERS} checkers"
            )
        counts = np.zeros((*given.shape[:-1], MAX_POINTS), dtype=np.int64)
        counts[..., : given.shape[-1]] = given
    checkers = counts.sum(axis=-1)
    if checkers.size and not (checkers.min() > 0 and checkers.max() <= MAX_CHECKERS):
        wrong = checkers.min() if checkers.min() <= 0 else checkers.max()
        raise PositionError(f"{name} has {wrong} checkers left: counts are for 1 to {MAX_CHECKERS} a side")
    return _Side(counts)


def _sides(on_roll: Positions, opponent: Positions) -> tuple[_Side, _Side]:
    own, other = _side(on_roll, "on_roll"), _side(opponent, "opponent")
    try:
        np.broadcast_shapes(own.points.shape, other.points.shape)
    except ValueError:
        raise PositionError(
            f"{own.points.shape[:-1]} positions on roll and {other.points.shape[:-1]} of the opponent do not go "
            "together: give one against many, or as many of each"
        ) from None
    return own, other


def _more(a: Integers, b: Integers) -> Integers:
    """How much a is more than b, 0 if it isn't."""
    return np.asarray(np.maximum(a - b, 0))


def _decided(
    name: str,
    scale: int,
    counted: npt.ArrayLike,
    on_roll: npt.ArrayLike,
    opponent: npt.ArrayLike,
    bounds: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
    win: npt.ArrayLike | None = None,
    *,
    strict_take: bool = False,
) -> Count:
    """Decide by the lead; counts and bounds are whole numbers of 1 / `scale` pips, `counted` is in pips."""
    own, other = np.asarray(on_roll), np.asarray(opponent)
    lead = other - own
    double_from, redouble_from, take_to = (np.broadcast_to(bound, lead.shape) for bound in bounds)
    return Count(
        name,
        scalar(np.asarray(counted)),
        _pips(own, scale),
        _pips(other, scale),
        _pips(double_from, scale),
        _pips(redouble_from, scale),
        _pips(take_to, scale),
        scalar(lead >= double_from),
        scalar(lead >= redouble_from),
        scalar(lead < take_to if strict_take else lead <= take_to),
        None if win is None else scalar(np.clip(win, 0.0, 1.0)),
    )


def _pips(value: npt.NDArray[Any], scale: int) -> Any:
    return scalar(value.copy() if scale == 1 else value / scale)  # a bound may be a read-only view


# ---- percentages of the pip count


def eight_nine_twelve(on_roll: Positions, opponent: Positions) -> Count:
    """The 8-9-12 rule: double with a lead of 8 %, redouble with 9 %, take up to 12 %.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.

    Returns
    -------
    Count
        Raw pip counts; the win probability is Bower's, 54 % and 2 % more for each per cent of lead.

    Raises
    ------
    PositionError
        If either is no position, or has no checker left.

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
    own, other = _sides(on_roll, opponent)
    p, q = own.pips, other.pips
    return _decided("eight_nine_twelve", 100, p, 100 * p, 100 * q, (8 * p, 9 * p, 12 * p), 0.54 + 2 * (q - p) / p)


def ten_percent(on_roll: Positions, opponent: Positions) -> Count:
    """The 10 % rule: take up to a lead of 10 % and 2 pips, redouble from 3 pips less, double from 4 pips less.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.

    Returns
    -------
    Count
        Raw pip counts.

    Raises
    ------
    PositionError
        If either is no position, or has no checker left.

    Notes
    -----
    Double from P/10 - 2, redouble from P/10 - 1, take up to P/10 + 2, P the pips of the player on roll, not rounded.
    For 50 to 120 pips; D. Zare, 2003, bkgm.com, and the glossary there.

    Examples
    --------
    >>> print(ten_percent("1,1,2,2,2,2", "0,1,2,2,2,3"))
    ten_percent 39 : 44: double, redouble, take
    """
    own, other = _sides(on_roll, opponent)
    p = own.pips
    return _decided("ten_percent", 10, p, 10 * p, 10 * other.pips, (p - 20, p - 10, p + 20))


# ---- win probabilities


def kleinman(on_roll: Positions, opponent: Positions) -> Count:
    """Kleinman's count: K = (D + 4)^2 / (S - 4), D the lead and S the sum of both raw counts.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.

    Returns
    -------
    Count
        Raw pip counts, K as `ratio`, and its win probability Phi(sqrt(K / 2)).

    Raises
    ------
    PositionError
        If either is no position, has no checker left, or if the two add up to 4 pips or fewer.

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
    own, other = _sides(on_roll, opponent)
    p, q = own.pips, other.pips
    rest = p + q - 4
    if np.any(rest <= 0):
        raise PositionError(f"{(p + q).min()} pips of both sides together: Kleinman's count is for more than 4")
    half_roll_ahead = q - p + 4
    # K of at least k / 10, with the sign of the lead, in whole numbers.
    tenths = 10 * half_roll_ahead * np.abs(half_roll_ahead)
    double_from, redouble_from, take_to = (scalar(np.sqrt(k / 10 * rest) - 4) for k in (5, 7, 12))
    return Count(
        "kleinman",
        scalar(p),
        scalar(p),
        scalar(q),
        double_from,
        redouble_from,
        take_to,
        scalar(tenths >= 5 * rest),
        scalar(tenths >= 7 * rest),
        scalar(tenths <= 12 * rest),
        gnubg_kleinman(p, q),
        gnubg_kleinman_ratio(p, q),
    )


def lamford(on_roll: Positions, opponent: Positions) -> Count:
    """Lamford's formula for the win probability of the leader; it says nothing about the cube.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.

    Returns
    -------
    Count
        Raw pip counts and the win probability.

    Raises
    ------
    PositionError
        If either is no position, has no checker left, or if the player on roll trails: nothing is known about that.

    Notes
    -----
    50 + (900 + R + 400 l) / (R + 7 l + 25) per cent: P. Lamford with S. Gasquoine, "Improve Your Backgammon", as quoted
    in a review at thedoublingcube.com.  The review does not say what R and l are; Dotsenko and Marynych print the same
    formula with the count of the player on roll and his lead, `bgrace.scm.least_squares`.

    Examples
    --------
    >>> print(lamford("2,2,2,3,3,3", "1,1,2,3,4,4"))
    lamford 57 : 65, wins 80.1 %
    """
    own, other = _sides(on_roll, opponent)
    p, q = own.pips, other.pips
    lead = q - p
    if np.any(lead < 0):
        raise PositionError(f"a lead of {lead.min()} pips: Lamford's formula is for a leader on roll")
    return Count("lamford", scalar(p), scalar(p), scalar(q), win_probability=least_squares(p, q))


# ---- adjusted counts


def thorp(
    on_roll: Positions,
    opponent: Positions,
    *,
    from_30: bool = False,
    round_down: bool = False,
    strict_take: bool = False,
) -> Count:
    """Thorp's count: pips, 2 for every checker, 1 for every checker on the ace point, less 1 for every home point held.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.
    from_30 : bool
        Whether the player on roll adds his tenth from a count of 30 on (C. Bower 1997), not only above it.
    round_down : bool
        Whether the tenth is rounded down (J. Greenwood 1997).
    strict_take : bool
        Whether a lead of exactly 2 is a pass (Greenwood, GNU Backgammon), not a take.

    Returns
    -------
    Count
        The win probability is Bower's, 74 % and 2 % more for each pip of lead.

    Raises
    ------
    PositionError
        If either is no position, or has no checker left.

    Notes
    -----
    The player on roll adds a tenth to a count above 30; then double from a lead of -2, redouble from -1, take up to 2.
    E. O. Thorp, "The Mathematics of Gambling", made known by B. Robertie, "Advanced Backgammon" volume 2, as retold in
    the glossary at bkgm.com, by S. Woodhead 1991 and by C. Bower 1997.  For bearoffs; poor with checkers outside, and
    with five or fewer a side.

    Examples
    --------
    >>> print(thorp("1,1,2,2,2,2", "0,1,2,2,2,3"))
    thorp 59.4 : 59, wins 73.2 %: double, redouble, take
    """
    own, other = _sides(on_roll, opponent)
    s, t = (side.pips + 2 * side.checkers + side.on(1) - side.covered for side in (own, other))
    tenth = 10 * (s // 10) if round_down else s
    charged = s >= 30 if from_30 else s > 30
    left = 10 * s + np.where(charged, tenth, 0)
    win = 0.74 + (10 * t - left) / 500
    return _decided("thorp", 10, s, left, 10 * t, (-20, -10, 20), win, strict_take=strict_take)


WardVersion: TypeAlias = Literal["storer", "glossary", "bgaddict"]
_WARD_DEUCES: Final[dict[str, int]] = {"storer": 2, "glossary": MAX_CHECKERS, "bgaddict": 3}


def ward(on_roll: Positions, opponent: Positions, *, version: WardVersion = "storer") -> Count:
    """Ward's count: pips with penalties for low points and for what one has more of than the other side.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.
    version : {"storer", "glossary", "bgaddict"}
        From which checker on the deuce point costs a pip: the third, none, or the fourth.

    Returns
    -------
    Count

    Raises
    ------
    PositionError
        If either is no position, or has no checker left.
    ArgumentError
        If `version` is unknown.

    Notes
    -----
    2 for the third checker on the ace point and each further one, 1 for the third on the deuce point and each further
    one; for each more than the other side has, 2 for a checker, half for a checker outside the home board, and 1 less
    for a home point held.  The player on roll adds a tenth.  Double from a lead of -2, redouble from -1, take up to 2,
    3 or 4 where the raw counts average 50 or fewer, 75, 100 or more; straight lines between them.  J. Ward, "The
    Doubling Cube in Backgammon" volume 1, pages 74 to 76, as retold by M. Storer 1992 in rec.games.backgammon.  Ward's
    case by case treatment of gaps is left out.

    Examples
    --------
    >>> print(ward("2,2,2,3,3,3", "1,1,2,3,4,4"))
    ward 62.7 : 65: double, redouble, take
    """
    if version not in _WARD_DEUCES:
        raise ArgumentError(f"version={version!r} is unknown: use one of {', '.join(_WARD_DEUCES)}")
    own, other = _sides(on_roll, opponent)

    def halves(side: _Side, opposite: _Side) -> Integers:
        penalties = (
            2 * side.beyond(1, 2)
            + side.beyond(2, _WARD_DEUCES[version])
            + 2 * _more(side.checkers, opposite.checkers)
            - _more(side.covered, opposite.covered)
        )
        return 2 * (side.pips + penalties) + _more(side.outside, opposite.outside)

    s, t = halves(own, other), halves(other, own)
    # In hundredths: a half is 50, with the tenth 55; 2 + (average - 50) / 25 is twice the sum of both raw counts.
    take_to = np.clip(2 * (own.pips + other.pips), 200, 400)
    return _decided("ward", 100, s / 2, 55 * s, 50 * t, (-200, -100, take_to))


def keith(on_roll: Positions, opponent: Positions) -> Count:
    """Keith's count: pips with penalties for low points and for gaps.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.

    Returns
    -------
    Count

    Raises
    ------
    PositionError
        If either is no position, or has no checker left.

    Notes
    -----
    2 for each checker but one on the ace point, 1 for each but one on the deuce point, 1 for each but three on the 3
    point, and 1 for each empty one of the 4, 5 and 6 points.  The player on roll adds a seventh of that, rounded down.
    Double from a lead of -4, redouble from -3, take up to -2.  T. Keith, "Cube Handling in Noncontact Positions", 2004,
    bkgm.com, as retold there and at bgonline.org.  GNU Backgammon did not round down before February 2025, and passed
    at -2.

    Examples
    --------
    >>> print(keith("2,2,2,3,3,3", "1,1,2,3,4,4"))
    keith 68 : 65: double, redouble, take
    """
    own, other = _sides(on_roll, opponent)
    s, t = (
        side.pips
        + 2 * side.beyond(1, 1)
        + side.beyond(2, 1)
        + side.beyond(3, 3)
        + sum(side.on(point) == 0 for point in (4, 5, 6))
        for side in (own, other)
    )
    return _decided("keith", 1, s, s + s // 7, t, (-4, -3, -2))


def isight(on_roll: Positions, opponent: Positions) -> Count:
    """Reichert's Isight count: pips with few penalties, most of them relative to the other side.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.

    Returns
    -------
    Count
        The win probability is Isight's own: 80 % less a third of the count, and 2 % more for each pip of lead before
        the sixth.  It goes below 0 and above 1 in one-sided races and is cut off there.

    Raises
    ------
    PositionError
        If either is no position, or has no checker left.

    Notes
    -----
    1 for each checker more than the other side; 2 for each beyond two on the ace point, 1 for each beyond two on the
    deuce point and beyond three on the 3 point; 1 for each empty one of the 4, 5, 6 points that the other side holds; 1
    for each crossover more.  The player on roll adds a sixth, not rounded.  Double from a lead of -6, redouble from -5,
    take up to -2, which are 68, 70 and 76 %.  A. Reichert, "Improved Cube Handling in Races: Insights with Isight",
    2014.

    Examples
    --------
    >>> print(isight("1,1,2,2,2,2", "0,1,2,2,2,3"))
    isight 45.5 : 44, wins 77.0 %: double, redouble, pass
    """
    own, other = _sides(on_roll, opponent)

    def count(side: _Side, opposite: _Side) -> Integers:
        gaps = sum((side.on(point) == 0) & (opposite.on(point) > 0) for point in (4, 5, 6))
        return np.asarray(
            side.pips
            + _more(side.checkers, opposite.checkers)
            + 2 * side.beyond(1, 2)
            + side.beyond(2, 2)
            + side.beyond(3, 3)
            + gaps
            + _more(side.crossovers, opposite.crossovers)
        )

    s, t = count(own, other), count(other, own)
    win = (240 - s + 6 * (t - s)) / 300
    return _decided("isight", 6, s, 7 * s, 6 * t, (-36, -30, -12), win)


# ---- the point of last take


def _checked_pips(pips: npt.ArrayLike, least: int) -> Integers:
    counts = np.asarray(pips)
    if counts.dtype.kind not in "iu" or (counts.size and counts.min() < least):
        raise ArgumentError(f"pips={pips!r} cannot be used: give whole numbers of at least {least}")
    return counts.astype(np.int64)


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
        If a count is no integer, or negative.

    Examples
    --------
    >>> ten_percent_take_point([61, 79, 110]).tolist()
    [8, 9, 13]
    """
    return scalar(_checked_pips(pips, 0) // 10 + 2)


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
        If a count is no integer, or negative.

    Examples
    --------
    >>> trice62_take_point([20, 50, 62, 65, 100]).tolist()
    [2, 6, 8, 8, 11]
    """
    p = _checked_pips(pips, 0)
    return scalar(np.where(p > 62, -(-p // 10) + 1, (p - 5) // 7))


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
        If a count is no integer, or below 55.

    Examples
    --------
    >>> nack57_take_point([57, 80, 110]).tolist()
    [7, 10, 12]
    """
    # Nearest to sqrt(2 m) is half of sqrt(8 m) + 1, rounded down; a tie is impossible.
    root = np.floor(np.sqrt(8.0 * (_checked_pips(pips, 55) - 33))).astype(np.int64)
    return scalar((root + 1) // 2)


def trice62(on_roll: Positions, opponent: Positions) -> Count:
    """Trice's rule 62, on raw pip counts.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.

    Returns
    -------
    Count

    Raises
    ------
    PositionError
        If either is no position, or has no checker left.

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
    own, other = _sides(on_roll, opponent)
    take_to = np.asarray(trice62_take_point(own.pips))
    return _decided("trice62", 1, own.pips, own.pips, other.pips, (take_to - 3, take_to - 2, take_to))


def nack57(on_roll: Positions, opponent: Positions) -> Count:
    """Ballard's Nack 57, on raw pip counts: whether to take.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.

    Returns
    -------
    Count
        When to double is not known: `double` and `redouble` are None.

    Raises
    ------
    PositionError
        If either is no position, has no checker left, or if the player on roll has fewer than 55 pips.

    Notes
    -----
    Take up to `nack57_take_point`.  For smooth positions from 57 pips on, or 55 according to its author: N. Ballard,
    bgonline.org, 3 February 2010.

    Examples
    --------
    >>> print(nack57("2,2,2,3,3,3", "1,1,2,3,4,4"))
    nack57 57 : 65: pass
    """
    own, other = _sides(on_roll, opponent)
    p, q = own.pips, other.pips
    if np.any(p < 55):
        raise PositionError(f"{p.min()} pips of the player on roll: Nack 57 is for 55 or more")
    take_to = np.broadcast_to(nack57_take_point(p), np.broadcast_shapes(p.shape, q.shape))
    return Count("nack57", scalar(p), scalar(p), scalar(q), take_to=scalar(take_to), take=scalar(q - p <= take_to))


@cache
def _home_epc() -> tuple[PositionSpace, npt.NDArray[np.float64]]:
    space = PositionSpace(HOME_POINTS, MAX_CHECKERS)
    return space, solve_one_sided(space).epc


def _exact_epc(side: _Side, name: str) -> npt.NDArray[np.float64]:
    if np.any(side.outside):
        raise PositionError(
            f"{name} has checkers outside home: give both expected pip counts as epc, or use effective_by_hand"
        )
    space, epc = _home_epc()
    return np.asarray(epc[space.index(side.points[..., :HOME_POINTS])])


def effective_pips(
    on_roll: Positions,
    opponent: Positions,
    *,
    epc: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    allowance: float = 0.0,
) -> Count:
    """Trice's rule for expected pip counts: take up to a lead of a seventh less 3 pips.

    Parameters
    ----------
    on_roll, opponent : position, or array_like of int, shape (..., points)
        Checker counts, ace point first, or text; arrays broadcast.
    epc : pair of float or array_like, optional
        Expected pip counts of the two sides.  Exact ones unless given, for which all checkers must be home.
    allowance : float
        Pips added to the lead that is a take: 1 is advised for two smooth sides, -2 or less for two wasteful ones.

    Returns
    -------
    Count
        The counts are expected pip counts.

    Raises
    ------
    PositionError
        If either is no position, has no checker left, or has checkers outside the home board and `epc` is not given.
    ArgumentError
        If `epc` is no pair of numbers above 0 in the shape of the positions.

    Notes
    -----
    Take up to EPC / 7 - 3, EPC that of the player on roll, not rounded; redouble from 1 pip less, double from 2 pips
    less.  W. Trice, 2007 and 2008, as retold on bkgm.com and bgonline.org.

    Examples
    --------
    >>> print(effective_pips("1,1,2,2,2,2", "0,1,2,2,2,3"))
    effective_pips 46.9468 : 51.3598: double, redouble, pass
    >>> effective_pips("1,1,2,2,2,2", "0,1,2,2,2,3", allowance=1).advice
    'double, redouble, take'
    """
    own, other = _sides(on_roll, opponent)
    if epc is None:
        left, right = _exact_epc(own, "on_roll"), _exact_epc(other, "opponent")
    else:
        left, right = _given_epc(epc, own, other)
    return _by_epc("effective_pips", left, right, allowance)


def _given_epc(epc: Any, own: _Side, other: _Side) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    try:
        left, right = (np.asarray(value, dtype=np.float64) for value in epc)
        left = np.broadcast_to(left, own.points.shape[:-1])
        right = np.broadcast_to(right, other.points.shape[:-1])
    except (TypeError, ValueError):
        raise ArgumentError(f"epc={epc!r} is no pair of expected pip counts: give (on_roll, opponent)") from None
    if not (np.all(left > 0) and np.all(right > 0)):
        raise ArgumentError(f"epc={epc!r}: expected pip counts are above 0")
    return left, right


def _by_epc(name: str, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64], allowance: float = 0.0) -> Count:
    take_to = left / 7 - 3 + allowance
    return _decided(name, 1, left, left, right, (take_to - 2, take_to - 1, take_to))


def effective_by_hand(on_roll: Positions, opponent: Positions) -> Count:
    """The rule of `effective_pips` with expected pip counts by hand, `estimate_epc`.

    Parameters
    ----------
    on_roll, opponent : position
        Checker counts, ace point first, or text: one pair, no arrays.

    Returns
    -------
    Count

    Raises
    ------
    PositionError
        If either is no position, or has no checker left.

    Examples
    --------
    >>> print(effective_by_hand("1,1,2,2,2,2", "0,1,2,2,2,3"))
    effective_by_hand 49 : 51: double, no redouble, take
    """
    left, right = (np.float64(estimate_epc(pos).epc) for pos in (on_roll, opponent))
    return _by_epc("effective_by_hand", np.asarray(left), np.asarray(right))


# ---- all of them

COUNTS: Final[dict[str, Callable[[Positions, Positions], Count]]] = {
    function.__name__: function
    for function in (
        eight_nine_twelve,
        ten_percent,
        kleinman,
        lamford,
        thorp,
        ward,
        keith,
        isight,
        trice62,
        nack57,
        effective_pips,
        effective_by_hand,
    )
}
"""Every count by name, in the order of the module."""


def woolsey_doubles(first: Count, second: Count) -> Any:
    """Woolsey's law, as far as a program can follow it: double where two trusted counts disagree on the take.

    Parameters
    ----------
    first, second : Count
        Of the same pair or pairs.

    Returns
    -------
    bool, or bool ndarray
        False does not say that doubling is wrong.

    Raises
    ------
    ArgumentError
        If either count says nothing about the take.

    Notes
    -----
    "If it is not absolutely certain whether the position is a take or a pass, double": K. Woolsey, 1991; as retold at
    bkgm.com.  That the disagreement of two counts stands for the doubt is our reading.

    Examples
    --------
    >>> pair = "1,1,2,2,2,2", "0,1,2,2,2,3"
    >>> woolsey_doubles(thorp(*pair), keith(*pair))
    True
    """
    for count in (first, second):
        if count.take is None:
            raise ArgumentError(f"{count.name} says nothing about the take: use a count that does, such as keith")
    return scalar(np.not_equal(first.take, second.take))
