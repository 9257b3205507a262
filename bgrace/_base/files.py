"""Files that are written at once, from bytes in memory: whole or absent, like database files."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

from bgrace.errors import BuildError

__all__ = ["check_folder", "make_folder", "write_small_file"]


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise BuildError if there is no folder for a file: better before the work than after it.

    Examples
    --------
    >>> check_folder("missing/picture.svg")
    Traceback (most recent call last):
        ...
    bgrace.errors.BuildError: missing/picture.svg cannot be written: there is no folder missing; make it first
    """
    folder = Path(path).parent
    if not folder.is_dir():
        raise BuildError(f"{Path(path)} cannot be written: there is no folder {folder}; make it first")


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder, and those that it lies in, unless it is there.

    Raises
    ------
    BuildError
        If it cannot be made.
    """
    folder = Path(path)
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
        Where it is to be.  A file that is there is replaced, a link followed; into what is no ordinary file, such as a
        pipe, the bytes are written as they are.
    data : bytes

    Returns
    -------
    Path
        As it was given.

    Raises
    ------
    BuildError
        If it cannot be written; what was there before is unchanged then.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_small_file(Path(folder, "numbers.csv"), b"1,2").read_bytes()
    b'1,2'
    """
    named = Path(path)
    target = Path(os.path.realpath(named))
    check_folder(named)
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except OSError as error:
        raise BuildError(f"{named} cannot be written: {error.strerror}; what was there before is unchanged") from error
    return named


def _replace(target: Path, data: bytes) -> None:
    made = target.with_name(f".bgrace-{os.getpid()}-{threading.get_ident()}.partial")
    try:
        made.write_bytes(data)
        os.replace(made, target)
    except BaseException:
        with suppress(OSError):
            made.unlink()
        raise
