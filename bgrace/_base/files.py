"""Files that are whole or absent: written under a temporary name, synced to the disk, renamed in the end.

One rule for all of them.

- What may take long, or can be gone on with after a kill, is written to NAME.partial.  The writer holds a lock on it.
  What already has that name is taken only if a writer of such files left it there: links are not followed, and what is
  no ordinary file is refused without being read.
- What is in memory already is written to a file beside the target whose name nobody can guess.
- A file that replaces one keeps that one's permissions, from the moment the first byte is written; a new one has those
  that the process gives (0666 without its umask).
- A link of the target's name is followed, and stays a link.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from bgrace.errors import ArgumentError, BuildError, FormatError

__all__ = [
    "check_folder",
    "check_spared",
    "check_target",
    "checked_path",
    "claim",
    "drop_lock",
    "head_of",
    "made_new",
    "make_folder",
    "new_file",
    "opened",
    "partial_path",
    "put_in_place",
    "real_target",
    "reported",
    "take_partial",
    "write_small_file",
]

_SAFELY: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0)
"""Without it a pipe would keep the one waiting who opens it; for an ordinary file it means nothing."""

_MAX_NAME: Final = 255  # bytes, where the system doesn't say
_NEW_MODE: Final = 0o666  # less what the process's umask takes away


# ---------------------------------------------------------------------- names


def checked_path(path: str | os.PathLike[str]) -> Path:
    r"""Return a path if it can be that of a file.

    Raises
    ------
    ArgumentError
        If it contains a NUL character, which no name of a file does.
    TypeError
        If it is not text, nor a path-like that stands for text.

    Examples
    --------
    >>> checked_path("bear\0off.h5")
    Traceback (most recent call last):
        ...
    bgrace.errors.ArgumentError: 'bear\x00off.h5' contains a NUL character: give a path without one
    """
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"expected str or os.PathLike of str, not {type(text).__name__}: {text!r:.80}")
    if "\0" in text:
        raise ArgumentError(f"{text[:80]!r} contains a NUL character: give a path without one")
    return Path(text)


def partial_path(path: Path) -> Path:
    """Where a file is written until it is complete."""
    return path.with_name(path.name + ".partial")


def real_target(path: str | os.PathLike[str]) -> Path:
    """Where a file is to be made: a link is followed, and stays what it is."""
    target = checked_path(path)
    return Path(os.path.realpath(target)) if target.is_symlink() else target


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise BuildError if there is no folder for a file: better before the work than after it.

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
    """Make a folder, and those that it lies in, unless it is there.

    Raises
    ------
    BuildError
        If it cannot be made.
    """
    folder = checked_path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(f"{folder} cannot be made a folder: {error.strerror}; name another one") from error
    return folder


def check_target(path: str | os.PathLike[str], n_bytes: int, *, force: bool, smaller: str) -> None:
    """Raise BuildError if a file of about this size can't be made there.

    Parameters
    ----------
    path : path-like
    n_bytes : int
    force : bool
        Whether a file that is there may be replaced.
    smaller : str
        What to ask for if there is no room.
    """
    target = checked_path(path)
    with reported(target):
        if target.parent.is_dir():
            _check_name(target, target.absolute().parent)
        target = real_target(path)
        folder = target.absolute().parent
        if not folder.is_dir():
            raise BuildError(f"{target} cannot be written: there is no folder {folder}; make it first")
        _check_name(target, folder)
        if target.is_dir():
            raise BuildError(f"{target} is a folder: name a file, such as {target / 'bearoff.h5'}")
        if target.exists() and not force:
            raise BuildError(f"{target} is there already: use force (--force) to replace it, or another name")
        if target.exists() and not target.is_file():
            raise BuildError(f"{target} is not an ordinary file, and will not be replaced by one: use another name")
        import shutil  # noqa: PLC0415  (takes a while, and few commands write anything)

        # An unfinished file has its room already, and is gone on from or made anew.
        free = shutil.disk_usage(folder).free + _room_of(partial_path(target))
    if n_bytes > free:
        raise BuildError(
            f"{target} needs about {n_bytes:,} bytes, its folder has room for {free:,}: make room, or ask for {smaller}"
        )


def _check_name(target: Path, folder: Path) -> None:
    """Raise BuildError unless the unfinished file's name, the longer one, can be a name in the folder."""
    longest = _MAX_NAME
    with suppress(AttributeError, OSError, ValueError):
        longest = os.pathconf(folder, "PC_NAME_MAX")
    n_bytes, ending = len(os.fsencode(target.name)), len(partial_path(Path("x")).name) - 1
    if n_bytes + ending > longest:
        raise BuildError(
            f"{target.name[:40]}... has {n_bytes} bytes, and the name of a file that is built can have "
            f"{longest - ending} here: use a shorter one"
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
        return 512 * path.lstat().st_blocks
    except (AttributeError, OSError):
        return 0


# ---------------------------------------------------------------------- reading


@contextmanager
def opened(
    path: str | os.PathLike[str], what: str = "a bgrace database", remedy: str = "give a file that bgrace build made"
) -> Iterator[BinaryIO]:
    """Open a finished file to read it.

    Parameters
    ----------
    path : path-like
    what : str
        What it should be.
    remedy : str
        What to do if it cannot be one, as a pipe cannot.

    Raises
    ------
    ArgumentError
        If no file can have that name.
    FormatError
        If it is neither a file nor a folder: to open a pipe, say, is to wait for whoever writes into it.
    OSError
        If it cannot be read, naming it.
    """
    path = checked_path(path)
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise FormatError(f"{path} is not an ordinary file, as {what} is: {remedy}")
        with open(path, "rb") as raw:
            yield raw
    except OSError as error:
        if error.filename is None:  # of a read, in contrast to the opening
            error.filename = str(path)
        raise


def head_of(path: Path, n_bytes: int) -> bytes | None:
    """Read the first bytes of what has an unfinished file's name, without following a link or waiting for a pipe.

    Returns
    -------
    bytes or None
        As many as there are, up to `n_bytes`; None if nothing is there.

    Raises
    ------
    BuildError
        If it is not an ordinary file.
    OSError
        If it cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFELY | _AT_ONCE)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as raw:
        _check_ordinary(descriptor, path)
        return raw.read(n_bytes)


def _check_ordinary(descriptor: int, path: Path) -> None:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise BuildError(f"{path} is not an ordinary file, and the unfinished file would have its name: move it away")


# ---------------------------------------------------------------------- writing


def write_small_file(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write a file, all of it or nothing.

    Parameters
    ----------
    path : path-like
        Where it is to be.  A file that is there is replaced, a link followed; into what is not an ordinary file, such
        as a pipe, the bytes are written as they are.
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
        with made_new(unfinished, target) as raw:
            raw.write(data)
        put_in_place(unfinished, target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def made_new(path: Path, replaced: Path) -> BinaryIO:
    """Make a file that was not there, not even as a link, to replace another in the end.

    Raises
    ------
    OSError
        If it is there, or cannot be made.
    """
    raw = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _SAFELY, _NEW_MODE), "w+b")
    _keep_mode(raw.fileno(), replaced, least=0o600)
    return raw


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
        lock = take_partial(path, (head,), "unfinished file of this kind")
        try:
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
    """Give a finished file its name, once all of it is on the disk, and the permissions of what had the name before."""
    with open(partial, "r+b") as raw:
        _keep_mode(raw.fileno(), path)
        os.fsync(raw.fileno())
    os.replace(partial, path)
    with suppress(OSError):  # not every system can sync a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _keep_mode(descriptor: int, replaced: Path, least: int = 0) -> None:
    """Give a file the permissions of the one that it will replace, if that is there, and no fewer than the least."""
    with suppress(AttributeError, FileNotFoundError):  # Windows has no fchmod
        os.fchmod(descriptor, stat.S_IMODE(replaced.stat().st_mode) & 0o777 | least)


CAN_CLAIM: Final = hasattr(os, "posix_fallocate")
"""Whether `claim` does anything; elsewhere what may be large is written by calls, which report a full disk."""


def claim(descriptor: int, offset: int, n_bytes: int) -> None:
    """Make sure of the room for a part of a file: on a full disk a write to mapped memory would end the process."""
    if CAN_CLAIM:
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
    """Say in a few words why an operation failed; HDF5 buries them in the middle of a page."""
    buried = re.search(r"error message = '([^']+)'", str(error))
    return buried[1] if buried else getattr(error, "strerror", None) or str(error)


# ---------------------------------------------------------------------- unfinished files


def take_partial(path: Path, heads: tuple[bytes, ...], what: str, *, dropped: tuple[bytes, ...] = ()) -> int | None:
    """Take the unfinished file of a target: hold it, alone, for as long as the process lives.

    Parameters
    ----------
    path : Path
        The target.  What is held is NAME.partial, made empty if it is not there; a kill leaves nothing that blocks the
        next writer.
    heads : tuple of bytes
        What an unfinished file can begin with, besides nothing and zeros.
    what : str
        What it would be.
    dropped : tuple of bytes
        Beginnings of files that lose the name, and nothing else: other links to such a file keep it.

    Returns
    -------
    int or None
        For `drop_lock`.

    Raises
    ------
    BuildError
        If what has the name is not such a file, or another process holds it.
    OSError
        If it cannot be opened.
    """
    partial = partial_path(path)
    length = max(map(len, (*heads, *dropped)))
    while True:
        lock = _take_lock(partial)
        try:
            head = head_of(partial, length) or b""
            is_dropped = bool(dropped) and head.startswith(dropped)
            # Nothing or zeros before the first note, and a directory between the last write and the renaming.
            if head.strip(b"\0") and not head.startswith(heads) and not is_dropped:
                raise BuildError(f"{partial} is not an {what}, and would be overwritten by one: move it away")
            # A file of two names is not ours alone.
            if not is_dropped and partial.lstat().st_nlink == 1:
                if lock is not None:
                    _keep_mode(lock, path, least=0o600)
                return lock
            partial.unlink()
        except BaseException:
            drop_lock(lock)
            raise
        drop_lock(lock)


def _take_lock(partial: Path) -> int | None:
    flags = os.O_RDWR | os.O_CREAT | _SAFELY | _AT_ONCE
    while True:
        # A link of this name is none of ours: what it leads to is not to be overwritten.
        descriptor = os.open(partial, flags, _NEW_MODE)
        try:
            _check_ordinary(descriptor, partial)
            try:
                import fcntl  # noqa: PLC0415  (not on Windows, where the open file itself can't be replaced)
            except ImportError:
                os.close(descriptor)
                return None
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BuildError(
                    f"{partial} is being written by another process: wait for it, or build elsewhere"
                ) from None
            # Whoever held the lock before may have renamed or removed the file in the meantime.
            with suppress(FileNotFoundError):
                if os.fstat(descriptor).st_ino == os.stat(partial).st_ino:
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def drop_lock(descriptor: int | None) -> None:
    """Let the next writer have the file."""
    if descriptor is not None:
        os.close(descriptor)
