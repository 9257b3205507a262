"""SHA-256 of the published tables: whether the numbers of a file are those that bgrace makes."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from bgrace.database.store import StoredTables

_BYTES: Final = 1 << 24
"""Of a table, at a time."""

_GROUPS: Final = ("one_sided/", "two_sided/", "gammon/")
"""Of tables that plain, packed and compressed files have alike."""


def table_key(stored: StoredTables, name: str) -> str:
    """Which table it is: points, checkers a side, whether gammons count in pairs, and its name."""
    directory = stored.directory
    if name.startswith("one_sided/"):
        return f"{directory.points} points, {directory.checkers} checkers: {name}"
    gammons = ", gammons" if directory.gammons else ""
    return f"{directory.points} points, {directory.two_sided_checkers} checkers a side{gammons}: {name}"


def table_sum(stored: StoredTables, name: str) -> str:
    """SHA-256, in hexadecimal digits, of the scale as float64 and of the elements as a plain file has them."""
    table = stored.tables[name]
    digest = hashlib.sha256(np.float64(stored.entry(name).scale).astype("<f8").tobytes())
    n_rows = max(1, _BYTES // max(1, table.nbytes // max(1, table.shape[0])))
    for start in range(0, table.shape[0], n_rows):
        piece = np.asarray(table[start : start + n_rows])
        digest.update(np.ascontiguousarray(piece, piece.dtype.newbyteorder("<")).tobytes())
        stored.let_go()
    return digest.hexdigest()


def table_sums(stored: StoredTables) -> dict[str, str]:
    """The sum of each table that has elements of its own, by its key; none of an approximate or a match file."""
    if stored.directory.approximate:
        return {}
    return {table_key(stored, name): table_sum(stored, name) for name in stored.tables if name.startswith(_GROUPS)}


@cache
def published_sums() -> dict[str, str]:
    """Those that `scripts/make_release.py` wrote, by key."""
    told: dict[str, str] = json.loads(files("bgrace.database").joinpath("sums.json").read_text(encoding="utf-8"))
    return told


def is_published(stored: StoredTables) -> bool | None:
    """Whether every table has the published sum; None if that of one is not published, and no other differs."""
    if stored.directory.approximate:
        return None
    known = published_sums()
    names = [name for name in stored.tables if name.startswith(_GROUPS)]
    listed = [name for name in names if table_key(stored, name) in known]
    if not all(table_sum(stored, name) == known[table_key(stored, name)] for name in listed):
        return False
    return True if len(listed) == len(names) else None
