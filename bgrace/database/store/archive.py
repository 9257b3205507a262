"""Archives: databases whose tables are compressed, chunk by chunk, with filters that every HDF5 library has.

They are small, for keeping and sending; they cannot be mapped, so they are unpacked into memory when they are opened.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from bgrace.database.store.indexed import Places
from bgrace.database.store.schema import SCALE_ATTRIBUTES, attach_scales, table_properties

if TYPE_CHECKING:
    import h5py

    from bgrace.database.store.writer import NewFile


_LEVEL: Final = 6  # of gzip
_CHUNK_BYTES: Final = 1 << 17
_PAIRS_CHUNK: Final = 128  # rows and columns of a table of pairs
_PIECE: Final = 1 << 22


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


def crc32_of_table(table: Table) -> Iterator[int]:
    """CRC-32 of a table's elements in the order of a plain array, as far as it has got; the last one is that of all."""
    crc = 0
    rows = max(1, _PIECE // max(1, table.dtype.itemsize * int(np.prod(table.shape[1:]))))
    yield crc
    for start in range(0, len(table), rows):
        crc = zlib.crc32(np.ascontiguousarray(table[start : start + rows]).reshape(-1).view(np.uint8).data, crc)
        yield crc
