"""A program as users write it: never run, but read by type checkers, which must know what every answer is.

tests/typing/test_typing.py has mypy and pyright read it.
"""

from typing import Literal, assert_type

import numpy as np
import numpy.typing as npt

import bgrace
from bgrace import CubeAction, Equities, Play, Position, Rules, Solution, Stakes
from bgrace._base.arrays import JSON
from bgrace.answers import PositionAnswer
from bgrace.cube.action import Choices, CubeActions, Verdict
from bgrace.match import MatchEquityTable, Score

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def numbers_and_positions(rows: npt.NDArray[np.int8]) -> None:
    space = bgrace.PositionSpace(points=6, checkers=15)
    assert_type(len(space), int)
    assert_type(space.index((5, 1, 8, 1, 0, 0)), int)
    assert_type(space.index("5,1,8,1"), int)
    assert_type(space.index(rows), Integers)
    assert_type(space.index([[0, 0, 0, 0, 0, 1], [15, 0, 0, 0, 0, 0]]), Integers)
    assert_type(space.position(41258), Position)
    assert_type(space.position(space.index(rows)), npt.NDArray[np.int8])
    position = bgrace.parse_position("1x5 2x1 3x8 4x1")
    assert_type(position, Position)
    assert_type(position.pips, int)
    assert_type(bgrace.legal_plays(position, (2, 1)), list[Position])
    assert_type(bgrace.gnubg_position_id(position, "6x5"), str)


def one_position(path: str, rows: npt.NDArray[np.int8]) -> None:
    with bgrace.open(path) as db:
        assert_type(db, bgrace.Database)
        assert_type(db.epc("6x1"), float)
        assert_type(db.epc((0, 0, 0, 0, 0, 1)), float)
        assert_type(db.epc(rows), Floats)
        assert_type(db.mean_rolls([0, 0, 0, 0, 0, 1]), float)
        assert_type(db.variance_rolls(rows), Floats)
        assert_type(db.roll_distribution("6x1"), Floats)
        assert_type(db.alone("6x1", "21"), PositionAnswer)
        assert_type(db.alone("6x1").epc, float)
        assert_type(db.info(), dict[str, JSON])


def pairs(path: str, rows: npt.NDArray[np.int8], position: Position) -> None:
    with bgrace.open(path) as db:
        assert_type(db.win_probability("6x1", position), float)
        assert_type(db.win_probability(rows, position), Floats)
        assert_type(db.win_probability("6x1", rows), Floats)
        assert_type(db.method("6x1", "1x1"), Literal["two-sided", "one-sided"])
        assert_type(db.equities("6x1", "1x1"), Equities[float])
        assert_type(db.equities("6x1", "1x1").centered, float)
        assert_type(db.equities(rows, rows, jacoby=True), Equities[Floats])
        assert_type(db.equities(rows, "1x1").mine, Floats)
        assert_type(db.cube_action("6x1", "1x1", "mine"), CubeAction)
        assert_type(db.cube_action(rows, "1x1"), CubeActions)
        assert_type(db.cube_action(rows, "1x1").verdict, npt.NDArray[np.str_])
        assert_type(db.best_plays("6x1", "1x1", "21"), list[Play])
        assert_type(db.solution("6x1", "1x1", Rules(jacoby=True)), Solution)


def one_answer() -> None:
    solution = bgrace.solve("5x1 6x1", "4x1 5x1", Rules(gammons=False))
    assert_type(solution, Solution)
    assert_type(bgrace.solve("5x1", "4x1", match=Score(3, 5), met=MatchEquityTable.default(), cube_value=2), Solution)
    assert_type(solution.stakes, Stakes)
    assert_type(solution.stakes.score, Score | None)
    assert_type(solution.win_probability, float)
    assert_type(solution.gammon_win, float | None)
    assert_type(solution.gammon_loss, float | None)
    assert_type(solution.backgammon_win, float | None)
    assert_type(solution.backgammon_loss, float | None)
    assert_type(solution.equities, Equities[float])
    assert_type(solution.equities.normalised, Equities[float] | None)
    assert_type(solution.method, str)
    assert_type(solution.error, float)
    assert_type(solution.missing, str | None)
    action = solution.cube_action()
    assert_type(action, CubeAction)
    assert_type(action.no_double, float)
    assert_type(action.double_take, float | None)
    assert_type(action.double, bool | None)
    assert_type(action.verdict, Verdict)
    assert_type(action.normalised, Choices | None)
    (play, *_) = solution.best_plays("31", "mine")
    assert_type(play, Play)
    assert_type(play.position, Position)
    assert_type(play.loss, float)
    assert_type(play.mwc, float | None)
    assert_type(solution.all_plays(), dict[tuple[int, int], list[Play]])
    assert_type(solution.to_dict(), dict[str, JSON])


def stakes() -> None:
    assert_type(Stakes.money(Rules(jacoby=True)), Stakes)
    assert_type(Stakes.at(Score(3, 5), cube_value=2), Stakes)
    assert_type(str(Stakes.money()), str)
    assert_type(bgrace.__version__, str)


def subjects() -> None:
    assert_type(bgrace.match.Score(3, 5), Score)
    assert_type(bgrace.cube.action.decide(0.5, 0.9), CubeAction)
    assert_type(bgrace.errors.PositionError("no position"), bgrace.PositionError)
