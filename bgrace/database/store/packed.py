"""Packed tables of pairs: factors and codes, indexed like the array that they stand for."""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._kernels.packing import BLOCK_SIDE, Factors
from bgrace._kernels.probe import OpenFile, Probe
from bgrace.database.store.places import Places, places_of
from bgrace.database.store.unmapped import UnmappedTable

__all__ = ["PackedPairs", "blocks_a_side"]

_VALUES: Final = 4
_AT_ONCE: Final = 1 << 20  # pairs


def blocks_a_side(n: int) -> int:
    """How many blocks lie side by side in a table of `n` positions a side.

    Examples
    --------
    >>> blocks_a_side(54264)
    1696
    """
    return -(-n // BLOCK_SIDE)


class PackedPairs:
    """The table of pairs of a packed file, int16, (n, n, 4): what is asked for is decoded.

    Rows and columns may be numbers, slices or arrays of numbers, and arrays on both axes broadcast.  All methods are
    safe to call from several threads.

    Raises
    ------
    FormatError
        If the factors do not fit together.
    """

    def __init__(
        self,
        tables: Mapping[str, npt.NDArray[Any]] | Mapping[str, UnmappedTable],
        bytes_or_file: mmap.mmap | bytes | OpenFile,
        name: str,
    ) -> None:
        self._tables = tables
        self._probe = Probe(bytes_or_file, name)
        n = len(tables["packed/on_roll"])
        self.shape: tuple[int, ...] = (n, n, _VALUES)
        self.dtype: np.dtype[np.generic] = np.dtype("<i2")
        self.ndim: int = 3
        self.nbytes: int = n * n * _VALUES * 2

    @cached_property
    def _factors(self) -> Factors:
        return Factors(*(np.asarray(self._tables[f"packed/{name}"]) for name in ("on_roll", "opponent", "planes")))

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        whole = self[...]
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def stripe(
        self, row: int, n_threads: int = 1, out: npt.NDArray[np.int16] | None = None
    ) -> tuple[npt.NDArray[np.int16], int, int]:
        """Decode all blocks of up to 32 rows.

        Parameters
        ----------
        row : int
            The first, a multiple of 32.
        n_threads : int
        out : int16 ndarray of shape (rows, n, 4), optional
            Where to put them.

        Returns
        -------
        values : int16 ndarray of shape (rows, n, 4)
        damaged : int
            How many blocks cannot be decoded, or have another checksum than they should.
        first : int
            The number of the first of them among those of the file; -1 if there is none.
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

    def __getitem__(self, key: Places | tuple[Places, ...]) -> npt.NDArray[Any]:
        keys = key if isinstance(key, tuple) else (key,)
        if keys and keys[0] is Ellipsis:
            keys = ()
        rows, columns, rest = (*keys, *[slice(None)] * (3 - len(keys)))[:3]
        if isinstance(rows, slice) and isinstance(columns, slice) and columns == slice(None):
            found = self._rows(range(*rows.indices(len(self))))
        else:
            found = self._gather(*places_of((rows, columns), self.shape))
        picked: npt.NDArray[Any] = found[(..., rest)]
        return picked

    def _rows(self, wanted: range) -> npt.NDArray[np.int16]:
        """Whole rows, in their order."""
        values = np.empty((len(wanted), *self.shape[1:]), np.int16)
        stripe, first = None, -1
        for k, row in enumerate(wanted):
            if stripe is None or not first <= row < first + BLOCK_SIDE:
                first = row // BLOCK_SIDE * BLOCK_SIDE
                stripe = self.stripe(first)[0]
            values[k] = stripe[row - first]
        return values

    def _gather(self, rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
        rows, columns = np.broadcast_arrays(rows, columns)
        shape, rows, columns = rows.shape, rows.reshape(-1), columns.reshape(-1)
        values = np.empty((rows.size, _VALUES), np.int16)
        for start in range(0, rows.size, _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            values[part] = self._probe.packed_values(
                np.ascontiguousarray(rows[part]), np.ascontiguousarray(columns[part])
            )
        return values.reshape(*shape, _VALUES)
