"""Descriptions of pairs, and over-the-board counts judged by exact answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.known import known
from helpers.paths import RECORDED_RACES

import bgrace
from bgrace.answers.pair import PairAnalysis, describe
from bgrace.board import parse_board
from bgrace.counts.judged import judge_counts


def describe_pair(db: bgrace.Database, on_roll: str, opponent: str, roll: str, jacoby: bool = False) -> PairAnalysis:
    solution = db.solution(on_roll, opponent, bgrace.Stakes.money(bgrace.Rules(jacoby=jacoby)))
    return describe(solution, db.alone(on_roll), db.alone(opponent), roll)


def test_plays_of_a_table_with_gammons_are_exact(with_gammons: Path) -> None:
    with bgrace.open(with_gammons) as db:
        answer = describe_pair(db, "2x15", "2x15", "31")
        assert answer.solution.method == "two-sided"
        plain, jacoby = (describe_pair(db, "1x2", "2x15", "21", jacoby=rule) for rule in (False, True))
        verdicts = [known(each.cube_action).verdict for each in (plain, jacoby)]
        assert verdicts == ["too good", "double/pass"]
        assert [answer.plays[0].equity for answer in (plain, jacoby) if answer.plays] == [2, 1]
    plays, solved = known(answer.plays), bgrace.solve("2x15", "2x15").best_plays("31")
    assert [play.play for play in plays] == [play.play for play in solved]
    assert [play.equity for play in plays] == pytest.approx([play.equity for play in solved], abs=2e-4)


@pytest.mark.parametrize("k", [1, 2])
def test_counts_at_a_score_use_its_doubling_and_take_points(k: int) -> None:
    place, decision = ("centered", "double") if k == 1 else ("mine", "redouble")
    stakes = bgrace.Stakes.at(bgrace.match.Score(5, 3), cube_value=k)
    solution = bgrace.solve("2x1 4x2 6x2", "1x1 4x2 6x2", stakes)
    judged = judge_counts(solution)
    assert [judged.double is None, judged.redouble is None] == [k == 2, k == 1]
    reasons, points = known(solution.reasons_at(place)), known(judged.points)
    assert points == {decision: reasons.double.needed, "take": reasons.take.needed}
    for counted in judged.counts.values():
        chance, needed = counted.win_probability, points["take"]
        assert counted.take == (None if chance is None or needed is None else 1 - chance >= needed)
        assert counted.take_to is None
    for culprit in [each for wrong in judged.culprits.values() for each in wrong.values()]:
        assert (culprit.term, culprit.true_chance) == ("chance", solution.win_probability)
    # The true chance agrees with the verdict.
    margin = known(solution.cube_action(place).take_margin)
    assert (1 - solution.win_probability >= known(points["take"])) == (margin > 0)


@pytest.mark.parametrize("k", range(0, 1200, 75))
def test_a_count_is_right_once_its_culprit_is_replaced_by_the_true_number(k: int) -> None:
    board = parse_board(RECORDED_RACES[k])
    solution = bgrace.solve(board.on_roll, board.opponent, seconds=0.02)
    judged = judge_counts(solution)
    lead = board.opponent.pips - board.on_roll.pips
    for name, culprits in judged.culprits.items():
        for decision, culprit in culprits.items():
            assert judged.losses[name][decision]
            if culprit.term == "gammons" or culprit.true_limit is None:
                assert culprit.term in {"gammons", "limit"}
                continue
            changed = {"both": {"wastage", "limit"}}.get(culprit.term, {culprit.term})
            on_roll = culprit.true_on_roll if changed & {"wastage", "on_roll"} else culprit.on_roll
            opponent = culprit.true_opponent if changed & {"wastage", "opponent"} else culprit.opponent
            limit = culprit.true_limit if "limit" in changed else culprit.limit
            says = lead + known(opponent) - known(on_roll) > known(limit)
            advised = getattr(judged.counts[name], decision)
            assert advised != (says if decision != "take" else not says), (name, decision)
