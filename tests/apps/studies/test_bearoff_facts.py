"""Facts of the bearoff, against derived tables and printed figures."""

from __future__ import annotations

import json

import pytest
from helpers import golden

from bgrace_apps.studies.bearoff_facts import PRINTED, BearoffReport, bearoff_report


@pytest.fixture(scope="module")
def report() -> BearoffReport:
    return bearoff_report()


def _count(name: str) -> int:
    return golden.named_value("aggregates", name).integer("value")


def _smaller_first(by_roll: dict[str, int]) -> dict[tuple[int, int], int]:
    return {(int(roll[2]), int(roll[0])): n for roll, n in by_roll.items()}


def test_epcs_are_the_derived_ones(report: BearoffReport) -> None:
    assert report.positions == PRINTED.positions == _count("n_positions")
    assert report.least_epc == pytest.approx(49 / 6, abs=1e-12)
    golden.check_printed(report.mean_epc, golden.named_value("aggregates", "mean_epc_not_empty"), "value")
    golden.check_printed(report.greatest_epc, golden.named_value("aggregates", "max_epc"), "value")
    assert report.greatest_epc_position == (0, 0, 0, 0, 0, 15)


def test_greedy_plays_are_wrong_as_often_as_derived(report: BearoffReport) -> None:
    greedy = report.greedy
    assert greedy.not_best == _count("n_greedy_suboptimal") == 1946
    assert greedy.not_best_positions == _count("n_greedy_suboptimal_positions")
    assert greedy.not_best_of_36 == _count("n_greedy_suboptimal_weighted")
    assert greedy.not_best_restricted == _count("n_greedy_suboptimal_restricted") == 1669


def test_the_printed_count_of_greedy_plays_comes_from_rounded_epcs(report: BearoffReport) -> None:
    greedy = report.greedy
    assert greedy.not_best_rounded == PRINTED.greedy_not_best == 1668
    row = golden.named_value("aggregates", "min_restricted_greedy_loss_pips")
    golden.check_printed(greedy.smallest_restricted.loss_pips, row, "value")
    assert greedy.smallest_restricted.loss_pips < greedy.rounded_to
    assert greedy.smallest_restricted.position == row.position("position")
    assert sorted(greedy.smallest_restricted.roll) == list(row.roll())


def test_greedy_plays_are_counted_by_roll_and_by_checkers(report: BearoffReport) -> None:
    rows = golden.rows("greedy_by_roll")
    everywhere = {row.roll(): n for row in rows if (n := row.integer("all"))}
    restricted = {row.roll(): n for row in rows if (n := row.integer("restricted"))}
    assert _smaller_first(report.greedy.by_roll) == everywhere
    assert _smaller_first(report.greedy.by_roll_restricted) == restricted
    by_checkers = {row.integer("checkers"): row.integer("all") for row in golden.rows("greedy_by_checkers")}
    assert report.greedy.by_checkers == {checkers: n for checkers, n in by_checkers.items() if n}


def test_worst_greedy_play_is_the_printed_one(report: BearoffReport) -> None:
    worst, second = report.greedy.worst[:2]
    assert (worst.index, worst.position) == (PRINTED.worst_index, PRINTED.worst_position)
    assert (worst.roll, worst.best) == (PRINTED.worst_roll, PRINTED.worst_best_result)
    assert worst.loss_pips == pytest.approx(1.351692, abs=5e-7)
    assert round(worst.loss_pips, 2) == PRINTED.worst_loss_pips
    assert worst.greedy == (5, 0, 8, 0, 0, 0)
    assert (second.index, second.position, second.roll) == (42479, (4, 1, 9, 1, 0, 0), (4, 2))
    assert second.loss_pips == pytest.approx(1.251897, abs=5e-7)


def test_ace_rule_has_no_exception(report: BearoffReport) -> None:
    ace = report.ace
    assert (ace.cases, ace.double_cases) == (_count("n_ace_rule_non_doubles"), _count("n_ace_rule_doubles"))
    assert (ace.exceptions, ace.double_exceptions) == (0, 0)
    assert (ace.brought_cases, ace.brought_wrong) == (46512, 28000)
    assert ace.brought_worst_pips == pytest.approx(3.43, abs=0.005)


def test_the_report_is_printed_as_text_and_json(report: BearoffReport) -> None:
    found = json.loads(json.dumps(report.to_dict()))
    assert found["greedy"]["worst"][0]["position"] == [5, 1, 8, 1, 0, 0]
    assert found["greedy"]["by_checkers"]["15"] == report.greedy.by_checkers[15]
    assert found["printed"]["greedy_not_best"] == 1668
    worst = "1.351692 pips at 41258 (5,1,8,1,0,0) with 4-2"
    for fact in ("1,946", "1,669", "1,668", worst, "(0,0,0,3,5,7)", "7.068949"):
        assert fact in str(report)
    assert all(line == line.rstrip() for line in str(report).splitlines())
