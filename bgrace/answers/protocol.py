"""The protocol that answers a pair of positions: the one thing to write for a new way to answer.

A mapped file, tables in memory, a pair solved on the spot, an estimate:
each is a `PairAnswers`, and `bgrace.Solution` is what users hold of any of them.
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
        What the planes of the cube hold.
    places : mapping of str to Place
        For each place that the cube can be in, as the player on roll of the pair sees it, the plane of its value and
        those that a double leads to, as in `bgrace.match.stakes.MONEY_PLACES`.  A place that these answers know nothing
        of is left out; then `missing` says why.
    method : str
        Where the values come from: the same now and after any play.
    error : float
        0.0 if they are exact but for their encoding; else the greatest error that was found where estimates were
        compared with exact equities, in points per unit of the cube.
    missing : str, or None
        What is left out, and what would give it.
    answer : kernel.Answer, or None
        In what `PairAnswers.now` gives: what the C library gave, if it solved the pair.
    of_any_roll : bool
        In what `PairAnswers.now` gives: whether `PairAnswers.after` may be asked for results of several rolls at once,
        because the values of a pair are the same whatever roll leads to it.
    chances : callable, or None
        In what `PairAnswers.after` gives: the chances after a result, in the order of bgr_chances, if they are known.
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
    """Chances of the player on roll to win or to lose a gammon or more, and a backgammon; None where not known.

    Attributes
    ----------
    win, loss : float, or None
        At least a gammon.
    backgammon_win, backgammon_loss : float, or None
    method : str, or None
        Where they come from, as `Solution.method`; ``"certain"`` where neither side can lose a gammon.
    """

    win: float | None
    loss: float | None
    backgammon_win: float | None
    backgammon_loss: float | None
    method: str | None


class PairAnswers(Protocol):
    """The source of answers about a pair of positions.  Called by any number of threads at once."""

    def now(self) -> Values:
        """The value of the pair to the player on roll: one row."""

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """The value to the opponent, who is on roll then, after each result of a roll of the player on roll.

        All by one method: a mixture could rank an estimate above an exact value.  The planes and places are those of
        the player on roll: what is mine to them still is, while the opponent rolls.  No result has borne off its last
        checker.
        """

    def win_probability(self) -> float:
        """Chance of the player on roll to win, both sides playing to win, without a cube."""

    def gammons(self) -> Gammons:
        """Chances of gammons and backgammons; asked only where one can happen, and counts."""


class KnownAnswers:
    """Every answer about a pair, copied from another source: the contents of a pickled solution."""

    def __init__(self, answers: PairAnswers, on_roll: Position, gammons: bool) -> None:
        self._now = replace(answers.now(), of_any_roll=False, answer=None, chances=None)  # they are kept by roll
        self._win = answers.win_probability()
        self._gammons = answers.gammons() if gammons else None
        self._after: dict[tuple[Position, ...], Values] = {}
        for roll in ROLLS if on_roll.checkers else ():
            plays = legal_plays(on_roll, roll)
            results = tuple(result for result in plays if result.checkers)
            if results:
                # The places are those of now, or fewer; one copy of equal ones is enough.
                values = answers.after(results, roll)
                known = {result: values.chances(result) for result in plays} if values.chances else None
                self._after[results] = replace(
                    values,
                    rows=np.array(values.rows),  # which can be pickled, other than a view of memory
                    places=self._now.places if values.places == self._now.places else values.places,
                    chances=known.__getitem__ if known else None,
                )

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return self._now

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`; of all plays of a roll."""
        return self._after[tuple(results)]

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return self._win

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        assert self._gammons is not None, "asked only where a gammon can happen, which has been seen to"
        return self._gammons


class Pairs(Protocol):
    """A table of pairs for money, as `bgrace.Database` is one."""

    @property
    def boundary(self) -> Probe | None:
        """Its pairs for solving longer races, which end in them."""

    def solution(self, on_roll: Position, opponent: Position, stakes: Stakes) -> Solution:
        """Everything about a pair; CoverageError or PositionError if it is not in the table."""


class Interval(NamedTuple):
    """A value that is proved to be no less than `low` and no more than `high`."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """How far they are apart."""
        return self.high - self.low


@dataclass(frozen=True)
class CubeBounds:
    """One place of the cube, in the unit of `Solution.cube_action`.

    Attributes
    ----------
    no_double, double_take : Interval
        Rolling now, and a double that is taken; NaN where the player on roll may not double.
    value : Interval
        With the right to double first.
    verdict : str
        As in `CubeAction`; the right one if it is proved.
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
        told = as_json(self)
        return {**told, "double_take": None} if self.verdict == "no cube" else told


@dataclass(frozen=True)
class Bounds:
    """The proved bounds of a race, for the player on roll: see docs/proofs.md.

    Attributes
    ----------
    method : str
        ``"exact"``, all pairs: bounds enclose the rounding alone.  ``"confined"``: one side confined to a shortlist and
        the other free.  ``"clocks"``: the other side off as soon as any way to play can be.
    win : Interval
        The chance to win, both sides playing to win.
    gammon_win, gammon_loss : Interval
        What one side's gammons add to that, both sides playing for them: the chance of one.
    positions, kept : tuple of int
        How many positions the player on roll and the opponent can come to, and how many their shortlists keep.
    seconds : float
        The budget that it was proved within.

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
        """As a dict that JSON can hold, with the cube in a place."""
        return as_json(self, "method", "seconds", "win", "gammon_win", "gammon_loss") | self.cube(place).to_dict()
