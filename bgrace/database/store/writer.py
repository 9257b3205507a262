"""Writing a database file: under a temporary name, then renamed, so that it is complete or absent.

Until it is complete, the file's user block holds a note of how far the work has come instead of a directory.  A writer
of the same tables that finds such a note goes on from there, if all that the earlier one left holds: the note, the
metadata of HDF5, and every part of a table that was finished have checksums.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, TypeAlias, cast

import h5py
import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import JSON
from bgrace._base.files import (
    claim,
    drop_lock,
    head_of,
    made_new,
    partial_path,
    put_in_place,
    reported,
    take_partial,
)
from bgrace._base.interrupts import check_interrupt
from bgrace._base.progress import Progress
from bgrace.database.store.archive import compress_table
from bgrace.database.store.checksums import crc32_of_range, crc32_outside, fold_checksum
from bgrace.database.store.claimed import changed, created, group_in
from bgrace.database.store.directory import MAGIC, USER_BLOCK, Directory, Entry
from bgrace.database.store.reader import StoredTables
from bgrace.database.store.scales import attach_scales, table_properties
from bgrace.database.store.schema import DATASETS, FORMAT_NAME, FORMAT_VERSION, SMALL_ERRORS
from bgrace.database.store.unfinished import (
    NOTE_HEAD,
    UNFINISHED,
    Note,
    PlacedTable,
    Work,
    boot_id,
    is_finished,
    is_of_work,
    refuse_other_work,
)
from bgrace.errors import ArgumentError, BuildError

__all__ = ["StaleError", "TablePlace", "Writer", "creation_time", "packing_path"]

_MANY_BYTES: Final = 1 << 27  # of a mapped table, that this process had better not hold
_ALIGNED: Final = {"alignment_threshold": 512, "alignment_interval": 4096}
"""Tables begin on a page, attributes where they like."""

Finished: TypeAlias = npt.NDArray[Any]
"""Part of a table that will not change any more."""


class StaleError(Exception):
    """What an earlier writer left does not hold: the work has to begin anew, see `Writer.begin_anew`."""


class TablePlace(NamedTuple):
    """Where to write to a table.

    Attributes
    ----------
    descriptor : int
        The file, open for reading and writing.
    direct : int
        The file, open for writing whole pages past the system's cache, if that was asked for and the system can do it;
        otherwise -1.
    offset : int
        Where the table begins.
    """

    descriptor: int
    direct: int
    offset: int


def _past_cache(path: Path) -> int:
    """A descriptor for writing past the system's cache, or -1."""
    flag = getattr(os, "O_DIRECT", None)
    if flag is None:
        return -1
    try:
        return os.open(path, os.O_WRONLY | flag)
    except OSError:  # not on every file system
        return -1


def creation_time() -> str:
    """The time of making: now, or SOURCE_DATE_EPOCH, with which the same bytes can be made again.

    Raises
    ------
    ArgumentError
        If SOURCE_DATE_EPOCH is set to what is not a time.
    """
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


def packing_path(path: Path) -> Path:
    """Where an archive is written until it is complete."""
    return path.with_name(path.name + ".packing")


class Writer:
    """A database file that is being made.

    Used as a context manager: on leaving, the file is finished and takes its name.  After an exception it vanishes,
    unless `checkpoint` said that there is work in it worth going on from.

    Parameters
    ----------
    path : path-like
        Where the file is to be.  An old file there stays until the new one is complete.
    work : Work
        What the file covers.
    drop_other : bool
        Whether an unfinished file of other tables, or of another version, may be overwritten, and a finished one lose
        the unfinished file's name.
    attributes : mapping, optional
        Further attributes of the root group, or such as are to differ from those of a file that is built.
    compress : callable, optional
        Make an archive: compress the tables in the end, and call this with the bytes done and to do; it may raise to
        stop the work.

    Attributes
    ----------
    stage : int
        That of the last `checkpoint` of an earlier writer; 0 if this one begins at the beginning.

    Raises
    ------
    BuildError
        If the file cannot be written, another process is writing it, or something else has the unfinished file's name.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        work: Work,
        *,
        drop_other: bool = False,
        attributes: Mapping[str, JSON] | None = None,
        compress: Progress | None = None,
    ) -> None:
        self.path: Path = Path(path)
        self.partial: Path = partial_path(self.path)
        self.stage: int = 0
        self._work = work
        self._noted_work = work.to_note()
        self._compress = compress
        self._attributes = dict(attributes or {})
        self._tables: dict[str, PlacedTable] = {}
        self._crc32: dict[str, int] = {}
        self._checksum = 0
        self._metadata_crc32 = 0
        self._claimed: Note | None = None  # of an earlier writer, until it has been seen to hold
        with self._reported():
            self._lock = take_partial(self.path, (NOTE_HEAD,), UNFINISHED, dropped=(MAGIC,) if drop_other else ())
            try:
                self._clear_packing(drop_other)
                if not drop_other:
                    refuse_other_work(self.path, work)
            except BaseException:
                drop_lock(self._lock)
                raise
        try:
            if not self._go_on():
                self.begin_anew()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise

    def fill(self, write: Callable[[], object]) -> None:
        """Call what writes the tables; once more, from the beginning, if what an earlier writer left does not hold."""
        try:
            write()
        except StaleError:
            self.begin_anew()
            write()

    def begin_anew(self) -> None:
        """Drop whatever is in the unfinished file, tables and stage."""
        self._tables, self._crc32, self._claimed, self.stage, self._checksum = {}, {}, None, 0, 0
        work = self._work
        attributes = {
            "format": FORMAT_NAME,
            "format_version": FORMAT_VERSION,
            "points": work.points,
            "checkers": work.checkers,
            "two_sided_checkers": work.two_sided_checkers,
            "gammons": work.gammons,
            "generator": work.generator,
            "created": creation_time(),
            **(work.match.attributes if work.match else {}),
            **self._attributes,
        }
        with self._reported(), created(self.partial, **_ALIGNED) as new:
            new.file.attrs.update(attributes)

    def _clear_packing(self, drop: bool) -> None:
        """Free the name under which an archive is written."""
        packing = packing_path(self.path)
        head = head_of(packing, len(MAGIC))
        if head is None:
            return
        # Killed before the renaming it is whole, and is made again of the tables that are there.
        whole = head.startswith(MAGIC) and (drop or is_finished(packing, self._is_own_archive))
        if head.strip(b"\0") and not whole:
            raise BuildError(f"{packing} is not an {UNFINISHED}, and would be overwritten by one: move it away")
        packing.unlink()

    def _is_own_archive(self, stored: StoredTables) -> bool:
        return is_of_work(stored, self._work, archive=True)

    def add(self, name: str, shape: tuple[int, ...], scale: float = 1.0, **attributes: JSON) -> npt.NDArray[Any]:
        """Make room for a table.

        Parameters
        ----------
        name : str
            A key of `schema.DATASETS`.
        shape : tuple of int
        scale : float
            Steps per unit, for integers that stand for real numbers.
        **attributes
            Further attributes of the dataset.

        Returns
        -------
        ndarray of the kind's dtype
            Mapped from the file: what is written to it is in the table.

        Raises
        ------
        BuildError
            If there is no room on the disk, or the file cannot be written.
        """
        with self._reported():
            table = self._tables.get(name)
            if table is None:
                table = self._tables[name] = self._create_table(name, shape, float(scale), attributes)
                if self.stage and not self._claimed:  # what is there already must be found again
                    self._write_note()
            if (table.shape, table.scale) != (shape, scale):
                raise BuildError(
                    f"{self.partial} has {name} of shape {table.shape} and scale {table.scale:g}, which should be "
                    f"{shape} and {scale:g}: use force (--force) to drop it, or build elsewhere"
                )
            if not table.n_bytes(name):
                return np.empty(shape, DATASETS[name].dtype)
            first = table.offset // mmap.ALLOCATIONGRANULARITY * mmap.ALLOCATIONGRANULARITY
            n_bytes = table.n_bytes(name)
            with open(self.partial, "r+b") as raw:
                # Blocks are claimed first: on a full disk a write to mapped memory would end the process.
                claim(raw.fileno(), table.offset, n_bytes)
                table.mapped = mmap.mmap(raw.fileno(), table.offset - first + n_bytes, offset=first)
            if hasattr(mmap, "MADV_RANDOM"):
                # Large tables are filled here and there: reading ahead would only bring in what is not there yet.
                table.mapped.madvise(mmap.MADV_RANDOM)
            flat = np.frombuffer(table.mapped, dtype=DATASETS[name].dtype, offset=table.offset - first)
            return flat.reshape(shape)

    def table(self, name: str) -> npt.NDArray[Any]:
        """A table that has been added, mapped from the file.

        Raises
        ------
        StaleError
            If there is none, though an earlier writer should have left it.
        """
        if name not in self._tables:
            raise StaleError
        return self.add(name, self._tables[name].shape, self._tables[name].scale)

    @contextmanager
    def writing(self, name: str, *, past_cache: bool) -> Iterator[TablePlace]:
        """Where to write to a table that has been added.

        Raises
        ------
        BuildError
            If the file cannot be written.
        """
        with self._reported(), open(self.partial, "r+b", buffering=0) as raw:
            direct = _past_cache(self.partial) if past_cache else -1
            try:
                yield TablePlace(raw.fileno(), direct, self._tables[name].offset)
            finally:
                if direct >= 0:
                    os.close(direct)

    def set_crc32(self, name: str, crc32: int) -> None:
        """Say what the checksum of a table is, where that is known; others are read again in the end."""
        self._crc32[name] = crc32

    def shape(self, name: str) -> tuple[int, ...] | None:
        """Shape of a table that this writer, or the one it went on from, has added; None if there is none."""
        return self._tables[name].shape if name in self._tables else None

    def checkpoint(self, stage: int, finished: Iterable[Finished] = ()) -> None:
        """Note that the work has come to a stage, so that after a kill the next writer can go on from it.

        Called for every stage, in order; for those that an earlier writer had come to, up to `stage` as it is in the
        beginning, it looks whether what that one left holds.

        Parameters
        ----------
        stage : int
            Greater than 0; meaningful to the caller.
        finished : iterable of ndarray
            What of the tables will not change any more, and was not so at the stage before: the same parts in the same
            order whenever such a file is made.

        Raises
        ------
        StaleError
            If what the earlier writer left does not hold.
        BuildError
            If the note cannot be written.
        """
        for part in finished:
            self._checksum = fold_checksum(part, self._checksum)
        if self._claimed is None:
            self.stage = stage
            self._write_note()
        elif stage == self._claimed.stage:
            if self._checksum != self._claimed.checksum:
                raise StaleError
            self._claimed = None
        self.let_go()

    def let_go(self) -> None:
        """Leave what has been written to the system, which has it in the file; this process need not hold it."""
        for name, table in self._tables.items():
            # Each page of a small one would be fetched again, and again let go.
            large = table.n_bytes(name) > _MANY_BYTES
            if table.mapped is not None and large and hasattr(mmap, "MADV_DONTNEED"):
                table.mapped.madvise(mmap.MADV_DONTNEED)

    def _write_note(self) -> None:
        boot = boot_id()
        for table in self._tables.values():
            if table.mapped is not None and not boot:
                table.mapped.flush()  # where a restart of the machine can't be told, pages have to be on the disk
        note = Note(self._noted_work, boot, self.stage, self._checksum, self._metadata_crc32, self._tables)
        with self._reported(), open(self.partial, "r+b") as raw:
            raw.write(note.pack())

    def _go_on(self) -> bool:
        """Take over what an earlier writer left, if it is the same work and nothing but its tables is to be seen to."""
        with self._reported():
            note, size = Note.unpack(head_of(self.partial, USER_BLOCK) or b""), self.partial.stat().st_size
        if note is None or note.stage < 1 or note.work != self._noted_work or note.boot != boot_id():
            return False
        for name, table in note.tables.items():
            if name not in DATASETS or table.offset < USER_BLOCK or table.offset + table.n_bytes(name) > size:
                return False
        with self._reported():
            # An HDF5 library trusts what it reads, so it sees nothing that was damaged.
            if self._crc32_of_metadata(note.tables) != note.metadata_crc32:
                return False
        try:
            with h5py.File(self.partial, "r", locking=False) as file:
                names = {f"{folder}/{name}" for folder in file for name in file[folder]}
                datasets = {name: file[name] for name in names & DATASETS.keys()}  # beside them are scales
                if datasets.keys() != note.tables.keys() or any(
                    (_offset(datasets[name]), datasets[name].shape) != (table.offset, table.shape)
                    for name, table in note.tables.items()
                ):
                    return False
        except (OSError, RuntimeError, KeyError, ValueError, AttributeError):
            return False
        self._tables, self.stage, self._claimed = note.tables, note.stage, note
        self._metadata_crc32 = note.metadata_crc32
        return True

    def _crc32_of_metadata(self, tables: dict[str, PlacedTable]) -> int:
        ranges = [(table.offset, table.offset + table.n_bytes(name)) for name, table in tables.items()]
        with open(self.partial, "rb") as raw:
            return crc32_outside(raw, USER_BLOCK, raw.seek(0, os.SEEK_END), ranges)

    def _create_table(self, name: str, shape: tuple[int, ...], scale: float, attributes: dict[str, Any]) -> PlacedTable:
        kind = DATASETS[name]
        n_bytes = PlacedTable(0, shape, scale).n_bytes(name)
        with changed(self.partial, n_bytes, **_ALIGNED) as file:
            properties = table_properties()
            properties.set_layout(h5py.h5d.CONTIGUOUS)
            properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
            folder, _, last = name.rpartition("/")
            space = h5py.h5s.create_simple(shape)
            stored = h5py.h5t.py_create(np.dtype(kind.dtype))
            identifier = h5py.h5d.create(group_in(file, folder).id, last.encode(), stored, space, properties)
            # The checksum gets its value in the end; its place must be there from the start.
            dataset = h5py.Dataset(identifier)
            dataset.attrs.update(
                description=kind.description,
                unit=kind.unit,
                scale=scale,
                crc32=np.uint32(0),
                **kind.attributes(scale),
                **attributes,
            )
            attach_scales(file, name, attributes.get("planes", ()))
            table = PlacedTable(_offset(dataset), shape, scale)
        self._metadata_crc32 = self._crc32_of_metadata({**self._tables, name: table})
        return table

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                with self._reported():
                    self._finish()
            elif not self.stage:
                with suppress(OSError):
                    self.partial.unlink()
        finally:
            drop_lock(self._lock)

    def _finish(self) -> None:
        sums = {}
        with open(self.partial, "rb") as raw:
            for name, table in self._tables.items():
                n_bytes = table.n_bytes(name)
                if (crc32 := self._crc32.get(name)) is None:
                    crc32 = crc32_of_range(raw, table.offset, table.offset + n_bytes)
                sums[name] = (n_bytes, crc32)
        with changed(self.partial, **_ALIGNED) as file:
            for name, (_, crc) in sums.items():
                file[name].attrs.modify("crc32", np.uint32(crc))
        if self.stage:
            self._metadata_crc32 = self._crc32_of_metadata(self._tables)
            self._write_note()
        if self._compress:
            packing = packing_path(self.path)
            try:
                self._pack(packing, self._compress)
                self._seal(packing, ())
            except BaseException:
                with suppress(OSError):
                    packing.unlink()
                raise
            self.partial.unlink()
        else:
            entries = tuple(
                Entry(name, DATASETS[name].dtype, table.shape, table.offset, sums[name][0], table.scale, sums[name][1])
                for name, table in self._tables.items()
            )
            self._seal(self.partial, entries)

    def _pack(self, packing: Path, progress: Progress) -> None:
        """Write an archive of all tables."""
        done, total = 0, sum(table.n_bytes(name) for name, table in self._tables.items())
        made_new(packing, self.path).close()
        with created(packing) as new, h5py.File(self.partial, "r", locking=False) as source:
            for name, value in source.attrs.items():
                new.file.attrs[name] = value
            for name in self._tables:
                for n_bytes in compress_table(source[name], new):
                    done += n_bytes
                    check_interrupt()
                    progress(done, total)

    def _seal(self, path: Path, entries: tuple[Entry, ...]) -> None:
        """Write the directory of a file that is otherwise complete, and give it its name.  No entries: an archive."""
        work = self._work
        with open(path, "r+b") as raw:
            size = raw.seek(0, os.SEEK_END)
            metadata_crc = crc32_outside(raw, USER_BLOCK, size, [(e.offset, e.offset + e.n_bytes) for e in entries])
            directory = Directory(
                size,
                work.points,
                work.checkers,
                work.two_sided_checkers,
                work.gammons,
                metadata_crc,
                entries,
                not entries,
                work.match,
                self._errors(),
            )
            raw.seek(0)
            raw.write(directory.pack())
        put_in_place(path, self.path)

    def _errors(self) -> tuple[float, float, float, float] | None:
        """How far values of a small file may be off."""
        if SMALL_ERRORS[0] not in self._attributes:
            return None
        win, mean_win, equity, mean_equity = (cast(float, self._attributes[name]) for name in SMALL_ERRORS)
        return win, mean_win, equity, mean_equity

    def _reported(self) -> AbstractContextManager[None]:
        return reported(self.path)


def _offset(dataset: h5py.Dataset) -> int:
    """Where a table begins; one without elements is nowhere, so anywhere."""
    return int(dataset.id.get_offset()) if dataset.size else USER_BLOCK
