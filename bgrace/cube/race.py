"""The cube in races of the single-checker model.

Every value is for the player on roll, before the dice, per unit of the present cube, and pip counts name the player on
roll first: ``k`` against ``s``.  Money play without gammons, beavers or a limit on the cube.

Dotsenko and Marynych, "Optimal doubling strategies in backgammon", section 5.1.  To their recurrences (12) to (15) one
state is added, the cube on the opponent's side.  With k' = max(k - points, 0) and sums over rolls,

    centered, not doubled:   - sum p(points) centered(s, k')
    mine, not doubled:       - sum p(points) theirs(s, k')
    theirs:                  - sum p(points) mine(s, k')
    double/take:             2 theirs(k, s)
    centered, mine:          the greater of not doubling and min(double/take, 1)

Arguments are swapped and signs changed because the other player is on roll then.
"""

from __future__ import annotations

from collections import UserList
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, get_type_hints

import numpy as np
import numpy.typing as npt

from bgrace import scm
from bgrace._base.arrays import JSON, ShortRepr, ToDict, as_choice, as_integer, as_json
from bgrace._base.frames import Cell, Columns, Tabular
from bgrace._kernels import race as kernel
from bgrace.cube.action import EXACT_TIE, CubeAction, decide

__all__ = ["MAX_PIPS", "Advice", "Band", "RaceTable", "Window", "Windows", "bands", "solve"]

MAX_PIPS: Final[int] = scm.MAX_PIPS
"""Most pips a side for a solution."""


@dataclass(frozen=True, slots=True)
class Window(ToDict):
    """The doubling window of a player with `k` pips.

    Attributes
    ----------
    k : int
        Pips of the player on roll, who may double.
    double, redouble : int or None
        Least lead, opponent's pips less `k`, at which to double with a centered cube and to redouble an own one;
        negative when trailing.  Doubling stays right for every greater lead.
    take : int or None
        Greatest lead of the doubler against which to take; taking stays right for every smaller one.  None if every
        double is to be passed, as for five pips and fewer.
    """

    k: int
    double: int | None
    redouble: int | None
    take: int | None


class Windows(UserList[Window], Tabular):
    """The window of every pip count, in rising order; a row of the table is a pip count."""

    __slots__ = ()

    COLUMNS: ClassVar[Columns] = get_type_hints(Window)

    def _rows(self) -> Iterator[Mapping[str, Cell]]:
        return (as_json(window) for window in self)


@dataclass(frozen=True, slots=True)
class Band:
    """Neighbouring pip counts that share a lead: a line of Dotsenko and Marynych's Table 5.

    Attributes
    ----------
    first, last : int
        Pips of the doubler.
    lead : int
        Opponent's pips less the doubler's.
    """

    first: int
    last: int
    lead: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Advice:
    """A plain answer for one pair of pip counts.

    Attributes
    ----------
    k, s : int
        Pips of the player on roll and of the opponent.
    win_probability : float
        Of the player on roll, without a cube.
    centered, mine : CubeAction
        The decision with a cube in the middle and with an own cube.
    """

    k: int
    s: int
    win_probability: float
    centered: CubeAction
    mine: CubeAction

    @property
    def double(self) -> bool:
        """Whether to double with a centered cube."""
        return bool(self.centered.double)

    @property
    def redouble(self) -> bool:
        """Whether to redouble with an own cube."""
        return bool(self.mine.double)

    @property
    def take(self) -> bool:
        """Whether the opponent, if doubled, takes."""
        return bool(self.centered.take)

    def to_dict(self) -> dict[str, JSON]:
        """The answers by name, as plain numbers and text."""
        return as_json(self, "k", "s", "double", "redouble", "take", "win_probability", "centered", "mine")

    def __str__(self) -> str:
        double = "double" if self.double else "no double"
        redouble = "redouble" if self.redouble else "no redouble"
        return f"{self.k} against {self.s}: {double}, {redouble}, {'take' if self.take else 'pass'}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RaceTable(ShortRepr):
    """Equities and decisions of every pair of pip counts, ``[k, s]``, the player on roll first.

    All arrays have shape (limit + 1, limit + 1).  A side with no pips has finished: equities are +1 in row 0 and -1 in
    the rest of column 0, and nobody doubles or takes there.

    Attributes
    ----------
    limit : int
        Greatest pip count.
    centered, mine : float64 ndarray
        Equity with a cube in the middle or an own one, with the right to double before this roll.
    theirs : float64 ndarray
        Equity with the cube on the opponent's side.
    no_double_centered, no_double_mine : float64 ndarray
        Equity of rolling without doubling.
    double_take : float64 ndarray
        Equity of a double or redouble that is taken, from -2 to 2.  A double that is passed is worth +1.
    double, redouble : bool ndarray
        Whether to double with a centered cube, and with an own one.
    take : bool ndarray
        Whether the opponent, if doubled, takes.
    """

    limit: int
    centered: npt.NDArray[np.float64]
    mine: npt.NDArray[np.float64]
    theirs: npt.NDArray[np.float64]
    no_double_centered: npt.NDArray[np.float64]
    no_double_mine: npt.NDArray[np.float64]
    double_take: npt.NDArray[np.float64]
    double: npt.NDArray[np.bool_]
    redouble: npt.NDArray[np.bool_]
    take: npt.NDArray[np.bool_]

    def windows(self, limit: int) -> Windows:
        """Find the doubling window of every pip count.

        Parameters
        ----------
        limit : int
            Greatest pip count of the doubler, 0 to 1800.  If the windows end at opponents' counts beyond this table, a
            larger table is solved.

        Returns
        -------
        Windows
            A sequence of Window, and a table.  Entry k belongs to k pips, 0 to `limit`; entry 0, a game that is over,
            has no window.

        Raises
        ------
        ArgumentError
            If `limit` is out of range.

        Notes
        -----
        Dotsenko and Marynych, Table 5, of which this is every row and a correction (158-171, not 158-170).

        Examples
        --------
        >>> print(solve(100).windows(60)[58])
        Window(k=58, double=5, redouble=6, take=8)
        """
        limit = scm.check_limit(limit, MAX_WINDOWS)
        table, reach = self, min(limit + 40 + limit // 20, MAX_PIPS)
        if table.limit < reach:
            table = solve(reach)
        k = np.arange(1, limit + 1)
        doubles, redoubles, takes = (flags[1 : limit + 1, 1:] for flags in (table.double, table.redouble, table.take))
        double, redouble = (flags.argmax(axis=1) + 1 - k for flags in (doubles, redoubles))
        # The opponent takes at every count up to a last one, which is the number of counts with a take.
        take = [n - pips if n else None for pips, n in enumerate(takes.sum(axis=1).tolist(), 1)]
        rows = zip(k.tolist(), double.tolist(), redouble.tolist(), take, strict=True)
        return Windows([Window(0, None, None, None), *(Window(*row) for row in rows)])

    def advice(self, k: int, s: int) -> Advice:
        """Answer whether to double, to redouble and to take.

        Parameters
        ----------
        k, s : int
            Pips of the player on roll and of the opponent, 1 to `limit`.

        Returns
        -------
        Advice

        Raises
        ------
        ArgumentError
            If a count is out of range.

        Examples
        --------
        >>> print(solve(100).advice(58, 66))
        58 against 66: double, redouble, take
        >>> print(solve(100).advice(58, 66).mine)
        double/take (cube mine): no double +0.8388, double/take +0.9354, double/pass +1.0000
        """
        for name, pips in (("k", k), ("s", s)):
            problem = f"{name}={pips!r} is out of range: this table has 1 to {self.limit} pips a side"
            as_integer(pips, problem, 1, self.limit)
        double_take = float(self.double_take[k, s])
        return Advice(
            int(k),
            int(s),
            scm.win_probability(k, s),
            decide(float(self.no_double_centered[k, s]), double_take, cube="centered", tie=EXACT_TIE),
            decide(float(self.no_double_mine[k, s]), double_take, cube="mine", tie=EXACT_TIE),
        )


MAX_WINDOWS: Final = 1800
"""Most pips of a doubler for a window: it ends below `MAX_PIPS`."""


def solve(limit: int) -> RaceTable:
    """Solve every pair of pip counts.

    Parameters
    ----------
    limit : int
        Greatest pip count of either side, 0 to `MAX_PIPS`.  200 take about a millisecond.

    Returns
    -------
    RaceTable

    Raises
    ------
    ArgumentError
        If `limit` is not an integer in that range.

    Notes
    -----
    Dotsenko and Marynych, equations (7) to (15), with the opponent's cube as a state of its own.  Safe to call from
    several threads.

    Examples
    --------
    >>> table = solve(200)
    >>> table.double_take[100, 113].round(6), bool(table.double[100, 113]), bool(table.take[100, 113])
    (np.float64(0.994076), True, True)
    """
    limit = scm.check_limit(limit)
    equities = kernel.equities(limit)
    _, _, theirs, no_double_centered, no_double_mine = equities
    double_take = 2 * theirs
    # A finished game keeps its value: it is not doubled.
    double_take[0], double_take[1:, 0] = 1, -1
    # The comparisons of bgrace.cube.action.decide without its verdicts: text for every cell takes longer than all else.
    doubled = np.minimum(double_take, 1)
    double = doubled >= no_double_centered - EXACT_TIE
    redouble = doubled >= no_double_mine - EXACT_TIE
    take = double_take <= 1 + EXACT_TIE
    for decision in (double, redouble, take):
        decision[0], decision[:, 0] = False, False
    return RaceTable(limit, *equities, double_take, double, redouble, take)


def bands(windows: Sequence[Window], column: str) -> list[Band]:
    """Group pip counts that share a lead, as Dotsenko and Marynych's Table 5 does.

    Parameters
    ----------
    windows : sequence of Window
        In rising order of k, without gaps.
    column : str
        ``"double"``, ``"redouble"`` or ``"take"``.

    Returns
    -------
    list of Band
        In rising order of k.

    Raises
    ------
    ArgumentError
        If `column` is none of these.

    Examples
    --------
    >>> [f"{band}: {band.lead}" for band in bands(solve(100).windows(45)[23:], "take")]
    ['23-26: 3', '27-31: 4', '32-37: 5', '38-44: 6', '45: 7']
    """
    as_choice("column", column, ("double", "redouble", "take"))
    listed: list[Band] = []
    for window in windows:
        lead = getattr(window, column)
        if listed and (listed[-1].last, listed[-1].lead) == (window.k - 1, lead):
            listed[-1] = Band(listed[-1].first, window.k, lead)
        elif lead is not None:
            listed.append(Band(window.k, window.k, lead))
    return listed
