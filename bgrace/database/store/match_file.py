"""Files for one score of a match: written complete or not at all, checked and mapped.

Like a bearoff database, such a file is HDF5 with contiguous tables; its user block says in JSON where they lie, so that
nothing of a damaged file is believed, and no HDF5 library sees it.  docs/file-format.md has the layout.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import h5py
import numpy as np
import numpy.typing as npt

from bgrace.database.store.checksums import crc32_of_range, crc32_outside
from bgrace.database.store.files import claim, new_file, opened, partial_path
from bgrace.database.store.schema import DatasetKind
from bgrace.errors import FormatError

__all__ = [
    "MAGIC",
    "MATCH_DATASETS",
    "MATCH_FORMAT_NAME",
    "MATCH_FORMAT_VERSION",
    "StoredMatch",
    "is_match_file",
    "read_match_file",
    "write_match_file",
]

MATCH_FORMAT_NAME: Final = "bgrace match"
MATCH_FORMAT_VERSION: Final = 1

MATCH_DATASETS: Final[dict[str, DatasetKind]] = {
    "order": DatasetKind("<i4", "index", "Index of each rank; ranks run in order of pips, then of index."),
    "values": DatasetKind(
        "<f8",
        "normalised equity",
        "Value of rolling now without doubling, for the player on roll, at the present cube: +1 is a single win, -1 a "
        "single loss. Row: his rank; column: the opponent's rank; last axis: column of a cube plane.",
    ),
    "columns": DatasetKind(
        "<i4",
        "column",
        "Row 0: the first player is on roll, row 1: the second; for each cube plane its column in values.",
    ),
    "planes": DatasetKind(
        "<f8",
        "normalised equity",
        "For each cube plane and player (first, second) on roll: win, gammon, plane after a double or -1, what a unit "
        "of that plane is worth and what its 0 is worth in units of this one, pass.",
    ),
    "pre_crawford": DatasetKind(
        "<f8",
        "probability",
        "The match equity table: chance of a player who needs row + 1 points against column + 1, before a game; where "
        "one needs 1, before the Crawford game.",
    ),
    "post_crawford": DatasetKind(
        "<f8",
        "probability",
        "Its chances of the trailer who needs column + 1 points, after the Crawford game; row: which player he is.",
    ),
}
"""Every dataset, by its path in the file."""

MAGIC: Final = b"bgrace match database\n"
_USER_BLOCK: Final = 4096
_PIECE: Final = 1 << 22
_ATTRIBUTES: Final[dict[str, type]] = {
    "format": str,
    "format_version": int,
    "points": int,
    "checkers": int,
    "first_needs": int,
    "second_needs": int,
    "crawford": bool,
    "gammons": bool,
    "met_name": str,
    "met_sha256": str,
    "generator": str,
    "created": str,
}


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """What a file holds, mapped and read-only.

    Attributes
    ----------
    path : Path
    attributes : dict
    tables : dict of str to ndarray
        By the names of `MATCH_DATASETS`.
    checksums : dict of str to int
        CRC-32 of each table, as the file says.
    offsets : dict of str to int
        Where each table begins.
    """

    path: Path
    attributes: dict[str, Any]
    tables: dict[str, npt.NDArray[Any]]
    checksums: dict[str, int]
    offsets: dict[str, int]

    def checksum(self, name: str) -> int:
        """CRC-32 of a table as it is in the file now."""
        data, crc = self.tables[name].reshape(-1).view(np.uint8).data, 0
        for start in range(0, len(data), _PIECE):
            crc = zlib.crc32(data[start : start + _PIECE], crc)
        return crc


def is_match_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as one for a score of a match does."""
    with opened(path) as raw:
        return raw.read(len(MAGIC)) == MAGIC


def write_match_file(
    path: Path,
    attributes: Mapping[str, Any],
    tables: Mapping[str, npt.NDArray[Any]],
    values_shape: tuple[int, int, int],
    fill: Callable[[npt.NDArray[np.float64]], None],
    **notes: str,
) -> None:
    """Write a file.

    Parameters
    ----------
    path : Path
        Where it is to be: complete, or what was there before.
    attributes : mapping
        Those that the reader wants, but for format and version.
    tables : mapping of str to ndarray
        All but ``values``.
    values_shape : tuple of three int
    fill : callable
        Called with ``values``, float64, mapped from the file.
    **notes
        Further attributes of the root group, for other programs.

    Raises
    ------
    BuildError
        If it cannot be written.
    """
    attributes = {"format": MATCH_FORMAT_NAME, "format_version": MATCH_FORMAT_VERSION, **attributes}
    partial = partial_path(path)
    with new_file(path, MAGIC) as raw:
        with h5py.File(
            partial,
            "w",
            userblock_size=_USER_BLOCK,
            libver=("v110", "v110"),
            alignment_threshold=512,
            alignment_interval=4096,
            locking=False,
        ) as file:
            file.attrs.update(**attributes, **notes)
            shapes = {name: np.shape(table) for name, table in tables.items()} | {"values": values_shape}
            offsets = {name: _create(file, name, shape) for name, shape in shapes.items()}
            for name, table in tables.items():
                file[name][...] = table
        # Blocks are claimed first: on a full disk a write to mapped memory would end the process.
        claim(raw.fileno(), offsets["values"], 8 * int(np.prod(values_shape)))
        values = np.memmap(partial, "<f8", "r+", offsets["values"], values_shape)
        fill(values)
        values.flush()
        del values
        ranges = {
            name: (offsets[name], offsets[name] + int(np.prod(shape)) * np.dtype(MATCH_DATASETS[name].dtype).itemsize)
            for name, shape in shapes.items()
        }
        sums = {name: crc32_of_range(raw, *ranges[name]) for name in shapes}
        with h5py.File(partial, "r+", libver=("v110", "v110"), locking=False) as file:
            for name, crc in sums.items():
                file[name].attrs.modify("crc32", np.uint32(crc))
        size = raw.seek(0, os.SEEK_END)
        head = {
            **attributes,
            "file_size": size,
            "metadata_crc32": crc32_outside(raw, _USER_BLOCK, size, ranges.values()),
            "tables": {name: [offsets[name], list(shape), sums[name]] for name, shape in shapes.items()},
        }
        text = json.dumps(head, ensure_ascii=True).encode()
        raw.seek(0)
        raw.write(_head(text))


def _head(text: bytes) -> bytes:
    body = text.ljust(_USER_BLOCK - len(MAGIC) - 9)
    return MAGIC + f"{zlib.crc32(body):08x}\n".encode() + body


def _create(file: h5py.File, name: str, shape: tuple[int, ...]) -> int:
    kind = MATCH_DATASETS[name]
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.CONTIGUOUS)
    properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    properties.set_obj_track_times(False)
    stored = h5py.h5t.py_create(np.dtype(kind.dtype))
    identifier = h5py.h5d.create(file.id, name.encode(), stored, h5py.h5s.create_simple(shape), properties)
    dataset = h5py.Dataset(identifier)
    dataset.attrs.update(description=kind.description, unit=kind.unit, crc32=np.uint32(0))
    return int(dataset.id.get_offset())


def read_match_file(path: str | os.PathLike[str]) -> StoredMatch:
    """Open a file for one score of a match.

    The head and the HDF5 metadata are checked against their checksums; the tables are only mapped.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    StoredMatch

    Raises
    ------
    FormatError
        If it is no such file, is of a version that this bgrace does not know, or is damaged.
    OSError
        If it cannot be read.
    """
    path = Path(path)
    with opened(path) as raw:
        head = _read_head(raw, path)
        size = raw.seek(0, os.SEEK_END)
        if size != head["file_size"]:
            raise FormatError(
                f"{path} is damaged: it has {size} bytes, its head says {head['file_size']}; build it again"
            )
        places: dict[str, tuple[int, int]] = {}
        for name, (offset, shape, _) in head["tables"].items():
            n_bytes = int(np.prod(shape, dtype=object)) * np.dtype(MATCH_DATASETS[name].dtype).itemsize
            if offset < _USER_BLOCK or n_bytes < 1 or offset + n_bytes > size:
                raise FormatError(f"{path} is damaged: {name} would lie outside the file; build it again")
            places[name] = (offset, offset + n_bytes)
        if crc32_outside(raw, _USER_BLOCK, size, places.values()) != head["metadata_crc32"]:
            raise FormatError(
                f"{path} is damaged, or was changed by another program: its HDF5 metadata fail their checksum; "
                "build it again"
            )
        view = mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
    tables = {
        name: np.frombuffer(view, MATCH_DATASETS[name].dtype, int(np.prod(shape)), offset).reshape(shape)
        for name, (offset, shape, _) in head["tables"].items()
    }
    return StoredMatch(
        path,
        {name: head[name] for name in _ATTRIBUTES},
        tables,
        {name: crc for name, (_, _, crc) in head["tables"].items()},
        {name: offset for name, (offset, _, _) in head["tables"].items()},
    )


def _read_head(raw: BinaryIO, path: Path) -> dict[str, Any]:
    block = raw.read(_USER_BLOCK)
    if not block.startswith(MAGIC):
        raise FormatError(f"{path} is no bgrace database for a score of a match")
    crc, body = block[len(MAGIC) : len(MAGIC) + 9], block[len(MAGIC) + 9 :]
    if len(block) < _USER_BLOCK or crc != f"{zlib.crc32(body):08x}\n".encode():
        raise FormatError(f"{path} is damaged: its head fails its checksum; build it again")
    try:
        head: dict[str, Any] = json.loads(body)
        version = head["format_version"]
        if version != MATCH_FORMAT_VERSION:
            raise FormatError(
                f"{path} has format version {version}, this bgrace reads {MATCH_FORMAT_VERSION}: "
                "build it again, or use the bgrace that made it"
            )
        good = all(type(head[name]) is kind for name, kind in _ATTRIBUTES.items()) and head["tables"].keys() == (
            MATCH_DATASETS.keys()
        )
        for offset, shape, sum_ in head["tables"].values():
            good = good and all(type(n) is int and n >= 0 for n in (offset, *shape, sum_))
        good = good and type(head["file_size"]) is int and type(head["metadata_crc32"]) is int
        good = good and 1 <= head["points"] <= 24 and 1 <= head["checkers"] <= 15
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{path} is damaged: its head cannot be read; build it again") from error
    if not good:
        raise FormatError(f"{path} is damaged: its head makes no sense; build it again")
    return head
