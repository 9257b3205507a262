"""Counts of players: pips adjusted by rules, and the decisions that follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, Final, Generic, Literal, ParamSpec, Protocol, TypeAlias, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Booleans, Floats, Integers, ShortRepr, ToDict, as_choice, as_floats, scalar
from bgrace._kernels import counts as kernel
from bgrace.board import MAX_CHECKERS, MAX_POINTS, OnePosition, Positions, parse_position
from bgrace.board.position import AnyPositions, counts_of
from bgrace.board.spaces import is_one, read_counts
from bgrace.board.text import check_sides
from bgrace.cube.action import CUBES, Verdict, Words
from bgrace.errors import ArgumentError, PositionError

__all__ = [
    "Count",
    "CountOfPair",
    "CountOfPairs",
    "eight_nine_twelve",
    "grace",
    "isight",
    "keith",
    "kleinman",
    "lamford",
    "nack57",
    "nack57_take_point",
    "ten_percent",
    "ten_percent_take_point",
    "thorp",
    "trice62",
    "trice62_take_point",
    "ward",
]

Side: TypeAlias = npt.NDArray[np.int8]
"""Checker counts of one side, shape (..., 24)."""


def _side(pos: Any, name: str) -> Side:
    """Read positions; PositionError names the side."""
    if is_one(pos):
        counts = np.array(counts_of(parse_position(pos)))
    else:
        given = read_counts(pos)
        if not 1 <= given.shape[-1] <= MAX_POINTS and given.shape != (0, 0):  # an empty column of lists
            raise PositionError(f"{name} of shape {given.shape}: the last axis lists 1 to {MAX_POINTS} points")
        if given.size and (given.min() < 0 or given.max() > MAX_CHECKERS):
            raise PositionError(
                f"{name} has counts of {given.min()} to {given.max()}: give 0 to {MAX_CHECKERS} checkers"
            )
        counts = np.zeros((*given.shape[:-1], MAX_POINTS), dtype=np.int8)
        counts[..., : given.shape[-1]] = given
    checkers = counts.sum(axis=-1)
    if checkers.size and not (checkers.min() > 0 and checkers.max() <= MAX_CHECKERS):
        wrong = checkers.min() if checkers.min() <= 0 else checkers.max()
        raise PositionError(f"{name} has {wrong} checkers left: counts are for 1 to {MAX_CHECKERS} a side")
    return counts


def sides(on_roll: AnyPositions, opponent: AnyPositions) -> tuple[Side, Side]:
    """Read both sides; PositionError names the one that is wrong."""
    check_sides(on_roll, opponent)
    own, other = _side(on_roll, "on_roll"), _side(opponent, "opponent")
    try:
        np.broadcast_shapes(own.shape, other.shape)
    except ValueError:
        raise PositionError(
            f"{own.shape[:-1]} positions on roll and {other.shape[:-1]} of the opponent do not go "
            "together: give one against many, or as many of each"
        ) from None
    return own, other


N = TypeVar("N", float, "Floats | Integers")
B = TypeVar("B", bool, Booleans)
P = ParamSpec("P")


@dataclass(frozen=True, slots=True, repr=False)
class Count(ToDict, ShortRepr, Generic[N, B]):
    """The result of a count for a pair of positions.

    Every field but `name` is a scalar for one pair and an array for arrays of positions, or None if the method does not
    give it.  `CountOfPair` is the type for one pair, `CountOfPairs` that for arrays.

    Attributes
    ----------
    name : str
        Name of the count's function.
    counted : int or float
        Adjusted count of the player on roll, before the charge for being on roll.
    on_roll, opponent : int or float
        The two counts that are compared, in pips.
    double_from, redouble_from, take_to : float
        Least lead to double with a centered cube, least lead to redouble with an own cube, and greatest lead against
        which the opponent takes, in pips.
    double, redouble, take : bool
        Whether to double with a centered cube, to redouble with an own one, and whether the opponent takes.
    win_probability : float
        Chance that the player on roll wins, cut off at 0 and 1.
    ratio : float
        Kleinman's K.
    """

    name: str
    counted: N
    on_roll: N
    opponent: N
    double_from: N | None = None
    redouble_from: N | None = None
    take_to: N | None = None
    double: B | None = None
    redouble: B | None = None
    take: B | None = None
    win_probability: N | None = None
    ratio: N | None = None

    @property
    def lead(self) -> N:
        """Lead of the player on roll by these counts: `opponent` less `on_roll`."""
        return self.opponent - self.on_roll

    @property
    def advice(self) -> str:
        """The three decisions of one pair in words; those that the method does not make are left out.

        Examples
        --------
        >>> from bgrace.counts import thorp
        >>> thorp("2,2,2,3,3,3", "1,1,2,3,4,4").advice
        'double, no redouble, take'
        """
        decisions = (
            (self.double, "double", "no double"),
            (self.redouble, "redouble", "no redouble"),
            (self.take, "take", "pass"),
        )
        return ", ".join(yes if decision else no for decision, yes, no in decisions if decision is not None)

    @overload
    def verdict(self: CountOfPair, cube: str = ...) -> Verdict | None: ...

    @overload
    def verdict(self: CountOfPairs, cube: str = ...) -> Words | None: ...

    def verdict(self, cube: str = "centered") -> str | Words | None:
        """The cube action by this count, in the words of `bgrace.cube.action`.

        Parameters
        ----------
        cube : str
            Where the cube is, seen by the player on roll: ``"centered"``, ``"mine"``, ``"theirs"`` or ``"none"``.

        Returns
        -------
        str, or ndarray of str, or None
            ``"no double"``, ``"double/take"``, ``"double/pass"`` or ``"no cube"``; None if the method has no rule for
            doubling.

        Raises
        ------
        ArgumentError
            If `cube` is unknown.

        Examples
        --------
        >>> from bgrace.counts import thorp
        >>> count = thorp("2,2,2,3,3,3", "1,1,2,3,4,4")
        >>> count.verdict(), count.verdict("mine")
        ('double/take', 'no double')
        """
        place = as_choice("cube", cube, CUBES)
        double = self.redouble if place == "mine" else self.double
        if double is None or self.take is None:
            return None
        verdict = np.where(double, np.where(self.take, "double/take", "double/pass"), "no double")
        if place in ("theirs", "none"):
            verdict = np.full(verdict.shape, "no cube")
        verdicts: str | Words = scalar(verdict)
        return verdicts

    def __str__(self) -> str:
        if np.ndim(self.on_roll) or np.ndim(self.opponent):
            return f"{self.name} of {np.broadcast_shapes(np.shape(self.on_roll), np.shape(self.opponent))} pairs"
        text = f"{self.name} {self.on_roll:g} : {self.opponent:g}"
        if self.win_probability is not None:
            text += f", wins {100 * self.win_probability:.1f} %"
        return f"{text}: {self.advice}" if self.advice else text


CountOfPair: TypeAlias = Count[float, bool]
"""A count of one pair: numbers and words."""

CountOfPairs: TypeAlias = "Count[Floats | Integers, Booleans]"
"""A count of many pairs: arrays."""


class CountingFunction(Protocol[P]):
    """The type of a count's function, for one pair and for arrays of pairs."""

    __name__: str

    @overload
    def __call__(
        self, on_roll: OnePosition, opponent: OnePosition, *args: P.args, **options: P.kwargs
    ) -> CountOfPair: ...
    @overload
    def __call__(
        self, on_roll: Positions, opponent: OnePosition | Positions, *args: P.args, **options: P.kwargs
    ) -> CountOfPairs: ...
    @overload
    def __call__(
        self, on_roll: OnePosition, opponent: Positions, *args: P.args, **options: P.kwargs
    ) -> CountOfPairs: ...


def of_positions(
    count: Callable[Concatenate[AnyPositions, AnyPositions, P], CountOfPair | CountOfPairs],
) -> CountingFunction[P]:
    """Tell type checkers that a function is a `CountingFunction`."""
    return cast(CountingFunction[P], count)


def counted(
    name: str,
    on_roll: AnyPositions,
    opponent: AnyPositions,
    epc: Callable[[Side, Side], tuple[npt.ArrayLike, npt.ArrayLike]] | None = None,
    **options: float,
) -> CountOfPair | CountOfPairs:
    """Count pairs by the count's name; `epc` returns expected pip counts of both sides, in their shapes."""
    own, other = sides(on_roll, opponent)
    shape = np.broadcast_shapes(own.shape, other.shape)
    expected = np.full((2, *shape[:-1]), np.nan)
    if epc is not None:
        expected[0], expected[1] = epc(own, other)
    on_rolls, opponents = (
        np.ascontiguousarray(np.broadcast_to(side, shape)).reshape(-1, MAX_POINTS) for side in (own, other)
    )
    found = kernel.count(name, on_rolls, opponents, expected.reshape(2, -1), **options)
    return Count(name, **{field: scalar(values.reshape(shape[:-1])) for field, values in found.items()})


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
    Per cent of the pips of the player on roll; the limits themselves are included.  For long, smooth races; glossary at
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


# ---- points of last take: the greatest lead against which to take, by the pips of the player on roll, whole numbers


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
    """Greatest lead against which `ten_percent` takes.

    Parameters
    ----------
    pips : int or array_like of int
        Raw count of the player on roll.

    Returns
    -------
    int, or int64 ndarray
        A tenth of the pips, rounded down, plus 2.

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
    """Greatest lead against which `trice62` takes.

    Parameters
    ----------
    pips : int or array_like of int
        Count of the player on roll.

    Returns
    -------
    int, or int64 ndarray
        Above 62 pips a tenth, rounded up, plus 1; else (pips - 5) / 7, rounded down, which is -1 below 5.

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
    """Greatest lead against which `nack57` takes.

    Parameters
    ----------
    pips : int or array_like of int
        Count of the player on roll, 55 or more.

    Returns
    -------
    int, or int64 ndarray
        The square root of 2 (pips - 33), rounded to the nearest whole number.

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
        The count has no rule for doubling: `double` and `redouble` are None.

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
    """Lamford's formula for the win probability of the leader; it has no rule for the cube.

    Returns
    -------
    Count
        Raw pip counts and the win probability.

    Raises
    ------
    PositionError
        If the player on roll trails, for which there is no formula.

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


@of_positions
def thorp(
    on_roll: AnyPositions,
    opponent: AnyPositions,
    *,
    from_30: bool = False,
    round_down: bool = False,
    strict_take: bool = False,
) -> CountOfPair | CountOfPairs:
    """Thorp's count: pips, 2 for every checker, 1 for every checker on the ace point, less 1 for every home point held.

    Parameters
    ----------
    from_30 : bool
        Whether the player on roll adds a tenth at a count of 30, too (C. Bower 1997), not only above it.
    round_down : bool
        Whether the tenth is rounded down (J. Greenwood 1997).
    strict_take : bool
        Whether a lead of exactly 2 is a pass (Greenwood, GNU Backgammon), not a take.

    Returns
    -------
    Count
        The win probability is Bower's, 74 % and 2 % more for each pip of lead.

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
    return counted("thorp", on_roll, opponent, from_30=from_30, round_down=round_down, strict_take=strict_take)


WardVersion: TypeAlias = Literal["storer", "glossary", "bgaddict"]
_WARD_DEUCES: Final[dict[str, int]] = {"storer": 2, "glossary": MAX_CHECKERS, "bgaddict": 3}


@of_positions
def ward(
    on_roll: AnyPositions, opponent: AnyPositions, *, version: WardVersion = "storer"
) -> CountOfPair | CountOfPairs:
    """Ward's count: pips with penalties for low points, and for more checkers or fewer points than the other side.

    Parameters
    ----------
    version : {"storer", "glossary", "bgaddict"}
        The first checker on the deuce point that costs a pip: the third, none, or the fourth.

    Raises
    ------
    ArgumentError
        If `version` is unknown.

    Notes
    -----
    2 for the third checker on the ace point and each further one, 1 for the third on the deuce point and each further
    one; compared with the other side, 2 for each checker more, half for each checker more outside the home board, and 1
    less for each home point more.  The player on roll adds a tenth.  Double from a lead of -2, redouble from -1, take
    up to 2, 3 or 4 if the raw counts average 50 or fewer, 75, 100 or more; straight lines between them.  J. Ward, "The
    Doubling Cube in Backgammon" volume 1, pages 74 to 76, as retold by M. Storer 1992 in rec.games.backgammon.  Ward's
    case by case treatment of gaps is left out.

    Examples
    --------
    >>> print(ward("2,2,2,3,3,3", "1,1,2,3,4,4"))
    ward 62.7 : 65: double, redouble, take
    """
    return counted("ward", on_roll, opponent, deuces=_WARD_DEUCES[as_choice("version", version, _WARD_DEUCES)])


@of_positions
def keith(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """Keith's count: pips with penalties for low points and for gaps.

    Notes
    -----
    2 for each checker after the first on the ace point, 1 for each after the first on the deuce point, 1 for each after
    the third on the 3 point, and 1 for each empty point among 4, 5 and 6.  The player on roll adds a seventh of this
    count, rounded down.
    Double from a lead of -4, redouble from -3, take up to -2.  T. Keith, "Cube Handling in Noncontact Positions", 2004,
    bkgm.com, as retold there and at bgonline.org.  GNU Backgammon did not round down before February 2025, and passed
    at -2.

    Examples
    --------
    >>> print(keith("2,2,2,3,3,3", "1,1,2,3,4,4"))
    keith 68 : 65: double, redouble, take
    """
    return counted("keith", on_roll, opponent)


@of_positions
def isight(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """Reichert's Isight count: pips with few penalties, most of them relative to the other side.

    Returns
    -------
    Count
        The win probability is Isight's own: 80 % less a third of the count, and 2 % more for each pip of lead, before
        the sixth is added.  It is cut off at 0 and 1, which it would pass in one-sided races.

    Notes
    -----
    1 for each checker more than the other side; 2 for each after the second on the ace point, 1 for each after the
    second on the deuce point and after the third on the 3 point; 1 for each point among 4, 5 and 6 that is empty but
    held by the other side; 1 for each crossover more.  The player on roll adds a sixth, not rounded.  Double from a
    lead of -6, redouble from -5, take up to -2, which are 68, 70 and 76 %.  A. Reichert, "Improved Cube Handling in
    Races: Insights with Isight", 2014.

    Examples
    --------
    >>> print(isight("1,1,2,2,2,2", "0,1,2,2,2,3"))
    isight 45.5 : 44, wins 77.0 %: double, redouble, pass
    """
    return counted("isight", on_roll, opponent)


@of_positions
def grace(on_roll: AnyPositions, opponent: AnyPositions) -> CountOfPair | CountOfPairs:
    """The Grace count: pips, checkers and few penalties, with a least count for the rolls that a side needs.

    Returns
    -------
    Count
        The win probability is 82 % and 2 % more for each pip of lead, cut off at 0 and 1.

    Notes
    -----
    1 for each checker, 12 at most; 2 for each checker after the first on the ace point, 1 for each after the first on
    the deuce point; 1 for each empty point among 4 and 5; in all at least 7 for every two checkers, rounded up, plus 1.
    The player on roll adds a fifth of the pips, from 40 pips on a tenth plus 4.  Double from a lead of -6, redouble
    from -5, take up to -2, which are 70, 72 and 78 %.  Found by a search over exact equities, 2026:
    docs/better-count.md.

    Examples
    --------
    >>> print(grace("1,1,2,2,2,2", "0,1,2,2,2,3"))
    grace 56.8 : 54, wins 76.4 %: double, redouble, take
    """
    return counted("grace", on_roll, opponent)
