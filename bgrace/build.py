"""Making a database file: solve, write, rename."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import numpy as np

from bgrace._kernels.threads import available
from bgrace.errors import ArgumentError, BuildError, MemoryLimitError
from bgrace.one_sided import solve_one_sided
from bgrace.positions import PositionSpace
from bgrace.store.writer import Writer
from bgrace.two_sided import MOST_CHECKERS, PLANES, SCALE, Progress, solve_two_sided

__all__ = ["BuildPlan", "build", "check_build", "plan_build"]

DEFAULT_TWO_SIDED: Final = 8
"""Checkers a side that a two-sided table covers unless something else is asked for."""

MOST_THREADS: Final = 256
"""More than any machine here can use, and few enough that their stacks always fit."""

_PAIRS_A_SECOND: Final = 12e6  # by one thread of an ordinary processor of 2022; for an estimate only
_POSITIONS_A_SECOND: Final = 1e6


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
        About how large the file will be, and how much memory the build needs.
    seconds : float
        About how long it will take on an ordinary machine.
    """

    points: int
    checkers: int
    two_sided: int
    positions: int
    pairs: int
    file_bytes: int
    memory_bytes: int
    seconds: float
    threads: int


def plan_build(
    points: int = 6, checkers: int = 15, two_sided: int | None = None, threads: int | None = None
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

    Returns
    -------
    BuildPlan

    Raises
    ------
    ArgumentError
        If a number is out of range.
    """
    space = PositionSpace(points, checkers)
    if two_sided is None:
        two_sided = min(DEFAULT_TWO_SIDED, checkers) if points == 6 else 0
    if not 0 <= two_sided <= min(checkers, MOST_CHECKERS):
        raise ArgumentError(
            f"two-sided tables for {two_sided} checkers a side: give 0 (none) to {min(checkers, MOST_CHECKERS)}, at most "
            "the checkers of the file, and fewer than 15 because gammons are not counted"
        )
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        raise ArgumentError(f"{threads} threads: give 1 to {MOST_THREADS}")
    n_threads = threads or min(available(), MOST_THREADS)
    pairs = len(PositionSpace(points, two_sided)) ** 2 if two_sided else 0
    # A row of the distribution has as many columns as the longest bearoff takes rolls; 31 on six points.
    width = 5 * points + 1
    row = 8 * (width + 3)
    memory = len(space) * (row + 4 * (21 + 18) + 16) + 16 * pairs
    seconds = len(space) / _POSITIONS_A_SECOND / n_threads + pairs / _PAIRS_A_SECOND / n_threads
    return BuildPlan(
        points, checkers, two_sided, len(space), pairs, len(space) * row + 8 * pairs, memory, seconds, n_threads
    )


def build(
    path: str | os.PathLike[str],
    points: int = 6,
    checkers: int = 15,
    two_sided: int | None = None,
    *,
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> BuildPlan:
    """Make a database file.

    The file appears under its name only when it is complete.  Until then, and if anything goes wrong, whatever stood
    there is untouched.

    Parameters
    ----------
    path : path-like
        The file to make.
    points, checkers, two_sided, threads
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
    plan = plan_build(points, checkers, two_sided, threads)
    target = Path(path)
    check_build(plan, target, force=force)
    with Writer(target, points, checkers, plan.two_sided, f"bgrace {_version()}") as writer:
        _write_one_sided(writer, PositionSpace(points, checkers), plan.threads)
        if plan.two_sided:
            _write_two_sided(writer, PositionSpace(points, plan.two_sided), plan.threads, progress)
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
        If the file is there and `force` is not given, or it is a folder.
    MemoryLimitError
        If the machine has too little memory.
    """
    target = Path(path)
    if target.is_dir():
        raise BuildError(f"{target} is a folder: name a file, such as {target / 'bearoff.h5'}")
    if target.exists() and not force:
        raise BuildError(f"{target} is there already: use force (--force) to replace it, or another name")
    memory = _memory_bytes()
    if plan.memory_bytes > memory:
        raise MemoryLimitError(
            f"{plan.points} points, {plan.checkers} checkers and {plan.two_sided} checkers two-sided need about "
            f"{plan.memory_bytes / 2**30:.1f} GiB, this machine has {memory / 2**30:.1f} GiB: ask for fewer points or "
            "fewer two-sided checkers"
        )


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


def _write_two_sided(writer: Writer, space: PositionSpace, threads: int, progress: Progress | None) -> None:
    n = len(space)
    order = writer.add("two_sided/order", (n,))
    equities = writer.add("two_sided/equities", (n, n, len(PLANES)), scale=SCALE, planes=list(PLANES))
    order[...] = solve_two_sided(space, threads, progress, out=np.asarray(equities)).order


def _memory_bytes() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 2**63


def _version() -> str:
    try:
        return version("bgrace")
    except PackageNotFoundError:
        return "unknown"
