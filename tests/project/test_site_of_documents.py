"""scripts/check_site.py finds addresses of other hosts, and the notebooks run."""

from __future__ import annotations

from pathlib import Path

import check_site
import pytest
from helpers.golden import Row, rows
from helpers.paths import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("row", rows("remote_addresses"), ids=lambda row: row.text("body"))
def test_an_address_of_another_host_is_named(tmp_path: Path, row: Row) -> None:
    (tmp_path / "page.html").write_text(row.text("body"), encoding="utf-8")
    wrong = [f"page.html: {row.text('loaded')} is loaded from another host"] if "loaded" in row else []
    assert list(check_site.problems(tmp_path)) == wrong


@pytest.mark.site
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    notebooks = pytest.importorskip("notebooks", reason="needs the packages of bgrace[docs]")
    notebooks.page_of(notebooks.run(path))
