"""What pairs of positions share from one solution to the next."""

from __future__ import annotations

import itertools

import numpy as np

from bgrace.board import Position
from bgrace.match.stakes import Stakes
from bgrace.tables.exact import PositionPair


def seven(*others: int) -> Position:
    """Five checkers on the six point, and others."""
    counts = [0, 0, 0, 0, 0, 5]
    for point in others:
        counts[point - 1] += 1
    return Position(counts)


def test_graphs_are_those_of_the_last_question_and_no_more_than_fit() -> None:
    first = seven(1, 2)
    graph = PositionPair(first, first).graphs(True, 1)[0]
    assert PositionPair(first, first).graphs(True, 2)[0] is graph
    assert PositionPair(first, seven(1, 1)).graphs(True, 1)[0] is graph, "whose positions are among those of the other"
    for points in itertools.combinations_with_replacement(range(1, 7), 2):
        PositionPair(seven(*points), seven(*points)).graphs(True, 1)
    assert PositionPair(first, first).graphs(True, 1)[0] is not graph


def test_the_same_pair_by_itself_and_within_a_larger_one() -> None:
    """Solved together or apart, from graphs of any size: the same bits."""
    a, b = Position((0, 2, 0, 1)), Position((1, 0, 0, 0, 2))
    planes = Stakes.money().planes(False).planes
    larger = PositionPair(Position((0, 2, 0, 1, 1, 1)), Position((1, 0, 0, 0, 2, 2)))
    alone = PositionPair(a, b)
    values = alone.solve(alone.plan(planes), 1).now()
    within = larger.solve(larger.plan(planes), 2).later(a, b, 0).now()
    assert np.array_equal(values, within)
