"""Positions to learn by heart, and printed chances of stacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import golden
from helpers.command import run

import bgrace
from bgrace._base.limits import Limits
from bgrace_apps.studies.reference_positions import LAST_TAKES, ReferencePositions, reference


@pytest.fixture(scope="module")
def card() -> ReferencePositions:
    return reference(rolls=[5], scores=[(3, 3)], limits=Limits(seconds=0.1))


def test_leads_are_where_decisions_change(card: ReferencePositions) -> None:
    money, score = card.last_takes
    assert (money.double_from, money.redouble_from, money.take_to) == (1, 1, 1)
    assert (score.double_from, score.redouble_from, score.take_to) == (0, None, 1)
    on_roll = bgrace.parse_position(LAST_TAKES[5])
    verdicts = [
        bgrace.solve(on_roll, behind, seconds=0.1).cube_action().verdict
        for behind in (on_roll, "7x1 6x1 5x1 4x2 3x2 2x1", "7x2 5x1 4x2 3x2 2x1")
    ]
    assert verdicts == ["no double", "double/take", "double/pass"]


def test_the_command_shows_them(card: ReferencePositions, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bgrace_apps.cli.report.reference", lambda progress: card)
    page = tmp_path / "card.html"
    shown = run("report", "--positions", "--html", page).stdout
    assert all(title in text for title, *_ in card.sections() for text in (shown, page.read_text()))


def test_chances_of_stacks_are_the_printed_ones() -> None:
    for row in golden.rows("ace_point"):
        own, chances = row.cells.values()
        exact = [bgrace.solve(f"1x{own}", f"1x{n}").win_probability for n in range(1, 16, 2)]
        assert exact == pytest.approx([float(chance) for chance in chances.split()], abs=0.005)
