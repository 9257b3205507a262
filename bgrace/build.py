"""Making a database file: solve, write, rename."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, TypeAlias

from bgrace._kernels.threads import how_many
from bgrace.errors import ArgumentError, BuildError, MemoryLimitError
from bgrace.one_sided import solve_one_sided
from bgrace.positions import PositionSpace
from bgrace.store.writer import Writer, partial_path
from bgrace.two_sided import (
    GAMMON_CHECKERS,
    PLANES,
    scale_for,
    solve_two_sided,
    two_sided_order,
    working_set_bytes,
)

__all__ = ["BuildPlan", "Progress", "build", "check_build", "plan_build"]

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done and how much there is to do; may raise to stop the work."""

DEFAULT_TWO_SIDED: Final = 8
"""Checkers a side that a two-sided table covers unless something else is asked for."""

_PAIRS_A_SECOND: Final = 12e6  # by one thread of an ordinary processor of 2022; for an estimate only
_POSITIONS_A_SECOND: Final = 1e6
_PROGRAM_BYTES: Final = 200 << 20  # Python, numpy, HDF5, and what is read of the file while it is written
_MOST_ROWS: Final = 1 << 18  # of a two-sided table: all of the bearoff is 54,264


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


def plan_build(
    points: int = 6,
    checkers: int = 15,
    two_sided: int | None = None,
    threads: int | None = None,
    memory_bytes: int | None = None,
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
    if two_sided is None:
        two_sided = min(DEFAULT_TWO_SIDED, checkers) if points == 6 else 0
    if not 0 <= two_sided <= checkers:
        raise ArgumentError(
            f"{two_sided} checkers two-sided: give 0, for no such table, to {checkers}, as many as the file is for"
        )
    n_threads = how_many(threads)
    limit = memory_bytes if memory_bytes is not None else _memory_bytes() * 3 // 4
    # A row of the distribution has as many columns as the longest bearoff takes rolls; 31 on six points.
    row = 8 * (5 * points + 1 + 3)
    one_sided = _PROGRAM_BYTES + len(space) * (row + 4 * (21 + 18) + 16)
    n = len(PositionSpace(points, two_sided)) if two_sided else 0
    least, most = working_set_bytes(PositionSpace(points, two_sided), n_threads) if 0 < n <= _MOST_ROWS else (0, 0)
    if n > _MOST_ROWS or max(one_sided, _PROGRAM_BYTES + least) > limit:
        raise MemoryLimitError(
            f"{points} points, {checkers} checkers and {two_sided} checkers two-sided need "
            f"{max(one_sided, _PROGRAM_BYTES + max(least, 8 * n * n * (n > _MOST_ROWS))) / 2**30:.1f} GiB of memory, "
            f"{limit / 2**30:.1f} GiB are allowed: ask for fewer points or fewer two-sided checkers, or allow more"
        )
    working_set = min(most, limit - _PROGRAM_BYTES)
    seconds = (len(space) / _POSITIONS_A_SECOND + n * n / _PAIRS_A_SECOND) / n_threads
    return BuildPlan(
        points,
        checkers,
        two_sided,
        len(space),
        n * n,
        len(space) * row + 8 * n * n,
        max(one_sided, _PROGRAM_BYTES + working_set),
        working_set,
        seconds,
        n_threads,
    )


def build(
    path: str | os.PathLike[str],
    points: int = 6,
    checkers: int = 15,
    two_sided: int | None = None,
    *,
    threads: int | None = None,
    memory_bytes: int | None = None,
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
    points, checkers, two_sided, threads, memory_bytes
        As for `plan_build`.
    force : bool
        Whether to replace a file that is there.
    progress : callable, optional
        Called with the work done and the work to do, in pairs of positions, during the two-sided part.

    Returns
    -------
    BuildPlan
        What was made.

    Raises
    ------
    ArgumentError
        If a number is out of range.
    BuildError
        If the file is there and `force` is not given, or it cannot be written.
    MemoryLimitError
        If the machine has too little memory.
    """
    plan = plan_build(points, checkers, two_sided, threads, memory_bytes)
    target = Path(path)
    check_build(plan, target, force=force)
    with Writer(
        target, points, checkers, plan.two_sided, f"bgrace {_version()}", plan.two_sided == GAMMON_CHECKERS
    ) as writer:
        _write_one_sided(writer, PositionSpace(points, checkers), plan.threads)
        if plan.two_sided:
            _write_two_sided(writer, PositionSpace(points, plan.two_sided), plan, progress)
    return plan


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
    target = Path(path)
    if not target.absolute().parent.is_dir():
        raise BuildError(f"{target} cannot be written: there is no folder {target.absolute().parent}; make it first")
    if target.is_dir():
        raise BuildError(f"{target} is a folder: name a file, such as {target / 'bearoff.h5'}")
    if target.exists() and not force:
        raise BuildError(f"{target} is there already: use force (--force) to replace it, or another name")
    if target.exists() and not target.is_file():
        raise BuildError(f"{target} is no ordinary file, and will not be replaced by one: use another name")
    # An unfinished file has its room already, and is gone on from or made anew.
    free = shutil.disk_usage(target.absolute().parent).free + _room_of(partial_path(target))
    if plan.file_bytes > free:
        raise BuildError(
            f"{target} will have about {plan.file_bytes:,} bytes, its folder has room for {free:,}: "
            "make room, or ask for fewer two-sided checkers"
        )


def _room_of(path: Path) -> int:
    """Bytes of the disk that a file takes; 0 if it is not there, or the system doesn't say."""
    try:
        return 512 * path.stat().st_blocks
    except (AttributeError, OSError):
        return 0


def _write_one_sided(writer: Writer, space: PositionSpace, threads: int) -> None:
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


def _write_two_sided(writer: Writer, space: PositionSpace, plan: BuildPlan, progress: Progress | None) -> None:
    n = len(space)
    order = writer.add("two_sided/order", (n,))
    equities = writer.add("two_sided/equities", (n, n, len(PLANES)), scale=scale_for(space), planes=list(PLANES))
    order[...] = two_sided_order(space)

    def report(level: int, done: int, total: int) -> None:
        writer.checkpoint(level)
        if progress is not None:
            progress(done, total)

    solve_two_sided(
        space,
        plan.threads,
        report,
        equities,
        first_level=writer.stage + 1 if writer.stage else 0,
        memory_bytes=plan.working_set_bytes,
    )


def _memory_bytes() -> int:
    """Memory of the machine, or of the container that this process is confined to."""
    limits = [2**63]
    with suppress(AttributeError, OSError, ValueError):
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):  # "max" where there is no limit
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii")))
    return min(limits)


def _version() -> str:
    try:
        return version("bgrace")
    except PackageNotFoundError:
        return "unknown"
