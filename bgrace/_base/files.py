"""Small files, written at once from bytes in memory: each is whole or absent, like a database file."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from bgrace.errors import ArgumentError, BuildError

__all__ = ["check_folder", "checked_path", "make_folder", "replacing", "sync_folder", "write_small_file"]


def checked_path(path: str | os.PathLike[str]) -> Path:
    r"""Return a path that the system can be asked about.

    Raises
    ------
    ArgumentError
        If it contains a NUL character, which ends a name wherever the system reads one.

    Examples
    --------
    >>> checked_path("bear\0off.h5")
    Traceback (most recent call last):
        ...
    bgrace.errors.ArgumentError: 'bear\x00off.h5' contains a NUL character: give a path without one
    """
    name = os.fspath(path)
    if "\0" in name:
        raise ArgumentError(f"{name!r} contains a NUL character: give a path without one")
    return Path(name)


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise BuildError if there is no folder for a file: better before the work than after it.

    Raises
    ------
    ArgumentError
        If the path contains a NUL character.

    Examples
    --------
    >>> check_folder("missing/picture.svg")
    Traceback (most recent call last):
        ...
    bgrace.errors.BuildError: missing/picture.svg cannot be written: there is no folder missing; make it first
    """
    named = checked_path(path)
    if not named.parent.is_dir():
        raise BuildError(f"{named} cannot be written: there is no folder {named.parent}; make it first")


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder, and those that it lies in, unless it is there.

    Raises
    ------
    ArgumentError
        If the path contains a NUL character.
    BuildError
        If it cannot be made.
    """
    folder = checked_path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(f"{folder} cannot be made a folder: {error.strerror}; name another one") from error
    return folder


def write_small_file(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write a file, all of it or nothing.

    Parameters
    ----------
    path : path-like
        Where it is to be.  A file that is there is replaced, and keeps its permissions; a link is followed.  Into what
        is not an ordinary file, such as a pipe, the bytes are written as they are.
    data : bytes

    Returns
    -------
    Path
        As it was given.

    Raises
    ------
    ArgumentError
        If the path contains a NUL character.
    BuildError
        If it cannot be written; what was there before is unchanged then.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_small_file(Path(folder, "numbers.csv"), b"1,2").read_bytes()
    b'1,2'
    """
    named = checked_path(path)
    check_folder(named)
    target = Path(os.path.realpath(named))
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            with replacing(target) as file:
                file.write(data)
    except OSError as error:
        raise BuildError(f"{named} cannot be written: {error.strerror}; what was there before is unchanged") from error
    return named


@contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """Write a file under a name that nobody can guess, and give it its own once all of it is on the disk.

    Parameters
    ----------
    target : Path
        An ordinary file, or nothing yet; not a link.

    Yields
    ------
    file
        Empty, open for writing.  After an exception it is removed, and what was there before is unchanged.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    # O_EXCL makes a file or fails: it opens nothing that is there, and follows no link.
    unfinished = target.with_name(f".bgrace-{secrets.token_hex(8)}.partial")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(unfinished, flags, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            with suppress(FileNotFoundError):
                unfinished.chmod(stat.S_IMODE(target.stat().st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder written to the disk, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
