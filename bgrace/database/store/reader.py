"""Reading a database file: check its head, map its tables."""

from __future__ import annotations

import io
import mmap
import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import h5py
import numpy as np

from bgrace._base.arrays import JSON, Summarised
from bgrace._base.files import checked_path, opened
from bgrace.database.store.archive import Table, crc32_of_table, read_archived
from bgrace.database.store.checksums import crc32_outside
from bgrace.database.store.directory import USER_BLOCK, Directory, Entry
from bgrace.database.store.packed import PackedPairs, blocks_a_side
from bgrace.database.store.schema import (
    DATASETS,
    FORMAT_NAME,
    MATCH_ATTRIBUTES,
    PACKED_ATTRIBUTES,
    PACKED_TABLES,
    PAIRS_TABLE,
    ROOT_ATTRIBUTES,
)
from bgrace.errors import FormatError

__all__ = ["StoredTables", "file_facts", "read_tables"]

_LET_GO_AFTER: Final = 64  # pieces of a table


@dataclass(frozen=True, slots=True, repr=False)
class StoredTables(Summarised):
    """What a file holds, mapped and read-only.

    Attributes
    ----------
    path : Path
    directory : Directory
    attributes : dict
        Those of the root group.
    tables : mapping of str to Table
        By the names of `schema.DATASETS`: arrays; in an archive, large ones are read chunk by chunk.
    entries : tuple of Entry
        Of the tables: those of the directory, or what an archive says of its own.
    view : mmap, or None
        The whole file, in which the tables lie; None of an archive.
    stored_bytes : dict of str to int
        What each table takes in the file.
    """

    path: Path
    directory: Directory
    attributes: dict[str, JSON]
    tables: Mapping[str, Table]
    entries: tuple[Entry, ...]
    view: mmap.mmap | None
    stored_bytes: dict[str, int]

    def entry(self, name: str) -> Entry:
        """What is known of a table."""
        found = next((entry for entry in self.entries if entry.name == name), None)
        if found is None and name == PAIRS_TABLE:
            return self._packed_entry()
        assert found is not None, name
        return found

    def _packed_entry(self) -> Entry:
        """What is known of the table of pairs of a packed file, as if it were not packed."""
        table, scale = self.tables[PAIRS_TABLE], self.entry("packed/codes").scale
        crc = self.attributes["unpacked_crc32"]
        assert isinstance(crc, int), "an attribute of every packed file"
        return Entry(PAIRS_TABLE, DATASETS[PAIRS_TABLE].dtype, table.shape, 0, table.nbytes, scale, crc)

    def let_go(self) -> None:
        """Hold no page of the file in memory any more; the system keeps them, or reads them again when asked for."""
        if self.view is not None and hasattr(mmap, "MADV_DONTNEED"):
            self.view.madvise(mmap.MADV_DONTNEED)

    def checksum(self, name: str) -> int:
        """CRC-32 of a table as it is in the file now."""
        # Of what is mapped, or open, not of whatever has the file's name by now.
        crc = 0
        for k, crc in enumerate(crc32_of_table(self.tables[name])):  # noqa: B007  (the last one counts)
            if k % _LET_GO_AFTER == 0:
                self.let_go()
        return crc


def read_tables(path: str | os.PathLike[str]) -> StoredTables:
    """Open a database file.

    The directory and all of the HDF5 metadata are checked against their checksums before anything is believed, so that
    a damaged file is refused before an HDF5 library sees it.  The tables themselves are only mapped: their checksums
    are for `bgrace.verify`.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    StoredTables

    Raises
    ------
    FormatError
        If it is not a bgrace database, is of a version that this bgrace does not know, or is damaged.
    OSError
        If it cannot be read.
    """
    path = checked_path(path)
    with opened(path) as raw:
        directory = _read_directory(raw, path)
        if directory.archive:
            return _read_archive(os.dup(raw.fileno()), path, directory)
        attributes = _read_attributes(raw, path, directory)
        view = mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
    arrays = {
        entry.name: np.frombuffer(
            view, dtype=entry.dtype, count=int(np.prod(entry.shape)), offset=entry.offset
        ).reshape(entry.shape)
        for entry in directory.entries
    }
    tables: dict[str, Table] = {**arrays}
    if directory.packed:
        _check_packed(path, directory)
        tables[PAIRS_TABLE] = PackedPairs(arrays, view, str(path))
    stored_bytes = {entry.name: entry.n_bytes for entry in directory.entries}
    return StoredTables(path, directory, attributes, tables, directory.entries, view, stored_bytes)


def file_facts(stored: StoredTables) -> dict[str, JSON]:
    """What is in a file and how it was made, as JSON would have it: for money and for a match score alike."""
    directory = stored.directory
    return {
        "path": str(stored.path),
        "file_size": directory.file_size,
        "archive": directory.archive,
        "packed": directory.packed,
        **stored.attributes,
        "positions": comb(directory.points + directory.checkers, directory.points),
        "pairs": comb(directory.points + directory.two_sided_checkers, directory.points) ** 2
        if directory.two_sided_checkers
        else 0,
        "tables": _table_facts(stored),
    }


def _table_facts(stored: StoredTables) -> list[dict[str, JSON]]:
    """Name, shape, dtype, unit, scale, offset, size, checksum and description of every table."""
    return [
        {
            "name": entry.name,
            "shape": list(entry.shape),
            "dtype": np.dtype(entry.dtype).name,
            "unit": DATASETS[entry.name].unit,
            "scale": entry.scale,
            "offset": None if stored.directory.archive else entry.offset,
            "bytes": entry.n_bytes,
            "stored_bytes": stored.stored_bytes[entry.name],
            "crc32": f"{entry.crc32:08x}",
            "description": DATASETS[entry.name].description,
        }
        for entry in stored.entries
    ]


def _read_directory(raw: BinaryIO, path: Path) -> Directory:
    directory = Directory.unpack(raw.read(USER_BLOCK), str(path))
    points, checkers, two_sided = directory.points, directory.checkers, directory.two_sided_checkers
    if not (1 <= points <= 24 and 1 <= checkers <= 15 and two_sided <= checkers):
        raise FormatError(
            f"{path} is damaged: no database has {points} points, {checkers} and two-sided {two_sided} checkers"
        )
    size = raw.seek(0, os.SEEK_END)
    if size != directory.file_size:
        raise FormatError(
            f"{path} is damaged: it has {size} bytes, its directory says {directory.file_size}; build it again"
        )
    for entry in directory.entries:
        n_bytes = int(np.prod(entry.shape, dtype=object)) * np.dtype(entry.dtype).itemsize
        if entry.name not in DATASETS or DATASETS[entry.name].dtype != entry.dtype or n_bytes != entry.n_bytes:
            raise FormatError(f"{path} is damaged: its directory has a table {entry.name!r} of {entry.n_bytes} bytes")
        if entry.offset < USER_BLOCK or entry.offset + entry.n_bytes > size:
            raise FormatError(f"{path} is damaged: {entry.name} would lie outside the file")
        if not 0 < entry.scale < float("inf"):
            raise FormatError(f"{path} is damaged: {entry.name} has scale {entry.scale}")
    if len({entry.name for entry in directory.entries}) < len(directory.entries):
        raise FormatError(f"{path} is damaged: its directory names a table twice")
    ranges = [(entry.offset, entry.offset + entry.n_bytes) for entry in directory.entries]
    if crc32_outside(raw, USER_BLOCK, size, ranges) != directory.metadata_crc32:
        raise FormatError(
            f"{path} is damaged, or was changed by another program: its HDF5 metadata fail their checksum; "
            "build it again"
        )
    return directory


def _read_attributes(raw: BinaryIO, path: Path, directory: Directory) -> dict[str, Any]:
    """Read the root attributes, and compare what HDF5 says of the tables with the directory.

    The metadata have passed their checksum, so a failure here means a writer that went wrong.
    """
    try:
        # By the descriptor that is open, not by name: the name may belong to a newer file by now, and HDF5 refuses a
        # file that this process has open elsewhere with other flags.
        with h5py.File(raw, "r") as file:
            attributes = _root_attributes(file, directory)
            datasets = {entry.name: file[entry.name] for entry in directory.entries}
            places = {name: (dataset.shape, dataset.id.get_offset()) for name, dataset in datasets.items()}
    except (OSError, KeyError, RuntimeError) as error:
        raise FormatError(f"{path} is damaged: HDF5 says {error}; build it again") from error
    _compare(path, directory, attributes)
    for entry in directory.entries:
        shape, offset = places[entry.name]
        # A table without elements is nowhere, for HDF5.
        if shape != entry.shape or (entry.n_bytes and offset != entry.offset):
            raise FormatError(f"{path} is damaged: {entry.name} is not where its directory says; build it again")
    return attributes


def _check_packed(path: Path, directory: Directory) -> None:
    """Raise FormatError unless the tables of a packed file have the shapes that go with each other."""
    shapes = {entry.name: entry.shape for entry in directory.entries}
    n = comb(directory.points + directory.two_sided_checkers, directory.points) if directory.two_sided_checkers else 0
    n_blocks = blocks_a_side(n) ** 2
    n_factors = shapes.get("packed/on_roll", (0, 0))[-1]
    wanted = {
        "packed/planes": (4, 3),
        "packed/on_roll": (n, n_factors),
        "packed/opponent": (n, n_factors),
        "packed/starts": (n_blocks + 1,),
        "packed/checksums": (n_blocks,),
    }
    missing = [name for name in PACKED_TABLES if name not in shapes]
    wrong = [name for name, shape in wanted.items() if shapes.get(name) != shape]
    if n == 0 or n_factors == 0 or directory.match or PAIRS_TABLE in shapes or missing or wrong:
        raise FormatError(
            f"{path} is damaged: its packed tables do not go together ({', '.join(missing or wrong) or PAIRS_TABLE}); "
            "pack it again"
        )


def _root_attributes(file: h5py.File, directory: Directory) -> dict[str, Any]:
    names = ROOT_ATTRIBUTES + (MATCH_ATTRIBUTES if directory.match else ())
    names += PACKED_ATTRIBUTES if directory.packed else ()
    return {name: _plain(file.attrs[name]) for name in names}


def _compare(path: Path, directory: Directory, attributes: dict[str, JSON]) -> None:
    """Raise FormatError if attributes of the file say something else than its directory."""
    same = ("points", "checkers", "two_sided_checkers", "gammons")
    expected = {name: getattr(directory, name) for name in same}
    expected |= {"format": FORMAT_NAME, "format_version": directory.version}
    if directory.match:
        expected |= directory.match.attributes
    if any(attributes[name] != value for name, value in expected.items()):
        raise FormatError(f"{path} is damaged: its attributes contradict its directory; build it again")


class _Shared(io.RawIOBase):
    """An open file that is read where it is told to, not where it is: processes that were forked can share it.

    Given by its descriptor, which it closes in the end: the name may belong to another file by now.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._place = 0

    def close(self) -> None:
        if not self.closed:
            os.close(self._descriptor)
        super().close()

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: os.fstat(self._descriptor).st_size}[whence]
        self._place = start + offset
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Any) -> int:
        if hasattr(os, "pread"):
            data = os.pread(self._descriptor, len(buffer), self._place)
        else:
            os.lseek(self._descriptor, self._place, os.SEEK_SET)
            data = os.read(self._descriptor, len(buffer))
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)


def _read_archive(raw: int, path: Path, directory: Directory) -> StoredTables:
    """Read what HDF5 says of an archive, all of whose bytes have passed their checksum."""
    if directory.entries:
        raise FormatError(f"{path} is damaged: an archive has no directory of tables; build it again")
    tables: dict[str, Table] = {}
    entries, stored_bytes = [], {}
    try:
        file = h5py.File(cast(BinaryIO, _Shared(raw)), "r")
        attributes = _root_attributes(file, directory)
        for name, kind in DATASETS.items():
            if name not in file:
                continue
            dataset = file[name]
            if dataset.dtype.newbyteorder("<").str.lstrip("|") != np.dtype(kind.dtype).str.lstrip("|"):
                raise FormatError(f"{path} is damaged: its table {name} holds {dataset.dtype}; build it again")
            scale, crc = float(dataset.attrs["scale"]), int(dataset.attrs["crc32"])
            tables[name] = read_archived(dataset)
            entries.append(Entry(name, kind.dtype, dataset.shape, 0, int(dataset.nbytes), scale, crc))
            stored_bytes[name] = dataset.id.get_storage_size()
    except (OSError, KeyError, RuntimeError, ValueError) as error:
        raise FormatError(f"{path} is damaged: HDF5 says {error}; build it again") from error
    _compare(path, directory, attributes)
    return StoredTables(path, directory, attributes, tables, tuple(entries), None, stored_bytes)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
