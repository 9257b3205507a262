"""What checks the site sees faults; the notebooks run, and are kept without output."""

from __future__ import annotations

import json
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


def test_a_style_sheet_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text(
        '@import "https://example.org/b.css"; p { background: url(b.png) }', encoding="utf-8"
    )
    assert list(check_site.problems(tmp_path)) == [
        "a.css: https://example.org/b.css is loaded from another host",
    ]


@pytest.mark.site
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    notebooks = pytest.importorskip("notebooks", reason="needs the packages of bgrace[docs]")
    notebooks.page_of(notebooks.run(path))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_output(path: Path) -> None:
    code = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
