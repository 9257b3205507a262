"""Write GNU Backgammon's bearoff files: from rows of chances, from our databases, or like its own generator.

Files of the generator, makebearoff, are matched byte for byte.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import as_choice, check_open
from bgrace._base.files import check_spared, claim, reported
from bgrace._base.limits import Progress, allowed_text, checked_threads, memory_limit, memory_text
from bgrace._kernels import one_sided as one_sided_kernel
from bgrace._kernels import two_sided as two_sided_kernel
from bgrace._kernels.kinds import LevelProgress
from bgrace.board.spaces import PositionSpace
from bgrace.database.database import Database
from bgrace.database.store.format import FILE_HEADS, PAIRS_TABLE
from bgrace.database.store.target import Target
from bgrace.errors import ArgumentError, CoverageError, MemoryLimitError
from bgrace.interop.gnubg.reader import (
    CHECKERS,
    EQUITY_UNITS,
    HEADER_BYTES,
    MAGIC,
    ROWS_AT_A_TIME,
    WHOLE,
    WIDTH,
    Header,
    Kind,
    RowsDone,
    spans_of,
)
from bgrace.tables import Plane, n_fewer_checkers, working_set_bytes

RowSource: TypeAlias = Callable[[int, int], npt.NDArray[np.uint16]]
"""Gives, for indices from the first to before the second, chances in parts of 65535: shape (n, 1 or 2, 32), those of
the last checker and, if wanted, of the first of 15."""

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

    The values are those of the database to the precision of the file: half a unit of 1/32767.5 for an equity, two parts
    of 65535 for a chance, and half a part for a mean number of rolls.

    Parameters
    ----------
    database : Database
    path : path-like
        The file to make.  It appears only when it is complete.
    kind : str
        ``"one-sided"`` or ``"two-sided"``.
    checkers : int, optional
        Maximum checkers per side of a two-sided file; by default those of the database's pairs.
    compressed, gammons : bool
        For a one-sided file: whether to leave out zeros; whether to write the chances of the first checker.
    force : bool
        Whether to replace an existing file.
    progress : callable, optional
        Called with positions done and positions to do.

    Returns
    -------
    Header
        The header of the file.

    Raises
    ------
    ArgumentError
        If GNU Backgammon would misread such a file, or the pairs are those of an approximate file.
    CoverageError
        If the database has no such table.
    BuildError
        If the file exists and `force` is not given, or is a database, or it cannot be written.

    Examples
    --------
    >>> import bgrace, tempfile
    >>> from bgrace.interop import gnubg
    >>> with bgrace.open(bgrace.example_file()) as db, tempfile.TemporaryDirectory() as folder:
    ...     header = gnubg.export(db, f"{folder}/gnubg_ts.bd", "two-sided", checkers=2)
    >>> header.checkers
    2
    """
    check_open(database)
    header = _header_for(database, kind, checkers, compressed=compressed, gammons=gammons)
    n_bytes = HEADER_BYTES + header.body_bytes
    target = bearoff_target(path, n_bytes, (database.path,), force=force, smaller="a smaller table")
    with target, target.reported(), open(target.partial, "r+b") as file:
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
    """Make the target of a bearoff file; BuildError if it cannot be made: see `Target.check` and `check_spared`."""
    target = Target(path, lambda head: head.startswith(MAGIC), "unfinished file of this kind", force=force)
    target.check(n_bytes, smaller)
    check_spared(Path(path), sources, FILE_HEADS, "a bgrace database")
    return target


def write_one_sided(file: BinaryIO, header: Header, rows: RowSource, progress: Progress | None = None) -> None:
    """Write a one-sided file, compressed or not.

    Parameters
    ----------
    file : file
        An empty file, open for writing.
    header : Header
    rows : callable
        See `RowSource`.
    progress : callable, optional
        Called with positions done and positions to do.

    Raises
    ------
    ArgumentError
        If the file is too large for GNU Backgammon.
    """
    n = header.n_positions
    file.write(header.pack())
    n_values, work = 0, RowsDone(progress, n)
    for start in range(0, n, ROWS_AT_A_TIME):
        parts = rows(start, min(start + ROWS_AT_A_TIME, n))
        if header.compressed:
            entries, values = _compress_rows(parts, header, n_values)
            file.seek(HEADER_BYTES + start * header.entry.itemsize)
            file.write(entries.tobytes())
            file.seek(HEADER_BYTES + header.body_bytes + 2 * n_values)
            file.write(values.tobytes())
            n_values += len(values)
        else:
            file.write(parts.astype("<u2", copy=False).tobytes())
        work.add(len(parts))
    header.check_readable(HEADER_BYTES + header.body_bytes + 2 * n_values)


def _compress_rows(
    parts: npt.NDArray[np.uint16], header: Header, n_before: int
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.uint16]]:
    """Compress rows: their entries, and the values of each from the first to the last that is not 0.

    The file already has `n_before` values.
    """
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
    """Chances in parts of 65535, shape (n, 32), rounded so that sums are exact and means hardly change.

    The chance of at most k rolls is rounded after subtracting the sum of earlier rounding errors, which is the error of
    the mean.  Impossible numbers of rolls keep the chance 0.
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
    steps = stored.tables[PAIRS_TABLE]
    rank = np.argsort(stored.tables["two_sided/order"], kind="stable")[:n]
    # The converted value of each of the 65,536 stored values.
    equities = np.arange(1 << 16).astype(np.uint16).view(np.int16) / stored.entry(PAIRS_TABLE).scale
    become = np.rint((np.clip(equities, -1, 1) + 1) * EQUITY_UNITS).astype("<u2")
    file.write(header.pack())
    work = RowsDone(progress, n)
    for index in range(n):
        row = steps[rank[index]].reshape(-1, len(Plane))[rank]
        file.write(become[row.view(np.uint16)].tobytes())
        work.add(1)


_PROGRAM_BYTES: Final = 200 << 20
_SIGNS: Final = np.uint64(0x8000_8000_8000_8000)
"""The mask that turns four signed values into four unsigned ones."""


def generate(
    path: str | os.PathLike[str],
    kind: Kind,
    points: int = 6,
    checkers: int = CHECKERS,
    *,
    compressed: bool = True,
    gammons: bool = True,
    threads: int | None = None,
    memory_bytes: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Header:
    """Make a bearoff file like GNU Backgammon's generator, with its rounding, to the last bit.

    Parameters
    ----------
    path : path-like
        The file to make.  It appears only when it is complete.
    kind : str
        ``"one-sided"``, or ``"two-sided"``: cubeful.
    points, checkers : int
        A one-sided file is for 15 checkers on up to 13 points; a two-sided one has less than 4 GiB, which on six points
        means up to 12 checkers.
    compressed, gammons : bool
        For a one-sided file: whether to leave out zeros; whether to write the chances of the first checker.
        (makebearoff's ``--no-compress`` and ``--no-gammon`` are False here.)
    threads : int, optional
        By default one per processor.  The file does not depend on it.
    memory_bytes : int, optional
        The most memory to use, except for the file cache; by default three quarters of the machine's.
    force : bool
        Whether to replace an existing file.
    progress : callable, optional
        Called with the work done and the work to do.

    Returns
    -------
    Header
        The header of the file.

    Raises
    ------
    ArgumentError
        If GNU Backgammon would misread such a file.
    BuildError
        If the file exists and `force` is not given, or is a database, or it cannot be written.
    MemoryLimitError
        If more memory is needed.

    Examples
    --------
    >>> import hashlib, pathlib, tempfile
    >>> from bgrace.interop.gnubg import generate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "gnubg_os1.bd")
    ...     header = generate(file, "one-sided", points=1)
    ...     hashlib.md5(file.read_bytes()).hexdigest()        # as GNU Backgammon's manual has it
    'c789f049ec98ce4e307b471257999f39'
    """
    as_choice("kind", kind, get_args(Kind))
    target, n_threads, limit = Path(path), checked_threads(threads), memory_limit(memory_bytes)
    space = PositionSpace(points, checkers)
    header = Header(kind, space.points, space.checkers, gammons=gammons, compressed=compressed)
    header.check_readable(HEADER_BYTES + header.body_bytes)
    _check_memory(header, n_threads, limit)
    # One-sided rows are stored uncompressed first.
    n_bytes = HEADER_BYTES + header.body_bytes + (4 * WIDTH * len(space) if kind == "one-sided" else 0)
    new = bearoff_target(target, n_bytes, force=force, smaller="fewer points or checkers")
    with new, new.reported(), open(new.partial, "r+b") as file:
        if kind == "two-sided":
            _make_pairs(file.fileno(), header, n_threads, limit, progress)
        else:
            with _scratch_rows(target, header) as (last, first):
                one_sided_kernel.gnubg(header.space.kernel, n_threads, last, first, _of_levels(progress))
                write_one_sided(file, header, lambda start, stop: _join_rows(header, last, first, start, stop))
    return header


def _check_memory(header: Header, n_threads: int, limit: int) -> None:
    if header.kind == "two-sided":
        needed = _PROGRAM_BYTES + working_set_bytes(header.space, n_threads)[0]
    else:
        needed = _PROGRAM_BYTES + 12 * len(header.space) + 2 * 72 * _chain_slots(header.space)
    if needed > limit:
        raise MemoryLimitError(
            f"{header.points} points and {header.checkers} checkers {header.kind} need {memory_text(needed)} of "
            f"memory, {allowed_text(limit)}: ask for fewer points or checkers, or allow more"
        )


def _chain_slots(space: PositionSpace) -> int:
    """Number of positions whose best single dice the kernel keeps: those of seven levels, up to a power of 2."""
    by_checkers = np.zeros((space.checkers + 1, space.points * space.checkers + 1), dtype=np.int64)
    by_checkers[0, 0] = 1
    for point in range(1, space.points + 1):
        for checkers in range(1, space.checkers + 1):
            by_checkers[checkers, point:] += by_checkers[checkers - 1, :-point]
    levels = by_checkers.sum(axis=0)
    most = int(np.convolve(levels, np.ones(7, dtype=np.int64)).max())
    return 1 << (most - 1).bit_length()


@contextmanager
def _scratch_rows(
    target: Path, header: Header
) -> Iterator[tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16] | None]]:
    """Make arrays for the rows of the last and of the first checker, in a nameless file beside the target."""
    n, n_first = header.n_positions, 0
    if header.gammons:
        n_first = 1 + n - n_fewer_checkers(header.space, CHECKERS)
    with reported(target), tempfile.TemporaryFile(dir=target.absolute().parent) as scratch:
        n_bytes = 2 * WIDTH * (n + n_first)
        scratch.truncate(n_bytes)
        claim(scratch.fileno(), 0, n_bytes)
        rows = np.frombuffer(mmap.mmap(scratch.fileno(), n_bytes), dtype=np.uint16).reshape(-1, WIDTH)
        yield rows[:n], rows[n:] if header.gammons else None


def _join_rows(
    header: Header, last: npt.NDArray[np.uint16], first: npt.NDArray[np.uint16] | None, start: int, stop: int
) -> npt.NDArray[np.uint16]:
    """Join the rows of both distributions."""
    if first is None:
        return last[start:stop, np.newaxis]
    # Row 0 is for all positions whose first checker is off already.
    places = np.arange(start, stop) - n_fewer_checkers(header.space, CHECKERS) + 1
    return np.stack((last[start:stop], first[np.maximum(places, 0)]), axis=1)


def _make_pairs(descriptor: int, header: Header, n_threads: int, memory_bytes: int, progress: Progress | None) -> None:
    space, n = header.space, header.n_positions
    os.truncate(descriptor, HEADER_BYTES + header.body_bytes)
    claim(descriptor, 0, HEADER_BYTES + header.body_bytes)
    view = mmap.mmap(descriptor, HEADER_BYTES + header.body_bytes)
    view[:HEADER_BYTES] = header.pack()
    table = np.frombuffer(view, dtype=np.int16, offset=HEADER_BYTES).reshape(n, n, len(Plane))
    graph = two_sided_kernel.Graph(space.kernel, np.arange(n), n_threads)
    two_sided_kernel.solve(
        graph,
        table,
        scale=2,
        gnubg=True,
        memory_bytes=min(working_set_bytes(space, n_threads)[1], memory_bytes - _PROGRAM_BYTES),
        n_threads=n_threads,
        progress=_of_levels(progress),
    )
    _put_in_order(table.view("<u8").reshape(n, n), graph.indices())
    view.flush()


def _put_in_order(table: npt.NDArray[np.uint64], order: npt.NDArray[np.int64]) -> None:
    """Move rows and columns from ranks to indices, in place, and make the values unsigned.

    order: the index of each rank.
    """
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    moved = np.zeros(len(order), dtype=bool)
    for start in range(len(order)):
        if moved[start]:
            continue
        carried, place = table[start][rank] ^ _SIGNS, int(order[start])
        while place != start:
            carried, table[place] = table[place][rank] ^ _SIGNS, carried
            moved[place] = True
            place = int(order[place])
        table[start] = carried


def _of_levels(progress: Progress | None) -> LevelProgress | None:
    if progress is None:
        return None
    return lambda _level, done, total: progress(done, total)
