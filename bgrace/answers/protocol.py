"""The protocol of sources of answers about a pair of positions.

A mapped file, tables in memory, a pair solved on the spot and an estimate are each a `PairAnswers`.  Users get a
`bgrace.Solution` around any of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from bgrace._base.arrays import JSON, Floats, as_json
from bgrace._kernels import answer as kernel
from bgrace._kernels.kinds import ChancesFound
from bgrace._kernels.lazy_numpy import np
from bgrace.board import Position
from bgrace.board.dice import ROLLS
from bgrace.board.plays import legal_plays
from bgrace.cube.action import Cube
from bgrace.errors import ArgumentError
from bgrace.match.stakes import Place, Stakes

if TYPE_CHECKING:
    from bgrace._kernels.probe import Probe
    from bgrace.answers.solution import Solution

__all__ = [
    "Bounds",
    "ChancesFound",
    "CubeBounds",
    "Gammons",
    "Interval",
    "KnownAnswers",
    "PairAnswers",
    "Pairs",
    "Values",
]


@dataclass(frozen=True, slots=True)
class Values:
    """Values of rolling now, without doubling, for the side that is on roll.

    Attributes
    ----------
    rows : buffer of float64, shape (planes,) or (positions, planes)
        Values by plane.
    places : mapping of str to Place
        For each place where the cube can be, seen by the player on roll of the pair, the plane of its value and those
        after a double, as in `bgrace.match.stakes.MONEY_PLACES`.  A place without values is left out; then `missing`
        says why.
    method : str
        Where the values come from: the same now and after any play.
    error : float
        0.0 if they are exact but for their encoding; else the greatest error found when estimates were compared with
        exact equities, in points per unit of the cube.
    missing : str, or None
        What is left out, and how to get it.
    answer : kernel.Answer, or None
        In results of `PairAnswers.now`: the answer of the C library, if it solved the pair.
    of_any_roll : bool
        In results of `PairAnswers.now`: whether `PairAnswers.after` takes results of several rolls at once, because
        the values of a pair do not depend on the roll that leads to it.
    chances : callable, or None
        In results of `PairAnswers.after`: a function that gives the chances after a result, in the order of
        bgr_chances, if they are known.
    """

    rows: array[float] | memoryview[float] | Floats
    places: Mapping[Cube, Place]
    method: str
    error: float = 0.0
    missing: str | None = None
    of_any_roll: bool = False
    answer: kernel.Answer | None = None
    chances: Callable[[Position], ChancesFound] | None = None


class Gammons(NamedTuple):
    """Chances of the player on roll to win or to lose a gammon or more, and a backgammon; None if unknown.

    Attributes
    ----------
    win, loss : float, or None
        Chance of at least a gammon.
    backgammon_win, backgammon_loss : float, or None
    method : str, or None
        Where they come from, as in `Solution.method`; ``"certain"`` if neither side can lose a gammon.
    """

    win: float | None
    loss: float | None
    backgammon_win: float | None
    backgammon_loss: float | None
    method: str | None


class PairAnswers(Protocol):
    """The source of answers about a pair of positions.  Any number of threads may call it at once."""

    def now(self) -> Values:
        """The value of the pair to the player on roll: one row."""

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """The value to the opponent, who is on roll then, after each result of a roll of the player on roll.

        All values are by one method, since an estimate should not be ranked against exact values.  Planes and places
        are as seen by the player who has moved: ``"mine"`` is still their cube while the opponent rolls.  No result is
        without checkers.
        """

    def win_probability(self) -> float:
        """Chance of the player on roll to win without a cube, if both sides play to win."""

    def gammons(self) -> Gammons:
        """Chances of gammons and backgammons; called only if one is possible and counts."""


class KnownAnswers:
    """Every answer about a pair, copied from another source: the contents of a pickled solution."""

    def __init__(self, answers: PairAnswers, on_roll: Position, gammons: bool) -> None:
        self._now = replace(answers.now(), of_any_roll=False, answer=None, chances=None)  # results are kept by roll
        self._win = answers.win_probability()
        self._gammons = answers.gammons() if gammons else None
        self._after: dict[tuple[Position, ...], Values] = {}
        for roll in ROLLS if on_roll.checkers else ():
            plays = legal_plays(on_roll, roll)
            results = tuple(result for result in plays if result.checkers)
            if results:
                # The places are those of now, or fewer; equal ones are stored once.
                values = answers.after(results, roll)
                known = {result: values.chances(result) for result in plays} if values.chances else None
                self._after[results] = replace(
                    values,
                    rows=np.array(values.rows),  # a copy, since a view of memory cannot be pickled
                    places=self._now.places if values.places == self._now.places else values.places,
                    chances=known.__getitem__ if known else None,
                )

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return self._now

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`; it takes all results of a roll."""
        return self._after[tuple(results)]

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return self._win

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        assert self._gammons is not None, "called only if a gammon is possible"
        return self._gammons


class Pairs(Protocol):
    """A table of pairs for money, such as a `bgrace.Database`."""

    @property
    def boundary(self) -> Probe | None:
        """Its pairs, in which the solution of longer races can end."""

    def solution(self, on_roll: Position, opponent: Position, stakes: Stakes) -> Solution:
        """Everything about a pair; CoverageError or PositionError if it is not in the table."""


class Interval(NamedTuple):
    """Proved bounds of a value: at least `low` and at most `high`."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """Difference of the bounds."""
        return self.high - self.low


@dataclass(frozen=True)
class CubeBounds:
    """Proved bounds with the cube in a place, in the unit of `Solution.cube_action`.

    Attributes
    ----------
    no_double, double_take : Interval
        Values of rolling now, and of a double that is taken; NaN if the player on roll may not double.
    value : Interval
        Value with the right to double first.
    verdict : str
        As in `CubeAction`; certainly right if `proved`.
    proved : bool
        Whether every value within the bounds gives this verdict.
    """

    no_double: Interval
    double_take: Interval
    value: Interval
    verdict: str
    proved: bool

    def to_dict(self) -> dict[str, JSON]:
        """As a dict that JSON can hold."""
        fields = as_json(self)
        return {**fields, "double_take": None} if self.verdict == "no cube" else fields


@dataclass(frozen=True)
class Bounds:
    """The proved bounds of a race, for the player on roll: see docs/proofs.md.

    Attributes
    ----------
    method : str
        ``"exact"``: all pairs were solved, and bounds enclose rounding only.  ``"confined"``: one side was confined to
        a shortlist, the other free.  ``"clocks"``: the other side bears off as early as any way to play allows.
    win : Interval
        The chance to win, if both sides play to win.
    gammon_win, gammon_loss : Interval
        The equity that one side's gammons add if both sides play for them: the chance of a gammon.
    positions, kept : tuple of int
        Numbers of positions that the player on roll and the opponent can come to, and of those in their shortlists.
    seconds : float
        The budget of the proof.

    Examples
    --------
    >>> import bgrace
    >>> bounds = bgrace.solve("5x1 6x1", "4x1 5x1", prove=True).bounds
    >>> bounds.method, bounds.cube("centered").verdict, bounds.cube("centered").proved
    ('exact', 'double/take', True)
    >>> round(bounds.win.low, 6), round(bounds.win.high, 6)
    (0.682403, 0.682403)
    """

    method: str
    win: Interval
    gammon_win: Interval
    gammon_loss: Interval
    positions: tuple[int, int]
    kept: tuple[int, int]
    seconds: float
    _places: dict[Cube, CubeBounds]

    def cube(self, place: Cube) -> CubeBounds:
        """The bounds with the cube in a place: ``"none"``, ``"centered"``, ``"mine"`` or ``"theirs"``.

        Raises
        ------
        ArgumentError
            If a cube of this value cannot be there.
        """
        if place not in self._places:
            raise ArgumentError(f"cube {place!r} cannot be there: use {', '.join(self._places)}")
        return self._places[place]

    @classmethod
    def of(cls, proof: kernel.Proof, places: tuple[Cube, ...]) -> Bounds | None:
        """Wrap the bounds of a proof for these cube positions; None if nothing was proved."""
        method, _, positions, kept, seconds = proof.info()
        if method == "none":
            return None
        win, gammon_win, gammon_loss = (Interval(*interval) for interval in proof.chances())
        cubes: dict[Cube, CubeBounds] = {}
        for place in places:
            rolled, doubled, value, verdict, proved = proof.cube(place)
            cubes[place] = CubeBounds(Interval(*rolled), Interval(*doubled), Interval(*value), verdict, proved)
        return cls(method, win, gammon_win, gammon_loss, positions, kept, seconds, cubes)

    def to_dict(self, place: Cube) -> dict[str, JSON]:
        """The fields by name, as values of JSON, with the cube in a place."""
        return as_json(self, "method", "seconds", "win", "gammon_win", "gammon_loss") | self.cube(place).to_dict()
