"""What a `bgrace.Database` asks: tables by the numbers of positions, wherever they are.

`Source` is the protocol; files answer it in `bgrace.database.stored`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, Protocol, TypeAlias, cast

import numpy as np

from bgrace._base.arrays import JSON, Floats, Integers
from bgrace.answers import Gammons, Solution, Values
from bgrace.board import OnePosition, Position, PositionLike, Positions, parse_position
from bgrace.board.position import PositionArray
from bgrace.board.spaces import PositionSpace, is_one
from bgrace.cube.action import Cube
from bgrace.errors import ArgumentError, ClosedError, CoverageError, PositionError
from bgrace.match.stakes import MONEY_PLACES, SEEN_BY_OTHER, Place, Rules, Stakes
from bgrace.tables.gammons import GAMMON_CHECKERS
from bgrace.tables.one_sided import one_sided_gammons, one_sided_win
from bgrace.tables.two_sided import Plane

if TYPE_CHECKING:  # few questions go beyond a file
    from bgrace.answers.question import Boundary


Moment: TypeAlias = Literal["epc", "mean_rolls", "variance_rolls"]
Four: TypeAlias = tuple[float, float, float, float]

BOTH_FINISHED: Final = "both sides have borne off all checkers: at most one side can have finished"

_ROWS_AT_A_TIME: Final = 1 << 16


class Source(Protocol):
    """Tables of one position and of pairs.

    Positions are their numbers in `space`, planes those of `bgrace.tables.two_sided.Plane`.

    Safe to call from several threads.  Arrays of results are the caller's own.
    """

    @property
    def path(self) -> Path:
        """The file."""

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

    def wins_at_once(self, on_roll: PositionArray, opponent: PositionArray) -> Floats | None:
        """`wins` of counts in one go; None if a pair has no answer, or these arrays have to be taken another way.

        `PositionSpace.index` and `wins` then do that, or say what is wrong.
        """

    def value_arrays_at_once(
        self,
        on_roll: PositionArray,
        opponent: PositionArray,
        planes: Sequence[int],
        jacoby: bool,
        doubling: bool,
        started: bool,
    ) -> Sequence[Floats] | None:
        """`value_arrays` in the same way; with `started`, None if a side has no checker left, too."""

    def worths(self, opponent: int, ends: list[int], plane: int, jacoby: bool, won: float) -> list[float]:
        """The value of having moved to each end; the opponent is on roll and may double.

        In the plane that the opponent then sees; `won` if that was the last checker.
        """

    def why_not_covered(self, checkers: int) -> str:
        """Say why positions of this many checkers have no cubeful equities, and what would give them."""

    def info(self) -> dict[str, JSON]:
        """The contents of the file and how it was made, as JSON would have it."""


class ArrayAnswers(ABC):
    """Single positions and pairs of a `Source` that answers by arrays."""

    @property
    def boundary(self) -> Boundary | None:
        """See `Source.boundary`."""
        return None

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

    def wins_at_once(self, on_roll: PositionArray, opponent: PositionArray) -> Floats | None:
        """See `Source.wins_at_once`."""
        return None

    def value_arrays_at_once(
        self,
        on_roll: PositionArray,
        opponent: PositionArray,
        planes: Sequence[int],
        jacoby: bool,
        doubling: bool,
        started: bool,
    ) -> Sequence[Floats] | None:
        """See `Source.value_arrays_at_once`."""
        return None

    def worths(self, opponent: int, ends: list[int], plane: int, jacoby: bool, won: float) -> list[float]:
        """See `Source.worths`: all at once."""
        left = np.array([end for end in ends if end], np.int64)
        (values,) = self.value_arrays(np.full(left.shape, opponent), left, (plane,), jacoby, True)
        worths = iter((0.0 - values).tolist())  # no -0.0
        return [next(worths) if end else won for end in ends]


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


def read_one(pos: OnePosition | Positions) -> Position:
    """Read one position; PositionError for an array of them."""
    if not is_one(pos):
        raise PositionError("this takes one pair of positions, not an array")
    return parse_position(cast(PositionLike, pos))


def pair_indices(
    space: PositionSpace, on_roll: OnePosition | Positions, opponent: OnePosition | Positions
) -> tuple[int | Integers, int | Integers]:
    """Indices of both sides: two ints, or two int64 arrays of one shape."""
    mine: Any = space.index(on_roll)
    theirs: Any = space.index(opponent)
    if isinstance(mine, int) and isinstance(theirs, int):
        started = mine > 0 or theirs > 0
    else:
        # Asked of the sides as they are given: spread out they may be many times as many.
        started = bool(np.all(mine) or np.all(theirs))
        try:
            mine, theirs = np.broadcast_arrays(mine, theirs)
        except ValueError:
            raise ArgumentError(
                f"{np.shape(mine)} positions on roll and {np.shape(theirs)} opponents: give shapes that broadcast"
            ) from None
        started = started or bool(np.logical_or(mine, theirs).all())
    if not started:
        raise PositionError(BOTH_FINISHED)
    return mine, theirs


def check_covered(source: Source, mine: int | Integers, theirs: int | Integers, with_cube: bool = True) -> None:
    """Raise CoverageError for pairs beyond the table."""
    if isinstance(mine, int) and isinstance(theirs, int):
        most = max(mine, theirs)
    else:
        most = int(max(np.max(mine, initial=0), np.max(theirs, initial=0)))
    if most >= source.n_pairs:
        raise CoverageError(source.why_not_covered(source.space.position(most).checkers))
    if with_cube and not source.cubeful:
        raise CoverageError(no_cube(source))


_NO_CUBE: Final[Mapping[Cube, Place]] = {"none": MONEY_PLACES["none"]}


def money_solution(
    source: Source,
    on_roll: Position,
    opponent: Position,
    rules: Rules | None = None,
    *,
    cube_value: int = 1,
) -> Solution:
    """Everything about a pair of the table; CoverageError if it is not there."""
    indices = source.space.index(on_roll), source.space.index(opponent)
    if not any(indices):
        raise PositionError(BOTH_FINISHED)
    check_covered(source, *indices, with_cube=False)
    sides = source.space.position(indices[0]), source.space.position(indices[1])
    full = GAMMON_CHECKERS in (on_roll.checkers, opponent.checkers)
    rules = Rules(gammons=source.gammons or not full) if rules is None else rules
    if full and rules.gammons != source.gammons:
        counts = "counts" if source.gammons else "does not count"
        raise CoverageError(f"{source.path} {counts} gammons, and these rules differ: solve the pair (bgrace.solve)")
    stakes = Stakes.money(rules, cube_value)
    return Solution(*sides, stakes, _StoredPair(source, sides, indices, stakes.rules))


class _StoredPair:
    """A pair of a file: a `PairAnswers`."""

    def __init__(
        self, source: Source, sides: tuple[Position, Position], indices: tuple[int, int], rules: Rules
    ) -> None:
        self._source, self._sides, self._indices, self._rules = source, sides, indices, rules

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        if not self._source.cubeful:
            mine, theirs = (np.array(index) for index in self._indices)
            (cubeless,) = self._source.value_arrays(mine, theirs, (Plane.CUBELESS,), False, False)
            return self._cubeless(cubeless.reshape(1))
        return self._values(np.array(self._source.values(*self._indices, self._rules.jacoby, False)))

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`."""
        ends = np.asarray(self._source.space.index(np.array(results)))
        opponent = np.full(ends.shape, self._indices[1])
        planes = SEEN_BY_OTHER if self._source.cubeful else (Plane.CUBELESS,)
        columns = self._source.value_arrays(opponent, ends, planes, self._rules.jacoby, False)
        rows = np.stack(columns, axis=-1)
        return self._values(rows) if self._source.cubeful else self._cubeless(rows)

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return self._source.win(*self._indices)

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        full = [side.checkers == GAMMON_CHECKERS for side in self._sides]
        if not all(full):
            cubeless = self._source.values(*self._indices, False, False)[Plane.CUBELESS]
            difference = cubeless - (2 * self.win_probability() - 1)
            return Gammons(max(difference, 0.0), max(-difference, 0.0), None, None, "two-sided")
        try:
            firsts = [
                self._source.first_checker_rolls(k) if all_there else None
                for k, all_there in zip(self._indices, full, strict=True)
            ]
        except CoverageError:  # a file made of GNU Backgammon's may lack them
            return Gammons(None, None, None, None, None)
        chances = one_sided_gammons(*(self._source.rolls(k) for k in self._indices), *firsts)
        return Gammons(*chances, None, None, "one-sided")

    def _values(self, rows: Floats) -> Values:
        source = self._source
        # What a pair of the table can come to is in the table, too.
        return Values(rows, MONEY_PLACES, "two-sided", source.error, precision=source.precision, of_any_roll=True)

    def _cubeless(self, rows: Floats) -> Values:
        missing = no_cube(self._source)
        return Values(
            rows, _NO_CUBE, "two-sided", self._source.error, precision=self._source.precision, missing=missing
        )
