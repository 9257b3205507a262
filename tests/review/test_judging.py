"""Decisions judged: against the solver asked directly, and against the sum of what happened."""

from __future__ import annotations

from collections import Counter

import pytest
import sgf_races
from helpers.paths import ROOT

import bgrace
from bgrace.match import Score
from bgrace.review import MatchReview, read, review
from bgrace.review.replay import replay

MATCHES = ROOT / "tests" / "review" / "matches"


@pytest.fixture(scope="module")
def five() -> MatchReview:
    """A match whose one race is exact throughout."""
    return review(MATCHES / "5-103.mat")


def test_as_many_decisions_as_a_second_replay_counts() -> None:
    path = MATCHES / "3-102.sgf"
    found: Counter[str] = Counter()
    for match in read(path):
        for game in replay(match):
            found.update(each.done if each.kind == "cube" else each.kind for each in game.decisions)
    del found["resign"]
    assert found == sgf_races.count(path.read_text(encoding="utf-8"))


def test_what_the_solver_says_of_a_play(five: MatchReview) -> None:
    worst = five.mistakes[0]
    assert (worst.game, worst.move, worst.done, worst.best) == (3, 27, "18/12 3/1", "18/10")
    solution = bgrace.solve(worst.board.on_roll, worst.board.opponent, match=Score(3, 1, crawford=True))
    plays = {play.play: play for play in solution.best_plays(worst.board.roll or "")}
    lost = plays[worst.best].mwc, plays[worst.done].mwc
    assert lost[0] is not None
    assert lost[1] is not None
    assert worst.loss == pytest.approx(lost[0] - lost[1], abs=1e-9)
    assert worst.equity_loss == pytest.approx(plays[worst.done].loss, abs=1e-8)
    assert (worst.method, worst.error) == ("solved", 0.0)


def test_luck_and_mistakes_account_for_the_result(five: MatchReview) -> None:
    (game,) = [each for each in five.games if each.decisions]
    assert game.start is not None
    assert game.finish is not None
    losses = [sum(each.loss for each in game.decisions if each.player == player) for player in (0, 1)]
    assert game.start + game.luck[0] - game.luck[1] - losses[0] + losses[1] == pytest.approx(game.finish, abs=1e-8)
    assert game.without_luck == pytest.approx(game.start - losses[0] + losses[1], abs=1e-8)


def test_tallies_add_up(five: MatchReview) -> None:
    for player, tally in enumerate(five.tallies):
        own = [each for each in five.decisions if each.player == player]
        assert tally.n_decisions == len(own)
        assert tally.n_errors == sum(number for number, _ in tally.errors.values())
        assert tally.loss == pytest.approx(sum(each.loss for each in own if each.error_class))
    assert [tally.n_errors for tally in five.tallies] == [2, 0]
