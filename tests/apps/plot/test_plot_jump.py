"""Pictures of cube models: they show the models' values, and commands write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.command import run
from helpers.paths import SMALL

from bgrace.cube import jump

pytest.importorskip("matplotlib")

from bgrace_apps.plot import jump as pictures


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


def test_the_command_writes_all_figures(tmp_path: Path) -> None:
    options = "--format", "svg", "--database", SMALL, "--games", "30"
    written = run("plot", "jump-figures", tmp_path / "new", *options).stdout
    assert [Path(line).stem for line in written.split()] == list(pictures.FIGURES)
    assert all(Path(line).stat().st_size > 1000 for line in written.split())
