"""Every picture can be drawn on axes of the caller's."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from helpers.pictures import check_nothing_is_cut
from matplotlib.figure import Figure

import bgrace
from bgrace.errors import ArgumentError
from bgrace.match import score_map
from bgrace_apps.plot import continuous, endgame, jump, match, race, referee
from bgrace_apps.plot.board_races import figure_3
from bgrace_apps.studies.race_windows import study

MODULES = ("board_races", "continuous", "endgame", "jump", "match", "race", "referee")


def drawing_functions() -> list[Any]:
    modules = [import_module(f"bgrace_apps.plot.{name}") for name in MODULES]
    named = [getattr(module, name) for module in modules for name in module.__all__]
    return [each for each in named if inspect.isfunction(each)]


@pytest.mark.parametrize("draw", drawing_functions(), ids=lambda draw: f"{draw.__module__}.{draw.__name__}")
def test_every_function_takes_axes(draw: Callable[..., Any]) -> None:
    assert inspect.signature(draw).parameters["ax"].default is None


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


@pytest.mark.parametrize(
    ("draw", "shape"), [(continuous.opponents, (1, 2)), (jump.approximations, (2, 3)), (figure_3, (1, 2))]
)
def test_several_panels(draw: Callable[..., Any], shape: tuple[int, int]) -> None:
    paper = Figure(figsize=(12, 8), layout="constrained")
    panels = paper.subplots(*shape)
    assert draw(ax=panels) is paper
    assert all(panel.has_data() for panel in panels.flat)
    alone = draw()
    assert [panel.get_xlabel() for panel in panels.flat] == [panel.get_xlabel() for panel in alone.axes]


def test_a_part_of_a_figure() -> None:
    paper = Figure(layout="constrained")
    parts: Any = paper.subfigures(2, 1)
    assert race.windows(ax=parts[1].subplots()) is paper


def test_positions_beside_their_windows(db: bgrace.Database) -> None:
    paper = Figure(figsize=(10, 8))
    assert positions(db, ax=paper.subplots(2, 2)) is paper


def test_axes_that_are_too_few() -> None:
    paper = Figure()
    with pytest.raises(ArgumentError, match="ax has 1 axes: give 2 axes of matplotlib"):
        continuous.opponents(ax=paper.subplots())
    with pytest.raises(ArgumentError, match="ax has 1 axes: give 1 axes"):
        race.windows(ax=paper)  # type: ignore[arg-type]


def test_a_ranking_keeps_to_its_axes() -> None:
    with pytest.raises(ArgumentError, match="no report"):
        referee.ranking({}, ax=Figure().subplots())
