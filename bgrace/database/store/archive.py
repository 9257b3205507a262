"""Archives: databases whose tables are compressed, chunk by chunk, with filters that every HDF5 library has.

They are small, for keeping and sending; they cannot be mapped, so their tables are read through HDF5.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from bgrace.database.store.indexed import Indexed, Places, places_of
from bgrace.database.store.scales import SCALE_ATTRIBUTES, attach_scales, table_properties

if TYPE_CHECKING:
    import h5py

    from bgrace.database.store.claimed import NewFile


_LEVEL: Final = 6  # of gzip
_CHUNK_BYTES: Final = 1 << 17
_PAIRS_CHUNK: Final = 128  # rows and columns of a table of pairs
_CACHE_BYTES: Final = 1 << 26
_WHOLE_BYTES: Final = 1 << 25  # smaller tables are read at once
_PIECE: Final = 1 << 22


class Table(Protocol):
    """A table of a file: an array, or a dataset of an archive, read chunk by chunk and indexed like one.

    Its dtype is that of its name in `bgrace.database.store.schema.DATASETS`.
    """

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes."""

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """Of the elements."""

    @property
    def ndim(self) -> int:
        """Number of axes."""

    @property
    def nbytes(self) -> int:
        """Size of all elements, unpacked."""

    def __len__(self) -> int: ...

    def __getitem__(self, key: Places | tuple[Places, ...], /) -> npt.NDArray[Any]: ...

    def __array__(self) -> npt.NDArray[Any]: ...


def _chunk_shape(shape: tuple[int, ...], item_bytes: int) -> tuple[int, ...]:
    if len(shape) == 3:
        return (min(_PAIRS_CHUNK, shape[0]), min(_PAIRS_CHUNK, shape[1]), shape[2])
    row_bytes = item_bytes * int(np.prod(shape[1:]))
    return (min(shape[0], max(1, _CHUNK_BYTES // row_bytes)), *shape[1:])


def compress_table(source: h5py.Dataset, new: NewFile) -> Iterator[int]:
    """Write a table and its attributes into an archive, under the same name; yield the bytes done on the way."""
    folder, _, name = source.name.rpartition("/")
    group = new.group(folder)
    properties = table_properties()
    if not source.size:
        target = group.create_dataset(name, data=source[...], track_times=False, dcpl=properties)
    else:
        target = group.create_dataset(
            name,
            shape=source.shape,
            dtype=source.dtype,
            chunks=_chunk_shape(source.shape, source.dtype.itemsize),
            shuffle=True,
            compression="gzip",
            compression_opts=_LEVEL,
            fletcher32=True,
            track_times=False,
            dcpl=properties,
        )
        # One row of chunks at a time; within it HDF5 compresses chunk after chunk.
        height = target.chunks[0]
        n_chunks = prod(-(-length // chunk) for length, chunk in zip(target.shape[1:], target.chunks[1:], strict=True))
        chunk_bytes = prod(target.chunks) * target.dtype.itemsize
        for start in range(0, len(source), height):
            rows = source[start : start + height]
            new.claim_chunks(n_chunks, chunk_bytes)
            target[start : start + height] = rows
            yield rows.nbytes
        target.flush()  # what cannot be written when the dataset goes nobody is told
    for attribute, value in source.attrs.items():
        if attribute not in SCALE_ATTRIBUTES:
            target.attrs[attribute] = value
    attach_scales(new.file, source.name[1:], tuple(source.attrs.get("planes", ())))


def read_archived(dataset: h5py.Dataset) -> Table:
    """Read a table of an archive: at once if it is small, else chunk by chunk as it is asked for."""
    if dataset.chunks is None or dataset.nbytes <= _WHOLE_BYTES:
        whole: npt.NDArray[Any] = dataset[...]
        return whole
    return ChunkedTable(dataset)


class ChunkedTable(Indexed):
    """A table of an archive that is indexed like an array, with as much memory as the answer, and 64 MB, need.

    Rows, and columns of a table of pairs, may be numbers, slices or arrays of numbers; arrays on both axes broadcast.
    All methods are safe to call from several threads.
    """

    def __init__(self, dataset: h5py.Dataset) -> None:
        super().__init__(dataset.shape, dataset.dtype)
        self._dataset = dataset
        # Axes that chunks divide: the columns of narrow tables are all in one.
        self._n_axes = 2 if self.ndim == 3 else 1
        self._chunk: tuple[int, ...] = dataset.chunks
        chunk = self._chunk

        def chunk_at(corner: tuple[int, ...]) -> npt.NDArray[Any]:
            part = tuple(slice(k * c, (k + 1) * c) for k, c in zip(corner, chunk, strict=False))
            return np.asarray(dataset[part])

        self._chunk_at = lru_cache(max(1, _CACHE_BYTES // (prod(chunk) * self.dtype.itemsize)))(chunk_at)

    def whole_chunks(self, rows: int) -> int:
        """Round a number of rows to whole chunks, one at least."""
        return max(1, rows // self._chunk[0]) * self._chunk[0]

    def _picked(self, keys: tuple[Any, ...]) -> npt.NDArray[Any]:
        divided, rest = keys[: self._n_axes], keys[self._n_axes :]
        if all(isinstance(key, slice) and key.step in (None, 1) for key in divided):
            whole: npt.NDArray[Any] = self._dataset[divided]
            return whole[(..., *rest)] if rest else whole
        gathered = self._gather(places_of(divided, self.shape))
        picked: npt.NDArray[Any] = gathered[(..., *rest)] if rest else gathered[()]
        return picked

    def _gather(self, places: tuple[npt.NDArray[np.int64], ...]) -> npt.NDArray[Any]:
        places = tuple(np.broadcast_arrays(*places))
        shape = places[0].shape
        result = np.empty((places[0].size, *self.shape[self._n_axes :]), dtype=self.dtype)
        flat = [place.reshape(-1) for place in places]
        grid = [-(-length // chunk) for length, chunk in zip(self.shape, self._chunk, strict=True)]
        number = flat[0] // self._chunk[0]
        for place, chunk, n in zip(flat[1:], self._chunk[1:], grid[1:], strict=False):
            number = number * n + place // chunk
        order = np.argsort(number, kind="stable")
        bounds = np.flatnonzero(np.diff(number[order], prepend=-1))
        for first, last in zip(bounds, np.append(bounds[1:], len(order)), strict=False):
            here = order[first:last]
            corner = tuple(int(place[here[0]] // chunk) for place, chunk in zip(flat, self._chunk, strict=False))
            inside = tuple(place[here] - k * c for place, k, c in zip(flat, corner, self._chunk, strict=False))
            result[here] = self._chunk_at(corner)[inside]
        return result.reshape(shape + self.shape[self._n_axes :])


def crc32_of_table(table: Table) -> Iterator[int]:
    """CRC-32 of a table's elements in the order of a plain array, as far as it has got; the last one is that of all."""
    crc = 0
    rows = max(1, _PIECE // max(1, table.dtype.itemsize * int(np.prod(table.shape[1:]))))
    if isinstance(table, ChunkedTable):
        rows = table.whole_chunks(rows)
    yield crc
    for start in range(0, len(table), rows):
        crc = zlib.crc32(np.ascontiguousarray(table[start : start + rows]).reshape(-1).view(np.uint8).data, crc)
        yield crc
