"""Bounds from random dice, against exact values."""

from __future__ import annotations

import json

import numpy as np
import pytest
from helpers.command import run

import bgrace
import bgrace._kernels.answer as kernel
from bgrace import rollout
from bgrace.answers.solver import counts_of, solver
from bgrace.answers.turns import Budget
from bgrace.board import parse_position
from bgrace.match import Score
from bgrace.match.stakes import Rules, Stakes

PAIR = ("9x1 7x1 5x2 4x1", "8x2 6x1 3x1")
ROUGH = Budget(delta=0.0)
"""One play of each roll: values are wrong, and the free side has to find the plays that are better."""

STAKES = [
    (Stakes.money(), None),
    (Stakes.money(), "mine"),
    (Stakes.money(Rules(jacoby=True, beavers=True)), "none"),
    (Stakes.at(Score(3, 5)), None),
    (Stakes.at(Score(2, 4), cube_value=2), "theirs"),
]


def exact_of(pair: tuple[str, str], stakes: Stakes, cube: str | None) -> list[float | None]:
    solved = bgrace.solve(*pair, stakes.rules, match=stakes.score, met=stakes.met, cube_value=stakes.cube_value)
    assert solved.method == "solved"
    action = solved.cube_action(cube)
    return [solved.win_probability, action.no_double, action.double_take]


def check_holds(found: rollout.ConfidenceInterval | None, right: float | None) -> None:
    assert (found is None) == (right is None)
    if found is not None and right is not None:
        assert found.low_mean - 4 * found.low_error - 2e-6 <= right <= found.high_mean + 4 * found.high_error + 2e-6


@pytest.mark.parametrize(("stakes", "cube"), STAKES, ids=[f"{stakes}, {cube}" for stakes, cube in STAKES])
def test_means_hold_the_exact_values(stakes: Stakes, cube: str | None) -> None:
    found = rollout.bounds(*PAIR, stakes, cube, games=64, seed=3, budget=ROUGH)
    for interval, right in zip(
        (found.win, found.no_double, found.double_take), exact_of(PAIR, stakes, cube), strict=True
    ):
        check_holds(interval, right)


def test_gammons_to_save_are_held() -> None:
    pair = "1x3", "7x1 6x10 5x4"
    stakes = Stakes.money()
    found = rollout.bounds(*pair, stakes, "none", games=64, budget=ROUGH)
    check_holds(found.no_double, exact_of(pair, stakes, "none")[1])


def test_every_game_gives_the_value_if_rolls_are_worth_what_they_are_exactly() -> None:
    # A play too few, a play too many, or a roll counted twice, would show in nearly every game.
    sides = [counts_of(parse_position(text)) for text in PAIR]
    stakes = Stakes.money()
    games = kernel.Games(
        solver(), sides[0], sides[1], stakes.kernel, 0, 60.0, 1 << 30, float("inf"), 1, with_chance=True
    )
    solved = bgrace.solve(*PAIR)
    cubeless = solved.cube_action("none").no_double
    values = games.bound(5, 0, 16)
    assert np.abs(values[:, :, 0] - solved.win_probability).max() < 1e-6
    assert np.abs(values[:, :, 1] - cubeless).max() < 1e-6


def test_merged_positions_are_bounded_narrowly() -> None:
    # Of 15 checkers; win and no double of a solution of every play.
    pair = "2x1 3x1 4x2 5x3 6x3", "2x1 3x2 4x2 5x2 6x3"
    found = rollout.bounds(*pair, games=96, budget=Budget(seconds=0.02))
    check_holds(found.win, 0.57708)
    check_holds(found.no_double, 0.22801)
    assert found.win.high - found.win.low < 0.005
    assert found.verdict == "no double"


def test_depends_on_the_seed_and_nothing_else() -> None:
    one, two = (rollout.bounds(*PAIR, games=20, seed=7, budget=ROUGH, threads=threads) for threads in (1, 2))
    assert one == two
    assert one.win.low == -float("inf")  # too few games to tell
    assert one.verdict is None
    assert rollout.bounds(*PAIR, games=20, seed=8, budget=ROUGH).win != one.win
    *_, last = rollout.stream_bounds(*PAIR, games=20, seed=7, budget=ROUGH)
    assert last == one


def test_exact_answers_need_no_games() -> None:
    found = rollout.bounds("2x1 3x1", "1x1 3x1", games=2)
    assert found.win.low == found.win.high == pytest.approx(exact_of(("2x1 3x1", "1x1 3x1"), Stakes.money(), None)[0])
    assert found.verdict is not None


def test_command() -> None:
    asked = ["rollout", *PAIR, "--cube", "centered", "--games", "64"]
    shown = run(*asked, "--bounds", "--match", "3,5")
    assert shown.exit_code == 0
    assert "you win" in shown.stdout
    assert "They are no proof" in shown.stdout
    answer = json.loads(run(*asked, "--bounds", "--json").stdout)
    assert answer["win"]["low"] <= answer["win"]["high"]
    assert (answer["games"], answer["confidence"]) == (64, 0.99)
    assert "give --cube" in run("rollout", *PAIR, "--bounds").stderr
