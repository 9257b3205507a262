"""What checks the site sees faults; the notebooks run, and are kept without output."""

from __future__ import annotations

from pathlib import Path

import check_site
import pytest
from helpers.paths import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize(
    ("body", "loaded"),
    [
        ('<a href="sub/">', []),
        ('<a href="https://example.org/">', []),
        ('<img src="data:image/png;base64,AA==">', []),
        ('<img src="//example.org/x.png">', ["//example.org/x.png"]),
        ('<link rel="stylesheet" href="https://example.org/a.css">', ["https://example.org/a.css"]),
        ("<style>p { background: url('https://example.org/a.png') }</style>", ["https://example.org/a.png"]),
        ('<p style="background: url(https://example.org/a.png)">', ["https://example.org/a.png"]),
    ],
)
def test_what_a_page_loads_from_another_host_is_named(tmp_path: Path, body: str, loaded: list[str]) -> None:
    (tmp_path / "page.html").write_text(body, encoding="utf-8")
    wrong = [f"page.html: {address} is loaded from another host" for address in loaded]
    assert list(check_site.problems(tmp_path)) == wrong


@pytest.mark.site
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    notebooks = pytest.importorskip("notebooks", reason="needs the packages of bgrace[docs]")
    notebooks.page_of(notebooks.run(path))
