"""Judged decisions: against the solver, and against the course of each game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import pytest
from helpers import golden
from helpers.known import known
from helpers.paths import MATCHES

import bgrace
from bgrace.match import MatchEquityTable, Score, ZadehModel
from bgrace_apps.review import Decision, EngineOpinion, MatchReview, read, review
from bgrace_apps.review.judging import judge, questions_of
from bgrace_apps.review.questions import Answer, Question, known_answers
from bgrace_apps.review.records import EngineCube
from bgrace_apps.review.replay import RaceDecision, ReplayedGame, replay
from bgrace_apps.review.reviewing import prepare
from bgrace_apps.review.words import best_words


@pytest.mark.parametrize("row", golden.rows("race_decisions"), ids=lambda row: row.text("match"))
def test_decisions_are_as_many_as_a_second_program_counts(row: golden.Row) -> None:
    found: Counter[str] = Counter()
    for match in read(MATCHES / "bare" / f"{row.text('match')}.sgf"):
        assert not match.problems
        for game in replay(match):
            assert not game.problems
            found.update(each.done if each.kind == "cube" else each.kind for each in game.decisions)
    del found["resign"]
    assert found == Counter({kind: row.integer(kind) for kind in ("play", "no double", "double", "answer")})


def test_the_loss_of_a_play_is_that_of_the_solver(five: MatchReview) -> None:
    worst = five.mistakes[0]
    assert (worst.game, worst.move, worst.done, worst.best) == (3, 27, "18/12 3/1", "18/10")
    solution = bgrace.solve(worst.board.on_roll, worst.board.opponent, match=Score(3, 1, crawford=True))
    plays = {play.play: play for play in solution.best_plays(worst.board.roll or "")}
    best, done = (plays[name].mwc or 0.0 for name in (worst.best, worst.done))
    assert worst.loss == pytest.approx(best - done, abs=1e-9)
    assert worst.equity_loss == pytest.approx(plays[worst.done].loss, abs=1e-8)
    assert (worst.method, worst.error) == ("solved", 0.0)


def test_luck_and_mistakes_account_for_the_result(five: MatchReview) -> None:
    (game,) = [each for each in five.games if each.decisions]
    losses = [sum(each.loss for each in game.decisions if each.player == player) for player in (0, 1)]
    without_luck = (game.start or 0.0) - losses[0] + losses[1]
    assert game.without_luck == pytest.approx(without_luck, abs=1e-8)
    assert game.finish == pytest.approx(without_luck + game.luck[0] - game.luck[1], abs=1e-8)


def test_tallies_add_up(five: MatchReview) -> None:
    for player, tally in enumerate(five.tallies):
        own = [each for each in five.decisions if each.player == player]
        assert tally.n_decisions == len(own)
        assert tally.n_errors == sum(number for number, _ in tally.errors.values())
        assert tally.loss == pytest.approx(sum(each.loss for each in own if each.error_class))
    assert [tally.n_errors for tally in five.tallies] == [2, 0]


# ---------------------------------------------------------------------- errors of answers


def test_a_loss_within_the_error_of_the_answer_is_no_mistake(seven: MatchReview) -> None:
    close = seven.too_close
    assert close
    for each in close:
        assert each.error_class is None
        assert 0 < (each.equity_loss or 0.0) <= each.error
        assert each not in seven.mistakes
    for each in seven.mistakes:
        assert (each.equity_loss or 0.0) > each.error
    for each in seven.decisions:
        best, *others = each.as_good
        assert best == each.best
        assert not each.error_class or each.done not in others
        near = [choice for choice in each.choices if choice.name in others]
        assert all((each.choices[0].equity or 0) - (choice.equity or 0) <= max(each.error, 5e-5) for choice in near)
    mistake = seven.mistakes[0]
    assert mistake.error_loss == pytest.approx(mistake.error * mistake.loss / known(mistake.equity_loss))
    several = replace(mistake, error=0.08, error_class=None)
    assert mistake.done in several.as_good
    assert best_words(several).endswith("too close to tell apart")
    for player, tally in enumerate(seven.tallies):
        lost = sum(each.equity_loss or 0 for each in seven.mistakes if each.player == player)
        assert tally.pr == pytest.approx(500 * lost / tally.n_counted)
    assert sum(tally.n_too_close for tally in seven.tallies) == len(close)


def test_decisions_that_are_too_close_to_call_are_solved_again_with_more_time() -> None:
    (match,) = read(MATCHES / "6-203.mat")
    match = replace(match, games=match.games[3:4])
    prepared = prepare(match)
    answers: dict[Question, Answer | str] = {}
    for run in prepared.runs:
        answers |= known_answers(run, met=None, seconds=0.3)
    glanced = prepared.judged(answers)
    again = {question.board for run in prepared.left_open(glanced, answers, 0.3) for question in run}
    assert again
    assert prepared.left_open(glanced, answers, 0.1) == ()
    told = review(match)
    n_changed = 0
    for before, after in zip(glanced.decisions, told.decisions, strict=True):
        if before.board in again:
            n_changed += after != before
        elif before.kind == "play":
            assert after == before
    assert n_changed


def asked(kind: Literal["cube", "answer"], board: bgrace.Board, done: str, cube: EngineCube) -> Decision:
    """Judge a decision that a program has evaluated."""
    player = 1 if kind == "answer" else 0
    decision = RaceDecision(kind, player, 0, 1, board, done, engine_cube=cube)
    replayed = ReplayedGame(1, (0, 0), False, (decision,), (), None, "unfinished")
    run = tuple(questions_of(replayed.decisions))
    return judge(replayed, known_answers(run, met=None, seconds=0.3, closer=True))[0].decisions[0]


def test_a_program_s_cube_decisions_are_judged() -> None:
    board = bgrace.parse_board("XGID=-----AA------------aa-----:0:0:1:00:0:0:0:0:10")
    solution = bgrace.solve(board)
    action = solution.cube_action()
    assert action.verdict == "double/pass"
    right = asked("cube", board, "double", EngineCube(0.9, 1.1, as_mwc=False)).engine
    assert right == EngineOpinion("double", 0.0, 0.0)
    timid = known(asked("cube", board, "double", EngineCube(0.9, 0.8, as_mwc=False)).engine)
    assert timid.best == "no double"
    assert timid.loss == pytest.approx(1 - action.no_double, abs=1e-8)
    # Its double is right, and its take is wrong: it is asked about the take in both decisions.
    for kind, done in (("cube", "double"), ("answer", "pass")):
        decision = asked(kind, board, done, EngineCube(0.5, 0.9, as_mwc=False))  # type: ignore[arg-type]
        generous = known(decision.engine)
        assert generous.best == "take"
        assert generous.loss == pytest.approx(known(action.double_take) - 1, abs=1e-8)


@pytest.mark.parametrize(
    ("state", "doubled"),
    [("0:0:1:00:4:1:0:5:10", "1:-1:1:00:4:1:0:5:10"), ("1:1:1:00:3:0:0:5:10", "2:-1:1:00:3:0:0:5:10")],
)
def test_a_double_of_a_dead_cube_is_wrong_and_a_pass_too(state: str, doubled: str) -> None:
    xgid = "XGID=----AAA------------aaa----"
    board, dead = bgrace.parse_board(f"{xgid}:{state}"), EngineCube(0.5, 0.4, as_mwc=True)
    rolled, taken = (bgrace.solve(f"{xgid}:{at}").cube_action().no_double for at in (state, doubled))
    double, answer = asked("cube", board, "double", dead), asked("answer", board, "pass", dead)
    assert (double.error_class, double.as_good) == ("wrong double", ("no double",))
    assert double.loss == pytest.approx(rolled - taken, abs=1e-9)
    assert (answer.error_class, answer.choices[0].name) == ("wrong pass", "take")
    assert answer.choices[0].value == pytest.approx(1 - taken, abs=1e-9)


def test_a_table_of_unequal_players_gives_each_their_own_chances() -> None:
    """The value of a play for one player is one minus the chance of the other before the next decision."""
    met = MatchEquityTable.from_model(ZadehModel.unequal())
    compared = 0
    for game in review(MATCHES / "5-103.mat", met=met).games:
        for before, after in pairwise(game.decisions):
            if before.kind == "play" and before.method == after.method == "solved":
                left = next(choice.value for choice in before.choices if choice.name == before.done)
                assert left == pytest.approx(1 - after.chance, abs=1e-8)
                compared += before.on_roll != after.on_roll
    assert compared > 3
