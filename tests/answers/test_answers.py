"""The class of answers: its stakes and gammon chances, and the sources that implement its protocol."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from helpers.command import run
from helpers.known import known
from helpers.paths import SMALL
from helpers.stakes import by_rule

import bgrace
from bgrace import Position, Rules, Solution, Stakes
from bgrace._base.limits import Limits
from bgrace.answers import Gammons, PairAnswers, Values
from bgrace.answers.question import Question
from bgrace.board.dice import ROLLS
from bgrace.match import MatchEquityTable, Score
from bgrace.match.stakes import MONEY_PLACES


@pytest.mark.parametrize(
    ("stakes", "text"),
    [
        (Stakes.money(), "money"),
        (Stakes.money(Rules(jacoby=True)), "money, Jacoby rule"),
        (Stakes.money(Rules(gammons=False, beavers=True), 4), "money, no gammons, beavers, cube 4"),
        (Stakes.at(Score(3, 5)), "3-away, 5-away, cube 1"),
        (Stakes.at(Score(1, 5, crawford=True)), "1-away, 5-away, Crawford, cube 1"),
        (Stakes.at(Score(1, 5), cube_value=2), "1-away, 5-away, post-Crawford, cube 2"),
    ],
    ids=str,
)
def test_stakes_print_as_players_read_them(stakes: Stakes, text: str) -> None:
    assert str(stakes) == text
    assert repr(stakes) == f"<bgrace.Stakes: {text}>"
    assert str(pickle.loads(pickle.dumps(stakes))) == text


def test_payoffs_are_points_for_money_and_chances_at_a_score() -> None:
    money, match = Stakes.money(), Stakes.at(Score(3, 5), cube_value=2)
    assert [money.payoff(points) for points in (-2, 1)] == [-2, 1]
    assert match.payoff(1) == MatchEquityTable.default().after(Score(3, 5), 2)
    assert money.normalised(0.3) == 0.3
    assert [match.normalised(match.payoff(points)) for points in (1, -1)] == [1, -1]
    assert (money.cubes, match.cubes) == (("centered", "mine", "theirs", "none"), ("mine", "theirs", "none"))


# ---------------------------------------------------------------------- gammons


def test_gammon_chances_of_a_last_roll_are_those_by_hand() -> None:
    """A side that is off in a roll or two wins a gammon if the opponent still has all 15 checkers."""
    sure = bgrace.solve("1x1", "6x15")
    assert (sure.win_probability, sure.gammon_win, sure.gammon_loss, sure.gammon_method) == (1, 1, 0, "solved")
    assert (sure.backgammon_win, sure.backgammon_loss) == (0, 0)
    # 17 rolls bear off a checker: those with a six, 5-1, 4-2, 3-3 and 2-2.
    lost = bgrace.solve("6x15", "1x1")
    assert lost.gammon_win == 0
    assert lost.gammon_loss == pytest.approx(19 / 36, abs=1e-12)
    five = bgrace.solve("5x1", "6x15")
    assert five.gammon_win == pytest.approx(five.equities.cubeless - 1, abs=1e-12)
    none = bgrace.solve("5x1", "6x14")
    assert (none.gammon_win, none.gammon_loss, none.gammon_method) == (0, 0, "certain")
    single = bgrace.solve("5x1", "1x15", bgrace.Stakes.money(Rules(gammons=False)))
    assert single.gammon_win == 0


def test_gammon_chances_of_all_pairs_and_of_turns_are_as_near_as_the_header_says() -> None:
    """All pairs are solved with plays for gammons alone, turns with plays for all points."""
    generator = np.random.default_rng(1)
    full, few = (
        Position(np.bincount(generator.integers(0, points, checkers), minlength=points))
        for points, checkers in ((7, 15), (8, 2))
    )
    for sides in ((full, few), (few, full)):
        found = []
        for way in ("all pairs", "turns"):
            solved = Question(*sides, Stakes.money(), way=way, limits=Limits(memory_bytes=4 << 30)).ask()
            found.append(known(solved).chances())
        assert np.abs(np.diff(found, axis=0)[0, [1, 3]]).max() < 1e-5, sides
        assert max(found[0][1], found[0][3]) > 0.01


def test_gammon_chances_are_the_same_at_a_score_if_plays_are_the_same() -> None:
    money, match = bgrace.solve("1x3", "2x15"), bgrace.solve("1x3", "2x15", match=Score(5, 5))
    assert money.gammon_win == pytest.approx(match.gammon_win, abs=1e-12)


def test_chances_of_backgammons_are_none_if_the_source_lacks_them() -> None:
    solution = bgrace.solve("1x1", (0,) * 22 + (1,), bgrace.Stakes.money(Rules()))
    assert solution.backgammon_win == 0  # fourteen are off
    straggler = Position((14, *(0,) * 18, 1))
    assert Solution(Position((1,)), straggler, Stakes.money(), Coin()).backgammon_win is None


def test_beavers_change_no_value(with_gammons: Path) -> None:
    """After a correct double the taker is never the favourite, even under the Jacoby rule."""
    with bgrace.open(with_gammons) as db:
        everything = db.space.position(np.arange(1, len(db.space)))
        action = db.cube_action(everything[:, np.newaxis], everything, stakes=by_rule(True))
        assert not (known(action.double) & (known(action.double_take) < -1e-4)).any()
    rules = Rules(jacoby=True, beavers=True)
    assert bgrace.solve("1x2", "1x3", Stakes.money(rules)).cube_action().beaver is not None


# ---------------------------------------------------------------------- files


def test_a_file_answers_with_a_solution() -> None:
    with bgrace.open(SMALL) as db:
        found, solved = db.solution("5x1 6x1", "4x1 5x1"), bgrace.solve("5x1 6x1", "4x1 5x1")
        assert isinstance(found, Solution)
        assert (found.method, found.error, found.missing) == ("two-sided", 0, None)
        assert found.equities == db.equities("5x1 6x1", "4x1 5x1")
        assert found.cube_action("mine") == db.cube_action("5x1 6x1", "4x1 5x1", "mine")
        assert found.win_probability == db.win_probability("5x1 6x1", "4x1 5x1")
        plays, exact = found.all_plays(), solved.all_plays()
        assert len(plays) == 21
        for roll, of_roll in plays.items():
            assert of_roll == db.best_plays("5x1 6x1", "4x1 5x1", roll)
            assert [play.equity for play in of_roll] == pytest.approx([play.equity for play in exact[roll]], abs=2e-4)
        again = pickle.loads(pickle.dumps(found))
    assert again.all_plays() == plays
    assert again.to_dict("31", "theirs") == found.to_dict("31", "theirs")
    assert len(repr(again)) < 120


@pytest.mark.parametrize("cube", ["none", None])
def test_all_plays_are_the_best_plays_of_each_roll(db: bgrace.Database, cube: str | None) -> None:
    """For answers of files, answers solved on the spot, estimates and pickled answers."""
    answers = [
        db.solution("5x1 6x1", "4x1 5x1"),
        db.solution("1x1", "4x1 5x1"),
        bgrace.solve("5x1 6x1", "4x1 5x1"),
        bgrace.solve("5x1 6x1", "4x15"),
        bgrace.solve("5x1 6x1", "4x1 5x1", match=Score(3, 5)),
        bgrace.solve("13x2", "8x2", seconds=0.01),
        pickle.loads(pickle.dumps(db.solution("5x1 6x1", "4x1 5x1"))),
    ]
    for solution in answers:
        plays = solution.all_plays(cube)
        assert list(plays) == list(ROLLS)
        assert plays == {roll: solution.best_plays(roll, cube) for roll in ROLLS}


def test_a_race_beyond_the_file_is_solved(db: bgrace.Database) -> None:
    assert bgrace.solve("6x4", "5x5", database=db).equities == bgrace.solve("6x4", "5x5").equities
    assert bgrace.solve("5x1 6x1", "4x1 5x1", database=db).method == "two-sided"
    assert bgrace.solve("5x1 6x1", "4x1 5x1", match=Score(3, 5), database=db).method == "solved"
    named = "XGID=-----AA-------------aa----:1:1:1:31:0:0:0:0:10"  # its cube, and its dice
    stored, solved = bgrace.solve(named, database=db), bgrace.solve(named)
    assert (stored.method, solved.method) == ("two-sided", "solved")
    assert (stored.cube, stored.roll, stored.stakes) == (solved.cube, solved.roll, solved.stakes)


# ---------------------------------------------------------------------- the protocol


class Coin:
    """A source for which every race is even, whatever is played."""

    def now(self) -> Values:
        return Values(np.zeros(4), MONEY_PLACES, "coin", error=0.5)

    def after(self, results: Sequence[Position], roll: tuple[int, int]) -> Values:
        return Values(np.tile([0.1, 0.2, 0.3, 0.4], (len(results), 1)), MONEY_PLACES, "coin", error=0.5)

    def win_probability(self) -> float:
        return 0.5

    def gammons(self) -> Gammons:
        return Gammons(0.25, None, None, None, "coin")


def test_any_source_that_implements_the_protocol_answers() -> None:
    coin: PairAnswers = Coin()
    solution = Solution(Position((0, 0, 0, 0, 0, 2)), Position((0, 0, 15)), Stakes.money(), coin)
    assert (solution.method, solution.error, solution.win_probability) == ("coin", 0.5, 0.5)
    assert (solution.gammon_win, solution.gammon_loss, solution.backgammon_win) == (0.25, 0, 0)
    assert solution.cube_action().verdict == "double/take"
    # After my play the opponent is on roll, and may double unless the cube is mine; a double is worth twice as much.
    worth = {cube: solution.best_plays("21", cube)[0].equity for cube in solution.stakes.cubes}
    assert worth == pytest.approx({"none": -0.1, "mine": -0.2, "centered": -0.4, "theirs": -0.4})
    (off,) = (play for play in solution.best_plays("66") if not play.position.checkers)
    assert (off.equity, off.loss) == (2, 0)


def test_the_value_of_a_double_includes_the_beaver() -> None:
    solution = bgrace.solve("5x6 7x6", "1x13", Stakes.money(Rules(beavers=True)), prove=True)
    action = solution.cube_action()
    assert action.beaver
    taken = known(action.double_take)
    assert taken == pytest.approx(-4, abs=0.09)
    assert action.double_margin == pytest.approx(taken - action.no_double)
    assert action.take_margin == pytest.approx(1 - taken)
    low, high = known(solution.bounds).cube("centered").double_take
    assert low <= taken <= high
    line = next(line for line in run("solve", "5x6 7x6", "1x13", "--beavers").stdout.splitlines() if "beaver " in line)
    assert line.split()[:3] == ["double,", "beaver", f"{taken:+.4f}"]
