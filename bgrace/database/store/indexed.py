"""Tables of a file that are no arrays: rows are read, or worked out, when they are asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod
from types import EllipsisType
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Integers
from bgrace._kernels.probe import OpenFile
from bgrace.database.store.directory import Entry

Places: TypeAlias = int | np.integer | slice | EllipsisType | npt.NDArray[np.integer] | Sequence[int]
"""A key for rows of a table: one, some, or a range of them."""


class Indexed(ABC):
    """A table whose rows are indexed like those of an array.

    Numbers and arrays of numbers pick rows, those below 0 from the end; so do slices, and an ellipsis all of them.
    """

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
            return self._range(start, max(start, stop)) if step == 1 else self._some(np.arange(start, stop, step))
        numbers = np.asarray(key, dtype=np.int64)
        numbers = np.where(numbers < 0, numbers + len(self), numbers)
        if numbers.size and not (numbers.min() >= 0 and numbers.max() < len(self)):
            raise IndexError(f"{key!r} is outside 0 .. {len(self) - 1}")
        return self._some(numbers)

    @abstractmethod
    def _range(self, start: int, stop: int) -> npt.NDArray[Any]:
        """Rows one after another."""

    @abstractmethod
    def _some(self, numbers: Integers) -> npt.NDArray[Any]:
        """Rows from anywhere, shape (*numbers.shape, ...)."""


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

    def _some(self, numbers: Integers) -> npt.NDArray[Any]:
        found = np.empty((*numbers.shape, *self.shape[1:]), dtype=self.dtype)
        raw = found.reshape(-1).view(np.uint8).reshape(numbers.size, self._row_bytes)
        self._file.read_rows(self._offset, np.ascontiguousarray(numbers.reshape(-1)), raw)
        return found[()]
