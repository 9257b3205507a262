"""Making a database file: solve, write, rename."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bgrace._base.files import CAN_CLAIM
from bgrace._base.limits import Progress
from bgrace._kernels.kinds import KernelPairs
from bgrace._kernels.layer import Home, Layer
from bgrace.board.spaces import PositionSpace
from bgrace.database.building.plan import (
    PAIR_BYTES,
    PAIRS_A_POSITION,
    BuildPlan,
    layers,
    layers_work,
    packed_bytes,
    plan_build,
)
from bgrace.database.store.target import Target
from bgrace.database.store.writer import Writer, creation_time, database_target, write_archive
from bgrace.tables.one_sided import (
    CHANCE_SCALE,
    SINGLE_PLANES,
    GammonPairs,
    OneSidedTable,
    find_gammon_pairs,
    is_packed,
    layer_size,
    n_fewer_checkers,
    solve_one_sided,
)
from bgrace.tables.two_sided import (
    PLANES,
    SMALL_TABLE,
    PairFile,
    pairs_to_write,
    scale_for,
    solve_two_sided,
    two_sided_order,
)


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
    there is untouched.  The next build of that name removes the leftovers of a kill.

    Parameters
    ----------
    path : path-like
        The file to make.
    points, checkers, two_sided, threads, memory_bytes, compress
        As for `plan_build`.
    force : bool
        Whether to replace a file that is there.
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
        If a number is out of range, or SOURCE_DATE_EPOCH is set to what is not a time.
    BuildError
        If the file is there and `force` is not given, or it cannot be written.
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


def checked_target(
    plan: BuildPlan, path: str | os.PathLike[str], *, packed: bool = False, force: bool = False
) -> Target:
    """Where the file of a plan is to be made; raises all that can be wrong with it before it is begun."""
    creation_time()
    target = database_target(path, plan.contents, force=force)
    n_bytes = plan.disk_bytes
    if packed:  # beside the plain file that it is made of
        n_bytes += packed_bytes(plan.disk_bytes - PAIR_BYTES * plan.pairs, plan.pairs)
    target.check(n_bytes, "fewer points or two-sided checkers (--two-sided)")
    return target


def write_file(plan: BuildPlan, target: Target, progress: Progress | None) -> None:
    """Make the file of a plan."""
    with target:
        with Writer(target, plan.contents, target.plain if plan.compress else None) as writer:
            write_tables(writer, plan, progress)
        if plan.compress:
            write_archive(target, writer, _packing_progress(plan, progress))


def write_tables(writer: Writer, plan: BuildPlan, progress: Progress | None) -> None:
    """Solve all that a plan has, and write it."""
    one_sided = write_one_sided(writer, PositionSpace(plan.points, plan.checkers), plan, progress)
    if plan.two_sided:
        write_pairs(writer, PositionSpace(plan.points, plan.two_sided), plan, one_sided, progress)


def _packing_progress(plan: BuildPlan, progress: Progress | None) -> Progress:
    """Progress of compression, reported as the last tenth of the work."""

    def report(done: int, total: int) -> None:
        if progress is not None:
            work = plan.pairs + layers_work(plan.points, plan.checkers)
            progress(work + work * done // (9 * total), work + work // 9)

    return report


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
    if is_packed(space.points):
        _write_layers(writer, space, plan, progress)
        return None
    table = solve_one_sided(space, plan.threads)
    for name in ("epc", "mean_rolls", "variance_rolls", "roll_distribution", "first_checker_distribution"):
        array = getattr(table, name)
        if array is not None:
            writer.add(f"one_sided/{name}", array.shape)[...] = array
    return table


def _write_layers(writer: Writer, space: PositionSpace, plan: BuildPlan, progress: Progress | None) -> None:
    """One-sided tables on more than six points, layer by layer."""
    total = layers_work(space.points, space.checkers) + plan.pairs
    done = 0
    for checkers, first_checker in layers(space.points, space.checkers):
        size = layer_size(space.points, checkers)

        def report(level: int, part: int, parts: int, done: int = done, size: int = size) -> None:
            if progress is not None:
                progress((done + size * part // parts) * PAIRS_A_POSITION, total)

        if checkers == space.checkers:
            home = Home(checkers, checkers if first_checker else 1, plan.threads)
        layer = Layer(home, np.full(space.points, checkers, dtype=np.int8), True, plan.threads, report)
        if checkers == space.checkers:  # the largest comes first, and is the widest
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
            writer.let_go()
        done += size
        if checkers == 1 and moments:  # and before it comes the empty board
            for table in (*moments, first_roll):
                table[0] = 0
            chances[0] = 0
            chances[0, 0] = CHANCE_SCALE


def write_pairs(
    writer: Writer, space: PositionSpace, plan: BuildPlan, one_sided: OneSidedTable | None, progress: Progress | None
) -> None:
    """Solve every pair, and write the tables."""
    n, scale, work = len(space), scale_for(space), layers_work(plan.points, plan.checkers)

    def report(level: int, done: int, total: int) -> None:
        writer.let_go()
        if progress is not None:
            progress(work + done, work + total)

    row_crc32 = np.zeros(n, np.uint32)
    order = writer.add("two_sided/order", (n,))
    equities = writer.add("two_sided/equities", (n, n, len(PLANES)), scale=scale, planes=list(PLANES))
    order[...] = two_sided_order(space)
    gammons = None
    if plan.gammons:
        pairs = find_gammon_pairs(one_sided or solve_one_sided(space, plan.threads), two_sided_order(space))
        gammons = _add_gammons(writer, pairs, order, scale)
    with writer.writing("two_sided/equities") as (descriptor, offset):
        solve_two_sided(
            space,
            plan.threads,
            report,
            equities,
            gammons=gammons,
            file=PairFile(
                descriptor,
                offset,
                row_crc32,
                pairs_to_write(space),
                mapped=equities.nbytes <= SMALL_TABLE and CAN_CLAIM,
            ),
            memory_bytes=plan.working_set_bytes,
        )
    writer.set_row_sums(row_crc32)


def _add_gammons(writer: Writer, pairs: GammonPairs, order: npt.NDArray[np.int32], scale: int) -> KernelPairs:
    """Write which pairs these are, and make room for their values."""
    arrays: dict[str, npt.NDArray[Any]] = {
        "gammon/columns": pairs.columns(order),
        "gammon/winning_starts": pairs.winning_starts,
        "gammon/losing_starts": pairs.losing_starts,
    }
    for name, array in arrays.items():
        writer.add(name, array.shape)[...] = array
    winning, losing = (
        writer.add(name, (int(starts[-1]), len(SINGLE_PLANES)), scale=scale, planes=list(SINGLE_PLANES))
        for name, starts in (("gammon/winning", pairs.winning_starts), ("gammon/losing", pairs.losing_starts))
    )
    return pairs.column, pairs.winning_starts, winning, pairs.losing_starts, losing
