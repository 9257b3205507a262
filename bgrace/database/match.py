"""Questions to a database for one score of a match."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import comb
from typing import Final

import numpy as np

from bgrace._base.arrays import Booleans, Floats, Integers
from bgrace.answers import Gammons, Solution, Values
from bgrace.answers.alone import estimated_gammons
from bgrace.board import Position
from bgrace.board.position import check_not_over
from bgrace.cube.action import Cube
from bgrace.database.money import Database
from bgrace.database.sources import Asked, one_sided_wins
from bgrace.database.store import Access, StoredTables, Verify, read_tables
from bgrace.database.store.schema import DATASETS
from bgrace.database.stored import OneSidedArrays
from bgrace.errors import ArgumentError, CoverageError, FormatError
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score, check_score
from bgrace.match.stakes import Place, Rules, ScoreStates, Stakes
from bgrace.tables.gammons import GAMMON_CHECKERS

_METHOD: Final = "match database"

_TABLES: Final = {"two_sided/order", *(name for name in DATASETS if name.startswith("match/"))}
"""The needs of pairs at a score."""

_SWAPPED: Final[Mapping[Cube, Cube]] = {"mine": "theirs", "theirs": "mine"}
"""The planes are the first player's: what is mine to the second is theirs to the first."""


def open_match(path: str | os.PathLike[str], access: Access = "map", *, verify: Verify = False) -> MatchDatabase:
    """Open a database for one score of a match; `bgrace.open` does so, too, with the same arguments.

    Raises
    ------
    FormatError
        If it is not such a file, or for any reason that `bgrace.open` has.
    OSError
        If it cannot be read.
    """
    return MatchDatabase(read_tables(path, access, verify))


_MIN_GAMMON: Final = 1e-3
"""Least points that a gammon must be worth beyond a win for its chance to follow from equities."""


@dataclass(frozen=True, slots=True)
class _StoredPair:
    """One pair of a file for a score: a `PairAnswers`."""

    source: _MatchSource
    sides: tuple[Position, Position]
    first: int  # 0 if the player on roll is the first player, else 1
    places: Mapping[Cube, Place]
    gammon_worth: tuple[float, float]
    """The value of a gammon to either side without a cube, in units of a win."""

    def now(self) -> Values:
        """See `PairAnswers.now`."""
        return self._values(self.source.row(self.first, *map(self.source.rank, self.sides)))

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        """See `PairAnswers.after`."""
        theirs, read = self.source.rank(self.sides[1]), self.source.row
        ranks = [self.source.rank(result) for result in results]
        return self._values(np.stack([read(1 - self.first, theirs, rank) for rank in ranks]))

    def win_probability(self) -> float:
        """See `PairAnswers.win_probability`."""
        return (1 + float(self.now().rows[0])) / 2

    def gammons(self) -> Gammons:
        """See `PairAnswers.gammons`."""
        on_roll, opponent = self.sides
        extra = 0.0
        if on_roll.checkers != opponent.checkers:
            extra = self.gammon_worth[0 if opponent.checkers == GAMMON_CHECKERS else 1] - 1
        if extra < _MIN_GAMMON:
            return estimated_gammons(on_roll, opponent)
        row = self.now().rows
        difference = float(row[self.places["none"].plane] - row[0]) / extra
        return Gammons(max(difference, 0.0), max(-difference, 0.0), None, None, _METHOD)

    def _values(self, rows: Floats) -> Values:
        return Values(rows, self.places, _METHOD, of_any_roll=True)


class _MatchSource(OneSidedArrays):
    """The contents of a file for a score: a `bgrace.database.sources.Source`.

    Values of pairs depend on the score, and come with a solution only.
    """

    precision: Final = "float64"
    error: Final = 0.0
    cubeful: Final = True

    def __init__(self, stored: StoredTables) -> None:
        directory, head = stored.directory, stored.directory.match
        if head is None:
            raise FormatError(f"{stored.path} is a database for money, not for a match score: bgrace.open asks it")
        missing = _TABLES - stored.tables.keys()
        if missing:
            raise FormatError(f"{stored.path} is damaged: it lacks {', '.join(sorted(missing))}; build it again")
        super().__init__(stored)
        pre, post, numbers, columns, order = (
            np.array(stored.tables[name])
            for name in (
                "match/pre_crawford",
                "match/post_crawford",
                "match/planes",
                "match/columns",
                "two_sided/order",
            )
        )
        try:
            self.score = Score(head.first_needs, head.second_needs, head.crawford)
            self.table = MatchEquityTable.from_arrays(pre, post, head.met_name)
            states = ScoreStates.of(Stakes.at(self.score, self.table), self.gammons)
        except ArgumentError as error:
            raise FormatError(f"{self.path} is damaged: {error}; build it again") from error
        self.two_sided_checkers: int = directory.two_sided_checkers
        self.n_pairs: int = comb(directory.points + self.two_sided_checkers, directory.points)
        planes, n = states.to_array(), self.n_pairs
        values = stored.tables["match/values"]
        if numbers.shape != planes.shape or not np.allclose(numbers, planes, rtol=0, atol=1e-12):
            raise FormatError(
                f"{self.path} has other cube planes than its score and its match equity table make: build it again"
            )
        whole = (
            order.shape == (n,)
            and values.ndim == 3
            and values.shape[:2] == (n, n)
            and columns.shape == (2, len(planes))
            and bool((np.sort(order) == np.arange(n)).all())
            and bool(((columns >= 0) & (columns < values.shape[2])).all())
        )
        if not whole:
            raise FormatError(f"{self.path} is damaged: its tables don't fit each other; build it again")
        self._rank_of = np.argsort(order)
        self.columns = columns.astype(np.intp)
        self._table = values

    @property
    def played_for(self) -> tuple[Score | None, MatchEquityTable | None]:
        """See `Source.played_for`."""
        return self.score, self.table

    def wins(self, on_roll: Integers, opponent: Integers) -> Floats:
        """See `Source.wins`."""
        covered: Booleans = (on_roll < self.n_pairs) & (opponent < self.n_pairs)
        chances = np.empty(on_roll.shape)
        # Plane 0 is the same for either side.
        ranks = self._rank_of[on_roll[covered]], self._rank_of[opponent[covered]]
        chances[covered] = (1 + self._table[(*ranks, self.columns[0, 0])]) / 2
        if not covered.all():
            chances[~covered] = one_sided_wins(self, on_roll[~covered], opponent[~covered])
        return self.possible(chances, 1.0, "a chance to win")

    def value_arrays(
        self, on_roll: Integers, opponent: Integers, planes: Sequence[int], jacoby: bool, doubling: bool
    ) -> Sequence[Floats]:
        """See `Source.value_arrays`."""
        raise CoverageError(
            f"{self.path} is for {self.score}, where values depend on the cube: ask for a solution of one pair"
        )

    def why_not_covered(self, checkers: int) -> str:
        """See `Source.why_not_covered`."""
        return (
            f"pairs of {checkers} checkers are not in {self.path}, which has up to {self.two_sided_checkers} a side: "
            "build a larger one, or use bgrace.solve"
        )

    def solution(self, on_roll: Position, opponent: Position, asked: Asked) -> Solution:
        """See `Source.solution`."""
        sides = (on_roll, opponent)
        check_not_over(on_roll, opponent)
        for side in sides:
            if side.checkers > self.two_sided_checkers or side.highest > self.space.points:
                raise CoverageError(
                    f"{side} is not in a pair of {self.path}, which has up to {self.two_sided_checkers} checkers a "
                    f"side on {self.space.points} points: build a larger one, or use bgrace.solve"
                )
        match, met, rules = asked.match, asked.met, asked.rules
        score = self.score if match is None else match
        if _plain(score) not in (_plain(self.score), _plain(self.score.swapped)):
            raise ArgumentError(f"{self.path} is for {self.score}, not for {score}: build a file, or use bgrace.solve")
        if met is not None and met.sha256 != self.table.sha256:
            raise ArgumentError(f"{self.path} is for {self.table.name}, not for {met.name}: leave out met=")
        first = 0 if _plain(score) == _plain(self.score) else 1
        full = GAMMON_CHECKERS in (sides[0].checkers, sides[1].checkers)
        rules = Rules(gammons=self.gammons or not full) if rules is None else rules
        if full and rules.gammons != self.gammons:
            counts = "counts" if self.gammons else "does not count"
            raise CoverageError(f"{self.path} {counts} gammons, and these rules differ: use bgrace.solve")
        stakes = Stakes(replace(rules, jacoby=rules.jacoby or asked.jacoby), score, self.table, asked.cube_value)
        return Solution(*sides, stakes, self._pair(sides, first, stakes))

    def _pair(self, sides: tuple[Position, Position], first: int, stakes: Stakes) -> _StoredPair:
        states = ScoreStates.of(Stakes.at(self.score, self.table), self.gammons)
        states_of = {
            cube: states.state(stakes.cube_value, _SWAPPED.get(cube, cube) if first else cube) for cube in stakes.cubes
        }
        won, lost = states.planes[states_of["none"].plane, :, 1].tolist()
        gammon_worth = (lost, won) if first else (won, lost)
        places = {cube: state.swapped(stakes.total) if first else state for cube, state in states_of.items()}
        return _StoredPair(self, sides, first, places, gammon_worth)

    def rank(self, position: Position) -> int:
        """Row of a position."""
        return int(self._rank_of[self.space.index(position)])

    def row(self, side: int, rank: int, opponent_rank: int) -> Floats:
        """The contents of the planes for the first player (0) or the second (1) on roll."""
        row: Floats = self._table[rank, opponent_rank][self.columns[side]].astype(np.float64)
        return row


class MatchDatabase(Database):
    """A database for one score of a match, open for reading.

    Pairs are answered exactly, in float64, where their table reaches; one position as in any database.  Use it as a
    context manager; any number of threads may ask.

    Attributes
    ----------
    path : Path
    score : Score
        What the first player and the second need, and whether it is the Crawford game.
    table : MatchEquityTable
        What scores are worth; it comes with the file.
    space : PositionSpace
        Every position that the one-sided tables hold.
    gammons : bool
        Whether a loser with all 15 checkers loses double.

    Raises
    ------
    FormatError
        If what the file holds contradicts itself.

    Examples
    --------
    >>> import tempfile
    >>> import bgrace
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plan = bgrace.build(f"{folder}/3-5.h5", checkers=2, match=Score(3, 5))
    ...     with open_match(f"{folder}/3-5.h5") as db:
    ...         print(db.cube_action("5x1 6x1", "4x1 5x1"))
    ...         print(db.cube_action("5x1 6x1", "4x1 5x1", cube_value=2, match=Score(5, 3)))
    double/take (3-away, 5-away, cube 1 centered): no double 69.37 %, double/take 71.71 %, double/pass 74.36 %
    double/pass (5-away, 3-away, cube 2 mine): no double 40.82 %, double/take 51.23 %, double/pass 50.00 %
    """

    def __init__(self, stored: StoredTables) -> None:
        source = _MatchSource(stored)
        super().__init__(source)
        self._access: Access = stored.access
        self._verify: Verify = "lazily" if stored.lazily else False
        self.score: Score = source.score
        self.table: MatchEquityTable = source.table
        self.gammons: bool = source.gammons

    def __reduce__(self) -> tuple[Callable[..., Database], tuple[object, ...]]:
        """Pickle as the file's name."""
        return partial(open_match, verify=self._verify), (self.path.absolute(), self._access)

    def __repr__(self) -> str:
        return f"<bgrace.MatchDatabase {self.path}: {self.score}, up to {self.two_sided_checkers} checkers a side>"


def _plain(score: Score) -> tuple[int, int, bool]:
    check_score(score)
    return score.on_roll_needs, score.opponent_needs, score.kind == "Crawford"
