"""Making a database file: solve, write, rename."""

from __future__ import annotations

import operator
import os
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import ceil, sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._base.memory import memory_limit, memory_text
from bgrace._base.progress import Progress
from bgrace._kernels.threads import how_many
from bgrace.board.spaces import PositionSpace
from bgrace.database.store.files import check_target, real_target
from bgrace.database.store.writer import Writer, refuse_other_work
from bgrace.errors import ArgumentError, MemoryLimitError
from bgrace.tables.gammons import SINGLE_PLANES, GammonPairs, find_gammon_pairs
from bgrace.tables.layers import LayerSolver, layer_bytes, layer_size, row_bytes
from bgrace.tables.one_sided import OneSidedTable, n_fewer_checkers, solve_one_sided
from bgrace.tables.packed_rows import CHANCE_SCALE, is_packed
from bgrace.tables.two_sided import (
    GAMMON_CHECKERS,
    PLANES,
    GammonValues,
    scale_for,
    solve_two_sided,
    two_sided_order,
    working_set_bytes,
)

__all__ = [
    "BuildPlan",
    "Progress",
    "build",
    "check_build",
    "generator_name",
    "plan_build",
    "write_one_sided",
]

DEFAULT_TWO_SIDED: Final = 8
"""Checkers a side that a two-sided table covers unless something else is asked for."""

_PAIRS_A_SECOND: Final = 12e6  # by one thread of an ordinary processor of 2022; for an estimate only
_POSITIONS_A_SECOND: Final = 0.6e6
_PAIRS_A_POSITION: Final = 20  # that take as long
_LISTED_SHARE: Final = 0.02  # of all pairs, those in which a gammon matters
_PACKED_SHARE: Final = 0.75  # of a table that is left when it is compressed
_PACKED_A_SECOND: Final = 6e6  # bytes that compressing makes
_PROGRAM_BYTES: Final = 200 << 20  # Python, numpy, HDF5, and what is read of the file while it is written
_MOST_ROWS: Final = 1 << 18  # of a two-sided table: all of the bearoff is 54,264

_ROLL_ROWS: Final = ("one_sided/first_roll", "one_sided/roll_chances")
_FIRST_CHECKER_ROWS: Final = ("one_sided/first_checker_first_roll", "one_sided/first_checker_chances")


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """What a build will make.

    Attributes
    ----------
    points, checkers, two_sided : int
        What the file will cover; 0 for no two-sided table.
    positions, pairs : int
        Rows of the one-sided tables, entries of the two-sided one.
    file_bytes, memory_bytes : int
        About how large the file will be, and how much memory the build will use.
    working_set_bytes : int
        The part of the memory that the two-sided solver may use; the less, the slower.
    seconds : float
        About how long it will take on an ordinary machine.
    threads : int
    compress : bool
        Whether the file will be an archive.
    disk_bytes : int
        About how much of the disk the build will need.
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


def plan_build(
    points: int = 6,
    checkers: int = 15,
    two_sided: int | None = None,
    threads: int | None = None,
    memory_bytes: int | None = None,
    *,
    compress: bool = False,
) -> BuildPlan:
    """Say what a build would make, without making it.

    Parameters
    ----------
    points, checkers : int
        1 to 24, 1 to 15.
    two_sided : int, optional
        Checkers a side that the two-sided table covers, 0 for none.  Unless given: 8, or all if there are fewer; none
        on other than six points.
    threads : int, optional
        As many as there are processors, unless given.
    memory_bytes : int, optional
        The most memory that the build may use, file cache aside; three quarters of the machine's, unless given.
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
        If the build can't be done in that much memory.
    """
    space = PositionSpace(points, checkers)
    points, checkers = space.points, space.checkers
    if two_sided is None:
        two_sided = min(DEFAULT_TWO_SIDED, checkers) if points == 6 else 0
    two_sided = _integer("two_sided", two_sided)
    if not 0 <= two_sided <= checkers:
        raise ArgumentError(
            f"{two_sided} checkers two-sided: give 0, for no such table, to {checkers}, as many as the file is for"
        )
    n_threads = how_many(threads)
    limit = memory_limit(memory_bytes)
    rows_bytes, one_sided = _one_sided_bytes(space)
    n = len(PositionSpace(points, two_sided)) if two_sided else 0
    least, most = working_set_bytes(PositionSpace(points, two_sided), n_threads) if 0 < n <= _MOST_ROWS else (0, 0)
    if n > _MOST_ROWS or max(one_sided, _PROGRAM_BYTES + least) > limit:
        needed = max(one_sided, _PROGRAM_BYTES + max(least, 8 * n * n * (n > _MOST_ROWS)))
        raise MemoryLimitError(
            f"{points} points, {checkers} checkers and {two_sided} checkers two-sided need {memory_text(needed)} of "
            f"memory, {memory_text(limit)} are allowed: ask for fewer points or fewer two-sided checkers, or allow more"
        )
    working_set = min(most, limit - _PROGRAM_BYTES)
    seconds = (max(len(space), _layers_work(points, checkers) / _PAIRS_A_POSITION) / _POSITIONS_A_SECOND) / n_threads
    seconds += n * n / _PAIRS_A_SECOND / n_threads
    plain_bytes = rows_bytes + 8 * n * n + round(4 * n * n * _LISTED_SHARE) * (two_sided == GAMMON_CHECKERS)
    packed_bytes = round(_PACKED_SHARE * plain_bytes) if compress else 0
    return BuildPlan(
        points=points,
        checkers=checkers,
        two_sided=two_sided,
        positions=len(space),
        pairs=n * n,
        file_bytes=packed_bytes or plain_bytes,
        memory_bytes=max(one_sided, _PROGRAM_BYTES + working_set),
        working_set_bytes=working_set,
        seconds=seconds + packed_bytes / _PACKED_A_SECOND,
        threads=n_threads,
        compress=bool(compress),
        disk_bytes=plain_bytes + packed_bytes,
    )


def _integer(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name}={value!r} is no whole number: give one, such as 8") from None


def _one_sided_bytes(space: PositionSpace) -> tuple[int, int]:
    """About how large the one-sided tables are in a file, and how much memory making them takes."""
    if is_packed(space.points):
        # The spread of a sum of rolls grows with the root of their number, and so do the columns.
        row = row_bytes(ceil(1.5 * sqrt(space.points * space.checkers)))
        n_rows = len(space)
        if space.checkers == GAMMON_CHECKERS:
            n_rows += layer_size(space.points, space.checkers)
        return n_rows * row, _PROGRAM_BYTES + layer_bytes(space.points, space.checkers)
    # A row of the distribution has as many columns as the longest bearoff takes rolls; 31 on six points.
    row = 8 * (5 * space.points + 1 + 3)
    n_bytes = len(space) * row
    if space.checkers == GAMMON_CHECKERS:
        n_bytes += layer_size(space.points, space.checkers) * 8 * (space.points + 5)  # the first checker's; 11 on six
    return n_bytes, _PROGRAM_BYTES + len(space) * (row + 4 * (21 + 18) + 16)


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

    The file appears under its name only when it is complete.  Until then, and if anything goes wrong, whatever stood
    there is untouched.  A build that was stopped, by Ctrl-C or a kill, goes on where it was when it is run again with
    the same arguments.

    Parameters
    ----------
    path : path-like
        The file to make.
    points, checkers, two_sided, threads, memory_bytes, compress
        As for `plan_build`.
    force : bool
        Whether to replace a file that is there, and to drop an unfinished one of other tables.
    progress : callable, optional
        Called with the work done and the work to do, in pairs of positions or what takes as long, during the two-sided
        part and that on more than six points.

    Returns
    -------
    BuildPlan
        What was made.

    Raises
    ------
    ArgumentError
        If a number is out of range.
    BuildError
        If the file is there, or an unfinished one of other tables, and `force` is not given, or it cannot be written.
    MemoryLimitError
        If the machine has too little memory.
    """
    plan = plan_build(points, checkers, two_sided, threads, memory_bytes, compress=compress)
    check_build(plan, path, force=force)
    space = PositionSpace(plan.points, plan.checkers)
    with Writer(
        real_target(path),
        plan.points,
        plan.checkers,
        plan.two_sided,
        generator_name(),
        plan.two_sided == GAMMON_CHECKERS,
        drop_other=force,
        compress=_packing_progress(plan, progress) if compress else None,
    ) as writer:
        pairs = _gammon_pairs(space, plan, write_one_sided(writer, space, plan, progress))
        if plan.two_sided:
            _write_two_sided(writer, PositionSpace(plan.points, plan.two_sided), plan, pairs, progress)
    return plan


def _packing_progress(plan: BuildPlan, progress: Progress | None) -> Progress:
    """Reports of the compression of a table that is complete: as the last tenth of the work."""

    def report(done: int, total: int) -> None:
        if progress is not None:
            work = plan.pairs + _layers_work(plan.points, plan.checkers)
            progress(work + work * done // (9 * total), work + work // 9)

    return report


def check_build(plan: BuildPlan, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Raise what `build` would raise before it begins, without making anything.

    Parameters
    ----------
    plan : BuildPlan
    path, force
        As for `build`.

    Raises
    ------
    BuildError
        If the file is there and `force` is not given, it is a folder or a device, or there is no room for it.
    """
    check_target(Path(path), plan.disk_bytes, force=force, smaller="fewer points or two-sided checkers")
    if not force:
        refuse_other_work(real_target(path), plan.points, plan.checkers, plan.two_sided, generator=generator_name())


def write_one_sided(
    writer: Writer, space: PositionSpace, plan: BuildPlan, progress: Progress | None = None
) -> OneSidedTable | None:
    """Solve a space for one player alone, and write the tables; see `BuildPlan` and `Progress`.

    Returns
    -------
    OneSidedTable or None
        What was written, unless it was solved layer by layer.
    """
    if is_packed(space.points):
        _write_layers(writer, space, plan, progress)
        return None
    return _write_dense(writer, space, plan.threads)


def _write_dense(writer: Writer, space: PositionSpace, threads: int) -> OneSidedTable:
    table = solve_one_sided(space, threads)
    arrays = {
        "one_sided/epc": table.epc,
        "one_sided/mean_rolls": table.mean_rolls,
        "one_sided/variance_rolls": table.variance_rolls,
        "one_sided/roll_distribution": table.roll_distribution,
    }
    if table.first_checker_distribution is not None:
        arrays["one_sided/first_checker_distribution"] = table.first_checker_distribution
    for name, array in arrays.items():
        writer.add(name, array.shape)[...] = array
    return table


def _layers(points: int, checkers: int) -> list[tuple[int, bool]]:
    """What is solved one by one: each number of checkers, and all 15 again for the first one off."""
    if not is_packed(points):
        return []
    # The largest layer comes first: its distributions are the widest.
    return [(k, False) for k in range(checkers, 0, -1)] + [(checkers, True)] * (checkers == GAMMON_CHECKERS)


def _layers_work(points: int, checkers: int) -> int:
    """How long that takes, in units of a pair of positions."""
    return _PAIRS_A_POSITION * sum(layer_size(points, k) for k, _ in _layers(points, checkers))


def _write_layers(writer: Writer, space: PositionSpace, plan: BuildPlan, progress: Progress | None) -> None:
    """One-sided tables on more than six points.  The stage of the file is the number of layers that are in it."""
    total = _layers_work(space.points, space.checkers) + plan.pairs
    done, solver = 0, None
    for stage, (checkers, first_checker) in enumerate(_layers(space.points, space.checkers), 1):
        size = layer_size(space.points, checkers)
        if stage > writer.stage:
            if solver is None or first_checker:
                solver = LayerSolver(space.points, space.checkers, first_checker=first_checker, threads=plan.threads)

            def report(part: int, parts: int, done: int = done, size: int = size) -> None:
                if progress is not None:
                    progress((done + size * part // parts) * _PAIRS_A_POSITION, total)

            _write_layer(writer, space, solver, checkers, first_checker, report)
            writer.checkpoint(stage)
        done += size


def _write_layer(
    writer: Writer, space: PositionSpace, solver: LayerSolver, checkers: int, first_checker: bool, report: Progress
) -> None:
    layer = solver.solve(checkers, report)
    start, n = (0, layer.size) if first_checker else (n_fewer_checkers(space, checkers), len(space))
    names = _FIRST_CHECKER_ROWS if first_checker else _ROLL_ROWS
    _, width = writer.shape(names[1]) or (n, layer.width)
    first_roll = writer.add(names[0], (n,))
    chances = writer.add(names[1], (n, width), scale=CHANCE_SCALE)
    rows = slice(start, start + layer.size)
    if first_checker:
        layer.write(None, None, first_roll[rows], chances[rows])
        return
    mean_rolls = writer.add("one_sided/mean_rolls", (n,))
    variance_rolls = writer.add("one_sided/variance_rolls", (n,))
    layer.write(mean_rolls[rows], variance_rolls[rows], first_roll[rows], chances[rows])
    if checkers == 1:  # and before it comes the empty board
        mean_rolls[0] = variance_rolls[0] = first_roll[0] = 0
        chances[0] = 0
        chances[0, 0] = CHANCE_SCALE


def _gammon_pairs(space: PositionSpace, plan: BuildPlan, table: OneSidedTable | None) -> GammonPairs | None:
    """In which pairs a gammon matters, if both sides are to have all 15 checkers; `table`: one side, if it is there."""
    if plan.two_sided < GAMMON_CHECKERS:
        return None
    return find_gammon_pairs(table or solve_one_sided(space, plan.threads), two_sided_order(space))


def _write_two_sided(
    writer: Writer, space: PositionSpace, plan: BuildPlan, pairs: GammonPairs | None, progress: Progress | None
) -> None:
    n = len(space)
    before, work = len(_layers(plan.points, plan.checkers)), _layers_work(plan.points, plan.checkers)
    order = writer.add("two_sided/order", (n,))
    equities = writer.add("two_sided/equities", (n, n, len(PLANES)), scale=scale_for(space), planes=list(PLANES))
    order[...] = two_sided_order(space)
    gammons = None if pairs is None else _add_gammons(writer, pairs, order, scale_for(space))

    def report(level: int, done: int, total: int) -> None:
        writer.checkpoint(before + level)
        if progress is not None:
            progress(work + done, work + total)

    solve_two_sided(
        space,
        plan.threads,
        report,
        equities,
        gammons=gammons,
        first_level=writer.stage - before + 1 if writer.stage > before else 0,
        memory_bytes=plan.working_set_bytes,
    )


def _add_gammons(writer: Writer, pairs: GammonPairs, order: npt.NDArray[np.int32], scale: int) -> GammonValues:
    """Write which pairs these are, and make room for their values."""
    arrays: dict[str, npt.NDArray[Any]] = {
        "gammon/columns": pairs.columns(order),
        "gammon/winning_starts": pairs.winning_starts,
        "gammon/losing_starts": pairs.losing_starts,
    }
    for name, array in arrays.items():
        writer.add(name, array.shape)[...] = array
    winning, losing = (
        writer.add(name, (n, len(SINGLE_PLANES)), scale=scale, planes=list(SINGLE_PLANES))
        for name, n in (("gammon/winning", pairs.n_winning), ("gammon/losing", pairs.n_losing))
    )
    return GammonValues(pairs, winning, losing)


def generator_name() -> str:
    """What a file says of who made it: program and version."""
    try:
        return f"bgrace {version('bgrace')}"
    except PackageNotFoundError:
        return "bgrace unknown"
