"""Many matches, reviewed by several processes."""

from __future__ import annotations

import csv
import glob
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from bgrace._base.frames import Cell
from bgrace._base.limits import Progress, checked_seconds, how_many
from bgrace._base.processes import processes
from bgrace.errors import ArgumentError, BgraceError
from bgrace.match.met import MatchEquityTable
from bgrace_apps.review.judging import UNSOLVED
from bgrace_apps.review.questions import DEFAULT_SECONDS, reason
from bgrace_apps.review.reading import MATCH_SUFFIXES, read
from bgrace_apps.review.reviewing import DECISION_COLUMNS, MatchReview, decision_row, review


@dataclass(frozen=True, slots=True)
class FileReview:
    """The outcome of a file.

    Attributes
    ----------
    path : str
    reviews : tuple of MatchReview
        Of each match in it.
    error : str
        Why it could not be reviewed, or not all of it; empty if it was.
    """

    path: str
    reviews: tuple[MatchReview, ...] = ()
    error: str = ""


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


def review_many(
    paths: Iterable[str | os.PathLike[str]],
    *,
    met: MatchEquityTable | None = None,
    seconds: float = DEFAULT_SECONDS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Iterator[FileReview]:
    """Judge the race decisions of many matches.

    Parameters
    ----------
    paths : iterable of path-like
    met, seconds
        As for `review`.
    workers : int, optional
        Processes: as many as there are processors, unless given.  A single file is reviewed by as many threads.
    progress : callable, optional
        Called with the number of files that are done, and of all.

    Yields
    ------
    FileReview
        In the order of the paths.  One that cannot be read, is not a match, or has a position that cannot be solved
        says so, and the others go on.

    Raises
    ------
    BgraceError
        If a process is lost.

    Examples
    --------
    >>> [len(told.reviews) for told in review_many(["data/matches/5-103.mat"])]
    [1]
    """
    checked_seconds(seconds)
    listed = [Path(path) for path in paths]
    n_workers = how_many(workers)
    with ExitStack() as stack:
        if n_workers == 1 or len(listed) == 1:
            one = partial(_review_file, met=met, seconds=seconds, threads=n_workers)
            reviews: Iterator[FileReview] = map(one, listed)
        else:
            one = partial(_review_file, met=met, seconds=seconds, threads=1)
            reviews = stack.enter_context(processes(n_workers)).map(one, listed)
        for done, told in enumerate(reviews, 1):
            if progress is not None:
                progress(done, len(listed))
            yield told


def _review_file(path: Path, *, met: MatchEquityTable | None, seconds: float, threads: int) -> FileReview:
    """Review all matches of a file."""
    reviews: list[MatchReview] = []
    why = ""
    try:
        for match in read(path):
            reviews.append(review(match, met=met, seconds=seconds, threads=threads))
    except Exception as error:  # one that its reader fails at ends nothing
        why = _why(path, error)
    return FileReview(str(path), tuple(reviews), why or _unsolved(reviews))


def _unsolved(reviews: Iterable[MatchReview]) -> str:
    """How much of a file could not be reviewed, in words; empty if all of it was."""
    n = sum(problem.text.startswith(UNSOLVED) for told in reviews for problem in told.problems)
    positions = "1 position" if n == 1 else f"{n:,} positions"
    return f"{positions} could not be solved, and what was done there is left out" if n else ""


def _why(path: Path, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{path}: no such file; give one that is there"
    if isinstance(error, OSError) and not isinstance(error, BgraceError):
        return f"{path}: {error.strerror or error}; give a file that can be read"
    return reason(error)


_DIGITS: Final = {
    "loss": 8,
    "equity_loss": 6,
    "win_probability": 6,
    "chance": 8,
    "luck": 8,
    "error": 6,
    "engine_loss": 8,
}
"""Digits after the point, of columns that have any."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")

_NAMES: Final = ("source", "player")
"""Columns whose text others have chosen."""


def review_csv(reviews: Iterable[MatchReview]) -> str:
    r"""Write every decision on a line.

    Parameters
    ----------
    reviews : iterable of MatchReview

    Returns
    -------
    str
        With a line of heads, `DECISION_COLUMNS`.  Names that a spreadsheet would take for a formula have an apostrophe
        in front.

    Examples
    --------
    >>> from bgrace_apps.review import review
    >>> lines = review_csv([review("data/matches/5-103.mat")]).splitlines()
    >>> len(lines), lines[0].split(",")[:4]
    (14, ['source', 'match', 'game', 'move'])
    """
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(DECISION_COLUMNS)
    for told in reviews:
        for each in told.decisions:
            writer.writerow(_written(name, cell) for name, cell in decision_row(told.match, each).items())
    return sink.getvalue()


def _written(name: str, cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(int(cell))
    if isinstance(cell, float):
        return f"{cell:.{_DIGITS[name]}f}"
    text = str(cell)
    return f"'{text}" if name in _NAMES and text.startswith(_FORMULA) else text
