"""Tables of a file: arrays, or what is indexed like one, whose rows are read or decoded when they are asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from math import prod
from types import EllipsisType
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._kernels.packing import BLOCK_SIDE, Factors
from bgrace._kernels.probe import OpenFile
from bgrace.database.store.format import Entry
from bgrace.errors import FormatError

Places: TypeAlias = int | np.integer | slice | EllipsisType
"""A key for rows of a table: one, some, or a range of them."""


def pieces(table: Table, n_bytes: int) -> Iterator[slice]:
    """Rows of so many bytes, or one, after another."""
    n_rows = max(1, n_bytes // max(1, table.nbytes // max(1, len(table))))
    for start in range(0, len(table), n_rows):
        yield slice(start, start + n_rows)


class Indexed(ABC):
    """A table that gives a row, consecutive ones for a slice, and all for an ellipsis, as an array does."""

    def __init__(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> None:
        self.shape: tuple[int, ...] = shape
        self.dtype: np.dtype[np.generic] = np.dtype(dtype)
        self.ndim: int = len(shape)
        self.nbytes: int = prod(shape) * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        whole = self[...]
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def __getitem__(self, key: Places) -> npt.NDArray[Any]:
        rows = range(len(self))[slice(None) if key is Ellipsis else key]
        if isinstance(rows, int):
            one: npt.NDArray[Any] = self._range(rows, rows + 1)[0]
            return one
        if rows.step != 1:
            raise IndexError(f"{key!r}: rows are read one after another")
        return self._range(rows.start, max(rows.start, rows.stop))

    @abstractmethod
    def _range(self, start: int, stop: int) -> npt.NDArray[Any]:
        """Rows one after another."""


Table: TypeAlias = npt.NDArray[Any] | Indexed
"""A table of a file; its dtype is that of its name in `bgrace.database.store.format.DATASETS`."""


_PIECE: Final = 1 << 22  # bytes that are read at once, for nobody else to wait


class UnmappedTable(Indexed):
    """A table in a file of which nothing is kept.  All methods are safe to call from several threads."""

    def __init__(self, file: OpenFile, entry: Entry) -> None:
        super().__init__(entry.shape, entry.dtype)
        self._file = file
        self._offset = entry.offset
        self._row_bytes = self.dtype.itemsize * prod(self.shape[1:])

    def _range(self, start: int, stop: int) -> npt.NDArray[Any]:
        rows = np.empty((stop - start, *self.shape[1:]), dtype=self.dtype)
        raw = rows.reshape(-1).view(np.uint8)
        for first in range(0, raw.size, _PIECE):
            self._file.read(self._offset + start * self._row_bytes + first, raw[first : first + _PIECE])
        return rows


def blocks_a_side(n: int) -> int:
    """How many blocks lie side by side in a table of `n` positions a side.

    Examples
    --------
    >>> blocks_a_side(54264)
    1696
    """
    return -(-n // BLOCK_SIDE)


class PackedPairs(Indexed):
    """The pairs of a packed file, int16, (n, n, planes), decoded as they are asked for.

    All methods are safe to call from several threads.
    """

    def __init__(self, n: int, tables: Mapping[str, Table], name: str) -> None:
        super().__init__((n, n, len(tables["packed/planes"])), "<i2")
        self._tables, self._name = tables, name

    @cached_property
    def _factors(self) -> Factors:
        return Factors(*(np.asarray(self._tables[f"packed/{name}"]) for name in ("on_roll", "opponent", "planes")))

    def stripe(self, row: int, n_threads: int = 1, out: npt.NDArray[np.int16] | None = None) -> npt.NDArray[np.int16]:
        """Decode all blocks of up to 32 rows, from a multiple of 32 on; FormatError if one of them is damaged."""
        side = self._factors.n_blocks
        first_block = row // BLOCK_SIDE * side
        n_rows = min(BLOCK_SIDE, len(self) - row)
        values = np.empty((n_rows, *self.shape[1:]), np.int16) if out is None else out
        starts = self._tables["packed/starts"][first_block : first_block + side + 1]
        codes = self._tables["packed/codes"]
        if not isinstance(codes, np.ndarray):  # what a stripe needs of them is read
            first_code, past = int(starts[0]), int(starts[-1])
            codes = codes[first_code:past] if 0 <= first_code <= past <= len(codes) else codes[:0]
            starts = starts - first_code
        damaged, first = self._factors.unpack(
            codes,
            starts,
            self._tables["packed/checksums"][first_block : first_block + side],
            row,
            n_threads,
            values,
        )
        if damaged:
            more = f" and {damaged - 1} more beside it" if damaged > 1 else ""
            raise FormatError(
                f"{self._name} is damaged: block {first_block + first} of its packed pairs{more} cannot be unpacked, "
                "or fails its checksum; get the file again"
            )
        return values

    def _range(self, start: int, stop: int) -> npt.NDArray[np.int16]:
        values = np.empty((stop - start, *self.shape[1:]), np.int16)
        for first in range(start // BLOCK_SIDE * BLOCK_SIDE, stop, BLOCK_SIDE):
            low, high = max(start, first), min(stop, first + BLOCK_SIDE)
            values[low - start : high - start] = self.stripe(first)[low - first : high - first]
        return values


def check_exceptions(tables: Mapping[str, Table], n: int, name: str) -> None:
    """Raise FormatError unless the exceptions of an approximate file are as many as it says, of positions it has."""
    starts, columns = (np.asarray(tables[f"small/{table}"][:]) for table in ("starts", "columns"))
    rises = starts[0] == 0 and starts[-1] == len(columns) and bool((starts[1:] >= starts[:-1]).all())
    if not (rises and bool((columns < n).all())):
        raise FormatError(f"{name} is damaged: its tables of pairs do not go together; get the file again")
