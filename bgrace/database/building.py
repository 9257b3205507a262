"""Build a database file: plan its size, contents and duration, then solve, write and rename."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from bgrace._base.arrays import as_integer, check_flags
from bgrace._base.limits import Progress, allowed_text, checked_threads, memory_limit, memory_text
from bgrace._kernels.kinds import KernelPairs
from bgrace._kernels.one_sided import Home, Layer
from bgrace.board.spaces import PositionSpace
from bgrace.database.store.format import PAIRS_TABLE, Contents
from bgrace.database.store.target import Target
from bgrace.database.store.writer import Writer, creation_time, database_target, write_archive
from bgrace.errors import MemoryLimitError
from bgrace.tables import (
    CHANCE_SCALE,
    GAMMON_CHECKERS,
    PLANES,
    SINGLE_PLANES,
    GammonPairs,
    OneSidedTable,
    Plane,
    find_gammon_pairs,
    in_16_bits,
    layer_bytes,
    layer_size,
    n_fewer_checkers,
    scale_for,
    solve_one_sided,
    solve_two_sided,
    two_sided_order,
    working_set_bytes,
)

__all__ = ["BuildPlan"]

DEFAULT_TWO_SIDED: Final = 8
"""Default number of checkers a side in the table of pairs."""

_PAIR_BYTES: Final = 2 * len(Plane)
"""Bytes of one pair in a table."""

_PAIRS_A_POSITION: Final = 20
"""Number of pairs that take as long as one position of one player."""

_PAIRS_A_SECOND: Final = 16e6  # by one thread of an ordinary processor of 2022; for an estimate only
_POSITIONS_A_SECOND: Final = 0.6e6
_LISTED_SHARE: Final = 0.02  # share of pairs in which a gammon matters
_ARCHIVED_PAIRS: Final = 0.73  # size of a compressed table of pairs relative to the plain one,
_ARCHIVED_ROWS: Final = (0.38, 0.5)  # and of the other tables, on up to six points and on more
_CODES_SHARE: Final = (0.2, 0.14)  # the same for packed pairs, without gammons and with them
_FACTORS_BYTES: Final = 2600  # bytes per position in a packed file
_SMALL_PACKED_BYTES: Final = 128 << 10  # additional bytes if there are few
_HEAD_BYTES: Final = 8 << 10  # the directory, and HDF5's metadata of the whole file
_TABLE_BYTES: Final = 9 << 10  # metadata of each table of a plain file, in which tables begin on pages
_ARCHIVED_TABLE_BYTES: Final = 1 << 10  # metadata of each table of an archive
_ARCHIVED_A_SECOND: Final = 6e6  # bytes of compressed output
_PACKED_A_SECOND: Final = 4e6  # pairs, by one thread
PROGRAM_BYTES: Final = 200 << 20  # Python, numpy, HDF5, and parts of the file that are read while it is written
_MAX_ROWS: Final = 1 << 18  # rows of a table of pairs: the whole bearoff has 54,264


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """The contents, size and memory of a build.

    Attributes
    ----------
    points, checkers, two_sided : int
        Points and checkers of the file, and checkers a side of its two-sided table; 0 for no such table.
    positions, pairs : int
        Rows of the one-sided tables, entries of the two-sided one.
    file_bytes, memory_bytes : int
        Approximate size of the file, and memory that the build uses.
    working_set_bytes : int
        Part of the memory for the two-sided solver, which is slower with less.
    seconds : float
        Approximate duration on an ordinary machine.
    threads : int
    compress : bool
        Whether the file will be an archive.
    disk_bytes : int
        Approximate disk space that the build needs.
    """

    points: int
    checkers: int
    two_sided: int
    positions: int
    pairs: int
    file_bytes: int
    memory_bytes: int
    working_set_bytes: int
    seconds: float
    threads: int
    compress: bool
    disk_bytes: int

    @property
    def gammons(self) -> bool:
        """Whether gammons count in pairs: a loser with all 15 checkers loses double."""
        return self.two_sided == GAMMON_CHECKERS

    @property
    def contents(self) -> Contents:
        """The contents that the file will have."""
        return Contents(self.points, self.checkers, self.two_sided, self.gammons)


def plan_build(
    points: int = 6,
    checkers: int = 15,
    two_sided: int | None = None,
    threads: int | None = None,
    memory_bytes: int | None = None,
    *,
    compress: bool = False,
) -> BuildPlan:
    """Plan a build: contents, size, memory and time, without building.

    Parameters
    ----------
    points, checkers : int
        1 to 24, 1 to 15.
    two_sided : int, optional
        Checkers a side in the table of pairs, 0 for no table.  By default 8 on six points, or all if there are fewer,
        and 0 on other numbers of points.
    threads : int, optional
        By default one per processor.
    memory_bytes : int, optional
        The most memory that the build may use, except for the file cache; by default three quarters of the machine's.
    compress : bool
        Whether to make an archive: smaller, slower, and not to be mapped.

    Returns
    -------
    BuildPlan

    Raises
    ------
    ArgumentError
        If a number is out of range.
    MemoryLimitError
        If the build needs more memory.
    """
    check_flags(compress=compress)
    space = PositionSpace(points, checkers)
    points, checkers = space.points, space.checkers
    if two_sided is None:
        two_sided = min(DEFAULT_TWO_SIDED, checkers) if points == 6 else 0
    problem = f"{two_sided!r} checkers two-sided: give 0, for no such table, to {checkers}, as many as the file is for"
    two_sided = as_integer(two_sided, problem, 0, checkers)
    n_threads, limit = checked_threads(threads), memory_limit(memory_bytes)
    contents = Contents(points, checkers, two_sided, two_sided == GAMMON_CHECKERS)
    n = contents.n_pairs
    pairs_bytes = _PAIR_BYTES * n * n
    rows_bytes, one_sided = _one_sided_bytes(space)
    least = most = 0
    if 0 < n <= _MAX_ROWS:
        least, most = working_set_bytes(PositionSpace(points, two_sided), n_threads, in_file=True)
    if n > _MAX_ROWS or max(one_sided, PROGRAM_BYTES + least) > limit:
        needed = max(one_sided, PROGRAM_BYTES + (pairs_bytes if n > _MAX_ROWS else least))
        raise MemoryLimitError(
            f"{points} points, {checkers} checkers and {two_sided} checkers two-sided need "
            f"{memory_text(needed)} of memory, {allowed_text(limit)}: ask for fewer points or fewer "
            "two-sided checkers (--two-sided), or allow more"
        )
    working_set = min(most, limit - PROGRAM_BYTES)
    seconds = (max(len(space), _layers_work(points, checkers) / _PAIRS_A_POSITION) / _POSITIONS_A_SECOND) / n_threads
    seconds += n * n / _PAIRS_A_SECOND / n_threads
    pairs_bytes += round(4 * n * n * _LISTED_SHARE) * contents.gammons
    # In addition: labels of the positions of a home board, and checksums of rows of pairs.
    n_tables = len(contents.shapes) + (not in_16_bits(points)) + (two_sided > 0)
    plain_bytes = rows_bytes + pairs_bytes + _HEAD_BYTES + n_tables * _TABLE_BYTES
    archive_bytes = 0
    if compress:
        archive_bytes = round(_ARCHIVED_ROWS[in_16_bits(points)] * rows_bytes + _ARCHIVED_PAIRS * pairs_bytes)
        archive_bytes += _HEAD_BYTES + n_tables * _ARCHIVED_TABLE_BYTES
    return BuildPlan(
        points=points,
        checkers=checkers,
        two_sided=two_sided,
        positions=len(space),
        pairs=n * n,
        file_bytes=archive_bytes or plain_bytes,
        memory_bytes=max(one_sided, PROGRAM_BYTES + working_set),
        working_set_bytes=working_set,
        seconds=seconds + archive_bytes / _ARCHIVED_A_SECOND,
        threads=n_threads,
        compress=bool(compress),
        disk_bytes=plain_bytes + archive_bytes,
    )


def packed_plan(plan: BuildPlan) -> BuildPlan:
    """Plan the packed file that is made from the plain file of a plan."""
    n_bytes = packed_bytes(plan.contents, plan.file_bytes)
    seconds = plan.seconds + plan.pairs / _PACKED_A_SECOND / plan.threads
    return replace(plan, file_bytes=n_bytes, disk_bytes=plan.file_bytes + n_bytes, seconds=seconds)


def packed_bytes(contents: Contents, plain_bytes: int) -> int:
    """Estimate the size of a packed file from that of the plain one; rather too large than too small."""
    pairs_bytes = _PAIR_BYTES * contents.n_pairs**2
    codes = round(_CODES_SHARE[contents.gammons] * pairs_bytes)
    return plain_bytes - pairs_bytes + codes + _FACTORS_BYTES * contents.n_pairs + _SMALL_PACKED_BYTES


def _one_sided_bytes(space: PositionSpace) -> tuple[int, int]:
    """Estimate the size of the one-sided tables in a file, and the memory for solving them."""
    if in_16_bits(space.points):
        # The spread of a sum of rolls grows with the root of their number, and so do the columns.
        width = ceil(1.5 * sqrt(space.points * space.checkers))
        n_bytes = len(space) * (8 + 8 + 1 + 2 * width)  # mean, variance, first roll, and chances
        if space.checkers == GAMMON_CHECKERS:  # those of the first checker spread over fewer rolls
            n_bytes += layer_size(space.points, space.checkers) * (1 + 2 * ceil(width * space.points / 16))
        return n_bytes, PROGRAM_BYTES + layer_bytes(space.points, space.checkers)
    # The distribution has one column more than the rolls of 2-1 in the longest bearoff: 31 for 15 on six points.
    row = 8 * (max(ceil(space.points * space.checkers / 3), ceil(space.checkers / 2)) + 1 + 3)
    n_bytes = len(space) * (row + space.points)
    if space.checkers == GAMMON_CHECKERS:
        n_bytes += layer_size(space.points, space.checkers) * 8 * (space.points + 5)  # the first checker's; 11 on six
    return n_bytes, PROGRAM_BYTES + len(space) * (row + 4 * (21 + 18) + 16)


def _layers(points: int, checkers: int) -> list[tuple[int, bool]]:
    """The steps of a build: each number of checkers, and 15 once more for the first checker off."""
    if not in_16_bits(points):
        return []
    # The largest layer comes first: its distributions are the widest.
    return [(k, False) for k in range(checkers, 0, -1)] + [(checkers, True)] * (checkers == GAMMON_CHECKERS)


def _layers_work(points: int, checkers: int) -> int:
    """Cost of the steps, in pairs of positions."""
    return _PAIRS_A_POSITION * sum(layer_size(points, k) for k, _ in _layers(points, checkers))


def build(
    path: str | os.PathLike[str],
    points: int = 6,
    checkers: int = 15,
    two_sided: int | None = None,
    *,
    threads: int | None = None,
    memory_bytes: int | None = None,
    compress: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> BuildPlan:
    """Make a database file.

    The file appears under its name only when it is complete.  Until then, and after an error, an older file of that
    name is unchanged.  After a kill, the next build of that name removes the temporary files.

    Parameters
    ----------
    path : path-like
        The file to make.
    points, checkers, two_sided, threads, memory_bytes, compress
        As for `plan_build`.
    force : bool
        Whether to replace an existing file.
    progress : callable, optional
        Called with the work done and the work to do, in pairs of positions or work that takes as long, during the
        two-sided part and the part on more than six points.

    Returns
    -------
    BuildPlan
        The plan of the file.

    Raises
    ------
    ArgumentError
        If a number is out of range, or SOURCE_DATE_EPOCH is set, but not to a time.
    BuildError
        If the file exists and `force` is not given, or it cannot be written.
    MemoryLimitError
        If the machine has too little memory.

    Examples
    --------
    >>> import tempfile
    >>> import bgrace
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plan = bgrace.build(f"{folder}/two.h5", checkers=2)
    ...     with bgrace.open(f"{folder}/two.h5") as db:
    ...         print(plan.pairs, db)    # doctest: +ELLIPSIS
    784 <bgrace.Database ...two.h5: 6 points, 2 checkers, two-sided 2>
    """
    plan = plan_build(points, checkers, two_sided, threads, memory_bytes, compress=compress)
    write_file(plan, checked_target(plan, path, force=force), progress)
    return plan


def checked_target(plan: BuildPlan, path: str | os.PathLike[str], *, force: bool = False) -> Target:
    """Make the target of a plan's file; it is checked before any work begins."""
    creation_time()
    target = database_target(path, plan.contents, force=force)
    target.check(plan.disk_bytes, "fewer points or two-sided checkers (--two-sided)")
    return target


def write_file(plan: BuildPlan, target: Target, progress: Progress | None) -> None:
    """Make the file of a plan."""

    def report_packing(done: int, total: int) -> None:
        """Report compression as the last tenth of the work."""
        if progress is not None:
            work = plan.pairs + _layers_work(plan.points, plan.checkers)
            progress(work + work * done // (9 * total), work + work // 9)

    with target:
        with Writer(target, plan.contents, target.plain if plan.compress else None) as writer:
            write_tables(writer, plan, progress)
        if plan.compress:
            write_archive(target, writer, report_packing)


def write_tables(writer: Writer, plan: BuildPlan, progress: Progress | None) -> None:
    """Solve and write all tables of a plan."""
    one_sided = write_one_sided(writer, PositionSpace(plan.points, plan.checkers), plan, progress)
    if plan.two_sided:
        write_pairs(writer, PositionSpace(plan.points, plan.two_sided), plan, one_sided, progress)


# ------------------------------------------------------------------ tables

_ROLL_ROWS: Final = ("one_sided/first_roll", "one_sided/roll_chances")
_MOMENTS: Final = ("one_sided/mean_rolls", "one_sided/variance_rolls")
_FIRST_CHECKER_ROWS: Final = ("one_sided/first_checker_first_roll", "one_sided/first_checker_chances")

_ROWS: Final = 1 << 22
"""Bytes written per step, which bounds memory."""


def write_one_sided(
    writer: Writer, space: PositionSpace, plan: BuildPlan, progress: Progress | None = None
) -> OneSidedTable | None:
    """Solve a space for one player alone, and write the tables; None if it was solved layer by layer."""
    if in_16_bits(space.points):
        _write_layers(writer, space, plan, progress)
        return None
    table = solve_one_sided(space, plan.threads)
    for name in ("epc", "mean_rolls", "variance_rolls", "roll_distribution", "first_checker_distribution"):
        array = getattr(table, name)
        if array is not None:
            writer.add(f"one_sided/{name}", array.shape)[...] = array
    return table


def _write_layers(writer: Writer, space: PositionSpace, plan: BuildPlan, progress: Progress | None) -> None:
    """Write one-sided tables on more than six points, layer by layer."""
    total = _layers_work(space.points, space.checkers) + plan.pairs
    done = 0
    for checkers, first_checker in _layers(space.points, space.checkers):
        size = layer_size(space.points, checkers)

        def report(level: int, part: int, parts: int, done: int = done, size: int = size) -> None:
            if progress is not None:
                progress((done + size * part // parts) * _PAIRS_A_POSITION, total)

        if checkers == space.checkers:
            home = Home(checkers, checkers if first_checker else 1, plan.threads)
        layer = Layer(home, np.full(space.points, checkers, dtype=np.int8), True, plan.threads, report)
        if checkers == space.checkers:  # the largest layer comes first, and is the widest
            n = layer.size if first_checker else len(space)
            names = _FIRST_CHECKER_ROWS if first_checker else _ROLL_ROWS
            first_roll = writer.add(names[0], (n,))
            chances = writer.add(names[1], (n, layer.width), scale=CHANCE_SCALE)
            moments = [] if first_checker else [writer.add(name, (n,)) for name in _MOMENTS]
        start = 0 if first_checker else n_fewer_checkers(space, checkers)
        for first in range(0, layer.size, _ROWS):
            rows = slice(start + first, start + min(first + _ROWS, layer.size))
            mean_rolls, variance_rolls = (table[rows] for table in moments) if moments else (None, None)
            layer.write(mean_rolls, variance_rolls, first_roll[rows], chances[rows], first)
            writer.release_pages()
        done += size
        if checkers == 1 and moments:  # the empty board comes before it
            for table in (*moments, first_roll):
                table[0] = 0
            chances[0] = 0
            chances[0, 0] = CHANCE_SCALE


def write_pairs(
    writer: Writer, space: PositionSpace, plan: BuildPlan, one_sided: OneSidedTable | None, progress: Progress | None
) -> None:
    """Solve every pair, and write the tables."""
    n, scale, work = len(space), scale_for(space), _layers_work(plan.points, plan.checkers)

    def report(level: int, done: int, total: int) -> None:
        writer.release_pages()
        if progress is not None:
            progress(work + done, work + total)

    row_crc32 = np.zeros(n, np.uint32)
    order = writer.add("two_sided/order", (n,))
    equities = writer.add(PAIRS_TABLE, (n, n, len(PLANES)), scale=scale, planes=list(PLANES))
    order[...] = two_sided_order(space)
    gammons = None
    if plan.gammons:
        pairs = find_gammon_pairs(one_sided or solve_one_sided(space, plan.threads), order)
        gammons = _add_gammons(writer, pairs, order, scale)
    with writer.writing() as place:
        solve_two_sided(
            space,
            plan.threads,
            report,
            equities,
            gammons=gammons,
            file=(*place, row_crc32),
            memory_bytes=plan.working_set_bytes,
        )
    writer.set_row_sums(row_crc32)


def _add_gammons(writer: Writer, pairs: GammonPairs, order: npt.NDArray[np.int32], scale: int) -> KernelPairs:
    """Write the list of these pairs, and make room for their values."""
    columns = pairs.columns(order)
    writer.add("gammon/columns", columns.shape)[...] = columns
    kinds = {"winning": pairs.winning_starts, "losing": pairs.losing_starts}
    for kind, starts in kinds.items():
        writer.add(f"gammon/{kind}_starts", starts.shape)[...] = starts
    winning, losing = (
        writer.add(f"gammon/{kind}", (int(starts[-1]), len(SINGLE_PLANES)), scale=scale, planes=list(SINGLE_PLANES))
        for kind, starts in kinds.items()
    )
    return pairs.column, pairs.winning_starts, winning, pairs.losing_starts, losing
