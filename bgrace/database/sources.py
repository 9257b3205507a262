"""What a `bgrace.Database` asks: tables by the numbers of positions, wherever they are.

`Source` is the protocol.  Files for money answer it in `bgrace.database.stored`, those for a score in
`bgrace.database.match`, those of GNU Backgammon in `bgrace.interop.gnubg`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, NoReturn, Protocol, TypeAlias

import numpy as np

from bgrace._base.arrays import JSON, Floats, Integers
from bgrace.answers import Solution
from bgrace.board import Position
from bgrace.board.spaces import PositionSpace
from bgrace.errors import ClosedError
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score
from bgrace.match.stakes import Rules
from bgrace.tables.one_sided import one_sided_win
from bgrace.tables.two_sided import Plane

if TYPE_CHECKING:  # few questions go beyond a file
    from bgrace.solving.question import Boundary


Moment: TypeAlias = Literal["epc", "mean_rolls", "variance_rolls"]
Four: TypeAlias = tuple[float, float, float, float]

BOTH_FINISHED: Final = "both sides have borne off all checkers: at most one side can have finished"

_ROWS_AT_A_TIME: Final = 1 << 16


class Asked(NamedTuple):
    """The stakes that a pair is to be answered for: the arguments of `bgrace.Database.solution`."""

    rules: Rules | None
    jacoby: bool
    match: Score | None
    met: MatchEquityTable | None
    cube_value: int


class Source(Protocol):
    """Tables of one position and of pairs.

    Positions are their numbers in `space`, planes those of `bgrace.tables.two_sided.Plane`.

    Safe to call from several threads.  Arrays of results are the caller's own.
    """

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def played_for(self) -> tuple[Score | None, MatchEquityTable | None]:
        """The stakes of its pairs: a score and its equity table, or None and None for money."""

    @property
    def boundary(self) -> Boundary | None:
        """Its pairs for the solver of races by turns, if that can look them up."""

    @property
    def space(self) -> PositionSpace:
        """Every position that the tables hold."""

    @property
    def two_sided_checkers(self) -> int:
        """Maximum checkers per side in the table of pairs; 0 without one."""

    @property
    def n_pairs(self) -> int:
        """How many positions, from number 0 on, the table of pairs covers."""

    @property
    def cubeful(self) -> bool:
        """Whether pairs have more than cubeless equities."""

    @property
    def gammons(self) -> bool:
        """Whether equities count gammons."""

    @property
    def precision(self) -> str:
        """The encoding of equities."""

    @property
    def error(self) -> float:
        """The greatest error of an equity; 0.0 if none has any but that of its encoding."""

    def moment(self, name: Moment, index: int) -> float:
        """Expected pip count, mean or variance of the number of rolls."""

    def moments(self, name: Moment, index: Integers) -> Floats:
        """Expected pip counts, means or variances of many positions."""

    def rolls(self, index: int | Integers) -> Floats:
        """Chances of being off in exactly 0, 1, ... rolls, shape (..., width)."""

    def first_checker_rolls(self, index: int | Integers) -> Floats:
        """Chances that the first of 15 checkers comes off on exactly roll 0, 1, ...; CoverageError where not known."""

    def win(self, on_roll: int, opponent: int) -> float:
        """Chance to win, exact where pairs reach, else estimated from the two sides' rolls."""

    def wins(self, on_roll: Integers, opponent: Integers) -> Floats:
        """Chances to win many pairs; both arrays have one shape."""

    def values(self, on_roll: int, opponent: int, jacoby: bool, doubling: bool) -> Four:
        """Equities of rolling now in each plane; with `doubling`, centered and mine include the right to double.

        Callers ask only about pairs that the table covers.
        """

    def value_arrays(
        self, on_roll: Integers, opponent: Integers, planes: Sequence[int], jacoby: bool, doubling: bool
    ) -> Sequence[Floats]:
        """Equities of many pairs, as `values` has them, in the planes asked for; both arrays have one shape."""

    def why_not_covered(self, checkers: int) -> str:
        """Say why positions of this many checkers have no cubeful equities, and what would give them."""

    def solution(self, on_roll: Position, opponent: Position, asked: Asked) -> Solution:
        """Everything about a pair of which a side has a checker left."""

    def info(self) -> dict[str, JSON]:
        """The contents of the file and how it was made, as JSON would have it."""


class ArrayAnswers(ABC):
    """Single positions and pairs of a `Source` that answers by arrays, for money."""

    @property
    def boundary(self) -> Boundary | None:
        """See `Source.boundary`."""
        return None

    @property
    def played_for(self) -> tuple[Score | None, MatchEquityTable | None]:
        """See `Source.played_for`."""
        return None, None

    @abstractmethod
    def moments(self, name: Moment, index: Integers) -> Floats:
        """See `Source.moments`."""

    @abstractmethod
    def wins(self, on_roll: Integers, opponent: Integers) -> Floats:
        """See `Source.wins`."""

    @abstractmethod
    def value_arrays(
        self, on_roll: Integers, opponent: Integers, planes: Sequence[int], jacoby: bool, doubling: bool
    ) -> Sequence[Floats]:
        """See `Source.value_arrays`."""

    def moment(self, name: Moment, index: int) -> float:
        """See `Source.moment`."""
        return float(self.moments(name, np.array(index)))

    def win(self, on_roll: int, opponent: int) -> float:
        """See `Source.win`."""
        return float(self.wins(np.array(on_roll), np.array(opponent)))

    def values(self, on_roll: int, opponent: int, jacoby: bool, doubling: bool) -> Four:
        """See `Source.values`."""
        values = self.value_arrays(np.array(on_roll), np.array(opponent), tuple(Plane), jacoby, doubling)
        cubeless, mine, centered, theirs = (float(value) for value in values)
        return cubeless, mine, centered, theirs


def one_sided_wins(source: Source, on_roll: Integers, opponent: Integers) -> Floats:
    """Chances to win as they follow from the two sides' rolls alone, for pairs of one shape (n,)."""
    result = np.empty(on_roll.shape)
    for start in range(0, on_roll.size, _ROWS_AT_A_TIME):
        part = slice(start, start + _ROWS_AT_A_TIME)
        result[part] = one_sided_win(source.rolls(on_roll[part]), source.rolls(opponent[part]))
    return result


class ClosedSource:
    """Stands in for what a closed database had."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def refuse(self) -> NoReturn:
        """Raise ClosedError."""
        raise ClosedError(f"{self.path} is closed: open it again")

    def __getattr__(self, name: str) -> NoReturn:
        self.refuse()

    def __reduce__(self) -> NoReturn:
        self.refuse()


def no_cube(source: Source) -> str:
    """Why tables without cubeful equities have no answer with a cube."""
    return f"{source.path} has no cubeful equities: ask it for win probabilities only"
