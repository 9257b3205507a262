"""Many matches: folders and globs, on any executor, to be stopped and gone on with.

A file is one piece of work, a plain function of its bytes, so it may run in another process or on another machine, and
be run again where that was lost: the results are the same bytes.  Some hundred files are in work at a time, and a new
one begins as soon as the oldest is done; nothing else makes a worker wait.
"""

from __future__ import annotations

import glob
import json
import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from bgrace._base.arrays import JSON
from bgrace._base.limits import checked_seconds, how_many
from bgrace._base.progress import Progress
from bgrace.errors import ArgumentError, BgraceError, FormatError
from bgrace.match.met import MatchEquityTable
from bgrace.review.judging import UNSOLVED
from bgrace.review.questions import DEFAULT_SECONDS, reason
from bgrace.review.reading import MATCH_SUFFIXES, read_bytes
from bgrace.review.reading.limits import read_file
from bgrace.review.reviewing import FORMAT_VERSION, MatchReview, review

_IN_WORK: Final = 512
"""Files that are in work at a time, or done while an earlier one is not."""

_BYTES_IN_WORK: Final = 1 << 26
"""Their joint limit, beside the last."""


@dataclass(frozen=True, slots=True)
class FileReview:
    """The outcome of a file.

    Attributes
    ----------
    path : str
    checksum : str
        SHA-256 of its bytes; empty if they could not be read.
    reviews : tuple of MatchReview
        Of each match in it.
    error : str
        Why it could not be reviewed, or not all of it; empty if it was.
    """

    path: str
    checksum: str
    reviews: tuple[MatchReview, ...] = ()
    error: str = ""

    def to_dict(self) -> dict[str, JSON]:
        """As a line of a file of results has it."""
        return {
            "path": self.path,
            "sha256": self.checksum,
            "error": self.error or None,
            "reviews": [told.to_dict() for told in self.reviews],
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, JSON]) -> FileReview:
        """The inverse of `to_dict`."""
        given: Mapping[str, Any] = told
        reviews = tuple(MatchReview.from_dict(each) for each in given["reviews"])
        return cls(given["path"], given["sha256"], reviews, given["error"] or "")


def find_matches(names: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    """Find files of matches.

    Parameters
    ----------
    names : iterable of path-like
        Files, as they are; folders, for every file in them and below that has the name of a match (`.mat`, `.txt`,
        `.sgf`, `.xg`, `.xgp`, `.bgf`, `.ogxm`); and patterns such as ``2026/*.mat``.

    Yields
    ------
    Path
        In the order of the names, and of a folder or pattern in the order of the alphabet; each once.

    Raises
    ------
    ArgumentError
        If nothing has a name.
    """
    seen: set[Path] = set()
    for name in names:
        path = Path(name)
        if path.is_dir():
            listed = sorted(one for one in path.rglob("*") if one.suffix.lower() in MATCH_SUFFIXES and one.is_file())
        elif not path.exists() and glob.has_magic(str(name)):
            listed = sorted(map(Path, glob.glob(str(name), recursive=True)))
        else:
            listed = [path]
        if not listed:
            raise ArgumentError(f"{name}: no match there: give files, folders or patterns such as 'matches/*.mat'")
        for one in listed:
            if one not in seen:
                seen.add(one)
                yield one


def shard_of(paths: Iterable[Path], number: int, total: int) -> Iterator[Path]:
    """Take one part of many files, so that several machines share them without talking to each other.

    Parameters
    ----------
    paths : iterable of Path
    number, total : int
        Which part, from 1, and of how many.

    Yields
    ------
    Path
        A file is in the same part whatever other files there are, so results can be gone on with.

    Raises
    ------
    ArgumentError
        If there is no such part.
    """
    if not 1 <= number <= total:
        raise ArgumentError(f"shard {number}/{total}: give 1/{total} to {total}/{total}" if total > 0 else "give 1/1")
    return (path for path in paths if crc32(path.as_posix().encode(errors="surrogateescape")) % total == number - 1)


def review_many(
    paths: Iterable[str | os.PathLike[str]],
    *,
    met: MatchEquityTable | None = None,
    seconds: float = DEFAULT_SECONDS,
    executor: Executor | None = None,
    workers: int | None = None,
    results: Results | None = None,
    progress: Progress | None = None,
) -> Iterator[FileReview]:
    """Judge the race decisions of many matches.

    Parameters
    ----------
    paths : iterable of path-like
        Files; read as they are needed, so there may be more than fit into memory.
    met, seconds
        As for `review`.
    executor : concurrent.futures.Executor, optional
        What computes: processes on this machine, unless given.  Those of Dask (``Client.get_executor()``) and of MPI
        (``mpi4py.futures.MPIPoolExecutor``) will do; files are read here, and only their contents go there.
    workers : int, optional
        Processes, where no executor is given: as many as there are processors, unless said.
    results : Results, optional
        Where reviews are kept, and found again by a second run, which goes on where the first stopped.
    progress : callable, optional
        Called with how many files are done, and how many are known.

    Yields
    ------
    FileReview
        In the order of the paths.  One that cannot be read, is not a match, or has a position that cannot be solved
        says so, and the others go on.

    Raises
    ------
    BgraceError
        If the executor has lost its workers; what has been yielded stays good.

    Examples
    --------
    >>> [len(told.reviews) for told in review_many(["tests/review/matches/5-103.mat"])]
    [1]
    """
    checked_seconds(seconds)
    listed = [Path(path) for path in paths] if isinstance(paths, Sequence) else map(Path, paths)
    total = len(listed) if isinstance(listed, list) else 0
    own, threads = None, 1
    if executor is None:
        n_workers = how_many(workers)
        alone = n_workers == 1 or total == 1
        threads = n_workers if alone else 1
        own = executor = (
            ThreadPoolExecutor(1)
            if alone
            else ProcessPoolExecutor(n_workers, mp_context=multiprocessing.get_context("spawn"))
        )
    work = _Work(executor, met, seconds, threads, results)
    try:
        for done, told in enumerate(work.reviewed(iter(listed)), 1):
            if progress is not None:
                progress(done, max(total, done))
            yield told
    except BrokenExecutor as error:
        raise BgraceError(
            f"a worker was lost ({error}): what is finished is kept with --results, and a second run continues from it"
        ) from error
    finally:
        work.cancel()
        if own is not None:
            own.shutdown(wait=True, cancel_futures=True)


@dataclass(slots=True)
class _Work:
    """The computations, and the files in work, in their order."""

    executor: Executor
    met: MatchEquityTable | None
    seconds: float
    threads: int
    results: Results | None
    waiting: deque[tuple[int, FileReview, Future[FileReview] | None]] = field(default_factory=deque)
    """Bytes of a file, what is known of it, and where its review comes from."""

    def reviewed(self, files: Iterator[Path]) -> Iterator[FileReview]:
        """Review files, some of them at the same time."""
        n_bytes = 0
        for path in files:
            self.waiting.append(self._begun(path))
            n_bytes += self.waiting[-1][0]
            while self.waiting and (len(self.waiting) >= _IN_WORK or n_bytes > _BYTES_IN_WORK or self._is_ready()):
                n_bytes -= self.waiting[0][0]
                yield self._finished()
        while self.waiting:
            yield self._finished()

    def cancel(self) -> None:
        """Want no more."""
        for _, _, future in self.waiting:
            if future is not None:
                future.cancel()

    def _begun(self, path: Path) -> tuple[int, FileReview, Future[FileReview] | None]:
        try:
            data = read_file(path)
        except (OSError, BgraceError) as error:
            return 0, FileReview(str(path), "", error=_why(path, error)), None
        checksum = sha256(data).hexdigest()
        before = None if self.results is None else self.results.find(str(path), checksum)
        if before is not None:
            return 0, before, None
        future = self.executor.submit(review_file, data, str(path), checksum, self.met, self.seconds, self.threads)
        return len(data), FileReview(str(path), checksum), future

    def _is_ready(self) -> bool:
        future = self.waiting[0][2]
        return future is None or future.done()

    def _finished(self) -> FileReview:
        _, told, future = self.waiting.popleft()
        if future is None:
            return told
        try:
            told = future.result()
        except BrokenExecutor:
            raise
        except Exception as error:  # what a worker cannot do keeps nobody from the rest
            told = replace(told, error=reason(error))
        if self.results is not None:
            self.results.add(told)
        return told


def review_file(
    data: bytes, path: str, checksum: str, met: MatchEquityTable | None, seconds: float, threads: int = 1
) -> FileReview:
    """Review all matches of a file, in a worker."""
    reviews: list[MatchReview] = []
    why = ""
    try:
        for match in read_bytes(data, path):
            reviews.append(review(match, met=met, seconds=seconds, threads=threads))
    except Exception as error:  # one that its reader fails at ends nothing
        why = reason(error)
    return FileReview(path, checksum, tuple(reviews), why or _unsolved(reviews))


def _unsolved(reviews: Iterable[MatchReview]) -> str:
    """How much of a file could not be reviewed, in words; empty if all of it was."""
    n = sum(problem.text.startswith(UNSOLVED) for told in reviews for problem in told.problems)
    positions = "1 position" if n == 1 else f"{n:,} positions"
    return f"{positions} could not be solved, and what was done there is left out" if n else ""


def _why(path: Path, error: Exception) -> str:
    if isinstance(error, OSError) and not isinstance(error, BgraceError):
        if isinstance(error, FileNotFoundError):
            return f"{path}: no such file; give one that is there"
        return f"{path}: {error.strerror or error}; give a file that can be read"
    return str(error)


class Results:
    """A file of reviews in JSON, one line per file of matches; a second run continues from it.

    Parameters
    ----------
    path : path-like
        Made if it is not there.
    met : MatchEquityTable, optional
    seconds : float
        Of the reviews: others are not taken for these.

    Raises
    ------
    FormatError
        If it is another file, or of other reviews.
    OSError
        If it cannot be read or written.

    Notes
    -----
    Each line is written at once and as a whole.  One that a crash has cut off is dropped, and that file reviewed again.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        met: MatchEquityTable | None = None,
        seconds: float = DEFAULT_SECONDS,
    ) -> None:
        self.path = Path(path)
        table = MatchEquityTable.default() if met is None else met
        self._head: dict[str, JSON] = {
            "format": "bgrace reviews",
            "version": FORMAT_VERSION,
            "met": table.name,
            "seconds": checked_seconds(seconds),
        }
        self._places: dict[tuple[str, str], tuple[int, int]] = {}
        """Where in the file each line is."""
        self._raw = open(self.path, "a+b")  # noqa: SIM115  (closed by close)
        try:
            self._read()
        except BaseException:
            self._raw.close()
            raise

    def _read(self) -> None:
        self._raw.seek(0)
        head, right = self._raw.readline(), _line(self._head)
        if right.startswith(head) and head != right:  # there is none, or a kill has cut it off
            self._raw.truncate(0)
            self._write(self._head)
            return
        if _parsed(head) != self._head:
            raise FormatError(
                f"{self.path} is not a file of such reviews (of version {FORMAT_VERSION}, {self._head['met']}, "
                f"{self._head['seconds']} seconds): give another name, or review with the same options"
            )
        end = self._raw.tell()
        for line in self._raw:
            told = (_parsed(line) if line.endswith(b"\n") else None) or {}
            if not all(isinstance(told.get(name), str) for name in ("path", "sha256")):
                break
            self._places[told["path"], told["sha256"]] = end, len(line)
            end += len(line)
        self._raw.truncate(end)

    def find(self, path: str, checksum: str) -> FileReview | None:
        """The review of a file by an earlier run, if its contents are the same."""
        place = self._places.get((path, checksum))
        if place is None:
            return None
        self._raw.seek(place[0])
        return FileReview.from_dict(json.loads(self._raw.read(place[1])))

    def add(self, told: FileReview) -> None:
        """Save the outcome of a file."""
        self._raw.seek(0, os.SEEK_END)
        start = self._raw.tell()
        self._places[told.path, told.checksum] = start, self._write(told.to_dict())

    def _write(self, told: Mapping[str, JSON]) -> int:
        line = _line(told)
        self._raw.write(line)
        self._raw.flush()
        return len(line)

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def _line(told: Mapping[str, JSON]) -> bytes:
    return json.dumps(told, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None
