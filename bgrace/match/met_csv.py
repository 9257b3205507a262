"""Match equity tables as CSV files, bgrace's own."""

from __future__ import annotations

import csv
import io
from typing import Final

import numpy as np

from bgrace._base.arrays import Floats
from bgrace.errors import FormatError

CSV_HEAD: Final = "# bgrace match equity table, version 1"
"""The first line of a file."""


def read_csv(data: bytes, source: str) -> tuple[list[list[float]], list[float] | list[list[float]], str, str]:
    """Read a file: both parts as `MatchEquityTable.from_arrays` takes them, name (or `source`), description."""
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise FormatError("it is not written in UTF-8") from error
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
    try:
        rows = [row for row in csv.reader(line for line in lines if not line.startswith("#")) if row]
        pre = [[float(cell) for cell in row[1:]] for row in rows[1:] if row[0].isdigit()]
        post = [[float(cell) for cell in row[1:]] for row in rows[1:] if row[0].startswith("post-Crawford")]
        numbers = [int(row[0]) for row in rows[1:] if row[0].isdigit()]
    except (ValueError, csv.Error) as error:
        raise FormatError(f"a cell of it is not a number: {error}") from error
    if numbers != list(range(1, len(pre) + 1)) or len(post) not in (1, 2) or len(rows) != 1 + len(pre) + len(post):
        raise FormatError("it has not one row for each number of points, then one or two called post-Crawford")
    return pre, post[0] if len(post) == 1 else post, facts.get("name", source), facts.get("description", "")


def write_csv(pre_crawford: Floats, post_crawford: Floats, name: str, description: str) -> str:
    """Write a table as the text of a file."""
    sink = io.StringIO()
    sink.write(f"{CSV_HEAD}\n")
    for key, text in (("name", name), ("description", description)):
        sink.write(f"# {key}: {' '.join(text.split())}\n")
    rows = csv.writer(sink, lineterminator="\n")
    rows.writerow(["needs", *range(1, len(pre_crawford) + 1)])
    for need, row in enumerate(pre_crawford.tolist(), 1):
        rows.writerow([need, *row])
    same = np.array_equal(*post_crawford)
    for k in range(1 if same else 2):
        rows.writerow(["post-Crawford" if same else f"post-Crawford {k + 1}", *post_crawford[k].tolist()])
    return sink.getvalue()
