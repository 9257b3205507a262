"""Races solved with all positions that can follow, and asked again as they are played out."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.known import known
from helpers.paths import RECORDED_RACES

import bgrace
from bgrace._base.limits import PAIR_MEMORY, Limits
from bgrace._kernels.two_sided import count_reachable
from bgrace.answers.question import Question, SolvedPair
from bgrace.board import Position, parse_position
from bgrace.errors import PositionError
from bgrace.match import Score
from bgrace.match.stakes import Rules, Stakes

START = (parse_position("6x1 5x2 3x1"), parse_position("6x1 4x2 2x1"))
FEW_SECONDS = 0.003  # of csrc/solve/graph.c: races that take less are solved whatever the budget
STAKES = {
    "money": Stakes.money(),
    "jacoby and beavers": Stakes.money(Rules(jacoby=True, beavers=True)),
    "a score": Stakes.at(Score(4, 2), None, 2),
    "the Crawford game": Stakes.at(Score(3, 1, crawford=True)),
}


def solve_end(
    on_roll: Position, opponent: Position, stakes: Stakes, seconds: float = 3, memory_bytes: int = PAIR_MEMORY
) -> SolvedPair | None:
    return Question(on_roll, opponent, stakes, limits=Limits(seconds, memory_bytes, 1)).solve_few()


def solved(stakes: Stakes, start: tuple[Position, Position] = START) -> SolvedPair:
    return known(solve_end(*start, stakes))


@pytest.mark.parametrize("stakes", STAKES.values(), ids=STAKES.keys())
def test_later_turns_are_answered_as_if_solved_alone(stakes: Stakes) -> None:
    end, sides, player = solved(stakes), START, 0
    for roll in ("31", "22", "64", "21"):
        seen = stakes if player == 0 else stakes.swapped
        later = end.later(*sides, seen, swapped=player == 1)
        alone = bgrace.solve(*sides, seen)
        assert later.method == alone.method == "solved"
        assert later.error == 0.0
        assert later.win_probability == pytest.approx(alone.win_probability, abs=1e-12)
        for cube in seen.cubes:
            mine, theirs = later.cube_action(cube), alone.cube_action(cube)
            assert mine.verdict == theirs.verdict
            assert mine.no_double == pytest.approx(theirs.no_double, abs=1e-12)
            plays = [(play.play, round(play.equity, 10)) for play in later.best_plays(roll, cube)]
            assert plays == [(play.play, round(play.equity, 10)) for play in alone.best_plays(roll, cube)]
        left = bgrace.legal_plays(sides[0], roll)[0]
        sides, player = (sides[1], left), 1 - player


def test_gammon_chances_of_later_turns_are_those_of_a_new_solution() -> None:
    start = parse_position("1x4"), parse_position("2x15")
    end = solved(Stakes.money(), start)
    later = end.later(start[1], parse_position("1x2"), Stakes.money(), swapped=True)
    assert later.gammon_loss == pytest.approx(bgrace.solve("2x15", "1x2").gammon_loss, abs=1e-12)


def test_a_position_that_cannot_follow_is_refused() -> None:
    with pytest.raises(PositionError, match="the race does not come to"):
        solved(Stakes.money()).later(parse_position("6x3"), START[1], Stakes.money(), swapped=False)


def test_a_race_of_too_many_pairs_is_solved_by_turns() -> None:
    far = parse_position("12x3 8x2 6x5 5x5"), parse_position("12x2 8x3 6x5 5x5")
    assert solve_end(*far, Stakes.money(), 0.1) is None
    race = Question(*far, Stakes.money(), way="turns", limits=Limits(0.05, threads=1)).solution()
    assert race.method == "turns"
    assert race.error > 0
    assert solve_end(*START, Stakes.money(), 1e-6) is not None
    assert solve_end(*START, Stakes.money(), 3, 1 << 16) is None


def test_positions_are_counted_without_being_listed() -> None:
    boards = map(bgrace.parse_board, RECORDED_RACES[::100])
    n_solved = 0
    for board in (board for board in boards if board.on_roll.pips + board.opponent.pips < 40):
        sides = board.on_roll, board.opponent
        answer = Question(*sides, Stakes.money(), way="few", limits=Limits(0.1, 1 << 28, 1)).ask()
        if answer is not None:
            n_solved += 1
            assert answer.info().positions == [count_reachable(np.array(side, dtype=np.int8)) for side in sides]
    assert n_solved > 3


def test_a_race_is_solved_if_and_only_if_its_pairs_fit_the_budget() -> None:
    sides = Position((0, 0, 0, 2, 3, 3)), Position((0, 0, 0, 2, 3, 3))
    positions = count_reachable(np.array(sides[0], dtype=np.int8))
    seconds = 2 * positions**2 * 5 / 2e8 + 2 * positions * 4e-6  # five planes of money
    assert seconds > FEW_SECONDS
    assert solve_end(*sides, Stakes.money(), seconds) is not None
    assert solve_end(*sides, Stakes.money(), 0.999 * seconds) is None
