"""Writing a database file: under a temporary name, then renamed, so that it is complete or absent.

Until it is complete, the file's user block holds a note of how far the work has come instead of a directory.  A writer
of the same tables that finds such a note goes on from there, if all that the earlier one left holds: the note, the
metadata of HDF5, and every part of a table that was finished have checksums.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from math import prod
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeAlias

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
from bgrace._base.progress import Progress
from bgrace.database.store.archive import compress_table
from bgrace.database.store.checksums import crc32_of_range, crc32_outside, fold_checksum
from bgrace.database.store.directory import MAGIC, USER_BLOCK, Directory, Entry, MatchHead
from bgrace.database.store.reader import read_tables
from bgrace.database.store.schema import DATASETS, FORMAT_NAME, FORMAT_VERSION
from bgrace.errors import ArgumentError, BuildError, FormatError

__all__ = ["StaleError", "Work", "Writer", "creation_time", "packing_path", "place_finished", "refuse_other_work"]

_OPTIONS: Final[dict[str, Any]] = {
    "libver": ("v110", "v110"),  # metadata with checksums, and every HDF5 since 1.10 reads it
    "alignment_threshold": 512,  # tables begin on a page, attributes where they like
    "alignment_interval": 4096,
    "locking": False,  # the writer holds a lock of its own
}
_NOTE: Final = b"unfinished bgrace database\n"
_SUM_PLACE: Final = len(_NOTE) + 9  # after the checksum, eight hexadecimal digits and a line feed
_UNFINISHED: Final = "unfinished bgrace database"

Finished: TypeAlias = npt.NDArray[Any]
"""Part of a table that will not change any more."""


class StaleError(Exception):
    """What an earlier writer left does not hold: the work has to begin anew, see `Writer.begin_anew`."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a file covers, and who makes it: what must be alike for one writer to go on where another stopped.

    Attributes
    ----------
    points, checkers, two_sided_checkers : int
        0 two-sided checkers if there is no table of pairs.
    generator : str
        Program and version, for the file's attributes.
    gammons : bool
        Whether a loser with 15 checkers loses double in the table of pairs.
    match : MatchHead, optional
        The match score that the pairs are for; money unless given.
    """

    points: int
    checkers: int
    two_sided_checkers: int
    generator: str
    gammons: bool = False
    match: MatchHead | None = None

    def to_note(self) -> dict[str, JSON]:
        """As it stands in the note of an unfinished file."""
        return {"format_version": FORMAT_VERSION, **json.loads(json.dumps(asdict(self)))}

    def __str__(self) -> str:
        score = f" at {self.match.first_needs}-away, {self.match.second_needs}-away" if self.match else ""
        return f"for {self.points} points, {self.checkers} checkers and {self.two_sided_checkers} two-sided{score}"


def creation_time() -> str:
    """Now, or SOURCE_DATE_EPOCH where somebody wants the same bytes again.

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


@dataclass(slots=True)
class _Table:
    offset: int
    shape: tuple[int, ...]
    scale: float
    mapped: mmap.mmap | None = None

    def n_bytes(self, name: str) -> int:
        return prod(self.shape) * np.dtype(DATASETS[name].dtype).itemsize


@dataclass(frozen=True, slots=True)
class _Note:
    """What an unfinished file says of itself."""

    work: dict[str, Any]
    boot: str
    stage: int
    checksum: int  # of what is finished, in the order in which it was
    metadata_crc32: int
    tables: dict[str, _Table]

    def pack(self) -> bytes:
        tables = {name: [table.offset, table.shape, table.scale] for name, table in self.tables.items()}
        said = {"work": self.work, "boot": self.boot, "stage": self.stage, "checksum": self.checksum}
        text = json.dumps({**said, "metadata_crc32": self.metadata_crc32, "tables": tables}).encode()
        body = text.ljust(USER_BLOCK - _SUM_PLACE)
        assert len(body) == USER_BLOCK - _SUM_PLACE, "a note has room in a user block"
        return _NOTE + f"{zlib.crc32(body):08x}\n".encode() + body

    @classmethod
    def unpack(cls, block: bytes) -> _Note | None:
        """Read a user block; None if it is not a note, whole and as a writer writes it."""
        body = block[_SUM_PLACE:]
        if len(block) < USER_BLOCK or block[:_SUM_PLACE] != _NOTE + f"{zlib.crc32(body):08x}\n".encode():
            return None
        try:
            said = json.loads(body)
            tables = {
                str(name): _Table(_natural(offset), tuple(map(_natural, shape)), float(scale))
                for name, (offset, shape, scale) in said["tables"].items()
            }
            stage, checksum, metadata_crc32 = (_natural(said[name]) for name in ("stage", "checksum", "metadata_crc32"))
            return cls(dict(said["work"]), str(said["boot"]), stage, checksum, metadata_crc32, tables)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            return None


def _natural(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise ValueError(value)
    return value


def _boot() -> str:
    """What changes when the machine is started anew: then pages that never reached the disk are gone."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def refuse_other_work(path: Path, work: Work) -> None:
    """Raise BuildError if there is an unfinished file with other work in it, which a writer would overwrite.

    Parameters
    ----------
    path : Path
        Where the file is to be.
    work : Work
    """
    partial = partial_path(path)
    with reported(path):
        note = _Note.unpack(head_of(partial, USER_BLOCK) or b"")
    if note is None or note.work == work.to_note():
        return
    raise BuildError(
        f"{partial} is an unfinished build {_told(note.work, work)}: run that again to finish it, use force (--force) "
        "to drop it, or build elsewhere"
    )


def _told(note: dict[str, Any], wanted: Work) -> str:
    """Say which work a note is of, by what tells it from the one that is wanted."""
    with suppress(KeyError, TypeError):
        match = None if note.get("match") is None else MatchHead(**note["match"])
        work = Work(note["points"], note["checkers"], note["two_sided_checkers"], "", match=match)
        if str(work) != str(wanted):
            return str(work)
    told = " ".join(str(note.get("generator", "another program"))[:80].split())
    return f"by {told}" if told != wanted.generator else f"{wanted} with another match equity table"


def place_finished(path: Path, work: Work, *, archive: bool) -> bool:
    """Give its name to a file that was finished when its writer was killed, before the renaming.

    Parameters
    ----------
    path : Path
        Where it is to be.
    work : Work
    archive : bool
        Whether its tables are to be compressed.

    Returns
    -------
    bool
        Whether there was one, with the right tables and every checksum right.

    Raises
    ------
    BuildError
        If the unfinished file's name belongs to some other finished file.
    """
    partial = partial_path(path)
    with reported(path):
        if not (head_of(partial, len(MAGIC)) or b"").startswith(MAGIC):
            return False
        lock = take_partial(path, (MAGIC,), _UNFINISHED)
        try:
            if not _is_finished(partial, work, archive):
                raise BuildError(
                    f"{partial} is a finished bgrace database, and the unfinished file would have its name: move it "
                    "away, or use force (--force) to take the name from it"
                )
            put_in_place(partial, path)
        finally:
            drop_lock(lock)
    return True


def _is_finished(path: Path, work: Work, archive: bool) -> bool:
    try:
        stored = read_tables(path)
    except FormatError:
        return False
    directory, attributes = stored.directory, stored.attributes
    found = Work(
        directory.points,
        directory.checkers,
        directory.two_sided_checkers,
        str(attributes["generator"]),
        directory.gammons,
        directory.match,
    )
    alike = found == work and directory.archive == archive
    return alike and all(stored.checksum(entry.name) == entry.crc32 for entry in stored.entries)


class Writer:
    """A database file in the making.

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
    compress : callable, optional
        Make an archive: compress the tables in the end, and call this with the bytes done and to do; it may raise to
        stop the work.

    Attributes
    ----------
    stage : int
        What the last `checkpoint` of an earlier writer said; 0 if this one begins at the beginning.

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
        compress: Progress | None = None,
    ) -> None:
        self.path: Path = Path(path)
        self.partial: Path = partial_path(self.path)
        self.stage: int = 0
        self._work = work
        self._compress = compress
        self._tables: dict[str, _Table] = {}
        self._checksum = 0
        self._metadata_crc32 = 0
        self._claimed: _Note | None = None  # of an earlier writer, until it has been seen to hold
        with self._reported():
            self._lock = take_partial(self.path, (_NOTE,), _UNFINISHED, dropped=(MAGIC,) if drop_other else ())
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
        self._tables, self._claimed, self.stage, self._checksum = {}, None, 0, 0
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
        }
        with self._reported(), h5py.File(self.partial, "w", userblock_size=USER_BLOCK, **_OPTIONS) as file:
            file.attrs.update(attributes)

    def _clear_packing(self, drop: bool) -> None:
        """Make sure of the name of an archive in the making."""
        packing = packing_path(self.path)
        head = head_of(packing, len(MAGIC))
        if head is None:
            return
        if head.strip(b"\0") and not (drop and head.startswith(MAGIC)):
            raise BuildError(f"{packing} is not an {_UNFINISHED}, and would be overwritten by one: move it away")
        packing.unlink()

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
        """A table that there is room for, mapped from the file.

        Raises
        ------
        StaleError
            If there is none, though an earlier writer should have left it.
        """
        if name not in self._tables:
            raise StaleError
        return self.add(name, self._tables[name].shape, self._tables[name].scale)

    def shape(self, name: str) -> tuple[int, ...] | None:
        """Lengths of the axes of a table that there is room for, by this writer or the one it went on from; or None."""
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
        self._let_go()

    def _let_go(self) -> None:
        for table in self._tables.values():
            if table.mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
                # The pages stay with the system, which writes them out; this process need not hold them.
                table.mapped.madvise(mmap.MADV_DONTNEED)

    def _write_note(self) -> None:
        boot = _boot()
        for table in self._tables.values():
            if table.mapped is not None and not boot:
                table.mapped.flush()  # where a restart of the machine can't be told, pages have to be on the disk
        note = _Note(self._work.to_note(), boot, self.stage, self._checksum, self._metadata_crc32, self._tables)
        with self._reported(), open(self.partial, "r+b") as raw:
            raw.write(note.pack())

    def _go_on(self) -> bool:
        """Take over what an earlier writer left, if it is the same work and nothing but its tables is to be seen to."""
        with self._reported():
            note, size = _Note.unpack(head_of(self.partial, USER_BLOCK) or b""), self.partial.stat().st_size
        if note is None or note.stage < 1 or note.work != self._work.to_note() or note.boot != _boot():
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
                there = {f"{folder}/{name}": file[folder][name] for folder in file for name in file[folder]}
                if there.keys() != note.tables.keys() or any(
                    (_offset(there[name]), there[name].shape) != (table.offset, table.shape)
                    for name, table in note.tables.items()
                ):
                    return False
        except (OSError, RuntimeError, KeyError, ValueError, AttributeError):
            return False
        self._tables, self.stage, self._claimed = note.tables, note.stage, note
        self._metadata_crc32 = note.metadata_crc32
        return True

    def _crc32_of_metadata(self, tables: dict[str, _Table]) -> int:
        ranges = [(table.offset, table.offset + table.n_bytes(name)) for name, table in tables.items()]
        with open(self.partial, "rb") as raw:
            return crc32_outside(raw, USER_BLOCK, raw.seek(0, os.SEEK_END), ranges)

    def _create_table(self, name: str, shape: tuple[int, ...], scale: float, attributes: dict[str, Any]) -> _Table:
        kind = DATASETS[name]
        with h5py.File(self.partial, "r+", **_OPTIONS) as file:
            properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            properties.set_layout(h5py.h5d.CONTIGUOUS)
            properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
            properties.set_obj_track_times(False)  # the same tables make the same bytes
            folder, _, last = name.rpartition("/")
            space = h5py.h5s.create_simple(shape)
            stored = h5py.h5t.py_create(np.dtype(kind.dtype))
            identifier = h5py.h5d.create(file.require_group(folder).id, last.encode(), stored, space, properties)
            # The checksum gets its value in the end; its place must be there from the start.
            dataset = h5py.Dataset(identifier)
            dataset.attrs.update(
                description=kind.description, unit=kind.unit, scale=scale, crc32=np.uint32(0), **attributes
            )
            table = _Table(_offset(dataset), shape, scale)
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
                sums[name] = (n_bytes, crc32_of_range(raw, table.offset, table.offset + n_bytes))
        with h5py.File(self.partial, "r+", **_OPTIONS) as file:
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
        with (
            h5py.File(self.partial, "r", locking=False) as source,
            h5py.File(packing, "w", userblock_size=USER_BLOCK, libver=_OPTIONS["libver"], locking=False) as target,
        ):
            for name, value in source.attrs.items():
                target.attrs[name] = value
            for name in self._tables:
                for n_bytes in compress_table(source[name], target):
                    done += n_bytes
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
            )
            raw.seek(0)
            raw.write(directory.pack())
        put_in_place(path, self.path)

    def _reported(self) -> AbstractContextManager[None]:
        return reported(self.path)


def _offset(dataset: h5py.Dataset) -> int:
    """Where a table begins; one without elements is nowhere, so anywhere."""
    return int(dataset.id.get_offset()) if dataset.size else USER_BLOCK
