"""The pairs of a file, read to make another form of it.

docs/small-tables.md says how.  Both forms come about in the same way: factors of opponents are found from a sample;
then every row is read once, from the top, for the factors of the player on roll and for what the products leave.  Of
that a packed file holds everything, coded in blocks, an approximate one the pairs that are missed by more than is
allowed.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON
from bgrace._base.limits import Progress
from bgrace._kernels.packing import BLOCK_SIDE
from bgrace.database.store.directory import Contents
from bgrace.database.store.reader import StoredTables
from bgrace.database.store.schema import PAIRS_TABLE
from bgrace.database.store.target import Target
from bgrace.database.store.writer import database_target
from bgrace.errors import ArgumentError, BuildError, FormatError

_ROWS: Final = 16 * BLOCK_SIDE  # at a time

__all__ = ["PackReport"]


@dataclass(frozen=True, slots=True)
class PackReport:
    """The report of packing or unpacking.

    Attributes
    ----------
    source_bytes, file_bytes : int
        Sizes of the file that was read, and of the one that was made.
    pairs : int
        In the table of pairs.
    """

    source_bytes: int
    file_bytes: int
    pairs: int


def check_source(stored: StoredTables) -> None:
    """Raise ArgumentError if a file has no pairs that can be packed."""
    directory = stored.directory
    if directory.approximate:
        raise ArgumentError(f"{stored.path} is approximate and cannot be packed again: give its source")
    if not directory.two_sided_checkers:
        raise ArgumentError(f"{stored.path} has no table of pairs, and only pairs are packed")


def origin(stored: StoredTables, version: int) -> dict[str, JSON]:
    """Attributes of a file that is another form of one."""
    return {**{name: stored.attributes[name] for name in ("generator", "created")}, "format_version": version}


def target_of(
    stored: StoredTables, contents: Contents, path: str | os.PathLike[str], n_bytes: int, smaller: str, force: bool
) -> Target:
    """Where another form of a file is to be made; BuildError if it can't be, or would replace that file."""
    target = database_target(path, contents, force=force)
    target.check(n_bytes, smaller)
    if target.path.exists() and target.path.samefile(stored.path):
        raise BuildError(f"{target.path} is the source of the new file and stays: give the new file another name")
    return target


def report_of(stored: StoredTables, target: Target) -> PackReport:
    """Tell the sizes of both files."""
    n = stored.tables[PAIRS_TABLE].shape[0] if PAIRS_TABLE in stored.tables else 0
    return PackReport(stored.directory.file_size, target.path.stat().st_size, n**2)


class PairRows:
    """Rows of a table of pairs, read once from the top; `crc32` takes them in."""

    def __init__(self, stored: StoredTables, progress: Progress | None, passes: int = 1) -> None:
        self.stored, self._progress, self._passes = stored, progress, passes
        self.table = stored.tables[PAIRS_TABLE]
        self.n = len(self.table)
        self.scale = stored.entry(PAIRS_TABLE).scale
        self._crc32 = 0

    def groups(self) -> Iterator[tuple[int, int]]:
        """The first row of each group, and the row past its last."""
        for row in range(0, self.n, _ROWS):
            yield row, min(row + _ROWS, self.n)

    def read(self, row: int, stop: int) -> npt.NDArray[np.int16]:
        """Some rows."""
        self.stored.expect(PAIRS_TABLE, stop, min(stop + _ROWS, self.n))  # they come while these are worked on
        return np.ascontiguousarray(self.table[row:stop])

    def read_next(self, row: int, stop: int) -> npt.NDArray[np.int16]:
        """Some rows, which follow those before; FormatError if they are the last, and the checksum is not right."""
        rows = self.read(row, stop)
        self._crc32 = zlib.crc32(rows.reshape(-1).view(np.uint8).data, self._crc32)
        if stop == self.n and self._crc32 != self.stored.entry(PAIRS_TABLE).crc32:
            raise FormatError(f"{self.stored.path} is damaged: {PAIRS_TABLE} fails its checksum; build it again")
        return rows

    def report(self, rows: int) -> None:
        """Say how many rows are done, in all passes together."""
        self.stored.let_go()
        if self._progress is not None:
            self._progress(rows * self.n, self._passes * self.n * self.n)
