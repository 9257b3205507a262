"""The picture of a score map."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from helpers.pictures import check_nothing_is_cut

from bgrace.match import score_map
from bgrace_apps.plot import canvas
from bgrace_apps.plot import match as pictures


def test_picture(tmp_path: Path) -> None:
    found = score_map("5x1 6x1", "4x1 5x1", 4)
    drawn = {name: pictures.score_map(found) for name in ("first", "again")}
    first, again = (canvas.save(figure, tmp_path / f"{name}.svg") for name, figure in drawn.items())
    assert first.stat().st_size > 5000
    assert first.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("length", [2, 25])
def test_all_of_it_is_seen(length: int) -> None:
    check_nothing_is_cut(pictures.score_map(score_map("5x1 6x1", "4x1 5x1", length)))
