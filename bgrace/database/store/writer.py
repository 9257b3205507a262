"""Write a database file: its tables, through HDF5 and through mappings, and in the end its directory."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, Final, Self, cast

import h5py
import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON, as_json
from bgrace._base.files import NEW_MODE, SAFELY, claim, keep_mode
from bgrace._base.interrupts import HeldInterrupts, check_interrupt
from bgrace._base.limits import Progress
from bgrace._base.version import VERSION
from bgrace._kernels.two_sided import table_crc32
from bgrace.board.spaces import PositionSpace
from bgrace.database.store.format import (
    APPROXIMATE_ERRORS,
    CHECKERS,
    DATASETS,
    FORMAT_NAME,
    FORMAT_VERSION,
    MAGIC,
    NUMBER_BYTES,
    OTHERS,
    PAGE_BYTES,
    PAGES_TABLE,
    PAIRS_TABLE,
    ROW_SUMS,
    USER_BLOCK,
    Contents,
    Directory,
    Entry,
    Errors,
    crc32_outside,
    page_checksums,
    version_of,
)
from bgrace.database.store.target import Target
from bgrace.errors import ArgumentError, FormatError

_MANY_BYTES: Final = 1 << 27  # of a mapped table; pages of larger ones are released
_ALIGNED: Final = {"alignment_threshold": 512, "alignment_interval": 4096}
"""Tables begin on a page, attributes anywhere."""


GENERATOR: Final = f"bgrace {VERSION}"
"""The program and version in the attributes of a file."""


def database_target(path: str | os.PathLike[str], contents: Contents, *, force: bool = False) -> Target:
    """Make the target of a database file.

    A killed build may leave a complete temporary file.  It counts as stale if its contents match, or with `force`.
    """

    def is_left(head: bytes) -> bool:
        if _is_unfinished(head):
            return True
        try:
            return head.startswith(MAGIC) and (force or Directory.unpack(head, str(path)).contents == contents)
        except FormatError:
            return False

    return Target(path, is_left, UNFINISHED, force=force)


def _is_unfinished(head: bytes) -> bool:
    """Whether these first bytes belong to an unfinished bgrace file, even after a partial write."""
    mark = UNFINISHED.encode()
    n = len(MAGIC)
    torn = {MAGIC[:k] + mark[k:n] for k in range(n)}
    return head.startswith(mark) or head[:n] in torn or mark.startswith(head.rstrip(b"\0"))


def creation_time() -> str:
    """The time of creation: now, or SOURCE_DATE_EPOCH, for reproducible files."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return datetime.now(UTC).isoformat(timespec="seconds")
    try:
        if not (epoch.isascii() and epoch.isdigit()):
            raise ValueError(epoch)
        return datetime.fromtimestamp(int(epoch), UTC).isoformat(timespec="seconds")
    except (OSError, OverflowError, ValueError):
        raise ArgumentError(
            f"SOURCE_DATE_EPOCH={epoch[:40]!r} is not a time: give whole seconds since 1970, up to the year 9999, such "
            "as 1735689600, or unset it"
        ) from None


class Writer:
    """A database file that is being made.

    As a context manager it finishes the file in the end; its target then renames it.

    Attributes
    ----------
    path : Path
    contents : Contents
    entries : dict of str to Entry
        Entries of the tables that have been added, without their checksums.
    """

    def __init__(
        self,
        target: Target,
        contents: Contents,
        path: Path | None = None,
        *,
        attributes: Mapping[str, JSON] | None = None,
    ) -> None:
        self.path: Path = path or target.partial
        self._reported = target.reported
        self.contents: Contents = contents
        self._attributes = dict(attributes or {})
        self.entries: dict[str, Entry] = {}
        self._mapped: list[mmap.mmap] = []
        self._others: dict[str, npt.NDArray[Any]] = {}
        all_attributes = {
            "format": FORMAT_NAME,
            "format_version": FORMAT_VERSION,
            **as_json(contents),
            "generator": GENERATOR,
            "created": creation_time(),
            **self._attributes,
        }
        with self._reported():
            with os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT | SAFELY, NEW_MODE), "r+b") as raw:
                keep_mode(raw.fileno(), target.path, least=0o600)
            with created(self.path, **_ALIGNED) as new:
                new.file.attrs.update(all_attributes)

    def add(self, name: str, shape: tuple[int, ...], scale: float = 1.0, **attributes: JSON) -> npt.NDArray[Any]:
        """Add a table, and return its empty array."""
        with self._reported():
            entry = self.entries[name] = self._create_table(name, shape, float(scale), attributes)
            if not entry.n_bytes:
                return np.empty(shape, entry.dtype)
            first = entry.offset // mmap.ALLOCATIONGRANULARITY * mmap.ALLOCATIONGRANULARITY
            with open(self.path, "r+b") as raw:
                # Disk space is reserved first: on a full disk, writing to mapped memory would end the process.
                claim(raw.fileno(), entry.offset, entry.n_bytes)
                mapped = mmap.mmap(raw.fileno(), entry.offset - first + entry.n_bytes, offset=first)
            self._mapped.append(mapped)
            if hasattr(mmap, "MADV_RANDOM"):
                # Large tables are filled in scattered places, so reading ahead would bring in empty pages.
                mapped.madvise(mmap.MADV_RANDOM)
            return np.frombuffer(mapped, dtype=entry.dtype, offset=entry.offset - first).reshape(shape)

    @contextmanager
    def writing(self) -> Iterator[tuple[int, int]]:
        """Open the file for writing the table of pairs, which has been added: its descriptor, and the table's start."""
        with self._reported(), open(self.path, "r+b", buffering=0) as raw:
            yield raw.fileno(), self.entries[PAIRS_TABLE].offset

    def set_row_sums(self, crc32: npt.NDArray[np.uint32]) -> None:
        """Set the CRC-32 of each row of pairs; checksums of other tables are computed in the end."""
        self._others[ROW_SUMS] = crc32

    def add_page_checksums(self) -> None:
        """Add the checksums of the pages of every table, after all tables have been added and filled."""
        ranges = [(entry.offset, entry.offset + entry.n_bytes) for entry in self.entries.values()]
        checksums = self.add(PAGES_TABLE, (sum(-(-(past - first) // PAGE_BYTES) for first, past in ranges),))
        with self._reported(), open(self.path, "rb") as raw:
            checksums[:] = np.fromiter(page_checksums(raw, ranges), np.uint32, len(checksums))

    def release_pages(self) -> None:
        """Drop written pages from this process (MADV_DONTNEED); the kernel keeps them."""
        for mapped in self._mapped:
            # Pages of a small table would be fetched again and again.
            if len(mapped) > _MANY_BYTES and hasattr(mmap, "MADV_DONTNEED"):
                mapped.madvise(mmap.MADV_DONTNEED)

    def _create_table(self, name: str, shape: tuple[int, ...], scale: float, attributes: dict[str, Any]) -> Entry:
        kind = DATASETS[name]
        n_bytes = prod(shape) * NUMBER_BYTES[kind.dtype]
        all_attributes = {"description": kind.description, "unit": kind.unit, "scale": scale, "crc32": np.uint32(0)}
        all_attributes |= kind.attributes(scale) | attributes
        with changed(self.path, n_bytes, **_ALIGNED) as file:
            folder, _, last = name.rpartition("/")
            group = group_in(file, folder)
            properties = table_properties()
            properties.set_layout(h5py.h5d.CONTIGUOUS)
            properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
            space = h5py.h5s.create_simple(shape)
            stored = h5py.h5t.py_create(np.dtype(kind.dtype))
            # The checksum is computed in the end, but its place is reserved now.
            dataset = h5py.Dataset(h5py.h5d.create(group.id, last.encode(), stored, space, properties))
            dataset.attrs.update(all_attributes)
            attach_scales(file, name, attributes.get("planes", ()))
            # An empty dataset has no offset: any valid one will do.
            offset = int(dataset.id.get_offset()) if dataset.size else USER_BLOCK
            return Entry(name, kind.dtype, shape, offset, n_bytes, scale, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            with self._reported():
                self._finish()

    def _finish(self) -> None:
        entries = []
        with open(self.path, "rb") as raw:
            for name, entry in self.entries.items():
                if name == PAIRS_TABLE and ROW_SUMS in self._others:
                    crc32 = table_crc32(self._others[ROW_SUMS])
                else:
                    crc32 = crc32_outside(raw, entry.offset, entry.offset + entry.n_bytes)
                entries.append(replace(entry, crc32=crc32))
        if "one_sided/epc" in self.entries and "packed/codes" not in self.entries:  # others are too many, or small
            space = PositionSpace(self.contents.points, self.contents.checkers)
            self._others[CHECKERS] = space.position(np.arange(len(space)))
        with changed(self.path, sum(table.nbytes for table in self._others.values()), **_ALIGNED) as file:
            for entry in entries:
                file[entry.name].attrs.modify("crc32", np.uint32(entry.crc32))
            for name, array in self._others.items():
                kind = OTHERS[name]
                dataset = file.create_dataset(name, data=array, dtype=kind.dtype, dcpl=table_properties())
                dataset.attrs.update(description=kind.description, unit=kind.unit, **kind.attributes(1.0))
                attach_scales(file, name)
                dataset.flush()  # now, since no error is raised when the object is deleted
        errors = None
        if APPROXIMATE_ERRORS[0] in self._attributes:
            errors = cast(Errors, tuple(self._attributes[name] for name in APPROXIMATE_ERRORS))
        _seal(self.path, self.contents, tuple(entries), errors)


_LEVEL: Final = 6  # level of gzip
_CHUNK_BYTES: Final = 1 << 17
_PAIRS_CHUNK: Final = 128  # rows and columns of a table of pairs


def write_archive(target: Target, plain: Writer, progress: Progress) -> None:
    """Compress the tables of a finished file; `progress` is called with the bytes done and to do."""
    with target.reported():
        with created(target.partial) as new, h5py.File(plain.path, "r", locking=False) as source:
            with suppress(OSError):  # on Windows the target removes it in the end
                plain.path.unlink()
            new.file.attrs.update(source.attrs)
            tables = [source[name] for name in (*plain.entries, CHECKERS) if name in source]
            done, total = 0, sum(table.nbytes for table in tables)
            for table in tables:
                for n_bytes in compress_table(table, new):
                    done += n_bytes
                    check_interrupt()
                    progress(done, total)
        _seal(target.partial, plain.contents, ())


def _chunk_shape(shape: tuple[int, ...], item_bytes: int) -> tuple[int, ...]:
    if len(shape) == 3:
        return (min(_PAIRS_CHUNK, shape[0]), min(_PAIRS_CHUNK, shape[1]), shape[2])
    row_bytes = item_bytes * int(np.prod(shape[1:]))
    return (min(shape[0], max(1, _CHUNK_BYTES // row_bytes)), *shape[1:])


def compress_table(source: h5py.Dataset, new: NewFile) -> Iterator[int]:
    """Write a table and its attributes into an archive, under the same name; yield the bytes done on the way."""
    folder, _, name = source.name.rpartition("/")
    group = group_in(new.file, folder)
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
        # One row of chunks at a time; HDF5 compresses its chunks one by one.
        height = target.chunks[0]
        n_chunks = prod(-(-length // chunk) for length, chunk in zip(target.shape[1:], target.chunks[1:], strict=True))
        chunk_bytes = prod(target.chunks) * target.dtype.itemsize
        for start in range(0, len(source), height):
            rows = source[start : start + height]
            new.claim_chunks(n_chunks, chunk_bytes)
            target[start : start + height] = rows
            yield rows.nbytes
        target.flush()  # now, since no error is raised when the dataset is deleted
    for attribute, value in source.attrs.items():
        if attribute not in SCALE_ATTRIBUTES:
            target.attrs[attribute] = value
    attach_scales(new.file, source.name[1:], tuple(source.attrs.get("planes", ())))


def _seal(path: Path, contents: Contents, entries: tuple[Entry, ...], errors: Errors | None = None) -> None:
    """Write the directory of a file that is otherwise complete; an archive has no entries."""
    with open(path, "r+b") as raw:
        size = raw.seek(0, os.SEEK_END)
        packed = Directory(
            **as_json(contents),
            file_size=size,
            metadata_crc32=crc32_outside(raw, USER_BLOCK, size, [(e.offset, e.offset + e.n_bytes) for e in entries]),
            entries=entries,
            archive=not entries,
            errors=errors,
            version=version_of({entry.name for entry in entries}),
        ).pack()
        # Write the magic bytes last, so that an interrupted file is recognisable.
        raw.seek(len(MAGIC))
        raw.write(packed[len(MAGIC) :])
        raw.flush()
        raw.seek(0)
        raw.write(packed[: len(MAGIC)])


UNFINISHED: Final = "unfinished bgrace database"
"""Text for a file that is being written: its name in messages, and its first bytes."""

_METADATA: Final = 1 << 18
"""Upper limit of the bytes of all tables' metadata, without the chunk indexes of large ones."""

_A_CHUNK: Final = 64
"""Bytes of the index entry and checksum of a chunk, rounded up."""

_END_PLACE: Final = 28
"""Offset of the end-of-file address in a superblock of version 2 or 3, HDF5 File Format Specification, section II.A."""

_LIBRARY: Final = ("v110", "v110")  # metadata with checksums, readable for every HDF5 since 1.10


class NewFile:
    """An HDF5 file that is being made.

    Attributes
    ----------
    file : h5py.File
    """

    def __init__(self, file: h5py.File, raw: BinaryIO) -> None:
        self.file: h5py.File = file
        self._raw = raw
        self._most_held: int = file.id.get_access_plist().get_cache()[2]  # bytes of chunks in HDF5's cache
        self._n_bytes = 0  # bytes of chunks

    def claim_chunks(self, n_chunks: int, n_bytes: int) -> None:
        """Preallocate room for whole, uncompressed chunks."""
        held, n_new = min(self._most_held, self._n_bytes), n_chunks * (n_bytes + _A_CHUNK)
        claim(self._raw.fileno(), 0, self.file.id.get_filesize() + held + n_new + _METADATA)
        self._n_bytes += n_new


@contextmanager
def created(path: Path, *, alignment_threshold: int = 1, alignment_interval: int = 1) -> Iterator[NewFile]:
    """Turn an existing empty file into an HDF5 file, with disk space reserved for its metadata.

    Ctrl-C waits until the file is closed, except in `check_interrupt`.
    """
    with HeldInterrupts(), open(path, "r+b") as raw:
        claim(raw.fileno(), 0, USER_BLOCK + _METADATA)
        file = _new_file(path, alignment_threshold, alignment_interval)
        try:
            claim(raw.fileno(), 0, USER_BLOCK + _METADATA)  # again, since h5py has released it
            raw.write(UNFINISHED.encode())
            raw.flush()
            yield NewFile(file, raw)
            file.flush()  # if a write fails here, the file can still be closed
        finally:
            file.close()
            raw.seek(USER_BLOCK + _END_PLACE)
            raw.truncate(int.from_bytes(raw.read(8), "little"))  # the rest of the reserved space is unused


def _new_file(path: Path, alignment_threshold: int, alignment_interval: int) -> h5py.File:
    """Make a file like h5py.File, but without the time of creation, so that the same tables give the same bytes.

    Older releases of h5py let HDF5 put the time into every group, including the root group.
    """
    made = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    made.set_userblock(USER_BLOCK)
    made.set_obj_track_times(False)
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_V110, h5py.h5f.LIBVER_V110)
    access.set_file_locking(False, ignore_when_disabled=False)
    access.set_alignment(alignment_threshold, alignment_interval)
    return h5py.File(h5py.h5f.create(os.fsencode(path), h5py.h5f.ACC_TRUNC, made, access))


def group_in(file: h5py.File, name: str) -> h5py.Group:
    """Find a group, or make it without the time of creation."""
    if name not in file:
        made = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
        made.set_obj_track_times(False)
        h5py.h5g.create(file.id, name.encode(), gcpl=made)
    return file[name]


@contextmanager
def changed(path: Path, n_bytes: int = 0, **options: object) -> Iterator[h5py.File]:
    """Change an HDF5 file."""
    with HeldInterrupts():
        with open(path, "r+b") as raw:
            # HDF5 opens the file with this space, and cuts off the unused part when it closes it.
            claim(raw.fileno(), raw.seek(0, os.SEEK_END), n_bytes + _METADATA)
        with h5py.File(path, "r+", libver=_LIBRARY, locking=False, **options) as file:  # a target has a lock of its own
            yield file
            file.flush()


SCALE_ATTRIBUTES: Final = frozenset({"DIMENSION_LABELS", "DIMENSION_LIST"})
"""Attributes of tables made by `attach_scales`; they refer to places in one file, so they are never copied."""

_MAX_ATTRIBUTES: Final = 16
"""Most attributes of a table; the default of HDF5 is 8, beyond which it makes a heap, which takes pages."""

_WITHOUT_VALUES: Final = "This is a netCDF dimension but not a netCDF variable."
"""The text with which netCDF marks a scale without values."""


def attach_scales(file: h5py.File, name: str, planes: Sequence[str] = ()) -> None:
    """Name the axes of a table, and attach scales that the tables of its group share."""
    table, kind = file[name], DATASETS.get(name) or OTHERS[name]
    group = name.partition("/")[0]
    for axis, (axis_name, length) in enumerate(zip(kind.axes, table.shape, strict=True)):
        place = f"{group}/{axis_name}"
        if place not in file:
            _make_scale(file, place, length, planes if axis == table.ndim - 1 else ())
        table.dims[axis].label = axis_name
        table.dims[axis].attach_scale(file[place])


def table_properties() -> h5py.h5p.PropDCID:
    """HDF5 properties of all tables and scales."""
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_obj_track_times(False)  # so that the same tables give the same bytes
    properties.set_attr_phase_change(_MAX_ATTRIBUTES, 0)
    return properties


def _make_scale(file: h5py.File, place: str, length: int, values: Sequence[str]) -> None:
    properties = table_properties()
    if values:
        properties.set_layout(h5py.h5d.COMPACT)
        kind = h5py.h5t.py_create(h5py.string_dtype(), logical=True)
    else:
        properties.set_alloc_time(h5py.h5d.ALLOC_TIME_LATE)  # late means never here, since no values are written
        kind = h5py.h5t.IEEE_F32BE
    space = h5py.h5s.create_simple((length,))
    scale = h5py.Dataset(h5py.h5d.create(file.id, place.encode(), kind, space, properties))
    if values:
        scale[...] = list(values)
    scale.make_scale(place.rpartition("/")[2] if values else f"{_WITHOUT_VALUES}{length:10d}")
