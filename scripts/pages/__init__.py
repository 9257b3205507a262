"""Tables in Markdown and their places in pages, for the makers of docs/.

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
    """Build a database, which is deleted at the end of the block."""
    with tempfile.TemporaryDirectory() as folder:
        bgrace.build(Path(folder, "page.h5"), **shape)
        with bgrace.open(Path(folder, "page.h5")) as db:
            yield db


def read_csv(path: Path) -> list[dict[str, str]]:
    """Read the rows of a file, by column, without comment lines that begin with #."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def markdown(head: Sequence[str], rows: Sequence[Sequence[object]], left: int = 1) -> str:
    """Write a table, its first `left` columns flush left and the others flush right."""
    first, *others = ("| " + " | ".join(str(cell).strip() for cell in line) + " |" for line in [head, *rows])
    return "\n".join([first, "|:---" * left + "|---:" * (len(head) - left) + "|", *others])


def names(page: str) -> list[str]:
    """List the names of the tables that a page has places for."""
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
