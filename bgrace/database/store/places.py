"""Keys for rows and columns of a table, and the common base of all tables that are not arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod
from types import EllipsisType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Integers

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
