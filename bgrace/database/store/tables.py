"""Tables of a file: arrays, or what is indexed like one, whose rows are read or worked out when they are asked for.

Packed and approximate tables of pairs are products of factors.  The rest beside the products is complete in a packed
file, in codes; of an approximate one, only where it is more than the file allows.
"""

from __future__ import annotations

import mmap
import operator
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from math import prod
from types import EllipsisType
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._kernels.packing import BLOCK_SIDE, Factors
from bgrace._kernels.probe import OpenFile, Probe
from bgrace.database.store.directory import Entry
from bgrace.errors import FormatError

Places: TypeAlias = int | np.integer | slice | EllipsisType
"""A key for rows of a table: one, some, or a range of them."""


class Table(Protocol):
    """A table of a file: an array, or an object that is indexed like one.

    Its dtype is that of its name in `bgrace.database.store.schema.DATASETS`.
    """

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes."""

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """Type of the elements."""

    @property
    def ndim(self) -> int:
        """Number of axes."""

    @property
    def nbytes(self) -> int:
        """Size of all elements, unpacked."""

    def __len__(self) -> int: ...

    def __getitem__(self, key: Places, /) -> npt.NDArray[Any]: ...

    def __array__(self) -> npt.NDArray[Any]: ...


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
        if key is Ellipsis:
            key = slice(None)
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step != 1:
                raise IndexError(f"{key!r}: rows are read one after another")
            return self._range(start, max(start, stop))
        row = operator.index(key)
        if not -len(self) <= row < len(self):
            raise IndexError(f"{row} is outside 0 .. {len(self) - 1}")
        one: npt.NDArray[Any] = self._range(row % len(self), row % len(self) + 1)[0]
        return one

    @abstractmethod
    def _range(self, start: int, stop: int) -> npt.NDArray[Any]:
        """Rows one after another."""


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


Stored: TypeAlias = Mapping[str, npt.NDArray[Any]] | Mapping[str, UnmappedTable]
"""Tables of a file by their names."""

_VALUES: Final = 4
_AT_ONCE: Final = 1 << 16  # pairs


def blocks_a_side(n: int) -> int:
    """How many blocks lie side by side in a table of `n` positions a side.

    Examples
    --------
    >>> blocks_a_side(54264)
    1696
    """
    return -(-n // BLOCK_SIDE)


def rounded_products(sums: npt.NDArray[np.float64], shift: int, most: float) -> npt.NDArray[np.float64]:
    """Values of sums of products of factors: modulo 2^32, divided by 2^shift, rounded, and within -most .. most.

    Sums are whole numbers that float64 holds exactly, and so is all of this.

    Examples
    --------
    >>> rounded_products(np.array([5.0, 6.0, -6.0, 999.0]), 2, 20.0).tolist()
    [1.0, 2.0, -1.0, 20.0]
    """
    wrapped = sums - np.floor(np.ldexp(sums, -32) + 0.5) * 2.0**32
    found: npt.NDArray[np.float64] = np.clip(np.floor(np.ldexp(wrapped, -shift) + 0.5), -most, most)
    return found


class FactoredPairs(Indexed):
    """A table of pairs as products of factors, int16, (n, n, planes): what is asked for is worked out.

    With one plane, of an approximate file, it is twice the chance to win, less one.  Else the first four are those of
    `bgrace.tables.two_sided.Plane`, and where gammons count, a fifth is that of the chance to win.

    All methods are safe to call from several threads.
    """

    def __init__(
        self, n: int, tables: Stored, bytes_or_file: mmap.mmap | bytes | memoryview | OpenFile, name: str
    ) -> None:
        self._probe = Probe(bytes_or_file, name)  # FormatError unless all tables that it needs are there
        super().__init__((n, n, len(tables["small/planes"]) if "small/planes" in tables else _VALUES), "<i2")
        self._tables = tables

    def _range(self, start: int, stop: int) -> npt.NDArray[np.int16]:
        n, n_planes = len(self), self.shape[2]
        values = np.empty(((stop - start) * n, n_planes), np.int16)
        for first in range(0, len(values), _AT_ONCE):
            part = values[first : first + _AT_ONCE]
            pairs = np.divmod(np.arange(start * n + first, start * n + first + len(part)), n)
            part[:] = self._probe.stored_values(*pairs, n_planes)
        return values.reshape(stop - start, n, n_planes)


class PackedPairs(FactoredPairs):
    """The pairs of a packed file."""

    @cached_property
    def _factors(self) -> Factors:
        return Factors(*(np.asarray(self._tables[f"packed/{name}"]) for name in ("on_roll", "opponent", "planes")))

    def stripe(
        self, row: int, n_threads: int = 1, out: npt.NDArray[np.int16] | None = None
    ) -> tuple[npt.NDArray[np.int16], int, int]:
        """Decode all blocks of up to 32 rows, from a multiple of 32 on.

        Returns the values, how many blocks cannot be decoded or have another checksum than they should, and the number
        of the first of them among those of the file, or -1.
        """
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
        return values, damaged, first_block + first if damaged else -1

    def stripes(self, n_threads: int = 1) -> Iterator[tuple[int, npt.NDArray[np.int16], int, int]]:
        """Decode the table from top to bottom: the first row of each stripe, and what `stripe` returns."""
        for row in range(0, len(self), BLOCK_SIDE):
            yield row, *self.stripe(row, n_threads)

    def _range(self, start: int, stop: int) -> npt.NDArray[np.int16]:
        values = np.empty((stop - start, *self.shape[1:]), np.int16)
        for first in range(start // BLOCK_SIDE * BLOCK_SIDE, stop, BLOCK_SIDE):
            low, high = max(start, first), min(stop, first + BLOCK_SIDE)
            values[low - start : high - start] = self.stripe(first)[0][low - first : high - first]
        return values


def check_exceptions(tables: Stored, n: int, name: str) -> None:
    """Raise FormatError unless the exceptions of an approximate file are as many as it says, of positions it has."""
    starts, columns = (np.asarray(tables[f"small/{table}"][:]) for table in ("starts", "columns"))
    rises = starts[0] == 0 and starts[-1] == len(columns) and bool((starts[1:] >= starts[:-1]).all())
    if not (rises and bool((columns < n).all())):
        raise FormatError(f"{name} is damaged: its tables of pairs do not go together; get the file again")
