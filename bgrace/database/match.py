"""Questions to a database for one score of a match."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from bgrace._base.arrays import Floats
from bgrace.board import Position, parse_position
from bgrace.board.spaces import PositionLike, PositionSpace
from bgrace.cube.action import Cube
from bgrace.database.store import StoredMatch, read_match_file
from bgrace.database.store.match_file import MATCH_DATASETS
from bgrace.errors import ArgumentError, ClosedError, CoverageError, FormatError, PositionError
from bgrace.match.cube_states import CubeStates, Payoff
from bgrace.match.exact import MatchAction, MatchPlay, MatchSolution
from bgrace.match.met import MatchEquityTable
from bgrace.match.score import Score, check_cube_value, check_score

__all__ = ["MatchDatabase", "open_match"]


def open_match(path: str | os.PathLike[str]) -> MatchDatabase:
    """Open a database for one score of a match; `bgrace.open` does so, too.

    Raises
    ------
    FormatError
        If it is no such file, is of a version that this bgrace does not know, or is damaged.
    OSError
        If it cannot be read.
    """
    return MatchDatabase(read_match_file(path))


@dataclass(frozen=True, slots=True)
class _StoredPair:
    """One pair of a file, as a solution asks for it."""

    database: MatchDatabase
    side: int  # of the player on roll: 0 if he is the first player
    ranks: tuple[int, int]

    def now(self) -> Floats:
        return self.database._values(self.side, *self.ranks)

    def answers(self, result: Position) -> Floats:
        return self.database._values(1 - self.side, self.ranks[1], self.database._rank(result))


class MatchDatabase:
    """A database for one score of a match, open for reading.

    Every answer is exact: the file holds float64.  Use it as a context manager; any number of threads may ask.

    Attributes
    ----------
    path : Path
    score : Score
        What the first player and the second need, and whether it is the Crawford game.
    table : MatchEquityTable
        What scores are worth; it comes with the file.
    space : PositionSpace
        The positions of either side.
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

    def __init__(self, stored: StoredMatch) -> None:
        facts = stored.attributes
        self.path: Path = stored.path
        self._stored: StoredMatch | None = stored
        try:
            self.space = PositionSpace(facts["points"], facts["checkers"])
            self.score = Score(facts["first_needs"], facts["second_needs"], facts["crawford"])
            self.table = MatchEquityTable.from_arrays(
                stored.tables["pre_crawford"].copy(), stored.tables["post_crawford"].copy(), facts["met_name"]
            )
            self.gammons: bool = facts["gammons"]
            states = CubeStates.of_score(Payoff(self.table, self.score), self.gammons)
        except ArgumentError as error:
            raise FormatError(f"{self.path} is damaged: {error}; build it again") from error
        planes, n = states.to_array(), len(self.space)
        columns, order, values = (stored.tables[name] for name in ("columns", "order", "values"))
        if stored.tables["planes"].shape != planes.shape or not np.allclose(
            stored.tables["planes"], planes, rtol=0, atol=1e-12
        ):
            raise FormatError(
                f"{self.path} has other cube planes than its score and its match equity table make: build it again"
            )
        whole = (
            comb(self.space.points + self.space.checkers, self.space.points) == n
            and order.shape == (n,)
            and values.ndim == 3
            and values.shape[:2] == (n, n)
            and columns.shape == (2, len(planes))
            and bool((np.sort(order) == np.arange(n)).all())
            and bool(((columns >= 0) & (columns < values.shape[2])).all())
        )
        if not whole:
            raise FormatError(f"{self.path} is damaged: its tables don't fit each other; build it again")
        self._rank_of = np.argsort(order)
        self._columns = columns.astype(np.intp)
        self._table = values

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file.  Questions after this raise ClosedError; answers given out stay good."""
        self._stored = None
        self._table = np.empty((0, 0, 0))

    def __repr__(self) -> str:
        return f"<MatchDatabase {str(self.path)!r}: {self.score}, up to {self.space.checkers} checkers a side>"

    @property
    def stored(self) -> StoredMatch:
        """The file's attributes and mapped tables."""
        if self._stored is None:
            raise ClosedError(f"{self.path} is closed: open it again")
        return self._stored

    def info(self) -> dict[str, Any]:
        """What is in the file and how it was made, as JSON would have it."""
        stored = self.stored
        return {
            "path": str(self.path),
            "file_size": self.path.stat().st_size,
            **stored.attributes,
            "positions": len(self.space),
            "pairs": len(self.space) ** 2,
            "tables": [
                {
                    "name": name,
                    "shape": list(table.shape),
                    "dtype": table.dtype.name,
                    "unit": MATCH_DATASETS[name].unit,
                    "scale": 1.0,
                    "offset": stored.offsets[name],
                    "bytes": table.nbytes,
                    "crc32": f"{stored.checksums[name]:08x}",
                    "description": MATCH_DATASETS[name].description,
                }
                for name, table in stored.tables.items()
            ],
        }

    def solution(
        self, on_roll: PositionLike, opponent: PositionLike, *, match: Score | None = None, cube_value: int = 1
    ) -> MatchSolution:
        """Everything about a pair, in the form in which `bgrace.solve` with ``match=`` gives it.

        Parameters
        ----------
        on_roll, opponent : position
            Counts, ace point first, or text.
        match : Score, optional
            The score of the file, seen by the player on roll: it may be either way round.  The first player is on roll
            unless it is given.
        cube_value : int
            Before this roll.

        Returns
        -------
        MatchSolution
            With ``method`` ``"match database"``.

        Raises
        ------
        ArgumentError
            If the file is for another score, or there is no such cube.
        CoverageError
            If a position is not in the file.
        PositionError
            If a position cannot be read, or a side has no checker left.
        """
        cube = check_cube_value(cube_value)
        score = self.score if match is None else match
        if _plain(score) not in (_plain(self.score), _plain(self.score.swapped)):
            raise ArgumentError(f"{self.path} is for {self.score}, not for {score}: build a file, or use bgrace.solve")
        side = 0 if _plain(score) == _plain(self.score) else 1
        sides = (self._read(on_roll, "on_roll"), self._read(opponent, "opponent"))
        stored = _StoredPair(self, side, (self._rank(sides[0]), self._rank(sides[1])))
        places: tuple[Cube, ...] = ("none", "centered") if cube == 1 else ("none", "mine", "theirs")
        states = CubeStates.of_score(Payoff(self.table, self.score), self.gammons)
        n_planes = len(states.planes)
        # The planes are the first player's; what is mine to the second is theirs to him.
        swapped: dict[Cube, Cube] = {"mine": "theirs", "theirs": "mine"}
        found = {
            where: states.state(Payoff(self.table, self.score), cube, swapped.get(where, where) if side else where)
            for where in places
        }
        assert len(states.planes) == n_planes, "a cube beyond those of the score wins the match, which is plane 0"
        return MatchSolution(
            *sides,
            score,
            cube,
            self.table,
            self.gammons,
            (len(self.space), len(self.space)),
            (1 + float(stored.now()[0])) / 2,
            stored,
            {where: state.swapped if side else state for where, state in found.items()},
            "match database",
        )

    def cube_action(
        self,
        on_roll: PositionLike,
        opponent: PositionLike,
        cube: str | None = None,
        *,
        match: Score | None = None,
        cube_value: int = 1,
    ) -> MatchAction:
        """Whether to double, and whether to take: see `solution` and `bgrace.match.MatchSolution.cube_action`."""
        return self.solution(on_roll, opponent, match=match, cube_value=cube_value).cube_action(cube)

    def best_plays(
        self,
        on_roll: PositionLike,
        opponent: PositionLike,
        roll: str | Iterable[int],
        cube: str | None = None,
        *,
        match: Score | None = None,
        cube_value: int = 1,
    ) -> list[MatchPlay]:
        """Every play of a roll, best first: see `solution` and `bgrace.match.MatchSolution.best_plays`."""
        return self.solution(on_roll, opponent, match=match, cube_value=cube_value).best_plays(roll, cube)

    def win_probability(self, on_roll: PositionLike, opponent: PositionLike) -> float:
        """Chance of the player on roll to win this game, both sides playing to win it, without a cube."""
        return self.solution(on_roll, opponent).win_probability

    def _read(self, side: PositionLike, name: str) -> Position:
        position = parse_position(side)
        if not position.checkers:
            raise PositionError(f"{name} has no checker left: the game is over")
        if position.checkers > self.space.checkers or position.highest > self.space.points:
            raise CoverageError(
                f"{position} is not in {self.path}, which has up to {self.space.checkers} checkers a side on "
                f"{self.space.points} points: build a larger one, or use bgrace.solve"
            )
        return position

    def _rank(self, position: Position) -> int:
        return int(self._rank_of[self.space.index(position)])

    def _values(self, side: int, rank: int, opponent_rank: int) -> Floats:
        self.stored  # noqa: B018  (raises if the file is closed)
        row: Floats = self._table[rank, opponent_rank][self._columns[side]].astype(np.float64)
        return row


def _plain(score: Score) -> tuple[int, int, bool]:
    check_score(score)
    return score.on_roll_needs, score.opponent_needs, score.kind == "Crawford"
