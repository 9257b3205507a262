"""Estimates of races: their errors, and that no value or play is missing."""

from __future__ import annotations

import math
import random

import numpy as np
import numpy.typing as npt
import pytest
from helpers.by_turns import points_of
from helpers.known import known
from helpers.paths import RECORDED_RACES
from helpers.probe_library import refused
from helpers.solver_library import Solver

from bgrace._kernels import answer as kernel
from bgrace._kernels.stakes import CUBE_ORDER
from bgrace.board import parse_board
from bgrace.board.position import counts_of
from bgrace.match import Score
from bgrace.match.met import MatchEquityTable
from bgrace.match.stakes import Rules, Stakes

MET = MatchEquityTable.default()
STAKES = [
    Stakes.money(),
    Stakes.money(Rules(jacoby=True, beavers=True)),
    Stakes(score=Score(3, 5), met=MET),
    Stakes(score=Score(2, 2), met=MET, cube_value=2),
    Stakes(score=Score(1, 4, crawford=True), met=MET),
]


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


Counts = npt.NDArray[np.int8]
BOARDS = map(parse_board, RECORDED_RACES[::20])
RACES = [(np.array(counts_of(board.on_roll)), np.array(counts_of(board.opponent))) for board in BOARDS]
LONE = [sides for sides in RACES if max(side[6:].sum() for side in sides) == 1]
"""Races with a single checker outside the home boards: estimates by normal distributions were off by .05."""
HOME = [sides for sides in RACES if not any(side[6:].any() for side in sides)]
"""Races at home: estimates that played the next rolls by the least mean were off by .0007."""


@pytest.mark.parametrize(
    ("races", "close"), [(RACES[::40], 0.001), (LONE[::8], 0.001), (HOME[::16], 0.0005)], ids=["all", "lone", "home"]
)
def test_estimates_are_near_solutions(races: list[tuple[Counts, Counts]], close: float) -> None:
    solver, money = kernel.Solver(), Stakes.money().kernel
    chances, equities = [], []
    for sides in races:
        solved = known(solver.ask(*sides, money, seconds=0.1))
        estimate = known(solver.ask(*sides, money, "estimate"))
        assert estimate.way == "estimate"
        info = estimate.info()
        assert not info.exact
        assert info.error > 1e-4
        chances.append(estimate.chances()[0] - solved.chances()[0])
        equities += [estimate.cube(cube)[0] - solved.cube(cube)[0] for cube in ("mine", "centered", "theirs")]
    assert math.sqrt(np.square(chances).mean()) < close
    assert math.sqrt(np.square(equities).mean()) < 0.015


@pytest.mark.parametrize("cube_value", [1, 2])
@pytest.mark.parametrize("score", [Score(2, 4), Score(3, 2), Score(3, 3), Score(4, 5)], ids=str)
def test_values_at_scores_are_within_their_error(score: Score, cube_value: int) -> None:
    """The planes with a cube differ from score to score."""
    solver, stakes = kernel.Solver(), Stakes(score=score, met=MET, cube_value=cube_value).kernel
    for sides in HOME[::50] + RACES[5::200]:
        solved = known(solver.ask(*sides, stakes, seconds=0.05))
        estimate = known(solver.ask(*sides, stakes, "estimate"))
        allowed = estimate.info().error + solved.info().error
        assert points_of(estimate) == pytest.approx(points_of(solved), abs=allowed)


@pytest.mark.parametrize("stakes", STAKES, ids=str)
def test_an_estimate_has_every_value_and_play(solver: Solver, stakes: Stakes) -> None:
    """All are within the possible payoffs."""
    for text in random.Random(3).sample(RECORDED_RACES, 40):
        board = parse_board(text)
        estimate = solver.estimate(board.on_roll, board.opponent, stakes)
        win, gammon, backgammon, lost_gammon, lost_backgammon, _ = estimate.chances()
        assert 0 <= backgammon <= gammon <= win <= 1
        assert 0 <= lost_backgammon <= lost_gammon <= 1 - win
        cube = CUBE_ORDER.index("theirs" if stakes.cube_value > 1 else "centered")
        no_double, *_, value = estimate.cube(cube)[:4]
        low, high = (-3, 3) if stakes.score is None else (0, 1)
        assert low <= no_double <= value <= high
        plays = estimate.plays(4, 2, cube)
        assert [play[2] for play in plays] == sorted(play[2] for play in plays)
        assert all(low <= play[1] <= high for play in plays)


def test_races_of_one_roll_are_exact(solver: Solver) -> None:
    estimate = solver.estimate((0, 0, 0, 0, 1, 1), (2,), Stakes.money())
    assert estimate.chances()[0] == pytest.approx(6 / 36)
    assert estimate.cube(1)[0] == pytest.approx(2 * 6 / 36 - 1)
    assert solver.estimate((2,), (2,), Stakes.money()).cube(2)[:2] == (1, 2)


def test_positions_without_a_race_are_refused(solver: Solver) -> None:
    for on_roll, opponent, status in [
        ((0,), (0,), "POSITION"),
        ((16,), (1,), "POSITION"),
        ((*[0] * 23, 1), (*[0] * 23, 1), "CONTACT"),
    ]:
        refused(status, solver.estimate, on_roll, opponent, Stakes.money())
