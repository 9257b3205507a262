"""Every picture can be drawn on axes of the caller's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from helpers.pictures import check_nothing_is_cut
from matplotlib.figure import Figure

import bgrace
from bgrace.errors import ArgumentError
from bgrace.match import score_map
from bgrace_apps.plot import continuous, endgame, jump, match, race
from bgrace_apps.studies.race_windows import study


def scores(**given: Any) -> Any:
    return match.score_map(score_map("5x1 6x1", "4x1 5x1", 4), **given)


def positions(db: bgrace.Database, **given: Any) -> Any:
    return race.positions(study(db), least_pairs=20, **given)


@pytest.mark.parametrize("draw", [race.windows, endgame.two_step, jump.equity_curves, scores])
def test_one_panel_beside_another(draw: Callable[..., Any]) -> None:
    paper = Figure(figsize=(14, 6), layout="constrained")
    left, right = paper.subplots(1, 2)
    assert draw(ax=right) is paper
    assert right.has_data()
    assert not left.has_data()
    assert paper.axes == [left, right]
    check_nothing_is_cut(paper)


def test_axes_that_are_too_few() -> None:
    paper = Figure()
    with pytest.raises(ArgumentError, match="ax has 1 axes: give 2 axes of matplotlib"):
        continuous.opponents(ax=paper.subplots())
    with pytest.raises(ArgumentError, match="ax has 1 axes: give 1 axes"):
        race.windows(ax=paper)  # type: ignore[arg-type]
