"""A program as users write it.  Nobody runs it: mypy and pyright read it, and must know the type of every answer.

They read it in the step `types` of scripts/test.sh, pyright through tests/typing/test_typing.py.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from typing import Literal, assert_type

import numpy as np
import numpy.typing as npt

import bgrace
from bgrace import Position, Rules, Solution, Stakes
from bgrace._base.arrays import JSON
from bgrace.answers import PositionAnswer
from bgrace.board.plays import Play
from bgrace.cube import endgame, janowski, jump
from bgrace.cube.action import CubeAction, CubeActions, Equities, Verdict
from bgrace.cube.model import ModelEquities
from bgrace.match import MatchEquityTable, Score

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def numbers_and_positions(rows: npt.NDArray[np.int8]) -> None:
    space = bgrace.PositionSpace(points=6, checkers=15)
    assert_type(space.index((5, 1, 8, 1, 0, 0)), int)
    assert_type(space.index("5,1,8,1"), int)
    assert_type(space.index(rows), Integers)
    assert_type(space.index([[0, 0, 0, 0, 0, 1], [15, 0, 0, 0, 0, 0]]), Integers)
    assert_type(space.position(41258), Position)
    assert_type(space.position(space.index(rows)), npt.NDArray[np.int8])
    position = bgrace.parse_position("1x5 2x1 3x8 4x1")
    assert_type(position, Position)
    assert_type(bgrace.legal_plays(position, (2, 1)), list[Position])


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
        assert_type(db.info(), dict[str, JSON])


def pairs(path: str, rows: npt.NDArray[np.int8], position: Position) -> None:
    with bgrace.open(path) as db:
        assert_type(db.win_probability("6x1", position), float)
        assert_type(db.win_probability(rows, position), Floats)
        assert_type(db.win_probability("6x1", rows), Floats)
        assert_type(db.method("6x1", "1x1"), Literal["two-sided", "one-sided"])
        assert_type(db.equities("6x1", "1x1"), Equities[float])
        assert_type(db.equities(rows, rows, stakes=bgrace.Stakes.money(bgrace.Rules(jacoby=True))), Equities[Floats])
        assert_type(db.equities(rows, "1x1").mine, Floats)
        assert_type(db.cube_action("6x1", "1x1", "mine"), CubeAction)
        assert_type(db.cube_action(rows, "1x1"), CubeActions)
        assert_type(db.cube_action(rows, "1x1").verdict, npt.NDArray[np.str_])
        assert_type(db.best_plays("6x1", "1x1", "21"), list[Play])
        assert_type(db.solution("6x1", "1x1", bgrace.Stakes.money(Rules(jacoby=True))), Solution)


def one_answer() -> None:
    solution = bgrace.solve("5x1 6x1", "4x1 5x1", bgrace.Stakes.money(Rules(gammons=False)))
    assert_type(solution, Solution)
    assert_type(bgrace.solve("5x1", "4x1", Stakes.at(Score(3, 5), MatchEquityTable.default(), 2)), Solution)
    assert_type(solution.equities, Equities[float])
    action = solution.cube_action()
    assert_type(action, CubeAction)
    (play, *_) = solution.best_plays("31", "mine")
    assert_type(play, Play)
    assert_type(solution.all_plays()[6, 5], list[Play])
    assert_type(solution.to_dict(), dict[str, JSON])


def cube_models(chances: Floats, volatilities: Floats, pips: npt.NDArray[np.int64]) -> None:
    live = janowski.live(0.8, 1, 1)
    assert_type(live, ModelEquities[float])
    assert_type(live.to_dict(), dict[str, JSON])
    assert_type(live.with_double(), Equities[float])
    assert_type(janowski.equities(chances, 1.2, 1.1, 0.7), ModelEquities[Floats])
    assert_type(janowski.decision_points(1, 1, 0.7).take_point, float)
    assert_type(janowski.decision_points(1, 1, [0.6, 0.7]).too_good_centered, Floats | None)
    assert_type(janowski.race_life_index(pips), Floats)
    assert_type(janowski.win_loss_values(0.454, 0.103), tuple[float, float])
    by_pips = janowski.model(1, 1, janowski.race_life_index(pips))
    assert_type(by_pips, janowski.JanowskiModel[Floats])
    assert_type(by_pips.equities(0.7), ModelEquities[Floats])
    assert_type(by_pips.cube_action(0.7), CubeActions)
    assert_type(janowski.refined(1, 1, 0.6, 0.7).cube_action(0.7), CubeAction)
    model = jump.linear(1.2, 1.1, 0.113)
    assert_type(model, jump.LinearModel[float])
    assert_type(model.equities(0.7), ModelEquities[float])
    assert_type(model.equities(chances).centered, Floats)
    assert_type(model.cube_action(0.7), CubeAction)
    assert_type(model.cube_action(chances).verdict, npt.NDArray[np.str_])
    assert_type(jump.nonlinear(1.2, 1.1, volatilities).redouble, Floats)
    assert_type(jump.exact(1, 1, 0.1).equities(0.7).theirs, float)
    assert_type(endgame.one_step(0.5).action, CubeAction)
    assert_type(endgame.two_step(chances, 0.75).mine, CubeActions)


def jumps_of_races(path: str, rows: npt.NDArray[np.int8]) -> None:
    with bgrace.open(path) as db:
        assert_type(jump.local_volatility(db, "6x1", "1x1"), jump.LocalVolatility[float])
        assert_type(jump.local_volatility(db, "6x1", "1x1").volatility(), float)
        assert_type(jump.local_volatility(db, rows, "1x1").mean, Floats)


def counted_and_estimated(rows: npt.NDArray[np.int8], pips: npt.NDArray[np.int64]) -> None:
    count = bgrace.counts.keith("6x1", "5x1")
    assert_type(count, bgrace.counts.CountOfPair)
    assert_type(count.verdict(), Verdict | None)
    many = bgrace.counts.ward(rows, "5x1", version="glossary")
    assert_type(many, bgrace.counts.CountOfPairs)
    assert_type(many.verdict("mine"), npt.NDArray[np.str_] | None)
    assert_type(bgrace.counts.woolsey_doubles(count, count), bool)
    assert_type(bgrace.scm.win_probability(100, 110), float)
    assert_type(bgrace.scm.win_probability(pips, 110), Floats)


def decided() -> None:
    assert_type(bgrace.cube.action.decide(0.5, 0.9), CubeAction)


def misspelt(path: str) -> None:
    """Names that do not exist: both programs report a comment that hides no error."""
    with bgrace.open(path) as db:
        print(db.ecp("6x1"))  # type: ignore[attr-defined]
    print(bgrace.solve("6x1", "1x1").win_probabilty)  # type: ignore[attr-defined]
    print(bgrace.slove)  # type: ignore[attr-defined]
    print(bgrace.cube.jump.linear(1, 1, 0.1).take_pont)  # type: ignore[attr-defined]
    print(bgrace.counts.keith("6x1", "5x1").advise)  # type: ignore[attr-defined]
