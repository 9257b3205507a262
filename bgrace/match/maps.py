"""The right cube action of one bearoff position at every score of a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

import bgrace._kernels.answer as kernel
from bgrace._base.arrays import JSON, ShortRepr, as_integer, as_json
from bgrace._base.frames import Cell, Columns, Tabular
from bgrace._base.limits import DEFAULT_MEMORY, allowed_text, checked_memory, checked_threads, memory_text
from bgrace.board import Position, PositionLike
from bgrace.board.game_state import check_cube_value
from bgrace.board.position import check_race, counts_of
from bgrace.board.spaces import space_of
from bgrace.board.text import parse_sides
from bgrace.cube.action import Cube, CubeAction
from bgrace.errors import ArgumentError, MemoryLimitError
from bgrace.match.met import MatchEquityTable, checked_table
from bgrace.match.score import Score
from bgrace.match.stakes import Stakes

_MAX_INDEX: Final = 1 << 28  # as in csrc/answer/sides.c


def too_large(
    sides: tuple[Position, Position], needs: kernel.MemoryNeededError, memory_bytes: int, remedy: str
) -> MemoryLimitError:
    """The error for pairs that do not fit into memory, or for a position whose index is too large."""
    n, m, n_bytes, n_planes = needs.args
    if not n:
        index, side = max((space_of(side.points, side.checkers).index(side), side) for side in sides)
        return MemoryLimitError(
            f"{side} is position {index:,} of its board, and all pairs are solved up to {_MAX_INDEX:,}: {remedy}"
        )
    states = f"{n_planes} cube states" if n_planes else "the cube states of a score"
    return MemoryLimitError(
        f"these positions lead to {n * m:,} pairs for either side on roll, with {states} "
        f"{memory_text(int(n_bytes))}; {allowed_text(memory_bytes)}: allow more, or {remedy}"
    )


def solve_scores(found: ScoreMap, stakes: Mapping[Score, Stakes], memory_bytes: int, threads: int | None) -> None:
    """Solve a map's pair at some of its scores, common cube states only once, and enter the actions in the map.

    Parameters
    ----------
    found : ScoreMap
    stakes : mapping of Score to Stakes
        The scores to solve with their stakes, as `unsolved_map` gives them.
    memory_bytes, threads
        As for `bgrace.solve`.

    Raises
    ------
    ArgumentError, MemoryLimitError, PositionError
        As for `bgrace.solve`.
    """
    memory_bytes, n_threads = checked_memory(memory_bytes), checked_threads(threads)
    mine, theirs = found.on_roll, found.opponent
    check_race(mine, theirs)
    cases = [(each.kernel, found.cube) for each in stakes.values()]
    try:
        values = kernel.ask_map(counts_of(mine), counts_of(theirs), cases, memory_bytes, n_threads)
    except kernel.MemoryNeededError as needs:
        remedy = "solve each score by itself, as bgrace.solve does, or bgrace match map without --exact"
        raise too_large((mine, theirs), needs, memory_bytes, remedy) from None
    for (score, each), of_score in zip(stakes.items(), values, strict=True):
        found.actions[score] = each.cube_action(found.cube, of_score)


_ACTION: Final[Columns] = {"verdict": str, "double": bool | None, "take": bool | None}
_VALUES: Final = ("no_double", "double_take", "double_pass", "double_margin", "take_margin")


@dataclass(frozen=True, slots=True, repr=False)
class ScoreMap(ShortRepr, Tabular):
    """Cube actions of one pair of positions by score.

    A row of the table is a score; in it ``no_double``, ``double_take`` and ``double_pass`` are chances to win the
    match, and the margins are points per unit of the cube.

    Attributes
    ----------
    on_roll, opponent : Position
    length : int
        Most points that a side needs at any score of the map.
    cube_value : int
    cube : str
        Where the cube is, seen by the player on roll.
    table : MatchEquityTable
    actions : dict of Score to CubeAction
        For 1 to `length` points to go on either side; scores with a side 1 away both in the Crawford game and after
        it.
    errors : dict of Score to float
        The error of each action that is not exact: see `bgrace.Solution.error`.
    """

    on_roll: Position
    opponent: Position
    length: int
    cube_value: int
    cube: Cube
    table: MatchEquityTable
    actions: dict[Score, CubeAction]
    errors: dict[Score, float] = field(default_factory=dict)

    COLUMNS: ClassVar[Columns] = {
        "on_roll_needs": int,
        "opponent_needs": int,
        "crawford": bool,
        **_ACTION,
        **dict.fromkeys(_VALUES, float),
        "error": float,
    }

    def action(self, on_roll_needs: int, opponent_needs: int, crawford: bool = False) -> CubeAction:
        """The action at one score.

        Raises
        ------
        ArgumentError
            If the map does not have the score, or it is not a score.
        """
        score = Score(on_roll_needs, opponent_needs, crawford and on_roll_needs != opponent_needs)
        if score not in self.actions:
            raise ArgumentError(f"{score} is not on this map, which is for matches of up to {self.length} points")
        return self.actions[score]

    def is_unsure(self, score: Score) -> bool:
        """Whether another action may be right at a score, because a margin is within the error."""
        action, error = self.actions[score], self.errors.get(score, 0.0)
        margins = (action.double_margin, action.take_margin if action.double else None)
        return any(margin is not None and abs(margin) <= error for margin in margins) and error > 0

    def grid(self) -> tuple[list[str], list[list[CubeAction | None]]]:
        """The map as a square: names of rows and columns, and rows of actions.

        Rows are points that the player on roll needs, columns those that the opponent needs; 1C is 1 in the Crawford
        game.  None stands for scores that do not exist.
        """
        places = [(1, True), (1, False), *((needs, False) for needs in range(2, self.length + 1))]

        def action(own: tuple[int, bool], other: tuple[int, bool]) -> CubeAction | None:
            if own[0] == other[0] == 1:  # no Crawford game: both are 1 away
                return self.actions.get(Score(1, 1)) if own == other else None
            return self.actions.get(Score(own[0], other[0], own[1] or other[1]))

        names = [f"{needs}{'C' if crawford else ''}" for needs, crawford in places]
        return names, [[action(own, other) for other in places] for own in places]

    def _rows(self) -> Iterator[Mapping[str, Cell]]:
        for score, action in self.actions.items():
            yield {
                **score.to_dict(),
                **{name: getattr(action, name) for name in (*_ACTION, *_VALUES)},
                "error": self.errors.get(score, 0.0),
            }

    def to_dict(self) -> dict[str, JSON]:
        """The fields by name, as values of JSON."""
        return as_json(self, "on_roll", "opponent", "length", "cube_value", "cube") | {
            "table": self.table.name,
            "scores": [
                {**score.to_dict(), "cube_action": action.to_dict(), "error": self.errors.get(score, 0.0)}
                for score, action in self.actions.items()
            ],
        }


def score_map(
    on_roll: PositionLike,
    opponent: PositionLike,
    length: int = 15,
    *,
    cube_value: int = 1,
    cube: str | None = None,
    met: MatchEquityTable | None = None,
    gammons: bool = True,
    memory_bytes: int = DEFAULT_MEMORY,
    threads: int | None = None,
) -> ScoreMap:
    """Solve one pair of positions exactly at every score of a match.

    Parameters
    ----------
    on_roll, opponent : position
        Counts, ace point first, or text.
    length : int
        Points of the match.
    cube_value : int
        Value of the cube before this roll.
    cube : str, optional
        ``"centered"``, ``"mine"`` or ``"theirs"``; by default ``"centered"`` for a cube of 1, else ``"mine"``.
    met : MatchEquityTable, optional
        By default the table that comes with bgrace.
    gammons : bool
        Whether a loser who still has all 15 checkers loses double.
    memory_bytes : int
        The most memory to use.
    threads : int, optional
        By default one per processor.

    Returns
    -------
    ScoreMap

    Raises
    ------
    ArgumentError
        If an argument is out of range, or the match is too long for the table.
    MemoryLimitError
        If the two sides can come to too many positions; nothing has been computed then.
    PositionError
        If a position cannot be read, or a side has no checker left.

    Examples
    --------
    >>> found = score_map("5x1 6x1", "4x1 5x1", 5)
    >>> [found.action(3, needs).verdict for needs in (2, 3, 4, 5)]
    ['double/take', 'double/take', 'double/take', 'double/take']
    >>> found.action(3, 1).verdict, found.action(3, 1, crawford=True).verdict
    ('double/take', 'no cube')
    """
    found, stakes = unsolved_map(on_roll, opponent, length, cube_value, cube, met, gammons)
    solve_scores(found, stakes, memory_bytes, threads)
    return found


def unsolved_map(
    on_roll: PositionLike,
    opponent: PositionLike,
    length: int,
    cube_value: int,
    cube: str | None,
    met: MatchEquityTable | None,
    gammons: bool,
) -> tuple[ScoreMap, dict[Score, Stakes]]:
    """Make a map without actions, and the stakes of each of its scores, from arguments that are checked."""
    table, cube_value = checked_table(met), check_cube_value(cube_value)
    problem = f"length={length!r:.80}: {table.name} is for matches of 1 to {table.length} points"
    length = as_integer(length, problem, 1, table.length)
    place = Stakes.at(Score(length, length), table, cube_value).check_cube(cube)
    if place == "none":
        raise ArgumentError("cube='none' has nothing to map: give the place of a cube, or leave it out")
    scores = [
        Score(a, b, crawford)
        for a in range(1, length + 1)
        for b in range(1, length + 1)
        for crawford in ((True, False) if 1 in (a, b) and a != b else (False,))
        # After the Crawford game the trailer needs fewer points than the length of the match.
        if crawford or min(a, b) > 1 or a == b or max(a, b) <= table.post_crawford.shape[1]
    ]
    stakes = {score: Stakes.at(score, table, cube_value, gammons=gammons) for score in scores}
    return ScoreMap(*parse_sides(on_roll, opponent), length, cube_value, place, table, {}), stakes
