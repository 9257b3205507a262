"""What the makers of pages in docs/ share: tables in Markdown, and the places for them.

A table stands between <!-- table: name --> and <!-- end -->.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
PICTURES: Final = DOCS / "pictures"


def markdown(head: Sequence[str], rows: Sequence[Sequence[object]], left: int = 1) -> str:
    """Write a table, its first `left` columns flush left and the others flush right."""
    lines = [head, [":---"] * left + ["---:"] * (len(head) - left), *rows]
    return "\n".join("| " + " | ".join(str(cell).strip() for cell in line) + " |" for line in lines)


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
