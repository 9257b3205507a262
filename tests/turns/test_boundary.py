"""Races beyond a file, solved with the pairs that the file holds as a boundary."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from helpers.by_turns import Budget, solve_turns
from helpers.once import Made

import bgrace
from bgrace._kernels.answer import Answer
from bgrace._kernels.kinds import Counts
from bgrace._kernels.probe import Probe
from bgrace.board import Position, parse_position
from bgrace.board.dice import ROLLS
from bgrace.cube.action import CUBES
from bgrace.errors import CoverageError
from bgrace.match import Score
from bgrace.match.stakes import Rules, Stakes

ENCODING = 1.6e-4  # greatest error of a value of a file: docs/accuracy.md
RACES = [
    ("2x2 3x2 4x1 5x1 6x2", "1x2 3x2 4x1 5x2 6x1"),
    ("1x3 2x2 3x2 4x2 7x1", "1x2 3x2 4x1 5x2 8x1"),
    ("1x13 2x2", "1x14 2x1"),  # gammons on both sides
    ("1x1 2x1 3x1", "2x2 4x1"),  # in the file
]


def boundary(path: Path) -> Probe:
    return Probe(path.read_bytes(), str(path))


@pytest.fixture(scope="module")
def file(made: Made) -> Probe:
    return boundary(made(6, 15, 5))


def cubes(answer: Answer) -> list[float]:
    """Return no double, double/take, double/pass and the value, with the cube in each place."""
    return [value for cube in CUBES for value in answer.cube(cube)[:4] if not math.isnan(value)]


def plays(position: Position, roll: tuple[int, int]) -> Counts:
    """Return all results with checkers left, of shape (n, 24)."""
    results = (result for result in bgrace.legal_plays(position, roll) if result.checkers)
    return np.array([result.resized(24) for result in results], dtype=np.int8)


@pytest.mark.parametrize("race", RACES)
@pytest.mark.parametrize("rules", [Rules(jacoby=True), Rules(gammons=False)])
def test_a_file_gives_the_same_as_a_table_in_memory(file: Probe, race: tuple[str, str], rules: Rules) -> None:
    mine, theirs = map(parse_position, race)
    for delta in (0.05, math.inf):
        known = solve_turns(mine, theirs, Stakes.money(rules), Budget(delta=delta, boundary_checkers=5))
        found = solve_turns(mine, theirs, Stakes.money(rules), Budget(delta=delta), boundary=file)
        assert (found.info().boundary_checkers, found.info().from_file) == (5, True)
        assert not known.info().from_file
        assert cubes(found) == pytest.approx(cubes(known), abs=2 * ENCODING)
        assert found.chances() == pytest.approx(known.chances(), abs=ENCODING)
        assert found.info().error >= known.info().error + ENCODING


def test_values_of_plays_with_a_file_are_near_exact_ones(file: Probe) -> None:
    mine, theirs = map(parse_position, RACES[1])
    results = plays(mine, (6, 1))
    exact = solve_turns(mine, theirs, budget=Budget(delta=math.inf)).after(results)
    found = solve_turns(mine, theirs, budget=Budget(delta=0.06), rolls=True, boundary=file).after(results)
    assert np.asarray(found) == pytest.approx(np.asarray(exact), abs=3e-4)


def test_a_score_is_solved_without_the_file(file: Probe) -> None:
    mine, theirs = map(parse_position, RACES[0])
    stakes = Stakes(score=Score(3, 5))
    found = solve_turns(mine, theirs, stakes, Budget(delta=0.0), boundary=file)
    assert not found.info().from_file
    assert found.now().tobytes() == solve_turns(mine, theirs, stakes, Budget(delta=0.0)).now().tobytes()


def test_files_of_fewer_points_or_without_pairs_are_refused(made: Made) -> None:
    mine, theirs = map(parse_position, RACES[0])
    for points, two_sided in ((3, 2), (6, 0)):
        with pytest.raises(CoverageError):
            solve_turns(mine, theirs, boundary=boundary(made(points, 4, two_sided)))


def test_a_file_of_more_than_six_points_may_be_the_boundary(made: Made) -> None:
    """Its numbers of positions differ from those of six points, so pairs are looked up by their counts."""
    mine, theirs = map(parse_position, RACES[0])
    known = solve_turns(mine, theirs, budget=Budget(delta=0.0, boundary_checkers=3))
    found = solve_turns(mine, theirs, budget=Budget(delta=0.0), boundary=boundary(made(8, 4, 3)))
    assert found.info().boundary_checkers == 3
    assert cubes(found) == pytest.approx(cubes(known), abs=2 * ENCODING)


def test_every_play_of_every_roll_is_solved_if_asked_for() -> None:
    mine, theirs = parse_position("2x2 3x2 5x2 6x2 7x1"), parse_position("1x2 3x2 4x2 5x2 8x1")
    answer = solve_turns(mine, theirs, budget=Budget(delta=0.0), rolls=True)
    for roll in ROLLS:
        results = plays(mine, roll)
        assert answer.after(results).shape == (len(results), len(answer.now()))
    results = plays(mine, (6, 5))
    again = solve_turns(mine, theirs, budget=Budget(delta=0.0), roll=(6, 5)).after(results)
    assert np.asarray(answer.after(results)) == pytest.approx(np.asarray(again), abs=1e-6)


def test_results_of_the_first_roll_are_never_merged() -> None:
    """Far from home other positions are."""
    mine, theirs = parse_position("13x2 15x2 17x2"), parse_position("2x3 3x3 5x2")
    for memory in (1 << 20, 1 << 24):
        answer = solve_turns(mine, theirs, budget=Budget(seconds=0.001, memory_bytes=memory), rolls=True)
        assert answer.info().merged
        results = plays(mine, (6, 5))
        assert len(answer.after(results)) == len(results)
