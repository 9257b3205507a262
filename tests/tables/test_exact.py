"""The solver in double precision: every pair of two closed sets, for any cube states."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from helpers import reference
from helpers.reference import FloatArray

from bgrace import ArgumentError, PositionSpace
from bgrace._kernels import exact
from bgrace._kernels.two_sided import Graph, available_paths, reachable

State: TypeAlias = tuple[float, float, int, int, float, float, float]

MONEY: list[State] = [
    (1, 1, 0, -1, 0, 0, 0),
    (1, 1, 3, 3, 2, 0, 1),
    (1, 1, 2, 3, 2, 0, 1),
    (1, 1, 1, -1, 0, 0, 0),
]
"""Cubeless, mine, centered, theirs, as the slow twin orders them: win, gammon, seen, turned, factor, offset, pass."""


def solved_exactly(
    a: Graph, b: Graph, states_a: list[State], states_b: list[State], **options: Any
) -> tuple[FloatArray, FloatArray]:
    table_a, table_b = (np.full((len(x), len(y), len(states_a)), np.nan) for x, y in ((a, b), (b, a)))
    exact.solve(a, b, states_a, states_b, table_a, table_b, **options)
    return table_a, table_b


def all_of(checkers: int) -> Graph:
    space = PositionSpace(6, checkers)
    return Graph(space.kernel, np.arange(len(space)), 1)


def compared(checkers: int, gammon_checkers: int = 0, n_threads: int = 1) -> Graph:
    """All positions, with the plays found that others beat."""
    graph = all_of(checkers)
    graph.compare(gammon_checkers, n_threads)
    return graph


def by_index(table: FloatArray, graph: Graph) -> FloatArray:
    places = np.argsort(graph.indices())
    return table[np.ix_(places, places)]


def test_all_pairs_in_double_precision(six_a_side: FloatArray) -> None:
    graph = all_of(6)
    for table in solved_exactly(graph, graph, MONEY, MONEY):
        np.testing.assert_allclose(by_index(table, graph)[1:, 1:], six_a_side[1:, 1:], rtol=0, atol=1e-13)


def test_gammons_and_jacoby_in_double_precision() -> None:
    graph = all_of(4)
    states: list[State] = [(state[0], 1 if k == reference.CENTERED else 2, *state[2:]) for k, state in enumerate(MONEY)]
    expected = reference.two_sided(4, gammon_checkers=4, jacoby=True)
    for table in solved_exactly(graph, graph, states, states, gammon_checkers=4):
        np.testing.assert_allclose(by_index(table, graph)[1:], expected[1:], rtol=0, atol=1e-13)


def test_every_number_of_threads_makes_the_same_bits() -> None:
    a, b = all_of(6), all_of(5)
    one = solved_exactly(a, b, MONEY, MONEY)
    for threads in (2, 3):
        other = solved_exactly(a, b, MONEY, MONEY, n_threads=threads)
        assert [table.tobytes() for table in one] == [table.tobytes() for table in other]


@pytest.mark.parametrize("states", [1, 2, 5, 9, 64])
def test_numbers_of_states(states: int) -> None:
    """A win probability by itself, or copies of it: values that add up to 1."""
    graph = all_of(3)
    cubeless: list[State] = [(1, 1, k, -1, 0, 0, 0) for k in range(states)]
    table, _ = solved_exactly(graph, graph, cubeless, cubeless, total=1.0)
    wins = reference.win_probabilities(3)
    for k in range(states):
        np.testing.assert_allclose(by_index(table, graph)[1:, :, k], wins[1:], rtol=0, atol=1e-14)


PRE = {(2, 1): 0.3125, (1, 2): 0.6875}
POST_3 = {2: 0.4880, 3: 0.3200}
A, B = (0, 0, 0, 0, 1, 1), (0, 0, 0, 1, 1, 0)


@pytest.mark.parametrize(
    ("states_a", "states_b", "value"),
    [
        # 2-away, 2-away: one doubles, and the match is at stake; nobody doubles again.
        (
            [(0.6875, 1, 0, 1, 1, 0, 0.6875), (1, 1, 1, -1, 0, 0, 0)],
            [(0.6875, 1, 0, 1, 1, 0, 0.6875), (1, 1, 1, -1, 0, 0, 0)],
            Fraction(713879, 1259712),
        ),
        # 3-away, 1-away after the Crawford game: only the trailer has a use for the cube.
        (
            [(0.4880, 0.5, 0, 1, 1, 0, 0.4880), (0.5, 1, 1, -1, 0, 0, 0)],
            [(1, 1, 0, -1, 0, 0, 0), (1, 1, 1, -1, 0, 0, 0)],
            Fraction(158985127, 472392000),
        ),
    ],
    ids=["2-2", "3-1"],
)
def test_matches(states_a: list[State], states_b: list[State], value: Fraction) -> None:
    """Chances to win the match, at scores where a handful of states is the whole cube."""
    space = PositionSpace(6, 2)
    a, b = (Graph(space.kernel, reachable(space.kernel, space.index(pos)), 1) for pos in (A, B))
    table, _ = solved_exactly(a, b, states_a, states_b, total=1.0)
    i, j = a.indices().tolist().index(space.index(A)), b.indices().tolist().index(space.index(B))
    assert table[i, j, 0] == pytest.approx(float(value), abs=1e-14)


def test_progress_of_the_kernel() -> None:
    a, b = all_of(3), all_of(2)
    calls: list[tuple[int, int, int]] = []
    solved_exactly(a, b, MONEY, MONEY, progress=lambda *call: calls.append(call))
    assert [level for level, _, _ in calls] == list(range(1, 19))
    assert calls[-1][1:] == (2 * len(a) * len(b), 2 * len(a) * len(b))
    assert all(one[1] <= two[1] for one, two in itertools.pairwise(calls))

    def stop(level: int, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solved_exactly(a, b, MONEY, MONEY, progress=stop)


@pytest.mark.parametrize(
    ("states", "error"),
    [
        ([], ValueError),
        ([(1, 1, 0, -1, 0, 0, 0)] * 65, ValueError),
        ([(1, 1, 1, -1, 0, 0, 0)], ArgumentError),
        ([(1, 1, -1, -1, 0, 0, 0)], ArgumentError),
        ([(1, 1, 0, 1, 2, 0, 1)], ArgumentError),
    ],
    ids=["none", "too many", "seen beyond the end", "seen below 0", "turned beyond the end"],
)
def test_states_that_make_no_sense(states: list[State], error: type[Exception]) -> None:
    graph = all_of(1)
    with pytest.raises(error):
        solved_exactly(graph, graph, states, states)


def test_tables_that_do_not_fit() -> None:
    graph = all_of(1)
    right: npt.NDArray[np.float64] = np.empty((7, 7, 4))
    for wrong in (np.empty((7, 7, 3)), np.empty((6, 7, 4)), np.empty((7, 8, 4))):
        for a, b in ((wrong, right), (right, wrong)):
            with pytest.raises(ValueError, match="shapes"):
                exact.solve(graph, graph, MONEY, MONEY, a, b)
    with pytest.raises(ValueError, match="equally many"):
        exact.solve(graph, graph, MONEY, MONEY[:3], right, right.copy())
    for states, table in ((MONEY, None), (None, right.copy())):
        with pytest.raises(ValueError, match="second graph"):
            exact.solve(graph, None, MONEY, states, right, table)


def test_one_graph_makes_what_two_equal_ones_make() -> None:
    graph = all_of(5)
    both, _ = solved_exactly(graph, graph, MONEY, MONEY)
    alone = np.full_like(both, np.nan)
    exact.solve(graph, None, MONEY, None, alone)
    assert alone.tobytes() == both.tobytes()


@pytest.mark.parametrize("path", available_paths())
def test_every_path_makes_the_same_bits(path: str) -> None:
    a, b = all_of(5), all_of(3)
    for copies in (1, 2, 3):  # 4, 8 and 12 states: groups of different sizes
        states: list[State] = [
            (win, gammon, 4 * k + seen, 4 * k + turned if turned >= 0 else -1, factor, offset, passed)
            for k in range(copies)
            for win, gammon, seen, turned, factor, offset, passed in MONEY
        ]
        scalar = solved_exactly(a, b, states, states, path="scalar")
        other = solved_exactly(a, b, states, states, path=path)
        assert [table.tobytes() for table in scalar] == [table.tobytes() for table in other]
        assert scalar[0][:, :, -4:].tobytes() == scalar[0][:, :, :4].tobytes()


def test_planes_on_any_scale() -> None:
    """A turned state may count in other units, and from another zero."""
    graph = all_of(4)
    plain, _ = solved_exactly(graph, graph, MONEY, MONEY)
    scaled: list[State] = [(5, 5, 0, 2, 10, 0, 5), (1, 1, 2, 2, 2, 0, 1), (1, 1, 1, -1, 0, 0, 0)]
    table, _ = solved_exactly(graph, graph, scaled, scaled)
    np.testing.assert_allclose(table[1:, 1:, 0], 5 * plain[1:, 1:, 2], rtol=0, atol=1e-13)
    # (1 + N) / 2: a cube that has been turned is worth 2 N = 2 (2 P - 1), and that is 2 P - 1/2.
    shifted: list[State] = [
        (1, 1, 0, -1, 0, 0, 0),
        (1, 1, 3, 3, 2, -0.5, 1),
        (1, 1, 2, 3, 2, -0.5, 1),
        (1, 1, 1, -1, 0, 0, 0),
    ]
    table, _ = solved_exactly(graph, graph, shifted, shifted, total=1.0)
    np.testing.assert_allclose(2 * table[1:, 1:] - 1, plain[1:, 1:], rtol=0, atol=1e-13)


def test_plays_that_others_beat_are_not_missed(six_a_side: FloatArray) -> None:
    graph = compared(6, n_threads=2)
    for table in solved_exactly(graph, graph, MONEY, MONEY):
        np.testing.assert_allclose(by_index(table, graph)[1:, 1:], six_a_side[1:, 1:], rtol=0, atol=1e-13)


def test_plays_that_others_beat_where_gammons_count() -> None:
    """Who may lose a gammon is better off with a checker borne off, however far the others are."""
    states: list[State] = [(state[0], 1 if k == reference.CENTERED else 2, *state[2:]) for k, state in enumerate(MONEY)]
    expected = reference.two_sided(4, gammon_checkers=4, jacoby=True)
    graph = compared(4, gammon_checkers=4)
    for table in solved_exactly(graph, graph, states, states, gammon_checkers=4):
        np.testing.assert_allclose(by_index(table, graph)[1:], expected[1:], rtol=0, atol=1e-13)
    # A graph that was compared for other gammons, or for none, has to be solved with every play.
    every, other = all_of(4), compared(4, gammon_checkers=3)
    tables = [solved_exactly(each, each, states, states, gammon_checkers=4)[0] for each in (every, other)]
    assert tables[0].tobytes() == tables[1].tobytes()


@pytest.mark.parametrize(
    "states",
    [
        [(-1, -1, 0, -1, 0, 0, 0)],  # who bears off first loses
        [(1, 0.5, 0, -1, 0, 0, 0)],  # and a gammon pays less
        [(1, 1, 0, 0, -1, 0, 1)],  # the more the turned cube is worth, the less this one
        [(1, 1, 0, 0, 2, 0, 3)],  # a pass pays more than winning
        [(1, 1, 1, -1, 0, 0, 0), (1, 1, 1, -1, 0, 0, 0)],  # the opponent sees another state than the player
    ],
    ids=["losing", "gammons", "factor", "pass", "seen"],
)
def test_where_more_is_not_better_every_play_is_compared(states: list[State]) -> None:
    every, best = all_of(4), compared(4, gammon_checkers=4)
    tables = [solved_exactly(each, each, states, states, gammon_checkers=4)[0] for each in (every, best)]
    assert tables[0].tobytes() == tables[1].tobytes()


@pytest.mark.parametrize("path", available_paths())
def test_compared_plays_make_the_same_bits_on_every_path(path: str) -> None:
    a, b = compared(5), compared(4, n_threads=3)
    one = solved_exactly(a, b, MONEY, MONEY, path="scalar")
    other = solved_exactly(a, b, MONEY, MONEY, path=path, n_threads=2)
    assert [table.tobytes() for table in one] == [table.tobytes() for table in other]
    np.testing.assert_allclose(one[0], solved_exactly(all_of(5), all_of(4), MONEY, MONEY)[0], rtol=0, atol=1e-14)
