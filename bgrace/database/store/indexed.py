"""Keys for rows and columns of a table, and the common base of all tables that are not arrays."""

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
"""A key for rows or columns of a table: one, some, or a range of them."""


class Indexed(ABC):
    """A table that is indexed like an array, and read or worked out when it is asked."""

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

    def __getitem__(self, key: Places | tuple[Places, ...]) -> npt.NDArray[Any]:
        keys: tuple[Any, ...] = key if isinstance(key, tuple) else (key,)
        if keys and keys[0] is Ellipsis:
            keys = ()
        return self._picked((*keys, *[slice(None)] * (self.ndim - len(keys))))

    @abstractmethod
    def _picked(self, keys: tuple[Any, ...]) -> npt.NDArray[Any]:
        """The part of the table for a key on each axis."""


def numbers_of(key: object, length: int) -> Integers:
    """Numbers of rows, or of columns, of which there are `length`; those below 0 count from the end.

    Examples
    --------
    >>> numbers_of([0, -1], 5), numbers_of(slice(3, None), 5)
    (array([0, 4]), array([3, 4]))
    """
    if isinstance(key, slice):
        return np.arange(*key.indices(length))
    numbers = np.asarray(key, dtype=np.int64)
    numbers = np.where(numbers < 0, numbers + length, numbers)
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < length):
        raise IndexError(f"{key!r} is outside 0 .. {length - 1}")
    return numbers


def places_of(keys: tuple[object, ...], shape: tuple[int, ...]) -> tuple[Integers, ...]:
    """Numbers on one axis or two, as arrays that broadcast to the shape of what they pick.

    Examples
    --------
    >>> [numbers.shape for numbers in places_of((slice(3), [1, 2]), (5, 5))]
    [(3, 1), (2,)]
    """
    numbers = [numbers_of(key, length) for key, length in zip(keys, shape, strict=False)]
    if len(numbers) == 2 and any(isinstance(key, slice) for key in keys):
        # A slice goes with every number of the other axis.
        numbers[0] = numbers[0].reshape(numbers[0].shape + (1,) * numbers[1].ndim)
    return tuple(numbers)


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
