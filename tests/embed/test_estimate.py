"""Races estimated: what an estimate says of itself, how far it is off, and that it is whole."""

from __future__ import annotations

import math
import random

import numpy as np
import numpy.typing as npt
import pytest
from helpers.by_turns import points_of
from helpers.known import known
from helpers.paths import RECORDED_RACES

from bgrace._kernels import answer as kernel
from bgrace._kernels import stakes as kernel_stakes
from bgrace.board import parse_board, parse_position
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
MINE, CENTERED, THEIRS = (kernel_stakes.CUBE_ORDER.index(name) for name in ("mine", "centered", "theirs"))


Counts = npt.NDArray[np.int8]
RACES = [(counts_of(board.on_roll), counts_of(board.opponent)) for board in map(parse_board, RECORDED_RACES[::20])]
LONE = [sides for sides in RACES if max(side[6:].sum() for side in sides) == 1]
"""With a single checker outside the home boards, which is followed home: normal distributions were off by .05."""
HOME = [sides for sides in RACES if not any(side[6:].any() for side in sides)]
"""Whose next rolls are played to win: for the least mean number of rolls they were off by .0007."""


@pytest.mark.parametrize(
    ("races", "close"), [(RACES[::40], 0.001), (LONE[::8], 0.001), (HOME[::16], 0.0005)], ids=["all", "lone", "home"]
)
def test_it_is_near_what_races_are_solved_to(races: list[tuple[Counts, Counts]], close: float) -> None:
    solver, money = kernel.Solver(), kernel_stakes.Stakes(True)
    chances, equities = [], []
    for sides in races:
        solved = known(solver.ask(*sides, money, seconds=0.1))
        estimate = known(solver.ask(*sides, money, "estimate"))
        assert estimate.way == "estimate"
        info = estimate.info()
        assert not info.exact
        assert info.error > 1e-4
        chances.append(estimate.chances()[0] - solved.chances()[0])
        equities += [estimate.cube(cube)[0] - solved.cube(cube)[0] for cube in (MINE, CENTERED, THEIRS)]
    assert math.sqrt(np.square(chances).mean()) < close
    assert math.sqrt(np.square(equities).mean()) < 0.015


@pytest.mark.parametrize("cube_value", [1, 2])
@pytest.mark.parametrize("score", [Score(2, 4), Score(3, 2), Score(3, 3), Score(4, 5)], ids=str)
def test_values_at_scores_are_within_what_they_state(score: Score, cube_value: int) -> None:
    """Which planes have a cube differs from score to score."""
    solver, stakes = kernel.Solver(), Stakes(score=score, met=MET, cube_value=cube_value).kernel
    for sides in HOME[::25] + RACES[5::100]:
        solved = known(solver.ask(*sides, stakes, seconds=0.05))
        estimate = known(solver.ask(*sides, stakes, "estimate"))
        allowed = estimate.info().error + solved.info().error
        assert points_of(estimate) == pytest.approx(points_of(solved), abs=allowed)


@pytest.mark.parametrize("stakes", STAKES, ids=str)
def test_it_is_whole(stakes: Stakes) -> None:
    """Every value is there and within what can be won, and every play is."""
    solver = kernel.Solver()
    for text in random.Random(3).sample(RECORDED_RACES, 40):
        board = parse_board(text)
        estimate = known(solver.ask(counts_of(board.on_roll), counts_of(board.opponent), stakes.kernel, "estimate"))
        win, gammon, backgammon, lost_gammon, lost_backgammon, _ = estimate.chances()
        assert 0 <= backgammon <= gammon <= win <= 1
        assert 0 <= lost_backgammon <= lost_gammon <= 1 - win
        cube = THEIRS if stakes.cube_value > 1 else CENTERED
        no_double, *_, value = estimate.cube(cube)[:4]
        low, high = (-3, 3) if stakes.score is None else (0, 1)
        assert low <= no_double <= value <= high
        _, values, losses = estimate.plays(4, 2, cube)
        assert list(losses) == sorted(losses)
        assert all(low <= value <= high for value in values)


def test_races_of_a_roll_are_exact() -> None:
    solver, money = kernel.Solver(), kernel_stakes.Stakes(True)
    one, other = counts_of(parse_position("5x1 6x1")), counts_of(parse_position("1x2"))
    estimate = known(solver.ask(one, other, money, "estimate"))
    assert estimate.chances()[0] == pytest.approx(6 / 36)
    assert estimate.cube(CENTERED)[0] == pytest.approx(2 * 6 / 36 - 1)
    assert known(solver.ask(other, other, money, "estimate")).cube(MINE)[:2] == (1, 2)
