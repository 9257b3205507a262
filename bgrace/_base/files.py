"""Files that are whole or absent: written under a temporary name, synced to the disk, renamed in the end.

The same rules hold for every file that bgrace writes.

- A file that takes long is written as NAME.partial, under a lock: `bgrace.database.store.target.Target`.
- A file whose bytes are in memory already is written beside the target, under a name that nobody can guess.
- A file that replaces another keeps the other's permissions, from the first byte on; a new one has the permissions
  that the process gives (0666 without its umask).
- A link of the target's name is followed, and stays a link.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from bgrace.errors import ArgumentError, BuildError, FormatError

SAFELY: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
NEW_MODE: Final = 0o666  # less the bits of the process's umask


Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""One path, or several."""

# ---------------------------------------------------------------------- names


def each_path(paths: Paths) -> Iterator[str | os.PathLike[str]]:
    """The paths of an argument, which may be a single one.

    Examples
    --------
    >>> list(each_path("bearoff.h5")), list(each_path(["one.bd", "two.bd"]))
    (['bearoff.h5'], ['one.bd', 'two.bd'])
    """
    try:
        return iter([paths] if isinstance(paths, (str, os.PathLike)) else paths)
    except TypeError:
        raise ArgumentError(f"{paths!r:.80} is not the name of a file: give text, a Path, or a list of them") from None


def checked_path(path: str | os.PathLike[str]) -> Path:
    r"""Return a path if it can be that of a file.

    Examples
    --------
    >>> checked_path("bear\0off.h5")
    Traceback (most recent call last):
        ...
    bgrace.errors.ArgumentError: 'bear\x00off.h5' contains a NUL character: give a path without one
    """
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str) or not text:
        raise ArgumentError(f"{text!r:.80} is not the name of a file: give text, or a pathlib.Path")
    if text.lower().startswith(("http:/", "https:/")):  # a pathlib.Path keeps one slash only
        address = re.sub(":/+", "://", text, count=1)
        raise ArgumentError(f"{address[:80]} is on the web, and bgrace reads files: get a copy, and give its path")
    if "\0" in text:
        raise ArgumentError(f"{text[:80]!r} contains a NUL character: give a path without one")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise ArgumentError(
            f"{text[:80]!a} cannot be the name of a file here: the file system has no code for some of its letters"
        ) from None
    return Path(text)


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise BuildError if there is no folder for a file; called before the work begins.

    Examples
    --------
    >>> check_folder("missing/picture.svg")
    Traceback (most recent call last):
        ...
    bgrace.errors.BuildError: missing/picture.svg cannot be written: there is no folder missing; make it first
    """
    folder = checked_path(path).parent
    if not folder.is_dir():
        raise BuildError(f"{Path(path)} cannot be written: there is no folder {folder}; make it first")


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder, and the folders above it, unless they exist."""
    folder = checked_path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(f"{folder} cannot be made a folder: {error.strerror}; name another one") from error
    return folder


def check_spared(target: Path, sources: Iterable[Path], heads: tuple[bytes, ...] = (), what: str = "") -> None:
    """Refuse to overwrite a source file or a foreign file, even with --force: BuildError."""
    if not target.is_file():
        return
    for source in sources:
        if source.exists() and target.samefile(source):
            raise BuildError(f"{target} is the source of the new file and stays: give the new file another name")
    with open(target, "rb") as raw:
        head = raw.read(max(map(len, heads), default=0))
    if head.startswith(heads):
        raise BuildError(f"{target} is {what}, and stays: give the new file another name, or remove that one first")


# ---------------------------------------------------------------------- reading


@contextmanager
def opened(
    path: str | os.PathLike[str], what: str = "a bgrace database", remedy: str = "give a file that bgrace build made"
) -> Iterator[BinaryIO]:
    """Open a finished file for reading; FormatError for a pipe or a device, which could wait for a writer for ever."""
    path = checked_path(path)
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise FormatError(f"{path} is not an ordinary file, as {what} is: {remedy}")
        with open(path, "rb") as raw:
            yield raw
    except OSError as error:
        if error.filename is None:  # an error of reading; those of opening have the name
            error.filename = str(path)
        raise


# ---------------------------------------------------------------------- writing


def write_small_file(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write a file, all of it or nothing; into a pipe or a device, the bytes as they are.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_small_file(Path(folder, "numbers.csv"), b"1,2").read_bytes()
    b'1,2'
    """
    named = checked_path(path)
    with reported(named):
        check_folder(named)
        target = Path(os.path.realpath(named))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data)
    return named


def _replace(target: Path, data: bytes) -> None:
    unfinished = target.with_name(f".bgrace-{os.urandom(8).hex()}.partial")
    try:
        with os.fdopen(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL | SAFELY, NEW_MODE), "w+b") as raw:
            keep_mode(raw.fileno(), target, least=0o600)
            raw.write(data)
        put_in_place(unfinished, target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def put_in_place(partial: Path, path: Path) -> None:
    """Sync a finished file to the disk, then rename it; it gets the permissions of the file that it replaces."""
    with open(partial, "r+b") as raw:
        keep_mode(raw.fileno(), path)
        os.fsync(raw.fileno())
    os.replace(partial, path)
    with suppress(OSError):  # not every system can sync a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def keep_mode(descriptor: int, replaced: Path, least: int = 0) -> None:
    """Give a file the permissions of the file that it will replace, if there is one, and at least those of `least`."""
    with suppress(AttributeError, FileNotFoundError):  # Windows has no fchmod
        os.fchmod(descriptor, stat.S_IMODE(replaced.stat().st_mode) & 0o777 | least)


CAN_CLAIM: Final = hasattr(os, "posix_fallocate")
"""Whether `claim` does anything; elsewhere large parts are written by calls, which report a full disk."""


def claim(descriptor: int, offset: int, n_bytes: int) -> None:
    """Reserve disk space for a part of a file: on a full disk, writing to mapped memory would end the process."""
    if CAN_CLAIM:
        os.posix_fallocate(descriptor, offset, n_bytes)


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Turn errors of writing a file into a BuildError that names it."""
    try:
        yield
    except BuildError:
        raise
    except (KeyError, OSError, RuntimeError, ValueError) as error:
        # h5py raises any of these for an error within HDF5.
        if isinstance(error, (KeyError, ValueError)) and not _BURIED.search(str(error)):
            raise
        raise BuildError(f"{path} cannot be written: {_reason(error)}; {kept_text(path)}") from error


def kept_text(path: Path) -> str:
    """Say whether the name of a file that could not be written still has its old file."""
    return "the old file is unchanged" if os.path.isfile(path) else "no file was written"


_BURIED: Final = re.compile(r"error message = '([^']+)'")


def _reason(error: Exception) -> str:
    """Return the reason of an error in a few words; in HDF5's messages they stand in the middle of a page."""
    buried = _BURIED.search(str(error))
    return buried[1] if buried else getattr(error, "strerror", None) or str(error)


def cache_folder() -> Path:
    """Cache folder of this user, in XDG_CACHE_HOME or the system's default place; it need not exist yet.

    Examples
    --------
    >>> cache_folder().parts.count("bgrace")
    1
    """
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if named.is_absolute():
        return named / "bgrace"
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "bgrace"
        return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "bgrace"
    except RuntimeError as error:
        raise BuildError("you have no home folder: set XDG_CACHE_HOME to a folder that can be written") from error
