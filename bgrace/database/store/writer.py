"""Writing a database file: under a temporary name, then renamed, so that it is complete or absent.

Until it is complete, the file's user block holds a note of how far the work has come instead of a directory.  A writer
of the same tables that finds such a note goes on from there.
"""

from __future__ import annotations

import json
import mmap
import os
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import h5py
import numpy as np
import numpy.typing as npt

from bgrace._base.progress import Progress
from bgrace.database.store.archive import compress_table
from bgrace.database.store.checksums import crc32_of_range, crc32_outside
from bgrace.database.store.directory import MAGIC, USER_BLOCK, Directory, Entry
from bgrace.database.store.files import (
    claim,
    drop_lock,
    partial_path,
    put_in_place,
    refuse_foreign,
    reported,
    take_lock,
)
from bgrace.database.store.schema import DATASETS, FORMAT_NAME, FORMAT_VERSION
from bgrace.errors import BuildError

__all__ = ["Writer", "creation_time", "packing_path", "refuse_other_work"]

_OPTIONS: Final[dict[str, Any]] = {
    "libver": ("v110", "v110"),  # metadata with checksums, and every HDF5 since 1.10 reads it
    "alignment_threshold": 512,  # tables begin on a page, attributes where they like
    "alignment_interval": 4096,
    "locking": False,  # the writer holds a lock of its own
}


def creation_time() -> str:
    """Now, or SOURCE_DATE_EPOCH where somebody wants the same bytes again."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        moment = datetime.fromtimestamp(int(epoch), UTC)
    except (OverflowError, ValueError):  # not set, or no time
        moment = datetime.now(UTC)
    return moment.isoformat(timespec="seconds")


def packing_path(path: Path) -> Path:
    """Where an archive is written until it is complete."""
    return path.with_name(path.name + ".packing")


_NOTE: Final = b"unfinished bgrace database\n"


@dataclass(slots=True)
class _Table:
    offset: int
    shape: tuple[int, ...]
    scale: float
    mapped: mmap.mmap | None = None

    def n_bytes(self, name: str) -> int:
        return int(np.prod(self.shape)) * np.dtype(DATASETS[name].dtype).itemsize


def _boot() -> str:
    """What changes when the machine is started anew: then pages that never reached the disk are gone."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def _work(points: int, checkers: int, two_sided_checkers: int, generator: str) -> dict[str, Any]:
    """Which tables, and whose."""
    return {
        "format_version": FORMAT_VERSION,
        "generator": generator,
        "covers": [points, checkers, two_sided_checkers],
    }


def _read_note(partial: Path) -> dict[str, Any] | None:
    """Read what an unfinished file says of itself; None if it is not there, or says nothing."""
    try:
        with open(partial, "rb") as raw:
            block = raw.read(USER_BLOCK)
    except FileNotFoundError:
        return None
    if len(block) < USER_BLOCK or not block.startswith(_NOTE):
        return None
    try:
        note = json.loads(block[len(_NOTE) :])
    except ValueError:
        return None
    return note if isinstance(note, dict) else None


def refuse_other_work(path: Path, points: int, checkers: int, two_sided_checkers: int, *, generator: str) -> None:
    """Raise BuildError if there is an unfinished file with work of other tables, which a writer would overwrite.

    Parameters
    ----------
    path, points, checkers, two_sided_checkers, generator
        As for `Writer`.
    """
    note = _read_note(partial_path(path))
    work = _work(points, checkers, two_sided_checkers, generator)
    if note is None or all(note.get(key) == value for key, value in work.items()):
        return
    covers = note.get("covers")
    if isinstance(covers, list) and len(covers) == 3 and covers != work["covers"]:
        what = f"for {covers[0]} points, {covers[1]} checkers and {covers[2]} two-sided"
    else:
        what = f"by {note.get('generator')}"
    raise BuildError(
        f"{partial_path(path)} is an unfinished build {what}: run that again to finish it, use force (--force) to drop "
        "it, or build elsewhere"
    )


class Writer:
    """A database file in the making.

    Used as a context manager: on leaving, the file is finished and takes its name.  After an exception it vanishes,
    unless `checkpoint` said that there is work in it worth going on from.

    Parameters
    ----------
    path : path-like
        Where the file is to be.  An old file there stays until the new one is complete.
    points, checkers, two_sided_checkers : int
        What the file covers; 0 two-sided checkers if there is no such table.
    generator : str
        Program and version, for the file's attributes.
    gammons : bool
        Whether a loser with 15 checkers loses double in the two-sided table.
    drop_other : bool
        Whether an unfinished file of other tables, or of another version, may be overwritten.
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
        points: int,
        checkers: int,
        two_sided_checkers: int,
        generator: str,
        gammons: bool = False,
        *,
        drop_other: bool = False,
        compress: Progress | None = None,
    ) -> None:
        self.path = Path(path)
        self.partial = partial_path(self.path)
        self._covers = (points, checkers, two_sided_checkers)
        self._generator = generator
        self._gammons = gammons
        self._compress = compress
        self._tables: dict[str, _Table] = {}
        self.stage = 0
        with self._reported():
            self._lock = take_lock(self.partial)
            try:
                for unfinished in (self.partial, packing_path(self.path)):
                    refuse_foreign(unfinished, (_NOTE, MAGIC), "unfinished bgrace database")
                if not drop_other:
                    refuse_other_work(self.path, *self._covers, generator=generator)
            except BaseException:
                drop_lock(self._lock)
                raise
        try:
            if not self._go_on():
                self._create()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise

    def _create(self) -> None:
        points, checkers, two_sided_checkers = self._covers
        with self._reported(), h5py.File(self.partial, "w", userblock_size=USER_BLOCK, **_OPTIONS) as file:
            file.attrs.update(
                format=FORMAT_NAME,
                format_version=FORMAT_VERSION,
                points=points,
                checkers=checkers,
                two_sided_checkers=two_sided_checkers,
                gammons=self._gammons,
                jacoby=False,
                generator=self._generator,
                created=creation_time(),
            )

    def add(self, name: str, shape: tuple[int, ...], scale: float = 1.0, **attributes: Any) -> npt.NDArray[Any]:
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
                if self.stage:  # what is there already must be found again
                    self.checkpoint(self.stage)
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

    def shape(self, name: str) -> tuple[int, ...] | None:
        """Lengths of the axes of a table that there is room for, by this writer or the one it went on from; or None."""
        return self._tables[name].shape if name in self._tables else None

    def checkpoint(self, stage: int) -> None:
        """Note that the work has come to a stage, so that after a kill the next writer can go on from it.

        Parameters
        ----------
        stage : int
            Greater than 0; meaningful to the caller.
        """
        self.stage = stage
        note = {**self._identity(), "stage": stage, "tables": {}}
        for name, table in self._tables.items():
            note["tables"][name] = [table.offset, table.shape, table.scale]
            if table.mapped is not None and not note["boot"]:
                table.mapped.flush()  # where a restart of the machine can't be told, pages have to be on the disk
            if table.mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
                # The pages stay with the system, which writes them out; this process need not hold them.
                table.mapped.madvise(mmap.MADV_DONTNEED)
        block = (_NOTE + json.dumps(note).encode()).ljust(USER_BLOCK)
        with self._reported(), open(self.partial, "r+b") as raw:
            raw.write(block)

    def _identity(self) -> dict[str, Any]:
        """What must be alike for one writer to go on where another stopped."""
        return {**_work(*self._covers, generator=self._generator), "boot": _boot()}

    def _go_on(self) -> bool:
        """Take over what an earlier writer left, if it is the same work."""
        with self._reported():
            note, size = _read_note(self.partial), self.partial.stat().st_size
        if note is None:
            return False
        try:
            tables = {
                name: _Table(offset, tuple(shape), scale) for name, (offset, shape, scale) in note["tables"].items()
            }
            stage = int(note["stage"])
        except (ValueError, KeyError, TypeError, AttributeError):
            return False
        whole = all(name in DATASETS and t.offset + t.n_bytes(name) <= size for name, t in tables.items())
        if not whole or stage < 1 or any(note.get(key) != value for key, value in self._identity().items()):
            return False
        try:
            # A kill may leave HDF5 metadata half written, or marked as in use: then everything is made anew.
            with h5py.File(self.partial, "r+", **_OPTIONS) as file:
                there = {f"{folder}/{name}" for folder in file for name in file[folder]}
                if there != tables.keys() or any(_offset(file[name]) != t.offset for name, t in tables.items()):
                    return False
        except (OSError, RuntimeError):
            return False
        self._tables, self.stage = tables, stage
        return True

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
            return _Table(_offset(dataset), shape, scale)

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
        points, checkers, two_sided = self._covers
        with open(path, "r+b") as raw:
            size = raw.seek(0, os.SEEK_END)
            metadata_crc = crc32_outside(raw, USER_BLOCK, size, [(e.offset, e.offset + e.n_bytes) for e in entries])
            directory = Directory(
                size, points, checkers, two_sided, self._gammons, False, metadata_crc, entries, archive=not entries
            )
            raw.seek(0)
            raw.write(directory.pack())
        put_in_place(path, self.path)

    def _reported(self) -> AbstractContextManager[None]:
        return reported(self.path)


def _offset(dataset: h5py.Dataset) -> int:
    """Where a table begins; one without elements is nowhere, so anywhere."""
    return int(dataset.id.get_offset()) if dataset.size else USER_BLOCK
