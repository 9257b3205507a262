"""Pictures of the cube models: that they show what the models say, and that the commands write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from helpers.paths import SMALL

from bgrace.cube import janowski, jump
from bgrace.errors import ArgumentError
from bgrace_apps.cli.plot import plot

pytest.importorskip("matplotlib")

from bgrace_apps.plot import jump as pictures


def run(*arguments: str) -> str:
    result = CliRunner().invoke(plot, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_curves_show_the_exact_equities() -> None:
    panel = pictures.equity_curves(1.2, 1.1, 0.08).axes[0]
    values = jump.exact(1.2, 1.1, 0.08)
    lines = {str(line.get_label()): np.asarray(line.get_xydata()) for line in panel.lines}
    for state, label in pictures.STATES.items():
        p, drawn = lines[label].T
        assert drawn == pytest.approx(getattr(values.equities(p), state))
    texts = [text.get_text() for text in panel.texts]
    assert f"take {100 * values.take_point:.1f} %" in texts
    assert "W = 1.2, L = 1.1, jump volatility 8 %" in panel.get_title()


def test_the_three_panels_of_the_approximations() -> None:
    panels = pictures.approximations().axes
    assert [panel.get_title() for panel in panels[:3]] == list(pictures.STATES.values())
    p, drawn = np.asarray(panels[1].lines[2].get_xydata()).T
    assert drawn == pytest.approx(jump.linear(1.4, 1, 0.2).equities(p).mine)


@pytest.mark.parametrize(("model", "x"), [("dead", 0), ("live", 1), ("janowski", 0.7)])
def test_steps_at_the_ends_of_the_market_window(model: str, x: float) -> None:
    middle = pictures.window_equity(model).axes[0].lines[1]
    p, drawn = np.asarray(middle.get_xydata()).T
    points = janowski.decision_points(1, 1, x)
    assert [p.min(), p.max()] == pytest.approx([points.take_point, points.cash_point])
    assert drawn == pytest.approx(janowski.equities(p, 1, 1, x, form="line").centered)
    assert np.ptp(drawn) <= 2


def test_profile_of_games() -> None:
    buckets = jump.Buckets(np.linspace(0, 1, 3), np.array([4, 0]), np.array([0.1, np.nan]), np.array([0.08, np.nan]))
    panel = pictures.volatility_profile(buckets, source="races").axes[0]
    assert np.asarray(panel.lines[1].get_xydata()).tolist() == [[0.25, 0.1]]


def test_a_picture_of_any_parameters(tmp_path: Path) -> None:
    for ending, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        path = tmp_path / f"curves.{ending}"
        assert run("jump", "--win", "1.3", "--lose", "1", "--volatility", "0.1", "-o", str(path)).strip() == str(path)
        assert path.read_bytes().startswith(start)
    run("jump", "--compare", "--jumps", "gaussian", "-o", str(tmp_path / "compared.svg"))


def test_all_figures(tmp_path: Path) -> None:
    written = run("jump-figures", str(tmp_path / "new"), "--format", "svg", "--database", str(SMALL), "--games", "30")
    assert [Path(line).stem for line in written.split()] == list(pictures.FIGURES)
    assert all(Path(line).stat().st_size > 1000 for line in written.split())


def test_what_cannot_be_drawn_is_named(tmp_path: Path) -> None:
    for arguments, match in (
        (("jump", "--win", "4", "-o", str(tmp_path / "x.png")), "win=4"),
        (("jump", "-o", str(tmp_path / "x.bmp")), "png"),
    ):
        with pytest.raises(ArgumentError, match=match):
            run(*arguments)
