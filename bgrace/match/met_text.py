"""Match equity tables as other text: the .met files of eXtreme Gammon, and plain grids of numbers."""

from __future__ import annotations

import re
from typing import Final

from bgrace.errors import FormatError

_SECTION: Final = re.compile(r"\s*\[(\w+)\]\s*")
_ENTRY: Final = re.compile(r"\s*(\w+)\s*=\s*(.*)")
_MAX_ROWS: Final = 70
"""More than any table has, with its heads."""

Parts = tuple[list[list[float]], list[float], str, str]
"""What `MatchEquityTable.from_arrays` takes: both parts, name, description."""


def is_xg_met(data: bytes) -> bool:
    """Whether the sections of eXtreme Gammon are there."""
    return b"[precrawford]" in data.lower()


def read_xg_met(data: bytes, source: str) -> Parts:
    r"""Read a .met file of eXtreme Gammon; the part after the Crawford game may be shorter than the other.

    Examples
    --------
    >>> read_xg_met(b"[PostCrawford]\nData=0.5\n[PreCrawford]\nSize=2\n1=0.5 0.7\n2=0.3 0.5\n", "a.met")
    ([[0.5, 0.7], [0.3, 0.5]], [0.5], 'a.met', '')
    """
    section, told = "", dict[tuple[str, str], str]()
    for line in data.decode("latin-1").splitlines():
        found = _SECTION.fullmatch(line)
        entry = _ENTRY.match(line)
        if found is not None:
            section = found[1].lower()
        elif entry is not None:
            told[section, entry[1].lower()] = entry[2].strip()
    rows = [told["precrawford", str(k)] for k in range(1, _MAX_ROWS) if ("precrawford", str(k)) in told]
    post = _numbers(told.get(("postcrawford", "data"), ""))
    name, description = (told.get(("current", key), "") for key in ("name", "description"))
    return [_numbers(row) for row in rows], post[: len(rows)], name or source, description


def read_grid(data: bytes, source: str) -> Parts:
    r"""Read a table of numbers, one row for each number of points, in fractions or in percent.

    Cells stand between blanks, commas, semicolons or tabs.  A row of heads and a column of them may be there; the row
    after the Crawford game begins with "post".

    Raises
    ------
    FormatError
        If there is no such row, or no grid.

    Examples
    --------
    >>> read_grid(b"needs,1,2\n1,50,70\n2,30,50\npost,50,48\n", "a.csv")
    ([[0.5, 0.7], [0.3, 0.5]], [0.5, 0.48], 'a.csv', '')
    """
    rows: list[list[float]] = []
    post: list[float] = []
    for line in data.decode("utf-8-sig", errors="replace").splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if len(rows) > _MAX_ROWS:
            raise FormatError("it has more rows than a match equity table")
        numbers = _numbers(line)
        if line.strip(' "').lower().startswith("post"):
            post = numbers
        elif numbers:
            rows.append(numbers)
    if len(rows) > 1 and rows[0] == list(range(1, len(rows))):  # the heads
        rows = rows[1:]
    if rows and len(rows[0]) == len(rows) + 1 and [row[0] for row in rows] == list(range(1, len(rows) + 1)):
        rows = [row[1:] for row in rows]
    if not rows or len(rows[0]) != len(rows):
        raise FormatError("it has not one number for each number of points, in one row for each")
    if not post:
        raise FormatError('it has no row that begins with "post", the chances of the trailer after the Crawford game')
    scale = 100.0 if max(map(max, rows)) > 1 else 1.0
    return [[number / scale for number in row] for row in rows], [number / scale for number in post], source, ""


def _numbers(line: str) -> list[float]:
    """Read the numbers of a line, without the words at its beginning.

    Examples
    --------
    >>> _numbers('"1-away" 50%, .7'), _numbers("0,5;0,7"), _numbers("post-Crawford,0.5")
    ([50.0, 0.7], [0.5, 0.7], [0.5])
    """
    columns = ";" in line or "\t" in line  # between which a comma is a decimal point
    cells = re.split("[;\t]", line.replace(",", ".")) if columns else re.split(r"\s*,\s*|\s+", line)
    found = [re.fullmatch(r'"?\s*(\d{0,9}\.?\d{0,17})\s*%?"?', cell.strip()) for cell in cells]
    return [float(cell[1]) for cell in found if cell is not None and cell[1].strip(".")]
