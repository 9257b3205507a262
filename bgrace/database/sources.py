"""Questions about pairs, put to the tables of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, cast

import numpy as np

from bgrace._base.arrays import Floats, Integers
from bgrace.answers import Gammons, Solution, Values
from bgrace.board import OnePosition, Position, PositionLike, Positions, parse_position
from bgrace.board.spaces import PositionSpace, is_one
from bgrace.cube.action import Cube
from bgrace.database.stored import Source
from bgrace.errors import ArgumentError, ClosedError, CoverageError, PositionError
from bgrace.match.stakes import MONEY_PLACES, SEEN_BY_OTHER, Place, Rules, Stakes
from bgrace.tables.gammons import GAMMON_CHECKERS
from bgrace.tables.one_sided import n_fewer_checkers, one_sided_gammons
from bgrace.tables.two_sided import Plane

BOTH_FINISHED: Final = "both sides have borne off all checkers: at most one side can have finished"


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


def money_solution(source: Source, on_roll: Position, opponent: Position, stakes: Stakes | None = None) -> Solution:
    """Everything about a pair of the table; CoverageError if it is not there."""
    indices = source.space.index(on_roll), source.space.index(opponent)
    if not any(indices):
        raise PositionError(BOTH_FINISHED)
    check_covered(source, *indices, with_cube=False)
    sides = source.space.position(indices[0]), source.space.position(indices[1])
    full = GAMMON_CHECKERS in (on_roll.checkers, opponent.checkers)
    if stakes is None:
        stakes = Stakes.money(Rules(gammons=source.gammons or not full))
    check_gammons(source, money_rules(source, stakes), *indices)
    return Solution(*sides, stakes, _StoredPair(source, sides, indices, stakes.rules))


def money_rules(source: Source, stakes: Stakes | None) -> Rules:
    """Return the rules of a question; CoverageError if its stakes are not for money."""
    if stakes is None:
        return Rules(gammons=source.gammons)
    if stakes.score is not None:
        raise CoverageError(f"{source.path} is for money, not for {stakes}: solve the pair (bgrace.solve)")
    return stakes.rules


def agrees(source: Source, rules: Rules) -> bool:
    """Whether no pair of the table depends on gammons, or they count there as in the rules."""
    return rules.gammons == source.gammons or source.two_sided_checkers < GAMMON_CHECKERS


def check_gammons(source: Source, rules: Rules, mine: int | Integers, theirs: int | Integers) -> None:
    """Raise CoverageError for pairs in which a side has 15 checkers, if the rules differ on gammons."""
    if agrees(source, rules):
        return
    first = n_fewer_checkers(source.space, GAMMON_CHECKERS)
    if max(np.max(mine, initial=0), np.max(theirs, initial=0)) >= first:
        counts = "counts" if source.gammons else "does not count"
        raise CoverageError(f"{source.path} {counts} gammons, and these rules differ: solve the pair (bgrace.solve)")


class _StoredPair:
    """A pair of a file: a `PairAnswers`."""

    def __init__(
        self, source: Source, sides: tuple[Position, Position], indices: tuple[int, int], rules: Rules
    ) -> None:
        self._source, self._sides, self._indices, self._rules = source, sides, indices, rules

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        values = self._source.values(*self._indices, self._rules.jacoby, False)
        return self._values(np.array(values[: len(self._source.planes)]))

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`."""
        ends = np.asarray(self._source.space.index(np.array(results)))
        opponent = np.full(ends.shape, self._indices[1])
        planes = SEEN_BY_OTHER if self._source.cubeful else (Plane.CUBELESS,)
        columns = self._source.value_arrays(opponent, ends, planes, self._rules.jacoby, False)
        rows = np.stack(columns, axis=-1)
        return self._values(rows)

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
        if not source.cubeful:
            return Values(rows, _NO_CUBE, "two-sided", source.error, "int16", missing=no_cube(source))
        # The table has every pair that a pair of the table can come to.
        return Values(rows, MONEY_PLACES, "two-sided", source.error, "int16", of_any_roll=True)
