"""The tables of a file for one match score under short names, as `bgrace.database.match` asks for them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bgrace._base.arrays import JSON
from bgrace.database.store.reader import StoredTables, read_tables
from bgrace.database.store.schema import DATASETS, DatasetKind
from bgrace.errors import FormatError

__all__ = ["MATCH_DATASETS", "StoredMatch", "read_match_file"]

_ORDER: Final = "two_sided/order"
_PREFIX: Final = "match/"

MATCH_DATASETS: Final[dict[str, DatasetKind]] = {
    name.rpartition("/")[2]: kind for name, kind in DATASETS.items() if name == _ORDER or name.startswith(_PREFIX)
}
"""What a pair depends on: ``order``, ``values``, ``columns``, ``planes``, ``pre_crawford``, ``post_crawford``."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """What a file for one match score holds of pairs, mapped and read-only.

    Attributes
    ----------
    path : Path
    attributes : dict
        Those of the root group; ``checkers`` are those of either side of a pair.
    tables : dict of str to ndarray, or to ChunkedTable
        By the names of `MATCH_DATASETS`.
    checksums : dict of str to int
        CRC-32 of each table, as the file says.
    offsets : dict of str to int
        Where each table begins; 0 in an archive.
    stored : StoredTables
        All of the file.
    """

    path: Path
    attributes: dict[str, JSON]
    tables: dict[str, Any]
    checksums: dict[str, int]
    offsets: dict[str, int]
    stored: StoredTables

    def checksum(self, name: str) -> int:
        """CRC-32 of a table as it is in the file now."""
        return self.stored.checksum(_long_name(name))


def read_match_file(path: str | os.PathLike[str]) -> StoredMatch:
    """Open a file for one match score.

    Its head is checked as `bgrace.database.store.read_tables` does it; its tables are only mapped.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    StoredMatch

    Raises
    ------
    FormatError
        If it is not a database for a match score, is of a version that this bgrace does not know, or is damaged.
    OSError
        If it cannot be read.
    """
    stored = read_tables(path)
    if stored.directory.match is None:
        raise FormatError(f"{stored.path} is a database for money, not for a match score: bgrace.open asks it")
    missing = [name for name in MATCH_DATASETS if _long_name(name) not in stored.tables]
    if missing:
        raise FormatError(f"{stored.path} is damaged: it lacks {', '.join(map(_long_name, missing))}; build it again")
    entries = {name: stored.entry(_long_name(name)) for name in MATCH_DATASETS}
    return StoredMatch(
        stored.path,
        {**stored.attributes, "checkers": stored.directory.two_sided_checkers},
        {name: stored.tables[_long_name(name)] for name in MATCH_DATASETS},
        {name: entry.crc32 for name, entry in entries.items()},
        {name: entry.offset for name, entry in entries.items()},
        stored,
    )


def _long_name(name: str) -> str:
    return _ORDER if name == "order" else _PREFIX + name
