"""What the makers of pages in docs/ share: tables in Markdown, and the places for them.

A table stands between <!-- table: name --> and <!-- end -->.
"""

from __future__ import annotations

import csv
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import bgrace

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
PICTURES: Final = DOCS / "pictures"


@contextmanager
def built(**shape: Any) -> Iterator[bgrace.Database]:
    """A database that is there for the block alone."""
    with tempfile.TemporaryDirectory() as folder:
        bgrace.build(Path(folder, "page.h5"), **shape)
        with bgrace.open(Path(folder, "page.h5")) as db:
            yield db


def read_csv(path: Path) -> list[dict[str, str]]:
    """The rows of a file, by column; lines that begin with # are about them."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def markdown(head: Sequence[str], rows: Sequence[Sequence[object]], left: int = 1) -> str:
    """Write a table, its first `left` columns flush left and the others flush right."""
    told, *others = ("| " + " | ".join(str(cell).strip() for cell in line) + " |" for line in [head, *rows])
    return "\n".join([told, "|:---" * left + "|---:" * (len(head) - left) + "|", *others])


def names(page: str) -> list[str]:
    """The tables that a page has places for."""
    return re.findall(r"<!-- table: (.*?) -->", page)


def fill(page: str, tables: Mapping[str, str]) -> str:
    """Put each table between its marks."""
    for name, table in tables.items():
        before, start, rest = page.partition(f"<!-- table: {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not end:
            raise SystemExit(f"the page has no place for the table {name!r}")
        page = f"{before}{start}\n{table}\n\n{end}{after}"
    return page
