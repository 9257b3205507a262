"""Read a database file: check its head and open its tables, mapped, copied into memory, or read at each query."""

from __future__ import annotations

import io
import math
import mmap
import os
import re
import struct
import zlib
from abc import ABC, abstractmethod
from collections import UserDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from math import prod
from pathlib import Path
from types import EllipsisType
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, TypeAlias, cast, get_args

from bgrace._base.arrays import JSON, ShortRepr, as_choice, as_json
from bgrace._base.files import checked_path, opened
from bgrace._base.interrupts import check_interrupt
from bgrace._base.limits import allowed_text, machine_bytes, memory_limit, memory_text
from bgrace._kernels.lazy_numpy import np, npt
from bgrace._kernels.packing import BLOCK_SIDE, Factors
from bgrace._kernels.probe import OpenFile, Probe
from bgrace._kernels.two_sided import table_crc32
from bgrace.database.store.format import (
    APPROXIMATE_ATTRIBUTES,
    APPROXIMATE_ERRORS,
    DATASETS,
    FORMAT_NAME,
    NUMBER_BYTES,
    PACKED_ATTRIBUTES,
    PAGES_TABLE,
    PAIRS_TABLE,
    PIECE,
    ROOT_ATTRIBUTES,
    ROW_SUMS,
    USER_BLOCK,
    Directory,
    Entry,
    crc32_outside,
    page_checksums,
)
from bgrace.errors import ArgumentError, FormatError, MemoryLimitError

if TYPE_CHECKING:
    import h5py  # imported when it is needed: queries of a mapped file start faster without it


Verify: TypeAlias = bool | Literal["lazily"]
"""When to compare tables with their checksums: see `bgrace.open`."""

Access: TypeAlias = Literal["map", "load", "read"]
"""Access to the bytes of a file: see `bgrace.open`."""

View: TypeAlias = mmap.mmap | bytes | memoryview
"""The bytes of a plain file."""

_MAX_WIDTH: Final = 256  # rolls: csrc/bgrace.h
_MAX_STEPS: Final = (1 << 15) - 1  # for 16 bits
_MAX_HEAP: Final = 1 << 20  # bytes; bgrace's attributes take 4096
_HDF5_MAGIC: Final = b"\x89HDF\r\n\x1a\n"
_STATUS_FLAGS: Final = 11  # offset in the superblock
_RELEASED_AFTER: Final = 64  # number of pieces of a table
_READ_AHEAD: Final = 1 << 26  # bytes; larger files should not be read ahead


# ---------------------------------------------------------------------- tables


def pieces(table: Table) -> Iterator[slice]:
    """Slices of rows, one after another, each of some megabytes or a single row."""
    n_rows = max(1, PIECE // max(1, table.nbytes // max(1, len(table))))
    for start in range(0, len(table), n_rows):
        yield slice(start, start + n_rows)


class Indexed(ABC):
    """A table that can be indexed like an array by a number, a slice of consecutive rows, or an ellipsis."""

    def __init__(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> None:
        self.shape: tuple[int, ...] = shape
        self.dtype: np.dtype[np.generic] = np.dtype(dtype)
        self.nbytes: int = prod(shape) * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        whole = self[...]
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def __getitem__(self, key: int | np.integer | slice | EllipsisType) -> npt.NDArray[Any]:
        rows = range(len(self))[slice(None) if key is Ellipsis else key]
        if isinstance(rows, int):
            one: npt.NDArray[Any] = self._range(rows, rows + 1)[0]
            return one
        if rows.step != 1:
            raise IndexError(f"{key!r}: rows are read one after another")
        return self._range(rows.start, max(rows.start, rows.stop))

    @abstractmethod
    def _range(self, start: int, stop: int) -> npt.NDArray[Any]:
        """Read consecutive rows."""


Table: TypeAlias = "npt.NDArray[Any] | Indexed"
"""A table of a file; `bgrace.database.store.format.DATASETS` has its dtype by name."""


class UnmappedTable(Indexed):
    """A table that is read from the file each time.  All methods are safe to call from several threads."""

    def __init__(self, file: OpenFile, entry: Entry) -> None:
        super().__init__(entry.shape, entry.dtype)
        self._file = file
        self._offset = entry.offset
        self._row_bytes = self.dtype.itemsize * prod(self.shape[1:])

    def _range(self, start: int, stop: int) -> npt.NDArray[Any]:
        rows = np.empty((stop - start, *self.shape[1:]), dtype=self.dtype)
        raw = rows.reshape(-1).view(np.uint8)
        for first in range(0, raw.size, PIECE):
            self._file.read(self._offset + start * self._row_bytes + first, raw[first : first + PIECE])
        return rows


def blocks_a_side(n: int) -> int:
    """Number of blocks side by side in a table of `n` positions a side.

    Examples
    --------
    >>> blocks_a_side(54264)
    1696
    """
    return -(-n // BLOCK_SIDE)


class PackedPairs(Indexed):
    """The pairs of a packed file, int16, (n, n, planes), decoded when they are read.

    All methods are safe to call from several threads.
    """

    def __init__(self, n: int, tables: Mapping[str, Table], name: str) -> None:
        super().__init__((n, n, len(tables["packed/planes"])), "<i2")
        self._tables, self._name = tables, name

    @cached_property
    def _factors(self) -> Factors:
        return Factors(*(np.asarray(self._tables[f"packed/{name}"]) for name in ("on_roll", "opponent", "planes")))

    def stripe(self, row: int, n_threads: int = 1, out: npt.NDArray[np.int16] | None = None) -> npt.NDArray[np.int16]:
        """Decode all blocks of up to 32 rows, from a multiple of 32 on; FormatError if one of them is damaged."""
        side = self._factors.n_blocks
        first_block = row // BLOCK_SIDE * side
        n_rows = min(BLOCK_SIDE, len(self) - row)
        values = np.empty((n_rows, *self.shape[1:]), np.int16) if out is None else out
        starts = self._tables["packed/starts"][first_block : first_block + side + 1]
        codes = self._tables["packed/codes"]
        if not isinstance(codes, np.ndarray):  # only the part for the stripe is read
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
        if damaged:
            more = f" and {damaged - 1} more beside it" if damaged > 1 else ""
            raise FormatError(
                f"{self._name} is damaged: block {first_block + first} of its packed pairs{more} cannot be unpacked, "
                "or fails its checksum; get the file again"
            )
        return values

    def _range(self, start: int, stop: int) -> npt.NDArray[np.int16]:
        values = np.empty((stop - start, *self.shape[1:]), np.int16)
        for first in range(start // BLOCK_SIDE * BLOCK_SIDE, stop, BLOCK_SIDE):
            low, high = max(start, first), min(stop, first + BLOCK_SIDE)
            values[low - start : high - start] = self.stripe(first)[low - first : high - first]
        return values


class Tables(UserDict[str, Any]):
    """Tables by name, each made at its first use: most queries go through the C library, and need none.

    They are arrays in the bytes of a plain file, or objects that read these bytes.
    """

    def __init__(self, view: View | None, entries: Iterable[Entry], file: OpenFile) -> None:
        def table(entry: Entry) -> Table:
            if view is None:
                return UnmappedTable(file, entry)
            return np.frombuffer(view, entry.dtype, prod(entry.shape), entry.offset).reshape(entry.shape)

        super().__init__({entry.name: cache(partial(table, entry)) for entry in entries})

    def __getitem__(self, name: str) -> Table:
        made: Table = self.data[name]()
        return made


# ---------------------------------------------------------------------- files


@dataclass(frozen=True, slots=True, repr=False)
class StoredTables(ShortRepr):
    """The contents of a file, read-only.

    Attributes
    ----------
    path : Path
    directory : Directory
    attributes : dict
        Attributes of the root group, read at their first use; FormatError if they contradict the directory.
    tables : mapping of str to Table
        Tables by the names of `format.DATASETS`: arrays, or objects that are indexed like arrays and read the file.
    entries : tuple of Entry
        Entries of the tables: those of the directory, or for an archive those from HDF5.
    view : mmap, bytes, memoryview or None
        The whole file with the tables, of an archive unpacked; None if the file is read at each query.
    stored_bytes : dict of str to int
        Bytes of each table in the file: compressed ones for an archive, else all.
    access : {"map", "load", "read"}
        How the file was opened.
    file : OpenFile
        The file that was opened, even if another has its name by now.
    lazily : bool
        Whether tables are checked before they are first read.
    """

    path: Path
    directory: Directory
    read_attributes: Callable[[], dict[str, JSON]]
    tables: Mapping[str, Table]
    entries: tuple[Entry, ...]
    view: View | None
    stored_bytes: dict[str, int]
    access: Access
    file: OpenFile
    lazily: bool = False

    @property
    def attributes(self) -> dict[str, JSON]:
        """Attributes of the root group of the file."""
        return self.read_attributes()

    def entry(self, name: str) -> Entry:
        """The entry of a table; for the pairs of a packed file, that of a plain file."""
        found = next((entry for entry in self.entries if entry.name == name), None)
        if found is not None:
            return found
        pairs, crc = self.tables[name], cast(int, self.attributes["unpacked_crc32"])
        return Entry(name, DATASETS[name].dtype, pairs.shape, 0, pairs.nbytes, self.entry("packed/codes").scale, crc)

    def release_pages(self) -> None:
        """Release all pages of the file from this process; the system keeps them, or reads them again when needed."""
        if isinstance(self.view, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            self.view.madvise(mmap.MADV_DONTNEED)

    def expect_pairs(self, start: int, stop: int) -> None:
        """Let the system read rows of the table of pairs ahead, if they are mapped."""
        entry, view = next((entry for entry in self.directory.entries if entry.name == PAIRS_TABLE), None), self.view
        if entry is None or not isinstance(view, mmap.mmap) or not hasattr(mmap, "MADV_WILLNEED") or stop <= start:
            return
        row = entry.n_bytes // entry.shape[0]
        first = (entry.offset + start * row) // mmap.PAGESIZE * mmap.PAGESIZE
        view.madvise(mmap.MADV_WILLNEED, first, entry.offset + stop * row - first)

    def expect_random_access(self) -> None:
        """Tell the system that queries are spread over the file, so that it does not read neighbouring pages, too."""
        if isinstance(self.view, mmap.mmap) and self.directory.file_size > _READ_AHEAD and hasattr(mmap, "MADV_RANDOM"):
            self.view.madvise(mmap.MADV_RANDOM)

    def page_checksums(self) -> Iterator[int]:
        """CRC-32 of each page of the tables as they are in the file now."""
        ranges = [(e.offset, e.offset + e.n_bytes) for e in self.directory.entries if e.name != PAGES_TABLE]
        return page_checksums(cast(BinaryIO, _of_file(self.file, self.directory.file_size)), ranges)

    def checksum(self, name: str) -> int:
        """CRC-32 of a table as it is in the file now."""
        # It is computed from the mapped or open file, since another file may have its name by now.
        table, crc = self.tables[name], 0
        for k, rows in enumerate(pieces(table)):
            crc = zlib.crc32(np.ascontiguousarray(table[rows]).reshape(-1).view(np.uint8).data, crc)
            if k % _RELEASED_AFTER == 0:
                self.release_pages()
        return crc


def read_tables(
    path: str | os.PathLike[str], access: Access = "map", verify: Verify = False, *, unpacked: bool = True
) -> StoredTables:
    """Open a database file; an archive is unpacked into memory, unless its tables shall stay HDF5 datasets.

    The directory and all of the HDF5 metadata are first compared with their checksums, so that a damaged file is
    refused before an HDF5 library reads it.
    """
    as_choice("access", access, get_args(Access))
    lazily = verify == "lazily"
    if not lazily and verify not in (True, False):
        raise ArgumentError(f"verify={verify!r:.80} is unknown: give True, False or 'lazily'")
    if lazily and access == "load":
        raise ArgumentError('access="load" reads everything at once: give verify=True, or access="read"')
    path = checked_path(path)
    with opened(path) as raw:
        file = OpenFile(raw.fileno(), str(path))
        as_asked: Access = "read" if lazily else access
        stored = _load(raw, file, path) if access == "load" else _read(raw, file, path, as_asked, unpacked)
    if lazily:
        return replace(_check_lazily(stored), lazily=True)
    if verify:
        stored.read_attributes()
        for entry in stored.entries:
            crc = stored.checksum(entry.name)
            if crc != entry.crc32:
                raise FormatError(
                    f"{path} is damaged: {entry.name} has CRC-32 {crc:08x}, and was written with {entry.crc32:08x}; "
                    "build it again"
                )
    return stored


def _check_lazily(stored: StoredTables) -> StoredTables:
    """Check each row of pairs, and every other table, by its checksum before it is first read.

    All bytes of an archive have been checked when it was opened.
    """
    stored.read_attributes()
    place = sorted(stored.directory.entries, key=lambda entry: entry.offset)
    starts, pasts, sums = [], [], []
    for entry in place:
        crc32 = _row_sums(stored, entry) if entry.name == PAIRS_TABLE else np.array([entry.crc32], np.uint32)
        edges = entry.offset + np.arange(len(crc32) + 1, dtype=np.uint64) * np.uint64(entry.n_bytes // len(crc32))
        starts.append(edges[:-1])
        pasts.append(edges[1:])
        sums.append(crc32)
    if place:
        stored.file.check_blocks(np.concatenate(starts), np.concatenate(pasts), np.concatenate(sums))
    return stored


def _row_sums(stored: StoredTables, entry: Entry) -> npt.NDArray[np.uint32]:
    """Read the CRC-32 of each row of pairs; FormatError if these are missing, or do not fit that of the table."""
    sums: npt.NDArray[np.uint32] | None = None
    with _hdf5(_of_file(stored.file, stored.directory.file_size), stored.path) as file, file:
        dataset = _own_dataset(file, ROW_SUMS, stored.path)
        if dataset is not None and dataset.shape == entry.shape[:1] and dataset.dtype.kind == "u":
            sums = dataset[...].astype(np.uint32)
    if sums is None:
        raise FormatError(
            f"{stored.path} has no checksums of rows, as older files: build it again, or open it with verify=True"
        )
    if table_crc32(sums) != entry.crc32:
        raise FormatError(f"{stored.path} is damaged: checksums of rows are not those of its pairs; build it again")
    return sums


def _read(raw: BinaryIO, file: OpenFile, path: Path, access: Access, unpacked: bool) -> StoredTables:
    directory = _read_directory(raw, path)
    shared = _of_file(file, directory.file_size)
    if directory.archive:
        return _read_archive(shared, file, path, directory, access, unpacked)
    view = None if access == "read" else mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
    return _stored(shared, file, path, directory, access, view)


def _load(raw: BinaryIO, file: OpenFile, path: Path) -> StoredTables:
    """Copy a file into memory before it is checked, so that queries use exactly the checked bytes."""
    size, most = raw.seek(0, os.SEEK_END), machine_bytes()
    if size > most:
        raise MemoryLimitError(
            f"{path} has {memory_text(size)}, and this machine {memory_text(most)} of memory: open it with "
            'access="map" or "read"'
        )
    raw.seek(0)
    data = raw.read()
    file.check_unchanged()
    copy = _PositionedFile(len(data), lambda place, n: data[place : place + n])
    directory = _read_directory(cast(BinaryIO, copy), path)
    if directory.archive:
        return _read_archive(copy, file, path, directory, "load")
    return _stored(copy, file, path, directory, "load", data)


def _stored(
    raw: _PositionedFile, file: OpenFile, path: Path, directory: Directory, access: Access, view: View | None
) -> StoredTables:
    """Make the tables of a directory: arrays in the bytes of the file, or objects that read the file."""
    attributes = cache(lambda: _read_attributes(raw, path, directory))
    tables = Tables(view, directory.entries, file)
    if directory.packed or directory.approximate:
        _check_pairs(path, directory, tables, file if view is None else view)
    if directory.packed:
        tables[PAIRS_TABLE] = cache(partial(PackedPairs, directory.n_pairs, tables, str(path)))
    return StoredTables(path, directory, attributes, tables, directory.entries, view, {}, access, file)


def file_facts(stored: StoredTables) -> dict[str, JSON]:
    """The contents of a file and how it was made, as values of JSON, with the facts of every table."""
    directory = stored.directory
    return {
        "path": str(stored.path),
        "file_size": directory.file_size,
        "archive": directory.archive,
        "packed": directory.packed,
        "approximate": directory.approximate,
        **stored.attributes,
        "positions": directory.n_positions,
        "pairs": directory.n_pairs**2,
        "tables": [
            {
                "name": entry.name,
                "shape": list(entry.shape),
                "dtype": np.dtype(entry.dtype).name,
                "unit": DATASETS[entry.name].unit,
                "scale": entry.scale,
                "offset": None if directory.archive else entry.offset,
                "bytes": entry.n_bytes,
                "stored_bytes": stored.stored_bytes.get(entry.name, entry.n_bytes),
                "crc32": f"{entry.crc32:08x}",
                "description": DATASETS[entry.name].description,
            }
            for entry in stored.entries
        ],
    }


def _read_directory(raw: BinaryIO, path: Path) -> Directory:
    """Read the directory, and check that its tables lie within the file."""
    directory = Directory.unpack(raw.read(USER_BLOCK), str(path))
    points, checkers, two_sided = directory.points, directory.checkers, directory.two_sided_checkers
    if not (1 <= points <= 24 and 1 <= checkers <= 15 and two_sided <= checkers):
        raise FormatError(
            f"{path} is damaged: no database has {points} points, {checkers} and two-sided {two_sided} checkers"
        )
    size = raw.seek(0, os.SEEK_END)
    if size != directory.file_size:
        _check_closed(raw, path)
        raise FormatError(
            f"{path} is damaged, or was changed by another program: it has {size} bytes, its directory says "
            f"{directory.file_size}; build it again"
        )
    for entry in directory.entries:
        n_bytes = math.prod(entry.shape) * NUMBER_BYTES[entry.dtype]
        if entry.name not in DATASETS or DATASETS[entry.name].dtype != entry.dtype or n_bytes != entry.n_bytes:
            raise FormatError(f"{path} is damaged: its directory has a table {entry.name!r} of {entry.n_bytes} bytes")
        if entry.offset < USER_BLOCK or entry.offset + entry.n_bytes > size or max(entry.shape) > size:
            raise FormatError(f"{path} is damaged: {entry.name} would lie outside the file")
        if not 0 < entry.scale < math.inf:
            raise FormatError(f"{path} is damaged: {entry.name} has scale {entry.scale}")
    if len({entry.name for entry in directory.entries}) < len(directory.entries):
        raise FormatError(f"{path} is damaged: its directory names a table twice")
    # HDF5 does not check the bytes outside of tables.
    ranges = [(entry.offset, entry.offset + entry.n_bytes) for entry in directory.entries]
    if crc32_outside(raw, USER_BLOCK, directory.file_size, ranges) != directory.metadata_crc32:
        _check_closed(raw, path)
        raise FormatError(
            f"{path} is damaged, or was changed by another program: its HDF5 metadata fail their checksum; "
            "build it again"
        )
    return directory


def _check_closed(raw: BinaryIO, path: Path) -> None:
    """Raise FormatError if HDF5's superblock marks the file as open for writing in another program."""
    raw.seek(USER_BLOCK)
    head = raw.read(_STATUS_FLAGS + 1)
    if head[:8] == _HDF5_MAGIC and head[-1] & 1:
        raise FormatError(
            f"{path}: another program has it open for writing, or died with it: close it there, or run `h5clear -s "
            f"{path}`"
        )


def _read_attributes(raw: _PositionedFile, path: Path, directory: Directory) -> dict[str, Any]:
    """Read the root attributes, and compare the places of tables in HDF5 with the directory."""
    raw.checks_heaps = True
    with _hdf5(raw, path) as file, file:
        attributes = _root_attributes(file, directory, path)
        for entry in directory.entries:
            found = _own_dataset(file, entry.name, path)
            # For HDF5, a table without elements has no place.
            place = found and (found.dtype, found.shape, found.id.get_offset() if entry.n_bytes else entry.offset)
            if place != (entry.dtype, entry.shape, entry.offset):
                raise FormatError(f"{path} is damaged: {entry.name} is not where its directory says; build it again")
    return attributes


def _check_pairs(path: Path, directory: Directory, tables: Mapping[str, Table], bytes_or_file: View | OpenFile) -> None:
    """Raise FormatError unless the C library finds all tables for the pairs of a packed or approximate file.

    In an approximate file, the number of exceptions and their positions must also fit.
    """
    Probe(bytes_or_file, str(path))
    if directory.packed:
        return
    starts, columns = (np.asarray(tables[f"small/{table}"][:]) for table in ("starts", "columns"))
    rises = starts[0] == 0 and starts[-1] == len(columns) and bool((starts[1:] >= starts[:-1]).all())
    if not (rises and bool((columns < directory.n_pairs).all())):
        raise FormatError(f"{path} is damaged: its tables of pairs do not go together; get the file again")


@contextmanager
def _hdf5(raw: _PositionedFile, path: Path) -> Iterator[h5py.File]:
    """Open the file with HDF5, even if another has its name by now; FormatError if HDF5 fails.

    The metadata have passed their checksum, so a failure is an error of the writer.
    """
    import h5py  # noqa: PLC0415  (takes a while)

    try:
        yield h5py.File(cast(BinaryIO, raw), "r")
    except FormatError:
        raise
    except (OSError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise FormatError(f"{path} is damaged: HDF5 says {error}; build it again") from error


def _root_attributes(file: h5py.File, directory: Directory, path: Path) -> dict[str, Any]:
    """Read the attributes of the root; FormatError if they contradict the directory."""
    further = PACKED_ATTRIBUTES if directory.packed else APPROXIMATE_ATTRIBUTES if directory.approximate else ()
    attributes = {name: _plain(name, file.attrs[name]) for name in ROOT_ATTRIBUTES + further}
    expected = as_json(directory.contents) | {"format": FORMAT_NAME, "format_version": directory.version}
    if directory.errors:
        expected |= dict(zip(APPROXIMATE_ERRORS, directory.errors, strict=True))
    if any(attributes[name] != value for name, value in expected.items()):
        raise FormatError(f"{path} is damaged: its attributes contradict its directory; build it again")
    return attributes


class _PositionedFile(io.RawIOBase):
    """A file that is read at given offsets, without a position of its own, so that forked processes can share it.

    ``read_at(offset, n)`` returns at most n bytes.

    With ``checks_heaps``, while HDF5 reads attributes, global heaps are checked first: an object of size 0, which only
    a forged file has, would make HDF5 loop for ever.
    """

    def __init__(self, size: int, read_at: Callable[[int, int], bytes]) -> None:
        super().__init__()
        self._size, self._read_at = size, read_at
        self._place = 0
        self.checks_heaps = False

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._size}[whence]
        self._place = start + offset
        return self._place

    def readinto(self, buffer: Any) -> int:
        data = self._read_at(self._place, len(buffer))
        if self.checks_heaps:
            start = max(0, self._place - 3)  # the signature of a heap may begin before
            area = self._read_at(start, self._place - start) + data
            for found in re.finditer(b"GCOL", area):
                self._check_heap(start + found.start())
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)

    def _check_heap(self, start: int) -> None:
        """Raise OSError unless the objects of a global heap (HDF5's format, III.E) follow each other to its end."""
        size = int.from_bytes(self._read_at(start + 8, 8), "little")
        heap = self._read_at(start, size if size <= _MAX_HEAP else 0)
        place = 16
        while place + 16 <= len(heap):
            index, taken = struct.unpack_from("<H6xQ", heap, place)
            step = 16 + (taken + 7) // 8 * 8 if index else taken  # the size of free space includes its header
            if not 16 <= step <= size - place:
                break
            place += step
        if len(heap) != size or place + 16 <= size:
            raise OSError("its attributes lie in a damaged heap")


def _of_file(file: OpenFile, size: int) -> _PositionedFile:
    """Make the file that the C library has open readable for h5py; OSError if it has been changed since."""

    def read_at(place: int, n: int) -> bytes:
        data = np.empty(max(0, min(n, size - place)), np.uint8)
        try:
            file.read(place, data)
        except FormatError as error:
            raise OSError(str(error)) from error
        return data.tobytes()

    return _PositionedFile(size, read_at)


def _read_archive(
    raw: _PositionedFile, file: OpenFile, path: Path, directory: Directory, access: Access, unpacked: bool = True
) -> StoredTables:
    """Read the HDF5 datasets of an archive, whose bytes have all passed their checksum, and unpack it."""
    if directory.entries:
        raise FormatError(f"{path} is damaged: an archive has no directory of tables; build it again")
    datasets: dict[str, h5py.Dataset] = {}
    entries, stored_bytes, offset = [], {}, USER_BLOCK
    raw.checks_heaps = True
    with _hdf5(raw, path) as archive:
        attributes = _root_attributes(archive, directory, path)
        for name, wanted in directory.shapes.items():
            dataset = _own_dataset(archive, name, path)
            if dataset is None:
                continue
            entry = _archive_entry(path, directory, name, dataset, wanted, offset)
            datasets[name], stored_bytes[name] = dataset, dataset.id.get_storage_size()
            entries.append(entry)
            offset += -(-entry.n_bytes // USER_BLOCK) * USER_BLOCK
        raw.checks_heaps = False
        plain = replace(directory, archive=False, file_size=offset, entries=tuple(entries))
        image = _unpack_tables(path, plain, datasets, file) if unpacked else None
    tables = datasets if image is None else Tables(image, entries, file)
    return StoredTables(path, directory, lambda: attributes, tables, tuple(entries), image, stored_bytes, access, file)


def _unpack_tables(path: Path, plain: Directory, datasets: Mapping[str, h5py.Dataset], file: OpenFile) -> memoryview:
    """Unpack the tables of an archive as in a plain file; MemoryLimitError if they do not fit into memory."""
    if plain.file_size > (most := memory_limit()):
        raise MemoryLimitError(
            f"{path} takes {memory_text(plain.file_size)} of memory when it is unpacked, {allowed_text(most)}: "
            "unpack it into a file (bgrace unpack), and open that"
        )
    image = np.zeros(plain.file_size, np.uint8)
    image[:USER_BLOCK] = np.frombuffer(plain.pack(), np.uint8)
    for name, table in Tables(image.data, plain.entries, file).items():
        for rows in pieces(table):
            np.asarray(table)[rows] = datasets[name][rows]
            check_interrupt()
    return image.data.toreadonly()


def _own_dataset(file: h5py.File, name: str, path: Path) -> h5py.Dataset | None:
    """Open a dataset of this file itself; None if there is none of that name.

    In HDF5 a name can lead to another file, and a dataset can have its bytes in any other files: a crafted archive
    could make its reader open a pipe, or disclose files that only the reader may see.  So links are checked before
    they are followed.
    """
    import h5py  # noqa: PLC0415  (takes a while)

    place = file
    for part in name.split("/"):
        if not isinstance(place, h5py.Group):
            raise FormatError(f"{path} is damaged: {name} is in no group; build it again")
        links = place.id.links
        if not links.exists(part.encode()):
            return None
        if links.get_info(part.encode()).type != h5py.h5l.TYPE_HARD:
            raise FormatError(f"{path} is refused: its {name} leads elsewhere, as bgrace never writes it")
        place = place[part]
    if not isinstance(place, h5py.Dataset):
        raise FormatError(f"{path} is damaged: {name} is not a table; build it again")
    if place.is_virtual or place.external:
        raise FormatError(
            f"{path} is refused: its {name} takes its numbers from other files, as bgrace never writes it"
        )
    if place.compression not in (None, "gzip"):
        raise FormatError(f"{path} is refused: its {name} is packed in a way that bgrace does not write")
    return place


def _archive_entry(
    path: Path, directory: Directory, name: str, dataset: h5py.Dataset, wanted: tuple[int | None, ...], offset: int
) -> Entry:
    """The entry of a table of an archive; FormatError for an impossible one, before memory is reserved for it."""
    shape, dtype, scale = dataset.shape, DATASETS[name].dtype, float(dataset.attrs["scale"])
    most = _MAX_WIDTH if name.startswith("one_sided/") else directory.n_positions * directory.n_pairs
    if len(shape) != len(wanted) or any(k > most if n is None else k != n for k, n in zip(shape, wanted, strict=True)):
        raise FormatError(f"{path} is damaged: its table {name} has shape {shape}; build it again")
    if dataset.dtype.newbyteorder("<").str.lstrip("|") != np.dtype(dtype).str.lstrip("|"):
        raise FormatError(f"{path} is damaged: its table {name} holds {dataset.dtype}; build it again")
    fits = 0 < scale < math.inf
    if name == PAIRS_TABLE:  # docs/file-format.md
        fits = fits and scale % 36 == 0 and scale * (2 if directory.gammons else 1) <= _MAX_STEPS
    if not fits:
        raise FormatError(f"{path} is damaged: its table {name} has scale {scale:g}; build it again")
    return Entry(name, dtype, shape, offset, int(dataset.nbytes), scale, int(dataset.attrs["crc32"]))


def _plain(name: str, value: Any) -> int | float | str:
    """The value of an attribute; TypeError if it is an array, or of a type that bgrace does not write."""
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, (int, float, str)):
        raise TypeError(f"attribute {name} is neither a number nor text")
    return plain
