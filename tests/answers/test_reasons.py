"""Reasons: their terms add up, their chances agree with the verdicts, and every phrase has words."""

from __future__ import annotations

import json
import pickle
import re
from typing import Any

import numpy as np
import pytest
from helpers.command import run
from helpers.known import known
from helpers.paths import RECORDED_RACES, ROOT

import bgrace
from bgrace._base.language import WORDS, words
from bgrace.answers import Reasons, Solution
from bgrace.answers.alone import follow_alone
from bgrace.answers.reasons import Phrase, sentence, solver
from bgrace.board import parse_board, parse_position
from bgrace.board.position import counts_of
from bgrace.match import Score
from bgrace.match.stakes import Stakes


def check_reasons(solution: Solution, cube: str) -> None:
    """Check that the terms add up to the margins, and that a chance above the needed one means a positive margin."""
    action, reasons = solution.cube_action(cube), solution.reasons_at(cube)
    if action.double_take is None:
        assert reasons is None
        return
    assert reasons is not None
    taken = None if action.beaver else action.take_margin  # the reasons of a beaver are those of the take
    for reason, margin in ((reasons.double, action.double_margin), (reasons.take, taken)):
        assert margin is None or reason.margin == pytest.approx(margin, abs=1e-9)
        assert sum(reason.terms.values()) == pytest.approx(reason.margin, abs=1e-9)
        assert reason.text()
    for reason in (reasons.take, *([reasons.double] if action.verdict != "too good" else [])):
        if reason.needed is not None and abs(reason.margin) > 1e-6:
            assert (reason.chance > reason.needed) == (reason.margin > 0)
    assert reasons.double.chance + reasons.take.chance == pytest.approx(1)


def reasons_of(on_roll: str, opponent: str, stakes: Stakes | None = None, cube: str = "centered") -> Reasons:
    """Return the reasons of a race that is solved on the spot."""
    return known(bgrace.solve(on_roll, opponent, stakes=stakes).reasons_at(cube))


@pytest.mark.parametrize("race", RECORDED_RACES[::1200])
def test_terms_add_up_for_money_and_at_scores(race: str) -> None:
    board = parse_board(race)
    for match, cubes in ((None, ("centered", "mine", "theirs")), (Score(3, 5), ("centered",))):
        solution = bgrace.solve(board.on_roll, board.opponent, match=match, seconds=0.02)
        for cube in cubes:
            check_reasons(solution, cube)


def test_terms_add_up_under_every_rule() -> None:
    rules = bgrace.Rules(gammons=True, jacoby=True, beavers=True)
    for race in (("1x14 2x1", "6x15"), ("1x9", "3x15"), ("6x2 5x1", "1x4")):
        check_reasons(bgrace.solve(*race, stakes=bgrace.Stakes.money(rules)), "centered")
    check_reasons(bgrace.solve("6x3 5x2", "6x3 4x2", stakes=bgrace.Stakes.at(Score(4, 2), cube_value=2)), "mine")


def test_a_file_gives_the_reasons_that_a_solution_does(db: bgrace.Database) -> None:
    stored = known(db.solution("5x1 6x1", "4x1 5x1").reasons)
    solved = bgrace.solve("5x1 6x1", "4x1 5x1")
    fresh, kept = known(solved.reasons), known(pickle.loads(pickle.dumps(solved)).reasons)
    assert stored.market_losers == fresh.market_losers == 6
    for reasons in (stored, kept):
        assert reasons.double.terms == pytest.approx(fresh.double.terms, abs=2e-4)
        assert reasons.double.needed == pytest.approx(fresh.double.needed, abs=2e-3)
        assert reasons.take.needed == pytest.approx(fresh.take.needed, abs=2e-3)
        assert reasons.take.terms == pytest.approx(fresh.take.terms, abs=2e-4)


def test_points_of_a_last_roll_are_a_half_and_a_quarter() -> None:
    reasons = reasons_of("6x1", "1x1")
    assert reasons.double.needed == pytest.approx(0.5)
    assert reasons.take.needed == pytest.approx(0.25)
    assert reasons.double.terms["cube"] == 0
    assert "27 of 36 rolls" in reasons.take.text()


def test_wastage_is_explained_once_with_its_cause() -> None:
    reasons = reasons_of("7,2,2,1,0,0", "0,0,1,2,4,4")
    assert str(reasons).count("ace point") == 1
    assert reasons.take.text().startswith("You are 34 pips behind")
    assert "7 checkers on the ace point the opponent wastes 22.8" in reasons.take.text()
    json.dumps(reasons.to_dict())


@pytest.mark.parametrize(
    ("race", "stakes", "double", "take"),
    [
        (("1x1 2x1", "1x3"), None, "You cannot lose this, so double, and", "You cannot win this, so pass."),
        (("1x3 2x3 3x2", "1x2 2x3 4x2 5x1 6x2"), None, "The game is decided: you win 99.3 %", "win only 0.7 %"),
        (("1x4 2x4", "2x2 3x1 5x2"), Stakes.at(Score(3, 1)), "costs you nothing.", "53.1 % is more than the 2.4 %"),
    ],
)
def test_settled_decisions_are_plain(race: tuple[str, str], stakes: Stakes | None, double: str, take: str) -> None:
    reasons = reasons_of(*race, stakes)
    assert double in reasons.double.text()
    assert take in reasons.take.text()


def test_reasons_have_the_epc_of_each_side_alone_whatever_the_budget() -> None:
    for seconds in (0.02, 0.2):
        solution = bgrace.solve("7,2,2,1,0,0", "0,0,1,2,4,4", seconds=seconds)
        assert known(solution.reasons).epc == pytest.approx((43.828, 61.874), abs=0.01)


@pytest.mark.parametrize("lead", [(3, 8), (2, 4)])
def test_the_needed_chance_is_usual_for_the_score(lead: tuple[int, int]) -> None:
    """Even if the leader has nearly lost, a double needs about as much as in other races at this score."""
    reasons = reasons_of("2x2 3x2 4x2 5x5 6x3", "1x1 2x3 3x2 4x1 5x1 6x1", Stakes.at(Score(*lead)))
    assert 0.65 < known(reasons.double.needed) < 0.85


@pytest.mark.parametrize("needs", [(2, 1), (3, 1), (5, 1), (9, 1), (9, 2)])
@pytest.mark.parametrize(
    "race", [("3x2 4x2 5x2 6x2", "3x2 4x2 5x2 6x1"), ("1,1,1,0,3,0", "1,4,0,0,0,0"), ("1,1,2,1,0,1", "2,1,1,0,2,1")]
)
def test_a_double_that_costs_nothing_needs_no_chance(race: tuple[str, str], needs: tuple[int, int]) -> None:
    stakes = Stakes.at(Score(*needs), cube_value=needs[1])
    double = reasons_of(*race, stakes, "centered" if needs[1] == 1 else "mine").double
    assert (double.needed, double.pips) == (0, None)
    assert double.margin > -1e-6
    assert double.text() == "At this score a lost game loses the match anyway, so a double costs you nothing."


def test_a_race_that_is_too_good_has_no_distance_from_a_tie() -> None:
    assert reasons_of("2x1 5x3", "1x15").double.pips is None
    assert "from a tie" not in run("solve", "2x1 5x3", "1x15").stdout


def test_a_decision_with_a_large_margin_is_not_called_close() -> None:
    """The model of these races has its tie right there, so by pips alone they would look close."""
    close = ("2,0,0,2,1,0", "0,0,2,1,1,0"), ("0,1,2,0,0,0", "0,0,1,1,0,0"), ("1,2,1,0,2,0", "0,0,1,1,2,1")
    for race in close:
        for cube in ("centered", "mine"):
            reasons = reasons_of(*race, cube=cube)
            for reason in (reasons.double, reasons.take):
                assert abs(reason.margin) < 0.02 or reason.pips is None or abs(reason.pips) >= 0.05
                assert abs(reason.margin) < 0.02 or "hair" not in reason.text()
    assert reasons_of(*close[0], cube="mine").double.needed == pytest.approx(0.612, abs=0.002)


def test_reasons_of_a_followed_answer_are_those_of_a_new_one() -> None:
    mine, theirs, after = (counts_of(parse_position(side)) for side in ("6x1 5x2 4x1", "6x1 5x1 4x2", "5x2 4x1"))
    money = Stakes.money().kernel
    answer = known(solver().ask(mine, theirs, money))
    followed, asked = answer.follow(theirs, after, True), known(solver().ask(theirs, after, money))
    found, again = (solver().reasons(one, "mine") or {} for one in (followed, asked))
    assert found["double"]["needed"] == pytest.approx(again["double"]["needed"])
    assert found["double"]["terms"] == pytest.approx(again["double"]["terms"])
    over = answer.follow(theirs, np.zeros(24, np.int8), True)
    assert solver().reasons(over, "mine") is None


@pytest.mark.parametrize("language", sorted(path.stem for path in WORDS.glob("*.json")))
def test_every_phrase_of_c_has_words(language: str) -> None:
    """The keys of phrases are string literals of two C files."""
    code = "".join((ROOT / f"csrc/answer/{name}.c").read_text("utf-8") for name in ("phrases", "play_reason"))
    strings = set(re.findall(r'(?<!#include )"(\w+)"', code))
    texts = words(language)["phrases"]
    values = {name for text in texts.values() for name in re.findall(r"\{(\w+):", text)}
    assert strings - set(texts) <= values
    assert set(texts) <= strings


def test_one_pip_is_singular() -> None:
    assert sentence((Phrase("ahead_on_roll", {"pips": 1}),)) == "You are 1 pip ahead and on roll"


@pytest.mark.parametrize(
    ("race", "roll", "rank", "said"),
    [
        (("2x1 4x2 5x1 6x2", "1x1 3x2 5x1 6x3"), "63", 2, "Leaves the 5 point empty, misses next time with 27 of 36"),
        (("5x1 4x1 2x1", "1x3"), "21", 2, "Bears off 1 checker fewer"),
        (("6x5 5x4 4x2 3x2 8x1 9x1", "1x2 2x1"), "52", 2, "Loses a gammon 21.3 % of the time (the best 16.7 %)."),
    ],
)
def test_a_worse_play_is_explained_by_its_faults(race: tuple[str, str], roll: str, rank: int, said: str) -> None:
    solution = bgrace.solve(*race, roll=roll)
    plays = solution.best_plays()
    reason = solution.play_reason(plays[0], plays[rank])
    assert reason.text().startswith(said)
    listed: Any = solution.to_dict()["plays"]
    assert "reason" not in listed[0]
    assert listed[rank]["reason"] == reason.to_dict()
    for side, play in enumerate((plays[0], plays[rank])):
        alone = follow_alone(play.position)
        assert reason.epc[side] == pytest.approx(alone.epc, abs=0.02)
        assert (reason.checkers[side], reason.pips[side]) == (play.position.checkers, play.position.pips)


def test_a_play_of_a_file_has_the_reason_of_a_solution(db: bgrace.Database) -> None:
    stored = db.solution("5x1 6x1", "4x1 5x1")
    plays = stored.best_plays("21")
    file = stored.play_reason(plays[0], plays[1])
    solved = bgrace.solve("5x1 6x1", "4x1 5x1").play_reason(plays[0], plays[1])
    assert (file.checkers, file.misses) == (solved.checkers, solved.misses)
    assert file.epc == pytest.approx(solved.epc)
    assert file.win is None
    assert solved.win is not None


@pytest.mark.parametrize(
    ("opponent", "win", "gammon"), [("1x1", 0, (0, 0)), ("6x1", 1 - 27 / 36, (0, 0)), ("1x15", 1, (1, 0))]
)
def test_plays_that_end_the_game_have_their_chances(opponent: str, win: float, gammon: tuple[int, int]) -> None:
    solution = bgrace.solve("1x1 5x1", opponent)
    for each in (solution, pickle.loads(pickle.dumps(solution))):
        reason = each.play_reason(*each.best_plays("62"))
        assert known(reason.win) == pytest.approx((1, win))
        assert reason.gammon_win == gammon


def test_plays_of_a_roll_that_was_not_given_have_reasons_without_misses() -> None:
    solution = bgrace.solve("7x2 6x5 5x4 4x2 8x2", "6x4 5x5 4x4 9x2", seconds=0.02)
    plays = solution.best_plays("64")
    reason = solution.play_reason(plays[0], plays[-1])
    best, worst = known(reason.win)
    assert best > worst
    assert reason.misses is None


def test_the_command_prints_the_distance_from_a_tie() -> None:
    race = ("7,2,2,1,0,0", "0,0,1,2,4,4")
    pips = known(reasons_of(*race).double.pips)
    printed = " ".join(run("solve", *race).stdout.split())
    assert f"A double is {abs(pips):.1f} pips from a tie." in printed
    assert "Ein Doppel ist" in run("solve", *race, "--language", "de").stdout
