"""Files that are complete or absent: written under a temporary name, locked meanwhile, and renamed in the end."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from bgrace._base.files import checked_path, sync_folder
from bgrace.errors import BuildError, FormatError

__all__ = [
    "check_spared",
    "check_target",
    "claim",
    "drop_lock",
    "new_file",
    "opened",
    "partial_path",
    "put_in_place",
    "real_target",
    "refuse_foreign",
    "reported",
    "take_lock",
]


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a finished file to read it.

    Raises
    ------
    ArgumentError
        If the path contains a NUL character.
    FormatError
        If it is neither a file nor a folder: to open a pipe, say, is to wait for whoever writes into it.
    OSError
        If it cannot be read, naming it.
    """
    path = checked_path(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise FormatError(f"{path} is no ordinary file, as a bgrace database is: give a file that bgrace build made")
    try:
        with open(path, "rb") as raw:
            yield raw
    except OSError as error:
        if error.filename is None:  # of a read, in contrast to the opening
            error.filename = str(path)
        raise


def partial_path(path: Path) -> Path:
    """Where a file is written until it is complete."""
    return path.with_name(path.name + ".partial")


def real_target(path: str | os.PathLike[str]) -> Path:
    """Where a file is to be made: a link is followed, and stays what it is."""
    target = checked_path(path)
    return Path(os.path.realpath(target)) if target.is_symlink() else target


def check_target(target: Path, n_bytes: int, *, force: bool, smaller: str) -> None:
    """Raise BuildError if a file of about so many bytes can't be made there.

    Parameters
    ----------
    target : Path
    n_bytes : int
    force : bool
        Whether a file that is there may be replaced.
    smaller : str
        What to ask for if there is no room.
    """
    target = real_target(target)
    if not target.absolute().parent.is_dir():
        raise BuildError(f"{target} cannot be written: there is no folder {target.absolute().parent}; make it first")
    if target.is_dir():
        raise BuildError(f"{target} is a folder: name a file, such as {target / 'bearoff.h5'}")
    if target.exists() and not force:
        raise BuildError(f"{target} is there already: use force (--force) to replace it, or another name")
    if target.exists() and not target.is_file():
        raise BuildError(f"{target} is no ordinary file, and will not be replaced by one: use another name")
    # An unfinished file has its room already, and is gone on from or made anew.
    free = shutil.disk_usage(target.absolute().parent).free + _room_of(partial_path(target))
    if n_bytes > free:
        raise BuildError(
            f"{target} needs about {n_bytes:,} bytes, its folder has room for {free:,}: make room, or ask for {smaller}"
        )


def check_spared(target: Path, sources: Iterable[Path], heads: tuple[bytes, ...], what: str) -> None:
    """Raise BuildError if a new file would replace one that was hardly meant to be, whatever was forced.

    Parameters
    ----------
    target : Path
    sources : iterable of Path
        What the new file is made from.
    heads : tuple of bytes
        What files of another kind begin with: a slip in the order of two names would replace one of those.
    what : str
        What such a file is.
    """
    if not target.is_file():
        return
    for source in sources:
        if source.exists() and target.samefile(source):
            raise BuildError(f"{target} is what the new file is made from, and stays: give the new file another name")
    with open(target, "rb") as raw:
        head = raw.read(max(map(len, heads)))
    if head.startswith(heads):
        raise BuildError(f"{target} is {what}, and stays: give the new file another name, or remove that one first")


def _room_of(path: Path) -> int:
    """Bytes of the disk that a file takes; 0 if it is not there, or the system doesn't say."""
    try:
        return 512 * path.stat().st_blocks
    except (AttributeError, OSError):
        return 0


@contextmanager
def new_file(path: Path, head: bytes) -> Iterator[BinaryIO]:
    """Write a file that has no unfinished state worth keeping.

    Parameters
    ----------
    path : Path
        Where it is to be.  An old file there stays until the new one is complete; after an exception it is untouched.
    head : bytes
        What such a file begins with: nothing else that has the unfinished file's name is overwritten.

    Yields
    ------
    file
        Empty, open for reading and writing.

    Raises
    ------
    BuildError
        If it cannot be written, or another process is writing it.
    """
    path = real_target(path)
    partial = partial_path(path)
    with reported(path):
        lock = take_lock(partial)
        try:
            refuse_foreign(partial, (head,), "unfinished file of this kind")
            try:
                with open(partial, "w+b") as file:
                    yield file
                put_in_place(partial, path)
            except BaseException:
                with suppress(OSError):
                    partial.unlink()
                raise
        finally:
            drop_lock(lock)


def put_in_place(partial: Path, path: Path) -> None:
    """Give a finished file its name, once all of it is on the disk."""
    with open(partial, "r+b") as raw:
        os.fsync(raw.fileno())
    os.replace(partial, path)
    sync_folder(path.parent)


def claim(descriptor: int, offset: int, n_bytes: int) -> None:
    """Make sure of the room for a part of a file: on a full disk a write to mapped memory would end the process."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, offset, n_bytes)


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Turn what can go wrong with a file that is being written into a BuildError that names it."""
    try:
        yield
    except BuildError:
        raise
    except (OSError, RuntimeError) as error:  # a write that fails as HDF5 closes a file is a RuntimeError
        raise BuildError(f"{path} cannot be written: {_reason(error)}; what was there before is unchanged") from error


def _reason(error: Exception) -> str:
    """Tell why in a few words; HDF5 buries them in the middle of a page."""
    buried = re.search(r"error message = '([^']+)'", str(error))
    return buried[1] if buried else getattr(error, "strerror", None) or str(error)


def take_lock(path: Path) -> int | None:
    """Hold the file for as long as the process lives, so that a kill leaves nothing that blocks the next writer."""
    try:
        import fcntl  # noqa: PLC0415  (not on Windows, where the open file itself can't be replaced)
    except ImportError:
        return None
    while True:
        # A link of this name is none of ours: what it leads to is not to be overwritten.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
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


def refuse_foreign(path: Path, heads: tuple[bytes, ...], what: str) -> None:
    """Raise BuildError if what has the name of the unfinished file was not left by a writer of such files.

    Parameters
    ----------
    path : Path
    heads : tuple of bytes
        What an unfinished file can begin with, besides nothing and zeros.
    what : str
        What it would be.
    """
    head = b""
    if path.exists():
        if not path.is_file():
            raise BuildError(f"{path} is no ordinary file, and the unfinished file would have its name: move it away")
        with open(path, "rb") as raw:
            head = raw.read(max(len(text) for text in heads))
    # Nothing or zeros before the first note, and a directory between the last write and the renaming.
    if head.strip(b"\0") and not head.startswith(heads):
        raise BuildError(f"{path} is no {what}, and would be overwritten by one: move it away")


def drop_lock(descriptor: int | None) -> None:
    """Let the next writer have the file."""
    if descriptor is not None:
        os.close(descriptor)
