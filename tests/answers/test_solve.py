"""Pairs solved on the spot: against derived values, the slow twin, other ways to solve, and a database."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from fractions import Fraction
from math import inf
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
from helpers import golden, reference
from helpers.by_turns import Budget, solve_turns
from helpers.golden import Row, check_printed
from helpers.known import known
from helpers.reference import CENTERED, CUBELESS, MINE, THEIRS, FloatArray

import bgrace
import bgrace.errors
from bgrace import Position, PositionError, Rules, Solution, Stakes, legal_plays, parse_position, solve
from bgrace._base.limits import Limits
from bgrace._kernels.two_sided import count_reachable
from bgrace.answers.question import Question
from bgrace.cube.action import CUBES
from bgrace.match import Score

JACOBY = Rules(jacoby=True)
NO_GAMMONS = Rules(gammons=False)

PAIRS = [
    ("6x1", "1x1 2x1"),
    ("2x1 5x1", "2x1 4x1"),
    ("1,1,1,1,1", "2,0,1,2"),
    ("2,1,2,1", "3,0,1"),
    ("1,0,2,0,1", "0,0,0,2,1,1"),
    ("8x1 3x1", "1,1,0,1"),
    ("0,1,1", "0,0,0,0,0,1,0,1"),
    ("1x15", "2x2 1x1"),
    ("1x15", "1x15"),
]

QUICK = [
    pytest.param(x, y, rules, id=f"{x} - {y} {name}")
    for x, y in PAIRS
    for name, rules in {"single": NO_GAMMONS, "gammons": Rules(), "jacoby": JACOBY}.items()
    if name == "single" or "x15" in x + y  # else gammons make no difference
]
QUICK_GAMMONS = [str(golden.rows("gammons")[k]) for k in (0, 2, 3)]
"""Rows that take less than two seconds: a side has a single checker, or none on the six point."""


def roll_now(solution: Solution) -> dict[str, float]:
    """Return the values of rolling without doubling, by place of the cube."""
    return {cube: solution.cube_action(cube).no_double for cube in CUBES}


def check_equities(solution: Solution) -> None:
    """Check that centered and mine include the right to double, and that cubeless and theirs are of rolling."""
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
def test_values_for_money_are_the_derived_ones(row: Row) -> None:
    x, y = row.position("on_roll"), row.position("opponent")
    solution = solve(x, y, exact=True)
    assert (solution.on_roll, solution.opponent, solution.method) == (x, y, "solved")
    now = roll_now(solution)
    for cube, column in (("none", "cubeless"), ("mine", "mine"), ("centered", "centered"), ("theirs", "theirs")):
        check_printed(now[cube], row, column)
    assert solution.cube_action("centered").verdict == row.text("verdict_centered")
    assert solution.cube_action("mine").verdict == row.text("verdict_mine")
    assert solution.win_probability == pytest.approx((1 + row.number("cubeless")) / 2, abs=1e-9)
    check_equities(solution)


@pytest.mark.parametrize("row", golden.rows("gammons"), ids=str)
def test_values_with_gammons_are_the_derived_ones(row: Row) -> None:
    x, y = row.position("on_roll"), row.position("opponent")
    plain = solve(x, y)
    now = roll_now(plain)
    for cube, column in (("none", "cubeless"), ("mine", "mine"), ("centered", "centered"), ("theirs", "theirs")):
        check_printed(now[cube], row, column)
    check_printed(plain.win_probability, row, "win_probability")
    assert plain.cube_action().verdict == row.text("verdict_centered")
    if "cubeless_exact" in row:
        assert now["none"] == pytest.approx(float(Fraction(row.text("cubeless_exact"))), abs=1e-14)
    check_equities(plain)
    if str(row) not in QUICK_GAMMONS:
        return
    jacoby = solve(x, y, Stakes.money(JACOBY))
    with_jacoby = roll_now(jacoby)
    check_printed(with_jacoby["centered"], row, "jacoby_centered")
    assert {**with_jacoby, "centered": 0} == {**now, "centered": 0}
    assert jacoby.cube_action().verdict == row.text("verdict_jacoby")
    assert jacoby.win_probability == plain.win_probability
    check_equities(jacoby)


@pytest.mark.parametrize("row", golden.rows("two_sided_win"), ids=str)
def test_chances_to_win_are_the_derived_ones(row: Row) -> None:
    check_printed(solve(row.position("on_roll"), row.position("opponent")).win_probability, row, "exact")


# ---------------------------------------------------------------------- plays


class Twin:
    """Values of the slow twin in the smallest space that contains both sides."""

    def __init__(self, solution: Solution, rules: Rules) -> None:
        sides = solution.on_roll, solution.opponent
        self.points = max(side.highest for side in sides)
        checkers = max(side.checkers for side in sides)
        gammon_checkers = 15 if rules.gammons else None
        self.rolling = reference.two_sided(checkers, self.points, gammon_checkers, rules.jacoby)
        self.to_win = (1 + reference.two_sided(checkers, self.points, None, False)[..., CUBELESS]) / 2

    def of(self, table: FloatArray, on_roll: Position, opponent: Position) -> FloatArray:
        """Return the values of a pair in a table of the space."""
        row, column = (reference.index(side.resized(self.points)) for side in (on_roll, opponent))
        values: FloatArray = table[row, column]
        return values


@pytest.mark.parametrize(("x", "y", "rules"), QUICK)
def test_values_and_plays_are_those_of_the_slow_twin(x: str, y: str, rules: Rules) -> None:
    """On unequal boards too.  A play is worth minus the opponent's value after it, where my cube is theirs."""
    solution = solve(x, y, Stakes.money(rules))
    twin, sides, now = Twin(solution, rules), (solution.on_roll, solution.opponent), roll_now(solution)
    found = [now["none"], now["mine"], now["centered"], now["theirs"]]
    np.testing.assert_allclose(found, twin.of(twin.rolling, *sides), rtol=0, atol=1e-13)
    np.testing.assert_allclose(solution.win_probability, twin.of(twin.to_win, *sides), rtol=0, atol=1e-13)
    opponents = -reference.with_double(twin.rolling)
    planes = {"none": CUBELESS, "centered": CENTERED, "mine": THEIRS, "theirs": MINE}
    for roll in [(2, 1), (4, 3), (6, 5), (1, 1), (5, 5)]:
        for cube in CUBES:
            plays = solution.best_plays(roll, cube)
            assert sorted(play.position for play in plays) == sorted(legal_plays(solution.on_roll, roll))
            for play in plays:
                worth = twin.of(opponents, solution.opponent, play.position)[planes[cube]]
                assert play.equity == pytest.approx(worth, abs=1e-12)
                assert play.loss == plays[0].equity - play.equity
            losses = [play.loss for play in plays]
            assert losses == sorted(losses)
            assert losses[0] == 0


FAR = "12x2 9x2 8x3 6x4 5x2 4x2", "12x2 10x2 8x3 6x4 5x2 4x2"


def test_dice_are_solved_with_the_race() -> None:
    with_dice = bgrace.solve(*FAR, roll="31", seconds=0.1)
    assert with_dice.roll == (3, 1)
    assert with_dice.best_plays() == with_dice.best_plays((1, 3))
    every = bgrace.solve(*FAR, roll="all", seconds=1)
    assert every.roll is None
    best = every.all_plays()
    worth = sum((1 if a == b else 2) * plays[0].equity for (a, b), plays in best.items()) / 36
    assert worth == pytest.approx(every.cube_action().no_double, abs=1e-6)  # plays solved anew would be farther off
    board = bgrace.parse_board("tuuFAQDc3SkCAA:MAGyAQAAAAAE")
    assert bgrace.solve(board, seconds=0.03).roll == (4, 4)
    assert bgrace.solve(board, roll="21", seconds=0.03).roll == (2, 1)
    assert bgrace.solve("5x1", "5x1", roll="66").roll == (6, 6)
    assert bgrace.solve("5x1", "5x1", roll=np.array([3, 1])).roll == (3, 1)


# ---------------------------------------------------------------------- other ways to the same values


def test_reachable_positions_are_counted() -> None:
    for on_roll, opponent, reachable in (("1x1", "2x1", (2, 3)), ("6x6", "6x1", (924, 7))):
        sides = parse_position(on_roll), parse_position(opponent)
        answer = known(Question(*sides, bgrace.Stakes.money(), way="all pairs", limits=Limits(threads=1)).ask())
        assert tuple(answer.info().positions) == reachable


def test_a_side_far_out_that_comes_to_few_positions_is_solved_at_once() -> None:
    """Its positions are listed one by one: most of the smaller indices belong to positions that cannot follow."""
    sides = parse_position("1x6 2x5 22x1"), parse_position("1x4 2x3")
    for stakes in (bgrace.Stakes.money(), bgrace.Stakes.at(Score(3, 5))):
        solved = known(Question(*sides, stakes, limits=Limits(seconds=0.003, threads=1)).ask())
        turns = solve_turns(*sides, stakes, Budget(1e6, delta=inf), threads=1)
        assert solved.way == "all pairs"
        assert solved.info().positions == [count_reachable(np.array(side, dtype=np.int8)) for side in sides]
        assert solved.chances() == pytest.approx(turns.chances(), abs=1e-12)
        for cube in ("none", "centered"):
            assert solved.cube(cube)[:2] == pytest.approx(turns.cube(cube)[:2], abs=1e-12, nan_ok=True)


def test_points_beyond_the_highest_checker_change_nothing() -> None:
    assert solve("3,2,1,0,0,0,0,0", (1, 1)).equities == solve((3, 2, 1), "1,1,0,0,0,0,0").equities


# ---------------------------------------------------------------------- any race


def test_many_races_are_answered_in_order_until_one_is_wrong() -> None:
    races: list[str | tuple[str, str]] = [
        "XGID=-----AA-------------aa----:0:0:1:00:2:4:1:5:10",
        ("5x1 6x1", "4x1 5x1"),
        "XGID=-----AA-------------aa----:1:1:1:00:0:0:0:5:10",
        ("6x1", "20x1"),
        ("6x1", "1x1"),
    ]
    answers = bgrace.solve_many(races, seconds=0.2, threads=2)
    assert str(next(answers).stakes) == "3-away, 1-away, Crawford, cube 1"
    assert str(next(answers).stakes) == "money"
    assert str(next(answers).stakes) == "5-away, 5-away, cube 2"
    with pytest.raises(PositionError, match="contact"):
        next(answers)


def test_a_solution_has_the_cube_and_the_roll_of_its_id() -> None:
    text = "XGID=-----AA-------------aa----:1:-1:1:31:0:0:0:5:10"
    solution = bgrace.solve(text)
    assert (solution.cube, solution.roll) == ("theirs", (3, 1))
    assert solution.cube_action() == solution.cube_action("theirs")
    assert not solution.cube_action().double
    assert solution.best_plays() == solution.best_plays("31", "theirs")
    assert solution.to_dict() == solution.to_dict("31", "theirs")
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(solution))))
    assert len(pickle.dumps(again)) < 100_000
    assert (again.cube, again.roll) == ("theirs", (3, 1))
    assert again.all_plays("mine") == solution.all_plays("mine")
    assert [one.cube for one in bgrace.solve_many([text])] == ["theirs"]


@pytest.mark.parametrize(("on_roll", "opponent"), [("1x2", "1x14 19x1"), ("1x1", "20x15"), ("2x4", "18x14 6x1")])
def test_a_side_far_out_is_exact_where_the_race_ends_soon(on_roll: str, opponent: str) -> None:
    exact, usual = (bgrace.solve(on_roll, opponent, roll="31", exact=exact, seconds=1) for exact in (True, False))
    assert (exact.method, exact.error) == ("solved", 0)
    assert exact.to_dict() == usual.to_dict()
    for roll in ("21", "66"):
        assert len(exact.best_plays(roll)) == len(usual.best_plays(roll))


def test_a_solution_of_two_sides_has_no_roll() -> None:
    solution = bgrace.solve("5x1 6x1", "4x1 5x1", seconds=1_000_000)  # the greatest budget
    assert (solution.method, solution.cube, solution.roll) == ("solved", "centered", None)


def test_processes_give_the_same_answers() -> None:
    races: list[Any] = ["GgAAIAUAAAAAAA:MIEJAgAAAAAE", ("5x1 6x1", "4x1 5x1")]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        elsewhere = [one.to_dict("31") for one in bgrace.solve_many(iter(races), executor=executor)]
    assert elsewhere == [one.to_dict("31") for one in bgrace.solve_many(races)]


@pytest.mark.parametrize("in_processes", [False, True])
def test_a_race_that_cannot_be_answered_does_not_end_the_others(in_processes: bool) -> None:
    position, argument = bgrace.PositionError, bgrace.ArgumentError
    wrong: list[tuple[Any, type[bgrace.BgraceError]]] = [
        *(("no race", position), ((10**400, "5x1"), position), (("off", "off"), position)),
        *(((), argument), (("6x1",), argument), (("6x1", "5x1", "4x1"), argument), (["6x1"], argument)),
        *((None, argument), (7, argument), ({"6x1": "5x1"}, argument), ({"6x1", "5x1"}, argument)),
        *((bgrace.Position((0, 1, 0)), argument), (np.eye(6, dtype=int), argument), (("6x1", None), argument)),
        *((("6x1", 5), position), (((0, 1), None), argument), ((bgrace.Position((0, 1)), []), position)),
    ]
    races = [("6x1", "5x1"), *(race for race, _ in wrong), ["4x1", "3x2"], [[0, 0, 0, 1], [0, 0, 2]]]
    pool = ProcessPoolExecutor(1) if in_processes else nullcontext()
    with pool as executor:
        answers = list(bgrace.solve_many(races, errors="return", executor=executor))
    solution = bgrace.Solution
    assert list(map(type, answers)) == [solution, *(kind for _, kind in wrong), solution, solution]
    for race, kind in wrong:
        with pytest.raises(kind):
            next(bgrace.solve_many([race]))


@pytest.mark.parametrize(
    ("mine", "theirs", "points"),
    [("off", "6x1", 1), ("6x1", "off", -1), ("off", "6x15", 2), ("6x15", "off", -2), ("off", "24x1 6x14", 3)],
)
def test_a_game_that_is_over_is_answered(db: bgrace.Database, mine: str, theirs: str, points: int) -> None:
    for exact in (False, True):
        solution = solve(mine, theirs, exact=exact)
        told = solution.to_dict()
        assert (solution.win_probability, solution.error, solution.is_over) == (points > 0, 0, True)
        assert solution.equities.centered == solution.equities.cubeless == points
        assert pickle.loads(pickle.dumps(solution)).to_dict() == told
        if abs(points) == 1:
            assert db.solution(mine, theirs).to_dict() == told | {"method": "two-sided"}
    stakes = Stakes.at(Score(3, 5))
    assert solve(mine, theirs, stakes).equities.cubeless == pytest.approx(stakes.payoff(points))


def test_plays_of_equal_value_are_ordered_by_cubeless_equity() -> None:
    solution = bgrace.solve(bgrace.parse_board("fycAAPC9EwwAAA:cAkAAAAAAAAA"))  # the next double will be passed
    for roll in ("21", "41", "63"):
        plays, cubeless = (solution.best_plays(roll, cube) for cube in ("centered", "none"))
        without = {play.play: play.equity for play in cubeless}
        order = [(-play.equity, -without[play.play]) for play in plays]
        assert order == sorted(order)
    assert solution.best_plays("21")[0].play == solution.best_plays("21", "none")[0].play


def test_any_number_of_threads_gives_the_same_bits() -> None:
    answers = [solve("3,2,1", "1,2,1,1,1", exact=True, threads=threads) for threads in (1, 2, 3)]
    assert answers[0].equities == answers[1].equities == answers[2].equities
    assert answers[0].best_plays("61") == answers[1].best_plays("61") == answers[2].best_plays("61")
