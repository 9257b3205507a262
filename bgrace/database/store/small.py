"""Small tables of pairs: values as products of factors, and the few that would be wrong by too much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Integers
from bgrace.database.store.places import Places, places_of
from bgrace.database.store.unmapped import UnmappedTable
from bgrace.errors import FormatError

__all__ = ["SmallPairs", "most_of_planes", "rounded_products"]

_AT_ONCE: Final = 1 << 16  # pairs
_MAX_SHIFT: Final = 30


def rounded_products(sums: npt.NDArray[np.float64], shift: int, most: float) -> npt.NDArray[np.float64]:
    """What sums of products of factors stand for: modulo 2^32, divided by 2^shift, rounded, and within -most .. most.

    Sums are whole numbers that float64 holds exactly, and so is all of this.

    Examples
    --------
    >>> rounded_products(np.array([5.0, 6.0, -6.0, 999.0]), 2, 20.0).tolist()
    [1.0, 2.0, -1.0, 20.0]
    """
    wrapped = sums - np.floor(np.ldexp(sums, -32) + 0.5) * 2.0**32
    found: npt.NDArray[np.float64] = np.clip(np.floor(np.ldexp(wrapped, -shift) + 0.5), -most, most)
    return found


def most_of_planes(n_planes: int, most: float) -> tuple[float, ...]:
    """The greatest stored value of each plane: of a cube, or of two where gammons count.

    Examples
    --------
    >>> most_of_planes(1, 32760.0), most_of_planes(5, 16380.0)
    ((32760.0,), (32760.0, 32760.0, 32760.0, 32760.0, 16380.0))
    """
    return (2 * most,) * 4 + (most,) if n_planes == 5 else (most,) * n_planes


class SmallPairs:
    """The table of pairs of a small file, int16, (n, n, planes): what is asked for is worked out.

    With one plane, it is twice the chance to win, less one.  Else the first four are those of
    `bgrace.tables.two_sided.Plane`, and where gammons count, a fifth is that of the chance to win.  Indexed like an
    array.  All methods are safe to call from several threads.

    Parameters
    ----------
    tables : mapping of str to array
        Those of the file.
    most : float
        The stored value of a cube.
    name : str
        Of the file, for messages.
    """

    def __init__(
        self, tables: Mapping[str, npt.NDArray[Any]] | Mapping[str, UnmappedTable], most: float, name: str
    ) -> None:
        self._tables, self._name = tables, name
        n, n_planes = tables["small/on_roll"].shape[0], tables["small/planes"].shape[0]
        self._most: tuple[float, ...] = most_of_planes(n_planes, most)
        self.shape: tuple[int, ...] = (n, n, n_planes)
        self.dtype: np.dtype[np.generic] = np.dtype("<i2")
        self.ndim: int = 3
        self.nbytes: int = n * n * n_planes * 2

    @cached_property
    def _arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Factors on roll and of the opponent, starts, columns, values, and planes: in memory, checked."""
        names = ("on_roll", "opponent", "starts", "columns", "values", "planes")
        on_roll, opponent, starts, columns, values, planes = (np.array(self._tables[f"small/{name}"]) for name in names)
        starts, count = starts.astype(np.int64), planes[:, 1].astype(np.int64)
        if not (
            bool((count >= 0).all())
            and int(count.sum()) <= on_roll.shape[1]
            and np.array_equal(planes[:, 0], np.cumsum(count) - count)
            and bool(((planes[:, 2] >= 0) & (planes[:, 2] <= _MAX_SHIFT)).all())
            and starts[0] == 0
            and starts[-1] == len(columns) == len(values)
            and bool((np.diff(starts) >= 0).all())
            and bool((columns < len(on_roll)).all())
        ):
            raise FormatError(f"{self._name} is damaged: its small tables do not go together; get the file again")
        return on_roll, opponent, starts, columns, values, planes

    def check(self) -> None:
        """Raise FormatError if the tables do not fit together."""
        self._arrays  # noqa: B018

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        whole = self[...]
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def __getitem__(self, key: Places | tuple[Places, ...]) -> npt.NDArray[Any]:
        keys = key if isinstance(key, tuple) else (key,)
        if keys and keys[0] is Ellipsis:
            keys = ()
        rows, columns, rest = (*keys, *[slice(None)] * (3 - len(keys)))[:3]
        planes = np.arange(self.shape[2])[rest]
        found = self._gather(places_of((rows, columns), self.shape), planes.reshape(-1))
        shaped: npt.NDArray[np.int16] = found.reshape((*found.shape[:-1], *planes.shape))
        return shaped

    def _gather(self, places: Sequence[Integers], planes: Integers) -> npt.NDArray[np.int16]:
        rows, columns = np.broadcast_arrays(*places)
        shape, rows, columns = rows.shape, rows.reshape(-1), columns.reshape(-1)
        values = np.empty((rows.size, len(planes)), np.int16)
        for start in range(0, rows.size, _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            for k, plane in enumerate(planes.tolist()):
                values[part, k] = self._values(rows[part], columns[part], plane)
        return values.reshape(*shape, len(planes))

    def _values(self, rows: Integers, columns: Integers, plane: int) -> npt.NDArray[np.int16]:
        on_roll, opponent, starts, listed, values, planes = self._arrays
        first, count, shift = planes[plane].tolist()
        mine, theirs = on_roll[rows, first : first + count], opponent[columns, first : first + count]
        sums = np.einsum("ij,ij->i", mine.astype(np.float64), theirs.astype(np.float64))
        found = rounded_products(sums, shift, self._most[plane]).astype(np.int16)
        if not len(listed):
            return found
        low, past = starts[plane * len(self) + rows], starts[plane * len(self) + rows + 1]
        end = past.copy()
        while (low < end).any():  # bisection, of all at once
            middle = (low + end) // 2
            right = (low < end) & (listed[np.minimum(middle, len(listed) - 1)] < columns)
            low, end = np.where(right, middle + 1, low), np.where(right | (low >= end), end, middle)
        place = np.minimum(low, len(listed) - 1)
        return np.where((low < past) & (listed[place] == columns), values[place], found)
