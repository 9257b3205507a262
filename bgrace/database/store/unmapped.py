"""Tables of a file that is neither mapped nor in memory: read again with each question."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._kernels.probe import OpenFile
from bgrace.database.store.directory import Entry
from bgrace.database.store.places import Indexed, numbers_of

_PIECE: Final = 1 << 22  # bytes that are read at once, for nobody else to wait


class UnmappedTable(Indexed):
    """A table in a file, indexed like an array, of which nothing is kept.

    Numbers and arrays of numbers pick rows, and of a table of pairs rows and columns, which broadcast; a slice picks
    rows, and whole ones.  All methods are safe to call from several threads.
    """

    def __init__(self, file: OpenFile, entry: Entry) -> None:
        super().__init__(entry.shape, entry.dtype)
        self._file = file
        self._offset = entry.offset
        self._n_axes = 2 if self.ndim == 3 else 1  # those that pick what is read
        self._row_shape = self.shape[self._n_axes :]
        self._row_bytes = self.dtype.itemsize * int(np.prod(self._row_shape))

    def _picked(self, keys: tuple[Any, ...]) -> npt.NDArray[Any]:
        if isinstance(keys[0], slice):
            start, stop, step = keys[0].indices(len(self))
            rows = self._rows(start, max(start, stop)) if step == 1 else self._places(np.arange(start, stop, step))
            picked: npt.NDArray[Any] = rows[(slice(None), *keys[1:])]
            return picked
        if self._n_axes == 2 and isinstance(keys[1], slice):
            return np.asarray(self._places(np.asarray(keys[0]))[(..., *keys[1:])])
        read, rest = keys[: self._n_axes], keys[self._n_axes :]
        numbers = [numbers_of(places, length) for places, length in zip(read, self.shape, strict=False)]
        number = numbers[0] if len(numbers) == 1 else numbers[0] * self.shape[1] + numbers[1]
        found = self._read(number, self._row_bytes, self._row_shape)
        return found[(..., *rest)] if rest else found[()]

    def _rows(self, start: int, stop: int) -> npt.NDArray[Any]:
        """Whole rows, one after another in the file."""
        rows = np.empty((stop - start, *self.shape[1:]), dtype=self.dtype)
        raw = rows.reshape(-1).view(np.uint8)
        offset = self._offset + start * self.dtype.itemsize * int(np.prod(self.shape[1:]))
        for first in range(0, raw.size, _PIECE):
            self._file.read(offset + first, raw[first : first + _PIECE])
        return rows

    def _places(self, places: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Whole rows, from anywhere."""
        row_bytes = self.dtype.itemsize * int(np.prod(self.shape[1:]))
        return self._read(numbers_of(places, len(self)), row_bytes, self.shape[1:])

    def _read(self, numbers: npt.NDArray[np.int64], row_bytes: int, row_shape: tuple[int, ...]) -> npt.NDArray[Any]:
        found = np.empty((*numbers.shape, *row_shape), dtype=self.dtype)
        raw = found.reshape(-1).view(np.uint8).reshape(numbers.size, row_bytes)
        self._file.read_rows(self._offset, np.ascontiguousarray(numbers.reshape(-1)), raw)
        return found
