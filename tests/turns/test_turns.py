"""Races solved by turns at any stakes: against solutions of all pairs, which have a slow twin, and published values."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from helpers.by_turns import Budget, points_of, solve_turns
from helpers.golden import Row, rows

import bgrace
from bgrace._base.limits import Limits
from bgrace._kernels import answer as kernel
from bgrace._kernels.answer import Answer
from bgrace._kernels.stakes import Stakes as KernelStakes
from bgrace._kernels.two_sided import available_paths
from bgrace.answers import Solution
from bgrace.answers.question import Question, SolvedPair
from bgrace.board import Position, parse_position
from bgrace.board.dice import ROLLS, WEIGHTS
from bgrace.cube.action import CUBES
from bgrace.errors import CoverageError
from bgrace.match import MatchEquityTable, Score

MONEY = bgrace.Stakes.money()
AT_SCORE = bgrace.Stakes.at(Score(4, 5), cube_value=2)
JACOBY_AND_BEAVERS = bgrace.Stakes.money(bgrace.Rules(jacoby=True, beavers=True))
EXACT = Budget(seconds=100, delta=math.inf)
PAIRS = [
    ("1x1 2x1 4x1", "2x1 3x1 4x1"),
    ("1x1 2x1 3x1 4x1 5x1", "3x2 4x1 5x1 6x1"),
    ("5x1 6x1", "1x13 2x2"),
    ("1x15", "1x14 2x1"),
    ("1x1 2x3", "1x15"),
    ("8x1 9x1", "1x1 10x1"),
]
SCORES = [
    (Score(3, 5), 1),
    (Score(3, 5), 2),
    (Score(7, 5), 4),
    (Score(1, 4, crawford=True), 1),
    (Score(1, 4), 1),
    (Score(4, 1), 1),
    (Score(1, 1), 1),
]


def sides(pair: tuple[str, str]) -> tuple[Position, Position]:
    return parse_position(pair[0]), parse_position(pair[1])


def values(answer: Answer) -> list[float]:
    """Return the values without doubling by place of the cube, in the unit of the stakes."""
    return [answer.cube(place)[0] for place in answer.cubes()]


@pytest.mark.parametrize("pair", [*PAIRS, ("3x6 6x9", "1x7")])
@pytest.mark.parametrize(
    "stakes", [MONEY, JACOBY_AND_BEAVERS, bgrace.Stakes.money(bgrace.Rules(gammons=False))], ids=str
)
def test_money_is_exact_with_every_play(pair: tuple[str, str], stakes: bgrace.Stakes) -> None:
    solution = bgrace.solve(*pair, stakes=stakes)
    answer = solve_turns(*sides(pair), stakes, EXACT)
    equities = solution.equities
    assert answer.info().exact
    assert answer.chances().win == pytest.approx(solution.win_probability, abs=1e-9)
    cubes = [answer.cube(place)[3] for place in CUBES]
    assert cubes == pytest.approx([equities.centered, equities.mine, equities.theirs, equities.cubeless], abs=1e-9)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize(("score", "cube"), SCORES)
def test_scores_are_exact_with_every_play(pair: tuple[str, str], score: Score, cube: int) -> None:
    solution = bgrace.solve(*pair, stakes=bgrace.Stakes.at(score, cube_value=cube))
    answer = solve_turns(*sides(pair), bgrace.Stakes.at(score, cube_value=cube), EXACT)
    chances = [value for value in solution.equities.to_dict().values() if value is not None]
    found = [answer.cube(place)[3] for place in answer.cubes()]
    assert found == pytest.approx(chances, abs=1e-9)


@pytest.mark.parametrize("seed", [1, 3, 5])
@pytest.mark.parametrize("loser", ["1x13 20x1 22x1", "1x13 19x2"])
def test_a_backgammon_may_cost_less_than_a_gammon_in_a_random_table(loser: str, seed: int) -> None:
    """1x4 is off in one roll, a double, or in two; so the loser's plays are evaluated here by the definition."""
    rng = np.random.default_rng(seed)
    stakes = bgrace.Stakes.at(Score(5, 4), MatchEquityTable("any", "", rng.random((5, 5)), rng.random((2, 5))))

    def lost(result: Position) -> float:
        return stakes.payoff(-1 if result.checkers < 15 else -3 if result.highest >= 19 else -2)

    def on_roll(position: Position, worth: Callable[[Position], float]) -> float:
        best = [max(map(worth, bgrace.legal_plays(position, roll))) for roll in ROLLS]
        return sum(weight * value for weight, value in zip(WEIGHTS, best, strict=True)) / 36

    @cache
    def after_a_roll(result: Position) -> float:
        return (lost(result) + 5 * on_roll(result, lost)) / 6

    solution = bgrace.solve(loser, "1x4", stakes=stakes)
    assert solution.equities.cubeless == pytest.approx(on_roll(parse_position(loser), after_a_roll), abs=1e-12)


def test_plays_are_those_of_the_exact_solution() -> None:
    pair = PAIRS[1]
    solution, answer = bgrace.solve(*pair), solve_turns(*sides(pair), budget=EXACT)
    by_turns = Solution(*sides(pair), MONEY, SolvedPair(Question(*sides(pair), MONEY), answer))
    for cube in ("none", "centered", "mine", "theirs"):
        found, expected = by_turns.best_plays((3, 1), cube), solution.best_plays((3, 1), cube)
        assert [play.equity for play in found] == pytest.approx([play.equity for play in expected], abs=1e-9)
        assert [play.loss for play in found] == pytest.approx([play.loss for play in expected], abs=1e-9)
        assert found[0].position == expected[0].position


def test_a_backgammon_counts_three_times() -> None:
    """GNU Backgammon: gammon 97.7 %, backgammon 21.3 %, +2.190."""
    answer = solve_turns(parse_position("1x4"), parse_position("5x7 6x7 22x1"))
    assert answer.info().exact
    assert answer.chances().gammon_win == pytest.approx(0.977, abs=5e-4)
    assert answer.chances().backgammon_win == pytest.approx(0.213, abs=5e-4)
    assert values(answer)[0] == pytest.approx(2.190, abs=5e-4)
    assert values(answer)[0] == pytest.approx(1 + sum(answer.chances()[1:3]), abs=1e-12)


def test_a_side_that_can_save_only_the_backgammon_is_solved_exactly() -> None:
    """The expected chance is by all plays of 9,950,751 positions, which took two minutes."""
    answer = bgrace.solve("1x6 2x1", "2x2 3x2 6x2 8x2 17x2 21x5", seconds=0.03)
    assert answer.method == "solved"
    assert answer.backgammon_win == pytest.approx(0.494756, abs=1e-6)


def test_cubeless_equity_follows_from_chances_to_win_and_of_gammons() -> None:
    for pair in (("1x13 5x2", "1x1 2x1"), ("1x3", "1x14 4x1"), ("1x14 2x1", "1x15")):
        answer = solve_turns(*sides(pair), budget=EXACT)
        chances = answer.chances()
        equity = 2 * chances.cubeless_win - 1 + chances.gammon_win - chances.gammon_loss
        assert values(answer)[0] == pytest.approx(equity, abs=1e-12)
        assert chances.cubeless_win <= chances.win + 1e-12


def test_answers_converge_to_the_exact_ones() -> None:
    mine, theirs = parse_position("2x2 3x2 4x1 5x1 6x1"), parse_position("1x2 3x2 4x1 5x1 6x1")
    exact = values(solve_turns(mine, theirs, budget=EXACT))
    errors = []
    for delta in (0.0, 0.05, 0.2, 1.0):
        answer = solve_turns(mine, theirs, budget=Budget(delta=delta))
        assert not answer.info().exact
        errors.append(np.abs(np.subtract(values(answer), exact)).max())
    assert errors[0] < 0.01
    assert errors[3] < errors[0]
    assert errors[3] < 1e-5


def test_a_boundary_makes_estimates_better_and_changes_no_exact_answer() -> None:
    mine, theirs = parse_position("2x2 3x2 4x1 5x1 6x2"), parse_position("1x2 3x2 4x1 5x2 6x1")
    exact = values(solve_turns(mine, theirs, budget=EXACT))
    with_table = values(solve_turns(mine, theirs, budget=Budget(delta=math.inf, boundary_checkers=4)))
    assert with_table == pytest.approx(exact, abs=1e-9)
    close = solve_turns(mine, theirs, budget=Budget(delta=0.0, boundary_checkers=6))
    far = solve_turns(mine, theirs, budget=Budget(delta=0.0))
    assert close.info().boundary_checkers == 6
    assert np.abs(np.subtract(values(close), exact)).max() < np.abs(np.subtract(values(far), exact)).max()


@pytest.mark.parametrize(
    "pair",
    [
        ("2x2 3x2 4x1 5x1 6x2", "1x2 3x2 4x1 5x2 6x1"),
        ("1x3 2x2 5x2 7x1", "1x2 3x2 4x1 8x1"),
        ("1x13 5x2", "1x2 2x2 6x1"),  # a gammon may be lost
    ],
)
@pytest.mark.parametrize("stakes", [MONEY, bgrace.Stakes.at(Score(3, 5)), bgrace.Stakes.at(Score(2, 4), cube_value=2)])
def test_errors_are_at_most_the_stated_ones(pair: tuple[str, str], stakes: bgrace.Stakes) -> None:
    exact = solve_turns(*sides(pair), stakes, EXACT)
    expected = points_of(exact)
    for least_gain in (1.0, 1e-4, 1e-5, 2e-8):
        answer = solve_turns(*sides(pair), stakes, Budget(least_gain=least_gain))
        found = points_of(answer)
        assert (answer.info().exact, answer.info().least_gain) == (False, least_gain)
        assert np.abs(np.subtract(found, expected)).max() <= answer.info().error < 0.15
    assert np.abs(np.subtract(found, expected)).max() < 1e-4


@pytest.mark.parametrize("row", rows("gammons_to_save"), ids=repr)
def test_a_side_that_cannot_win_saves_the_gammon(row: Row) -> None:
    """Only few of its positions have to be compared for an accurate answer, whoever is on roll."""
    loser, winner, stakes = row.text("loser"), row.text("winner"), MONEY if row.text("stakes") == "money" else AT_SCORE
    for pair in ((loser, winner), (winner, loser)):
        exact = solve_turns(*sides(pair), stakes, EXACT)
        answer = solve_turns(*sides(pair), stakes, Budget(2))
        assert sum(answer.info().positions) <= sum(exact.info().positions)
        assert values(answer) == pytest.approx(values(exact), abs=max(answer.info().error, 1e-9))
        assert answer.chances().gammon_loss == pytest.approx(exact.chances().gammon_loss, abs=5e-4)
        assert answer.chances().gammon_win == pytest.approx(exact.chances().gammon_win, abs=5e-4)
    solution = bgrace.solve(loser, winner, seconds=0.05)
    assert len(solution.best_plays(roll="65")) == len(bgrace.legal_plays(loser, "65"))


@pytest.mark.parametrize("row", rows("stacks_far_from_home"), ids=str)
def test_the_error_of_stacks_far_from_home_is_at_most_the_stated_one(row: Row) -> None:
    answer = solve_turns(*sides((row.text("mine"), row.text("theirs"))), MONEY, Budget(0.1))
    assert answer.cube("centered")[0] == pytest.approx(row.number("equity"), abs=answer.info().error)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [("1x1 2x2 3x2 4x2 6x1 8x4 9x1 12x1 19x1", "1x1 2x4 3x3 4x1 5x5"), ("2x2 4x3 6x5 8x3 13x2", "1x2 2x2 3x3 4x3 5x3")],
)
def test_a_race_that_is_nearly_lost_looks_no_better_with_a_small_budget(mine: str, theirs: str) -> None:
    """Few positions of a layer are kept, and all rolls are asked for: merging must not straighten convex chances."""
    pair = sides((mine, theirs))
    better = solve_turns(*pair, MONEY, Budget(1)).chances()
    for seconds in (0.02, 0.05):
        answer = solve_turns(*pair, MONEY, Budget(seconds), rolls=True)
        assert answer.info().merged
        assert better.win / 2 < answer.chances().win < 2 * better.win
        assert answer.chances().gammon_loss == pytest.approx(better.gammon_loss, abs=0.02)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [("3x11 8x1", "4x2 5x7"), ("3x8 4x3 8x1", "3x14"), ("4x10 9x1", "2x3 5x5"), ("3x9 7x3", "4x8")],
)
def test_plays_that_bring_checkers_home_to_a_stack_are_not_left_out(mine: str, theirs: str) -> None:
    """Their means are exact while those of other plays are estimates, and yet they are compared."""
    exact = bgrace.solve(mine, theirs, exact=True)
    answer = solve_turns(*sides((mine, theirs)), MONEY, Budget(0.1))
    assert abs(answer.chances().win - exact.win_probability) <= min(answer.info().error, 5e-4)


@pytest.mark.parametrize(("way", "delta"), [("turns", -1.0), ("turns", 0.05), ("turns", math.inf), ("all pairs", 0.0)])
def test_every_path_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch, way: kernel.Way, delta: float) -> None:
    """In single precision, and in double if every play is compared.  The path "none such" must not be chosen."""
    solver = kernel.Solver()
    counts = [np.zeros(24, np.int8) for _ in range(2)]
    counts[0][:6] = (4, 3, 1, 1, 1, 1)
    counts[1][:7] = (2, 2, 1, 1, 0, 0, 1)
    answers = []
    for path in (*available_paths(), "none such"):
        monkeypatch.setenv("BGRACE_VECTORS", path)
        for n_threads in (1, 3):
            answers.append(solver.ask(counts[0], counts[1], KernelStakes(), way, exactness=delta, n_threads=n_threads))
    found = [answer for answer in answers if answer is not None]
    assert len(found) >= 4  # the best and the plain one, at least
    assert len({answer.now().tobytes() for answer in found}) == 1
    assert len({answer.chances() for answer in found}) == 1


def test_plays_that_were_left_out_are_solved_when_asked_for() -> None:
    mine, theirs = parse_position("2x2 3x2 4x2 5x2 6x2 7x2"), parse_position("1x2 3x2 4x2 5x2 6x2 8x2")
    answer = solve_turns(mine, theirs, budget=Budget(delta=0.0))
    results = np.array([result.resized(24) for result in bgrace.legal_plays(mine, (6, 5))], dtype=np.int8)
    with pytest.raises(CoverageError):
        answer.after(results)
    question = Question(mine, theirs, MONEY, way="turns", limits=Limits(0.02, threads=1))
    assert len(question.solution().best_plays("65")) == len(results)
