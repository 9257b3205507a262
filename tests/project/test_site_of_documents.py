"""What checks the site sees faults; the notebooks run, and are kept without output."""

from __future__ import annotations

from pathlib import Path

import check_site
import pytest
from helpers.paths import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ('<a href="sub/">', []),
        ('<a href="https://example.org/">', []),
        ('<img src="data:image/png;base64,AA==">', []),
        ('<img src="//example.org/x.png">', ["page.html: //example.org/x.png is loaded from another host"]),
        (
            '<link rel="stylesheet" href="https://example.org/a.css">',
            ["page.html: https://example.org/a.css is loaded from another host"],
        ),
        (
            "<style>p { background: url('https://example.org/a.png') }</style>",
            ["page.html: https://example.org/a.png is loaded from another host"],
        ),
        (
            '<p style="background: url(https://example.org/a.png)">',
            ["page.html: https://example.org/a.png is loaded from another host"],
        ),
    ],
)
def test_a_fault_of_a_page_is_named(tmp_path: Path, body: str, wrong: list[str]) -> None:
    (tmp_path / "page.html").write_text(body, encoding="utf-8")
    assert list(check_site.problems(tmp_path)) == wrong


@pytest.mark.site
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    notebooks = pytest.importorskip("notebooks", reason="needs the packages of bgrace[docs]")
    notebooks.page_of(notebooks.run(path))
