"""Writing GNU Backgammon's bearoff files: from rows of chances, from our databases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import Integers, as_choice
from bgrace._base.files import check_spared
from bgrace._base.limits import Progress
from bgrace.database.money import Database
from bgrace.database.store.format import FILE_HEADS
from bgrace.database.store.writer import Target
from bgrace.errors import ArgumentError, CoverageError
from bgrace.interop.gnubg.reader import CHECKERS, EQUITY_UNITS, HEADER_BYTES, MAGIC, WHOLE, WIDTH, Header, Kind
from bgrace.tables import Plane

RowSource: TypeAlias = Callable[[int, int], npt.NDArray[np.uint16]]
"""Gives, for indices from the first to before the second, chances in parts of 65535: shape (n, 1 or 2, 32), those of
the last checker and, if wanted, of the first of 15."""

_ROWS_AT_A_TIME: Final = 1 << 14
_ROLLS: Final = np.arange(WIDTH)
_NOTHING: Final = 1e-4  # parts of 65535


def export(
    database: Database,
    path: str | os.PathLike[str],
    kind: Kind,
    *,
    checkers: int | None = None,
    compressed: bool = True,
    gammons: bool = True,
    force: bool = False,
    progress: Progress | None = None,
) -> Header:
    """Write a table of a database as a file that GNU Backgammon reads.

    The values are ours, to the precision of such a file: half a unit of 1/32767.5 of an equity; two parts of 65535 of a
    chance, and half a part of a mean number of rolls.

    Parameters
    ----------
    database : Database
    path : path-like
        The file to make.  It appears only when it is complete.
    kind : str
        ``"one-sided"`` or ``"two-sided"``.
    checkers : int, optional
        Maximum checkers per side of a two-sided file; those of the database's pairs, unless given.
    compressed, gammons : bool
        Of a one-sided file: without zeros; with the chances of the first checker.
    force : bool
        Whether to replace a file that is there.
    progress : callable, optional
        Called with positions done and positions to do.

    Returns
    -------
    Header
        What was written.

    Raises
    ------
    ArgumentError
        If GNU Backgammon would not read such a file rightly, or the pairs are those of an approximate file.
    CoverageError
        If the database has no such table.
    BuildError
        If the file is there and `force` is not given, or is a database, or it cannot be written.

    Examples
    --------
    >>> import bgrace, tempfile
    >>> from bgrace.interop import gnubg
    >>> with bgrace.open(bgrace.example_file()) as db, tempfile.TemporaryDirectory() as folder:
    ...     header = gnubg.export(db, f"{folder}/gnubg_ts.bd", "two-sided", checkers=2)
    >>> header.checkers
    2
    """
    header = _header_for(database, kind, checkers, compressed=compressed, gammons=gammons)
    n_bytes = HEADER_BYTES + header.body_bytes
    target = bearoff_target(path, n_bytes, (database.path,), force=force, smaller="a smaller table")
    with target, target.opened() as file:
        if kind == "two-sided":
            _write_pairs(file, header, database, progress)
        else:
            write_one_sided(file, header, _rows_of(database, header), progress)
    return header


def _header_for(database: Database, kind: Kind, checkers: int | None, *, compressed: bool, gammons: bool) -> Header:
    points, has = database.space.points, database.two_sided_checkers
    if as_choice("kind", kind, get_args(Kind)) == "two-sided":
        if checkers is None:
            checkers = has
        if not has:
            raise CoverageError(f"{database.path} has no two-sided table: build one with --two-sided, or use --exact")
        if database.stored.directory.approximate:
            raise ArgumentError(
                f"{database.path} is approximate, and its pairs are not exact enough to be exported: give the file "
                "that it was made of"
            )
        if not 1 <= checkers <= has:
            raise ArgumentError(
                f"{checkers} checkers: {database.path} has pairs of at most {has} a side; give 1 to {has}"
            )
        header = Header("two-sided", points, checkers)
    else:
        if checkers not in (None, CHECKERS) or database.space.checkers != CHECKERS:
            checkers = database.space.checkers if checkers is None else checkers
            raise ArgumentError(
                f"a one-sided file for {checkers} checkers: GNU Backgammon takes it to be for {CHECKERS}; "
                f"export a database for {CHECKERS}"
            )
        header = Header("one-sided", points, CHECKERS, gammons=gammons, compressed=compressed)
    header.check_readable(HEADER_BYTES + header.body_bytes)
    return header


def bearoff_target(
    path: str | os.PathLike[str], n_bytes: int, sources: Iterable[Path] = (), *, force: bool, smaller: str
) -> Target:
    """Where a bearoff file is to be made; BuildError if it can't be: see `Target.check` and `check_spared`."""
    target = Target(path, lambda head: head.startswith(MAGIC), "unfinished file of this kind", force=force)
    target.check(n_bytes, smaller)
    check_spared(Path(path), sources, FILE_HEADS, "a bgrace database")
    return target


class RowsDone:
    """How many rows of tables have been done."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._done, self._total = 0, total

    def add(self, n: int) -> None:
        """Count so many more rows as done, and report them."""
        self._done += n
        if self._progress is not None:
            self._progress(self._done, self._total)


def spans_of(rows: npt.NDArray[Any]) -> tuple[Integers, Integers]:
    """First column, and column past the last, of each row that is not 0."""
    used = rows != 0
    return used.argmax(axis=-1), WIDTH - used[..., ::-1].argmax(axis=-1)


def write_one_sided(file: BinaryIO, header: Header, rows: RowSource, progress: Progress | None = None) -> None:
    """Write a one-sided file, compressed or not.

    Parameters
    ----------
    file : file
        Empty, open for writing.
    header : Header
    rows : callable
        See `RowSource`.
    progress : callable, optional
        Called with positions done and positions to do.

    Raises
    ------
    ArgumentError
        If the file gets too large for GNU Backgammon.
    """
    n = header.n_positions
    file.write(header.pack())
    n_values, work = 0, RowsDone(progress, n)
    for start in range(0, n, _ROWS_AT_A_TIME):
        parts = rows(start, min(start + _ROWS_AT_A_TIME, n))
        if header.compressed:
            entries, values = _squeezed(parts, header, n_values)
            file.seek(HEADER_BYTES + start * header.entry.itemsize)
            file.write(entries.tobytes())
            file.seek(HEADER_BYTES + header.body_bytes + 2 * n_values)
            file.write(values.tobytes())
            n_values += len(values)
        else:
            file.write(parts.astype("<u2", copy=False).tobytes())
        work.add(len(parts))
    header.check_readable(HEADER_BYTES + header.body_bytes + 2 * n_values)


def _squeezed(
    parts: npt.NDArray[np.uint16], header: Header, n_before: int
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.uint16]]:
    """Entries, and values between the first and the last that is not 0 of each row; `n_before` values stand before."""
    first, past = spans_of(parts)
    count = past - first
    entries = np.empty(len(parts), dtype=header.entry)
    ends = np.cumsum(count.sum(axis=1))
    entries["begin"] = n_before + ends - count.sum(axis=1)
    entries["spans"][..., 0] = count
    entries["spans"][..., 1] = first
    inside = (first[..., np.newaxis] <= _ROLLS) & (past[..., np.newaxis] > _ROLLS)
    return entries, parts[inside].astype("<u2", copy=False)


def _rows_of(database: Database, header: Header) -> RowSource:
    def rows(start: int, stop: int) -> npt.NDArray[np.uint16]:
        positions = database.space.position(np.arange(start, stop))
        tables = [database.roll_distribution(positions)]
        if header.gammons:
            tables.append(database.first_checker_distribution(positions))
        return np.stack([_in_parts(table, start) for table in tables], axis=1)

    return rows


def _in_parts(chances: npt.NDArray[np.float64], start: int) -> npt.NDArray[np.uint16]:
    """Chances in parts of 65535, shape (n, 32), rounded so that sums are right and means hardly change.

    The chance of at most k rolls is rounded, less what earlier roundings have added up to: that sum is what the mean is
    off by.  Rolls that can't be stay so.
    """
    scaled = chances * WHOLE
    lost = scaled[:, WIDTH:].sum(axis=1) >= _NOTHING
    if lost.any():
        raise ArgumentError(
            f"position {start + int(lost.argmax())} can need {WIDTH} rolls or more, and GNU Backgammon's files have no "
            "place for them: export a database for fewer points"
        )
    result = np.zeros((len(scaled), WIDTH), dtype=np.uint16)
    at_most, before, drift = (np.zeros(len(scaled)) for _ in range(3))
    for k in range(min(scaled.shape[1], WIDTH)):
        at_most += scaled[:, k]
        rounded = np.clip(np.rint(at_most - drift), before, WHOLE)
        rounded[scaled[:, k] < _NOTHING] = before[scaled[:, k] < _NOTHING]
        rounded[at_most > WHOLE - _NOTHING] = WHOLE
        result[:, k] = rounded - before
        drift += rounded - at_most
        before = rounded
    return result


def _write_pairs(file: BinaryIO, header: Header, database: Database, progress: Progress | None) -> None:
    n = header.n_positions
    stored = database.stored
    steps = stored.tables["two_sided/equities"]
    rank = np.argsort(stored.tables["two_sided/order"], kind="stable")[:n]
    # What each of the 65,536 stored values becomes.
    equities = np.arange(1 << 16).astype(np.uint16).view(np.int16) / stored.entry("two_sided/equities").scale
    become = np.rint((np.clip(equities, -1, 1) + 1) * EQUITY_UNITS).astype("<u2")
    file.write(header.pack())
    work = RowsDone(progress, n)
    for index in range(n):
        row = steps[rank[index]].reshape(-1, len(Plane))[rank]
        file.write(become[row.view(np.uint16)].tobytes())
        work.add(1)
