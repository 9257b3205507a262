"""The board that an answer is about, with the cube, the dice and the score in force."""

from __future__ import annotations

from dataclasses import replace

from bgrace.answers import Solution
from bgrace.board import Board, GameState
from bgrace.board.game_state import CubePlace
from bgrace.cube.action import Cube

__all__ = ["board_of"]


def board_of(
    solution: Solution, cube: Cube, roll: tuple[int, int] | None = None, state: GameState | None = None
) -> Board:
    """Put both sides of a solution on a board; without a cube it is drawn in the middle.

    The state of an ID is kept where the stakes are those that it names, for it may tell of a score in points.

    Examples
    --------
    >>> import bgrace
    >>> from bgrace.match import Score
    >>> board_of(bgrace.solve("6x1", "5x1", match=Score(3, 5)), "centered").score
    (2, 0)
    """
    stakes = solution.stakes
    place: CubePlace = "centered" if cube == "none" else cube
    board = Board(solution.on_roll, solution.opponent, roll=roll, cube=place, cube_value=stakes.cube_value)
    if stakes.score is None:
        return replace(board, jacoby=stakes.rules.jacoby, beavers=stakes.rules.beavers)
    needs = (stakes.score.on_roll_needs, stakes.score.opponent_needs)
    length, score = max(needs), (max(needs) - needs[0], max(needs) - needs[1])
    if state is not None and state.away == needs:
        length, score = state.match_length, state.score
    return replace(board, score=score, match_length=length, crawford=stakes.score.kind == "Crawford")
