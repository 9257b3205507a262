"""Pictures are drawn, saved and reproduced, also on given axes; without matplotlib there is a clear error."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.command import check_error, run
from helpers.paths import SMALL

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

import bgrace
from bgrace.errors import ArgumentError, DependencyError
from bgrace.match import score_map
from bgrace_apps.plot import canvas, jump, match, race
from bgrace_apps.studies.race_windows import Study, study


def check_nothing_is_cut(drawn: Any) -> None:
    """Check that all lines and texts of a figure are within its paper, up to a hundredth of an inch."""
    drawn.draw_without_rendering()
    box, (width, height) = drawn.get_tightbbox(), drawn.get_size_inches()
    assert min(box.x0, box.y0, width - box.x1, height - box.y1) > -0.01


@cache
def studied() -> Study:
    with bgrace.open(SMALL) as db:
        return study(db)


def positions() -> Any:
    return race.positions(studied(), least_pairs=20)


def scores(length: int = 4, **given: Any) -> Any:
    return match.score_map(score_map("5x1 6x1", "4x1 5x1", length), **given)


@pytest.mark.parametrize("ending", canvas.FORMATS)
def test_pictures_drawn_twice_have_equal_bytes(tmp_path: Path, ending: str) -> None:
    first, again = (canvas.save(race.two_step(), tmp_path / f"{k}{ending}") for k in range(2))
    assert first.stat().st_size > 5000
    assert first.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("pair", [None, (58, 66), (58, 400), (10, 90), (30, 20), (250, 260)], ids=str)
def test_windows_contain_their_names(pair: tuple[int, int] | None) -> None:
    limit = max(150, pair[0] if pair else 0)
    (panel,) = race.windows(limit, 20, pair).axes
    places = {text.get_text(): text.get_position() for text in panel.texts}
    double, _, take = (np.asarray(line.get_xydata()) for line in panel.lines[:3])
    x, y = places["no double"]
    assert panel.get_ylim()[0] < y < np.interp(x, double[:, 0], double[:, 1])
    x, y = places["double, pass"]
    assert panel.get_ylim()[1] > y > np.interp(x, take[:, 0], take[:, 1])
    check_nothing_is_cut(panel.figure)
    if pair:
        assert f"{pair[0]} against {pair[1]}" in places


@pytest.mark.parametrize("draw", [race.two_step, race.opponents, positions, partial(scores, 2), partial(scores, 25)])
def test_nothing_of_a_picture_is_cut(draw: Callable[[], Any]) -> None:
    check_nothing_is_cut(draw())


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ArgumentError, match="first < limit"):
        race.windows(20, 20)
    with pytest.raises(ArgumentError, match="give less"):
        race.positions(studied(), least_pairs=10**9)


def test_without_matplotlib_every_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(DependencyError, match=r'pip install "bgrace\[plot\]"'):
        race.two_step()
    commands = ("windows", "--plot"), ("referee", SMALL, "--plot"), ("plot", "map", "1x1", "1x1", "-o")
    for command in (*commands, ("plot", "jump", "-o"), ("plot", "jump-figures"), ("plot", "race-figures")):
        check_error(run(*command, tmp_path / "made.svg"), 1, 'pip install "bgrace[plot]"')
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [("windows",), ("windows", "290", "300", "--csv"), ("referee", SMALL, "--games=9")])
def test_answers_come_before_pictures(command: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = run(*command, "--plot", tmp_path / "made.svg")
    assert (tmp_path / "made.svg").stat().st_size > 5000
    monkeypatch.setattr(canvas, "save", lambda *_: 1 / 0)
    assert run(*command, "--plot", tmp_path / "lost.svg").stdout == answered.stdout == run(*command).stdout


@pytest.mark.parametrize("draw", [race.windows, race.two_step, jump.equity_curves, scores])
def test_a_picture_is_drawn_on_the_given_axes_only(draw: Callable[..., Any]) -> None:
    paper = Figure(figsize=(14, 6), layout="constrained")
    left, right = paper.subplots(1, 2)
    assert draw(ax=right) is paper
    assert right.has_data()
    assert not left.has_data()
    assert paper.axes == [left, right]
    check_nothing_is_cut(paper)


def test_too_few_axes_are_refused() -> None:
    paper = Figure()
    with pytest.raises(ArgumentError, match="ax has 1 axes: give 2 axes of matplotlib"):
        race.opponents(ax=paper.subplots())
    with pytest.raises(ArgumentError, match="ax has 1 axes: give 1 axes"):
        race.windows(ax=paper)  # type: ignore[arg-type]
