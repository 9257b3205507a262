"""The smallest change that turns a verdict."""

from __future__ import annotations

import json

import pytest
from helpers.command import run

import bgrace
from bgrace.answers.turning import turning_change
from bgrace.match import Score

MEMORY = 2**28


@pytest.mark.parametrize("race", [("5x1 6x1", "4x1 5x1"), ("5x2 1x1", "4x2 2x1"), ("6x2", "5x2")])
def test_the_changed_race_has_the_other_verdict(race: tuple[str, str]) -> None:
    solution = bgrace.solve(*race)
    change = turning_change(solution, memory_bytes=MEMORY)
    assert change is not None
    assert change.moved is not None
    assert change.action.verdict != solution.cube_action().verdict
    assert bgrace.solve(change.on_roll, change.opponent).cube_action().verdict == change.action.verdict
    moved = abs(change.on_roll.pips - solution.on_roll.pips) + abs(change.opponent.pips - solution.opponent.pips)
    assert moved == 1


def test_a_score_turns_what_no_checker_does() -> None:
    solution = bgrace.solve("6x3 5x2", "6x3 4x2", match=Score(4, 2), cube_value=2)
    change = turning_change(solution, memory_bytes=MEMORY)
    assert change is not None
    assert change.moved is None
    assert str(change.stakes.score) == str(Score(3, 2))
    assert change.action.verdict != solution.cube_action().verdict


def test_where_nothing_turns_it_the_command_says_how_far_a_tie_is() -> None:
    race = ("7,2,2,1,0,0", "0,0,1,2,4,4")
    assert turning_change(bgrace.solve(*race), memory_bytes=MEMORY) is None
    assert "One checker moved by one point does not turn it." in " ".join(run("solve", *race, "--why").output.split())
    german = " ".join(run("solve", *race, "--why", "--language", "de").output.split())
    assert "Ein Stein, um ein Feld bewegt, ändert es nicht." in german
    assert json.loads(run("solve", *race, "--why", "--json").output)["change"] is None
