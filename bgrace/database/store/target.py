"""Make a file that is whole or absent, with a lock on a temporary file that is renamed in the end."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Final, Self

from bgrace._base.arrays import check_flags
from bgrace._base.files import NEW_MODE, SAFELY, check_folder, checked_path, keep_mode, put_in_place, reported
from bgrace.database.store.format import MAGIC
from bgrace.errors import BuildError

try:
    import fcntl
except ImportError:  # on Windows an open file can't be replaced, and nothing is locked
    fcntl = None  # type: ignore[assignment]


_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0)
"""Open a pipe without waiting; no effect on ordinary files."""

_NO_LOCK: Final = -1
_NO_LOCKS: Final = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)  # as on some network drives, where files are not locked
_HEAD_BYTES: Final = 4096
_MAX_NAME: Final = 255  # bytes, if the system does not give the number


class Target:
    """A file to be made.

    As a context manager it holds `partial`, empty and locked.  In the end `partial` is synced to the disk and renamed;
    after an exception it is removed, and an older file of the name is unchanged.  If the name is a link, it is
    followed, and stays a link.

    A killed writer leaves `partial`, and perhaps `plain`; the next writer of the file removes them.  Only files that a
    writer can have left are removed: links are not followed, and all other files are refused.

    Attributes
    ----------
    path : Path
    partial : Path
        NAME.partial, which the writer fills.
    plain : Path
        NAME.plain, the source of the file; its writer need not remove it.
    force : bool
    """

    def __init__(
        self, path: str | os.PathLike[str], is_left: Callable[[bytes], bool], what: str, *, force: bool = False
    ) -> None:
        named = checked_path(path)
        check_flags(force=force)
        self.path: Path = Path(os.path.realpath(named)) if os.path.islink(named) else named
        if not self.path.name:  # for an empty name, a dot or a root
            raise BuildError(f"{os.fspath(path)!r} is a folder: name a file, such as bearoff.h5")
        self.partial: Path = self.path.with_name(self.path.name + ".partial")
        self.plain: Path = self.path.with_name(self.path.name + ".plain")
        self.force: bool = force
        self._named, self._is_left, self._what = named, is_left, what
        self._lock: int | None = None

    def check(self, n_bytes: int, smaller: str) -> None:
        """Raise BuildError if a file of about this size cannot be made there; `smaller` names a remedy."""
        named, path, folder = self._named, self.path, self.path.absolute().parent
        with self.reported():
            check_folder(path)
            _check_name(named)
            _check_name(path)
            if path.is_dir():
                raise BuildError(f"{path} is a folder: name a file, such as {path / 'bearoff.h5'}")
            if named.exists() and not named.is_file():  # the pipe that /dev/stdout leads to has no name of its own
                raise BuildError(f"{named} is not an ordinary file, and will not be replaced by one: use another name")
            if path.exists() and not self.force:
                raise BuildError(f"{path} exists already: use force (--force) to replace it, or another name")
            import shutil  # noqa: PLC0415  (takes a while, and few commands write anything)

            # Temporary files of a killed writer will be removed.
            free = shutil.disk_usage(folder).free + _disk_bytes(self.partial) + _disk_bytes(self.plain)
        if n_bytes > free:
            raise BuildError(
                f"{path} needs about {n_bytes:,} bytes, its folder has room for {free:,}: make room, or ask for "
                f"{smaller}"
            )

    def reported(self) -> AbstractContextManager[None]:
        """Turn errors of writing the file into a BuildError that names it."""
        return reported(self.path)

    def __enter__(self) -> Self:
        with self.reported():
            while self._lock is None:
                lock, is_new = _open_locked(self.partial), False
                try:
                    status = self.partial.lstat()
                    is_new = status.st_size == 0 and status.st_nlink == 1  # without another name
                    self._clear(self.plain if is_new else self.partial)
                    if is_new and lock != _NO_LOCK:
                        keep_mode(lock, self.path, least=0o600)
                    self._lock = lock if is_new else None
                except BaseException:
                    if is_new:
                        self.partial.unlink()
                    raise
                finally:
                    if self._lock is None and lock != _NO_LOCK:
                        os.close(lock)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        assert self._lock is not None, "entered"
        try:
            with suppress(OSError):
                self.plain.unlink()
            if kind is None:
                with self.reported():
                    put_in_place(self.partial, self.path)
        except BaseException as failure:
            kind = type(failure)
            raise
        finally:
            if kind is not None:  # after success, a file of this name is another writer's
                with suppress(OSError):
                    self.partial.unlink()
            if self._lock != _NO_LOCK:
                os.close(self._lock)
            self._lock = None

    def _clear(self, path: Path) -> None:
        """Remove a temporary file that a killed writer left; BuildError if it is another program's file."""
        head = _head_of(path)
        if head is None:
            return
        if head.strip(b"\0") and not self._is_left(head):
            if head.startswith(MAGIC):
                raise BuildError(
                    f"{path} is a finished bgrace database, and the unfinished file would have its name: move it away, "
                    "or use force (--force) to take the name from it"
                )
            raise BuildError(f"{path} is not an {self._what}, and would be overwritten by one: move it away")
        path.unlink()


def _open_locked(path: Path) -> int:
    """Open or create a file and lock it; BuildError if another process has locked it."""
    while True:
        descriptor = _open(path, os.O_RDWR | os.O_CREAT)
        if fcntl is None:
            os.close(descriptor)
            return _NO_LOCK
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BuildError(f"{path} is being written by another process: wait, or build elsewhere") from None
            except OSError as error:
                if error.errno not in _NO_LOCKS:
                    raise
            # The previous holder of the lock may have renamed or removed the file in the meantime.
            with suppress(FileNotFoundError):
                if os.fstat(descriptor).st_ino == os.stat(path).st_ino:
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _open(path: Path, flags: int) -> int:
    """Open a file, without following a link or waiting for a pipe."""
    what = "a link"
    if not path.is_symlink():
        descriptor = os.open(path, flags | SAFELY | _AT_ONCE, NEW_MODE)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return descriptor
        os.close(descriptor)
        what = "not an ordinary file"
    raise BuildError(f"{path} is {what}, and the unfinished file would have its name: move it away")


def _head_of(path: Path) -> bytes | None:
    """Read the first bytes of a file; None if it does not exist."""
    with suppress(FileNotFoundError), os.fdopen(_open(path, os.O_RDONLY), "rb") as raw:
        return raw.read(_HEAD_BYTES)
    return None


def _check_name(path: Path) -> None:
    """Raise BuildError if the name of the temporary file, which is the longer one, is too long for the folder."""
    longest = _MAX_NAME
    with suppress(AttributeError, OSError, ValueError):
        longest = os.pathconf(path.absolute().parent, "PC_NAME_MAX")
    n_bytes, ending = len(os.fsencode(path.name)), len(".partial")
    if n_bytes + ending > longest:
        raise BuildError(
            f"{path.name[:40]}... has {n_bytes} bytes, and the name of a file that is built can have "
            f"{longest - ending} here: use a shorter one"
        )


def _disk_bytes(path: Path) -> int:
    """Disk space of a file in bytes; 0 if it does not exist, or the system does not give it."""
    with suppress(AttributeError, OSError):
        return 512 * path.lstat().st_blocks
    return 0
