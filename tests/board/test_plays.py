"""Legal plays of a roll, against the slow twin."""

from __future__ import annotations

import pickle
import random
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from helpers import golden, reference
from helpers.boards import scattered
from helpers.golden import Row
from helpers.reference import Counts, Roll

from bgrace import Position, legal_plays
from bgrace.board.dice import ROLLS, parse_roll
from bgrace.board.plays import Play, rank_plays


def check_plays(counts: Counts, roll: Roll) -> list[Position]:
    """Check that the plays are those of the twin, in rising order of their index, in either order of the dice."""
    results = legal_plays(counts, roll)
    assert set(results) == reference.plays(counts, roll)
    numbers = [reference.index(result) for result in results]
    assert numbers == sorted(set(numbers))
    assert legal_plays(counts, roll[::-1]) == results
    return results


def test_rolls_are_read_in_every_form() -> None:
    for a, b in ROLLS:
        forms = f"{a}{b}", f"{b}{a}", f"{a}-{b}", f"{a},{b}", f"{b} {a}", (a, b), [b, a], np.array([b, a]), iter((a, b))
        assert {parse_roll(form) for form in forms} == {(a, b)}


@pytest.mark.parametrize(
    ("points", "checkers"), [(6, 5), (1, 15), (2, 5), (3, 4), (5, 3), (7, 3), (8, 3), (12, 2), (24, 1)]
)
def test_plays_of_all_positions_of_a_space_are_the_twin_s(points: int, checkers: int) -> None:
    for counts in reference.positions(points, checkers):
        for roll in reference.ROLLS:
            check_plays(counts, roll)


@pytest.mark.parametrize("points", [6, 7, 9, 13, 18, 24])
def test_plays_of_fifteen_checkers_are_the_twin_s(points: int) -> None:
    source = random.Random(points)
    for _ in range(6):
        counts = scattered(source, points, 15)
        for roll in reference.ROLLS:
            check_plays(counts, roll)


@pytest.mark.parametrize("row", golden.rows("chosen_plays"), ids=str)
def test_published_plays_are_legal(row: Row) -> None:
    results = check_plays(row.position("position"), row.roll())
    assert row.position("result") in results
    if "n_results" in row:
        assert len(results) == row.integer("n_results")


def test_plays_are_ranked_by_equity_and_are_frozen_dataclasses() -> None:
    start, roll = Position((0, 0, 1, 1, 0, 0)), (2, 1)
    results = legal_plays(start, roll)
    values = [0.25, 0.75, 0.25, 0.5][: len(results)]
    ranked = rank_plays(start, roll, results, values)
    order = sorted(range(len(results)), key=lambda k: -values[k])
    assert ranked == [Play(results[k], values[k], max(values) - values[k], start, roll) for k in order]
    assert [type(play) for play in ranked] == [Play] * len(results)
    assert pickle.loads(pickle.dumps(ranked)) == ranked
    assert [play.mwc for play in rank_plays(start, roll, results, values, values)] == sorted(values, reverse=True)
    with pytest.raises(FrozenInstanceError):
        ranked[0].equity = 1.0  # type: ignore[misc]
