"""Writing a database file: under a temporary name, then renamed, so that it is complete or absent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import h5py
import numpy as np
import numpy.typing as npt

from bgrace.errors import BuildError
from bgrace.store.checksums import crc32_of_range, crc32_outside
from bgrace.store.directory import USER_BLOCK, Directory, Entry
from bgrace.store.schema import DATASETS, FORMAT_NAME, FORMAT_VERSION

__all__ = ["Writer"]

_OPTIONS: Final[dict[str, Any]] = {
    "libver": ("v110", "v110"),  # metadata with checksums, and every HDF5 since 1.10 reads it
    "alignment_threshold": 512,  # tables begin on a page, attributes where they like
    "alignment_interval": 4096,
    "locking": False,  # the writer holds a lock of its own
}


def _creation_time() -> str:
    """Now, or SOURCE_DATE_EPOCH where somebody wants the same bytes again."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    return moment.isoformat(timespec="seconds")


@dataclass(slots=True)
class _Table:
    offset: int
    shape: tuple[int, ...]
    scale: float


class Writer:
    """A database file in the making.

    Used as a context manager: on leaving, the file is finished and takes its name, or, after an exception, vanishes.

    Parameters
    ----------
    path : path-like
        Where the file is to be.  An old file there stays until the new one is complete.
    points, checkers, two_sided_checkers : int
        What the file covers; 0 two-sided checkers if there is no such table.
    generator : str
        Program and version, for the file's attributes.

    Raises
    ------
    BuildError
        If the file cannot be written, or another process is writing it.
    """

    def __init__(
        self, path: str | os.PathLike[str], points: int, checkers: int, two_sided_checkers: int, generator: str
    ) -> None:
        self.path = Path(path)
        self.partial = self.path.with_name(self.path.name + ".partial")
        self._covers = (points, checkers, two_sided_checkers)
        self._tables: dict[str, _Table] = {}
        with self._reported():
            self._lock = _take_lock(self.partial)
        try:
            self._create(points, checkers, two_sided_checkers, generator)
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise

    def _create(self, points: int, checkers: int, two_sided_checkers: int, generator: str) -> None:
        with self._reported():
            with h5py.File(self.partial, "w", userblock_size=USER_BLOCK, **_OPTIONS) as file:
                file.attrs.update(
                    format=FORMAT_NAME,
                    format_version=FORMAT_VERSION,
                    points=points,
                    checkers=checkers,
                    two_sided_checkers=two_sided_checkers,
                    gammons=False,
                    jacoby=False,
                    generator=generator,
                    created=_creation_time(),
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
        kind = DATASETS[name]
        with self._reported():
            with h5py.File(self.partial, "r+", **_OPTIONS) as file:
                properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                properties.set_layout(h5py.h5d.CONTIGUOUS)
                properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
                properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
                group = file.require_group(name.rpartition("/")[0])
                space = h5py.h5s.create_simple(shape)
                identifier = h5py.h5d.create(
                    group.id, name.rpartition("/")[2].encode(), h5py.h5t.py_create(np.dtype(kind.dtype)), space, properties
                )
                dataset = h5py.Dataset(identifier)
                # The checksum gets its value in the end; its place must be there from the start.
                dataset.attrs.update(
                    description=kind.description, unit=kind.unit, scale=scale, crc32=np.uint32(0), **attributes
                )
                offset = identifier.get_offset()
            n_bytes = int(np.prod(shape)) * np.dtype(kind.dtype).itemsize
            with open(self.partial, "r+b") as raw:
                # Blocks are claimed now: on a full disk a mapped write would end the process.
                _claim(raw.fileno(), offset, n_bytes)
            self._tables[name] = _Table(offset, shape, scale)
            return np.memmap(self.partial, dtype=kind.dtype, mode="r+", offset=offset, shape=shape)

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                with self._reported():
                    self._finish()
            else:
                with suppress(OSError):
                    self.partial.unlink()
        finally:
            _drop_lock(self._lock)

    def _finish(self) -> None:
        sums = {}
        with open(self.partial, "rb") as raw:
            for name, table in self._tables.items():
                n_bytes = int(np.prod(table.shape)) * np.dtype(DATASETS[name].dtype).itemsize
                sums[name] = (n_bytes, crc32_of_range(raw, table.offset, table.offset + n_bytes))
        with h5py.File(self.partial, "r+", **_OPTIONS) as file:
            for name, (_, crc) in sums.items():
                file[name].attrs.modify("crc32", np.uint32(crc))
        points, checkers, two_sided = self._covers
        entries = tuple(
            Entry(name, DATASETS[name].dtype, table.shape, table.offset, *sums[name][:1], table.scale, sums[name][1])
            for name, table in self._tables.items()
        )
        with open(self.partial, "r+b") as raw:
            size = raw.seek(0, os.SEEK_END)
            metadata_crc = crc32_outside(raw, USER_BLOCK, size, [(e.offset, e.offset + e.n_bytes) for e in entries])
            directory = Directory(size, points, checkers, two_sided, False, False, metadata_crc, entries)
            raw.seek(0)
            raw.write(directory.pack())
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(self.partial, self.path)
        with suppress(OSError):  # not every system can sync a folder
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except BuildError:
            raise
        except OSError as error:
            reason = error.strerror or str(error)
            raise BuildError(f"{self.path} cannot be written: {reason}; what was there before is unchanged") from error


def _claim(descriptor: int, offset: int, n_bytes: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, offset, n_bytes)


def _take_lock(path: Path) -> int | None:
    """Hold the file for as long as the process lives, so that a kill leaves nothing that blocks the next writer."""
    try:
        import fcntl  # noqa: PLC0415  (not on Windows, where the open file itself can't be replaced)
    except ImportError:
        return None
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise BuildError(f"{path} is being written by another process: wait for it, or build elsewhere") from None
        # Whoever held the lock before may have renamed or removed the file in the meantime.
        with suppress(FileNotFoundError):
            if os.fstat(descriptor).st_ino == os.stat(path).st_ino:
                return descriptor
        os.close(descriptor)


def _drop_lock(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)
