"""A pair solved on the spot: exact in double precision, near it in 16 bits, and the same as a database says."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import golden
import numpy as np
import numpy.typing as npt
import pytest
import reference
from golden import Row, check_printed
from reference import Counts, FloatArray

import bgrace._kernels.two_sided as kernel
from bgrace import (
    ArgumentError,
    Database,
    MemoryLimitError,
    PositionError,
    PositionSpace,
    RollError,
    Rules,
    Solution,
    legal_plays,
    solve,
)
from bgrace.cube.action import CUBES
from bgrace.dice import ROLLS, WEIGHTS

State = tuple[float, float, int, int, float, float]

JACOBY = Rules(jacoby=True)
NO_GAMMONS = Rules(gammons=False)

PAIRS = [
    ("6x1", "1x1 2x1"),
    ("2x1 5x1", "2x1 4x1"),
    ("1,1,1,1,1", "2,0,1,2"),
    ("2,1,2,1", "3,0,1"),
    ("1,0,2,0,1", "0,0,0,2,1,1"),
    ("8x2 3x1", "1,2,0,1"),
    ("0,1,1", "0,0,0,0,0,1,0,1"),
    ("5x1", "3x15"),
    ("1x15", "2x2 1x1"),
    ("1x15", "1x15"),
]

CASES = [
    pytest.param(x, y, rules, id=f"{x} - {y} {name}")
    for x, y in PAIRS
    for name, rules in {"single": NO_GAMMONS, "gammons": Rules(), "jacoby": JACOBY}.items()
    if name == "single" or "x15" in x + y  # else gammons make no difference
]
SIXTEEN_BITS = [*golden.rows("money"), *(golden.rows("gammons")[k] for k in (4, 9))]
"""All, but for those with fifteen checkers on the six point, which take a second each."""

QUICK = [case for case in CASES if "3x15" not in case.values]
"""Those that plain recursion is done with soon."""


def roll_now(solution: Solution) -> dict[str, float]:
    """Values of rolling without doubling, by where the cube is."""
    return {cube: solution.cube_action(cube).no_double for cube in CUBES}


def check_equities(solution: Solution) -> None:
    """Centered and mine include the right to double; cubeless and theirs are those of rolling."""
    now = roll_now(solution)
    doubled = min(2 * now["theirs"], 1)
    assert solution.equities.to_dict() == {
        "cubeless": now["none"],
        "centered": max(now["centered"], doubled),
        "mine": max(now["mine"], doubled),
        "theirs": now["theirs"],
    }
    assert solution.equities.method == "solved"
    for cube in ("centered", "mine"):
        action = solution.cube_action(cube)
        assert (action.cube, action.double_take, action.double_pass) == (cube, 2 * now["theirs"], 1)
        assert action.equity == getattr(solution.equities, cube)
    for cube in ("theirs", "none"):
        assert solution.cube_action(cube).verdict == "no cube"
        assert solution.cube_action(cube).double_take is None


# ---------------------------------------------------------------------- derived values


@pytest.mark.parametrize("row", golden.rows("money"), ids=str)
def test_money(row: Row) -> None:
    x, y = row.position("on_roll"), row.position("opponent")
    solution = solve(x, y, precision="float64")
    assert (solution.on_roll, solution.opponent, solution.precision) == (x, y, "float64")
    now = roll_now(solution)
    for cube, column in (("none", "cubeless"), ("mine", "mine"), ("centered", "centered"), ("theirs", "theirs")):
        check_printed(now[cube], row, column)
    assert solution.cube_action("centered").verdict == row.text("verdict_centered")
    assert solution.cube_action("mine").verdict == row.text("verdict_mine")
    assert solution.win_probability == pytest.approx((1 + row.number("cubeless")) / 2, abs=1e-9)
    check_equities(solution)


@pytest.mark.parametrize("row", golden.rows("gammons"), ids=str)
def test_gammons(row: Row) -> None:
    x, y = row.position("on_roll"), row.position("opponent")
    plain, jacoby = solve(x, y), solve(x, y, JACOBY)
    assert plain.precision == jacoby.precision == "float64"
    now, with_jacoby = roll_now(plain), roll_now(jacoby)
    for cube, column in (("none", "cubeless"), ("mine", "mine"), ("centered", "centered"), ("theirs", "theirs")):
        check_printed(now[cube], row, column)
    check_printed(plain.win_probability, row, "win_probability")
    check_printed(with_jacoby["centered"], row, "jacoby_centered")
    assert {**with_jacoby, "centered": 0} == {**now, "centered": 0}
    assert plain.cube_action().verdict == row.text("verdict_centered")
    assert jacoby.cube_action().verdict == row.text("verdict_jacoby")
    assert plain.win_probability == jacoby.win_probability
    if "cubeless_exact" in row:
        assert now["none"] == pytest.approx(float(Fraction(row.text("cubeless_exact"))), abs=1e-14)
    check_equities(plain)
    check_equities(jacoby)


@pytest.mark.parametrize("row", golden.rows("two_sided_win"), ids=str)
def test_win_probability(row: Row) -> None:
    check_printed(solve(row.position("on_roll"), row.position("opponent")).win_probability, row, "exact")


@pytest.mark.parametrize(
    "row", [*golden.rows("money"), *golden.rows("gammons")[4:5], *golden.rows("gammons")[9:]], ids=str
)
def test_sixteen_bits(row: Row) -> None:
    x, y = row.position("on_roll"), row.position("opponent")
    narrow = solve(x, y, JACOBY if "jacoby_centered" in row else None, precision="int16")
    assert narrow.precision == "int16"
    now = roll_now(narrow)
    assert now["none"] == pytest.approx(row.number("cubeless"), abs=1e-4)
    assert now["mine"] == pytest.approx(row.number("mine"), abs=1e-4)
    assert now["theirs"] == pytest.approx(row.number("theirs"), abs=1e-4)
    centered = "jacoby_centered" if "jacoby_centered" in row else "centered"
    assert now["centered"] == pytest.approx(row.number(centered), abs=1e-4)
    win = row.number("win_probability") if "win_probability" in row else (1 + row.number("cubeless")) / 2
    assert narrow.win_probability == pytest.approx(win, abs=5e-5)
    check_equities(narrow)


# ---------------------------------------------------------------------- plays


def worth_of_moving(result: Counts, opponent: Counts, rules: Rules, cube: str) -> float:
    """By plain recursion of the slow twin."""
    gammon = 15 if rules.gammons else None
    single = rules.jacoby and cube == "centered"
    if not any(result):
        return 2.0 if gammon == sum(opponent) and not single else 1.0
    his = reference.two_sided_pair(opponent, result, gammon, rules.jacoby)
    doubled = min(2 * his.theirs, 1)
    return -{
        "none": his.cubeless,
        "centered": max(his.centered, doubled),
        "mine": his.theirs,
        "theirs": max(his.mine, doubled),
    }[cube]


@pytest.mark.parametrize(("x", "y", "rules"), QUICK)
def test_best_plays(x: str, y: str, rules: Rules) -> None:
    solution = solve(x, y, rules)
    for roll in [(2, 1), (4, 3), (6, 5), (1, 1), (5, 5)]:
        for cube in CUBES:
            plays = solution.best_plays(roll, cube)
            assert sorted(play.position for play in plays) == sorted(legal_plays(solution.on_roll, roll))
            for play in plays:
                worth = worth_of_moving(tuple(play.position), tuple(solution.opponent), rules, cube)
                assert play.equity == pytest.approx(worth, abs=1e-12)
                assert play.loss == plays[0].equity - play.equity
            losses = [play.loss for play in plays]
            assert losses == sorted(losses)
            assert losses[0] == 0


@pytest.mark.parametrize(("x", "y", "rules"), CASES)
@pytest.mark.parametrize(("precision", "tolerance"), [("float64", 1e-12), ("int16", 1e-4)])
def test_rolling_is_worth_the_mean_of_the_best_plays(
    x: str, y: str, rules: Rules, precision: Any, tolerance: float
) -> None:
    solution = solve(x, y, rules, precision=precision)
    for cube in CUBES:
        best = [solution.best_plays(roll, cube)[0].equity for roll in ROLLS]
        mean = sum(weight * worth for weight, worth in zip(WEIGHTS, best, strict=True)) / 36
        assert solution.cube_action(cube).no_double == pytest.approx(mean, abs=tolerance)


def test_one_play_is_not_best_for_every_cube() -> None:
    solution = solve("0,2,2,1", "2,0,1,2")
    best = {cube: solution.best_plays("21", cube)[0].position for cube in CUBES}
    assert len(set(best.values())) > 1


# ---------------------------------------------------------------------- other ways to the same values


@pytest.mark.parametrize(("x", "y", "rules"), QUICK)
def test_plain_recursion(x: str, y: str, rules: Rules) -> None:
    """Unequal boards and unequal numbers of checkers among them."""
    solution = solve(x, y, rules)
    gammon = 15 if rules.gammons else None
    expected = reference.two_sided_pair(tuple(solution.on_roll), tuple(solution.opponent), gammon, rules.jacoby)
    now = roll_now(solution)
    found = [solution.win_probability, now["none"], now["mine"], now["centered"], now["theirs"]]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)


def test_agrees_with_a_database(database: Database) -> None:
    dice = random.Random(3)
    for _ in range(25):
        x, y = (database.space.position(dice.randrange(1, 924)) for _ in range(2))
        solution, stored = solve(x, y, precision="float64"), database.equities(x, y)
        for name, value in solution.equities.to_dict().items():
            assert getattr(stored, name) == pytest.approx(value, abs=8e-5)
        assert database.win_probability(x, y) == pytest.approx(solution.win_probability, abs=3e-5)
        for cube in CUBES:
            found = {play.position: play.equity for play in database.best_plays(x, y, "31", cube)}
            for play in solution.best_plays("31", cube):
                assert found[play.position] == pytest.approx(play.equity, abs=8e-5)


def test_sixteen_bits_are_those_of_the_database(database: Database) -> None:
    """The same operator on the same rounded values: no tolerance."""
    for x, y in [("6x6", "1,1,1,1,1,1"), ("2,1,2,1", "2,0,1,2"), ("1x1", "6x6")]:
        assert solve(x, y, precision="int16").equities.to_dict() == database.equities(x, y).to_dict()


@pytest.mark.parametrize("precision", ["float64", "int16"])
def test_any_number_of_threads(precision: Any) -> None:
    answers = [solve("3,2,1", "1,2,1,1,1", precision=precision, threads=threads) for threads in (1, 2, 3)]
    assert answers[0].equities == answers[1].equities == answers[2].equities
    assert answers[0].best_plays("61") == answers[1].best_plays("61") == answers[2].best_plays("61")


def test_what_can_be_reached() -> None:
    assert solve("1x1", "2x1").reachable == (2, 3)
    assert solve("6x6", "6x1").reachable == (924, 7)


def test_points_beyond_the_highest_checker_change_nothing() -> None:
    assert solve("3,2,1,0,0,0,0,0", (1, 1)).equities == solve((3, 2, 1), "1,1,0,0,0,0,0").equities


# ---------------------------------------------------------------------- what is refused


def test_a_pair_that_does_not_fit_names_its_size() -> None:
    with pytest.raises(MemoryLimitError, match=r"64,128,064 pairs .* 9\.59 GiB in float64; 8\.00 GiB .* use int16"):
        solve("6x10", "6x10", precision="float64")
    with pytest.raises(MemoryLimitError, match=r"64,128,064 pairs .* 1\.95 GiB in int16; 1\.00 GiB are allowed"):
        solve("6x10", "6x10", memory_bytes=1 << 30)
    with pytest.raises(MemoryLimitError, match=r"2,944,581,696 pairs .* 131\.89 GiB in int16"):
        solve("6x15", "6x15")


def test_boards_that_are_too_large_are_refused_before_anything_is_counted() -> None:
    with pytest.raises(MemoryLimitError, match="25,140,840,659"):
        solve("24x15", "1x1")
    with pytest.raises(MemoryLimitError, match="nearer home"):
        solve("1x1", "20x15")


def test_memory_decides_the_precision() -> None:
    assert solve("6x4", "6x4").precision == "float64"
    assert solve("6x4", "6x4", memory_bytes=4_000_000).precision == "int16"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("off", "1x1"), PositionError),
        (("1x1", "off"), PositionError),
        (("16x16", "1x1"), PositionError),
        (("a position", "1x1"), PositionError),
        (((1.5,), "1x1"), PositionError),
    ],
    ids=str,
)
def test_pairs_that_cannot_be_solved(arguments: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        solve(*arguments)


def test_arguments_that_cannot_be_used() -> None:
    precision: Any = "float32"
    with pytest.raises(ArgumentError, match="float32"):
        solve("1x1", "1x1", precision=precision)
    with pytest.raises(ArgumentError, match="threads"):
        solve("1x1", "1x1", threads=0)
    solution = solve("1x1", "1x1")
    with pytest.raises(ArgumentError, match="cube"):
        solution.cube_action("his")
    with pytest.raises(ArgumentError, match="cube"):
        solution.best_plays("21", "his")
    with pytest.raises(RollError):
        solution.best_plays("71")


# ---------------------------------------------------------------------- the kernel behind it

MONEY: list[State] = [
    (1, 1, 0, -1, 0, 0),
    (1, 1, 3, 3, 2, 1),
    (1, 1, 2, 3, 2, 1),
    (1, 1, 1, -1, 0, 0),
]
"""Cubeless, mine, centered, theirs, as the slow twin orders them: win, gammon, seen, turned, factor, pass."""


def solved_exactly(
    a: kernel.Graph, b: kernel.Graph, states_a: list[State], states_b: list[State], **options: Any
) -> tuple[FloatArray, FloatArray]:
    table_a, table_b = (np.full((len(x), len(y), len(states_a)), np.nan) for x, y in ((a, b), (b, a)))
    arguments = {"gammon_checkers": 0, "total": 0.0, "n_threads": 1, **options}
    kernel.solve_exactly(a, b, states_a, states_b, table_a, table_b, **arguments)
    return table_a, table_b


def all_of(checkers: int) -> kernel.Graph:
    space = PositionSpace(6, checkers)
    return kernel.Graph(space.kernel, np.arange(len(space)), 1)


def by_index(table: FloatArray, graph: kernel.Graph) -> FloatArray:
    places = np.argsort(graph.indices())
    return table[np.ix_(places, places)]


def test_all_pairs_in_double_precision(six_a_side: FloatArray) -> None:
    graph = all_of(6)
    for table in solved_exactly(graph, graph, MONEY, MONEY):
        np.testing.assert_allclose(by_index(table, graph)[1:, 1:], six_a_side[1:, 1:], rtol=0, atol=1e-13)


def test_gammons_and_jacoby_in_double_precision() -> None:
    graph = all_of(4)
    states: list[State] = [(state[0], 1 if k == reference.CENTERED else 2, *state[2:]) for k, state in enumerate(MONEY)]
    exact = reference.two_sided(4, gammon_checkers=4, jacoby=True)
    for table in solved_exactly(graph, graph, states, states, gammon_checkers=4):
        np.testing.assert_allclose(by_index(table, graph)[1:], exact[1:], rtol=0, atol=1e-13)


def test_every_number_of_threads_makes_the_same_bits() -> None:
    a, b = all_of(6), all_of(5)
    one = solved_exactly(a, b, MONEY, MONEY)
    for threads in (2, 3):
        other = solved_exactly(a, b, MONEY, MONEY, n_threads=threads)
        assert [table.tobytes() for table in one] == [table.tobytes() for table in other]


@pytest.mark.parametrize("states", [1, 2, 5, 32])
def test_numbers_of_states(states: int) -> None:
    """A win probability by itself, or copies of it: values that add up to 1."""
    graph = all_of(3)
    cubeless: list[State] = [(1, 1, k, -1, 0, 0) for k in range(states)]
    table, _ = solved_exactly(graph, graph, cubeless, cubeless, total=1.0)
    wins = reference.win_probabilities(3)
    for k in range(states):
        np.testing.assert_allclose(by_index(table, graph)[1:, :, k], wins[1:], rtol=0, atol=1e-14)


PRE = {(2, 1): 0.3125, (1, 2): 0.6875}
POST_3 = {2: 0.4880, 3: 0.3200}
A, B = (0, 0, 0, 0, 1, 1), (0, 0, 0, 1, 1, 0)


@pytest.mark.parametrize(
    ("states_a", "states_b", "exact"),
    [
        # 2-away, 2-away: one doubles, and the match is at stake; nobody doubles again.
        (
            [(0.6875, 1, 0, 1, 1, 0.6875), (1, 1, 1, -1, 0, 0)],
            [(0.6875, 1, 0, 1, 1, 0.6875), (1, 1, 1, -1, 0, 0)],
            Fraction(713879, 1259712),
        ),
        # 3-away, 1-away after the Crawford game: only the trailer has a use for the cube.
        (
            [(0.4880, 0.5, 0, 1, 1, 0.4880), (0.5, 1, 1, -1, 0, 0)],
            [(1, 1, 0, -1, 0, 0), (1, 1, 1, -1, 0, 0)],
            Fraction(158985127, 472392000),
        ),
    ],
    ids=["2-2", "3-1"],
)
def test_matches(states_a: list[State], states_b: list[State], exact: Fraction) -> None:
    """Chances to win the match, at scores where a handful of states is the whole cube."""
    space = PositionSpace(6, 2)
    a, b = (kernel.Graph(space.kernel, kernel.reachable(space.kernel, space.index(pos)), 1) for pos in (A, B))
    table, _ = solved_exactly(a, b, states_a, states_b, total=1.0)
    i, j = a.indices().tolist().index(space.index(A)), b.indices().tolist().index(space.index(B))
    assert table[i, j, 0] == pytest.approx(float(exact), abs=1e-14)


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
        ([(1, 1, 0, -1, 0, 0)] * 33, ValueError),
        ([(1, 1, 1, -1, 0, 0)], ArgumentError),
        ([(1, 1, -1, -1, 0, 0)], ArgumentError),
        ([(1, 1, 0, 1, 2, 1)], ArgumentError),
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
                kernel.solve_exactly(graph, graph, MONEY, MONEY, a, b, 0, 0.0, 1)
    with pytest.raises(ValueError, match="equally many"):
        kernel.solve_exactly(graph, graph, MONEY, MONEY[:3], right, right.copy(), 0, 0.0, 1)
    with pytest.raises(ArgumentError):
        solved_exactly(graph, graph, MONEY, MONEY, n_threads=0)
