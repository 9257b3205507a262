"""Making a database file: solve, write, rename."""

from __future__ import annotations

import os

from bgrace._base.limits import Progress
from bgrace._base.version import VERSION
from bgrace.board.spaces import PositionSpace
from bgrace.database.building.plan import (
    DEFAULT_TWO_SIDED,
    PAIR_BYTES,
    BuildPlan,
    layers_work,
    packed_bytes,
    plan_build,
)
from bgrace.database.building.tables import write_one_sided, write_pairs
from bgrace.database.store.target import Target
from bgrace.database.store.writer import Work, Writer, creation_time, database_target, write_archive

__all__ = [
    "DEFAULT_TWO_SIDED",
    "BuildPlan",
    "Progress",
    "build",
    "checked_target",
    "generator_name",
    "packed_bytes",
    "plan_build",
    "work_of",
    "write_file",
    "write_one_sided",
    "write_tables",
]


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
    target = database_target(path, work_of(plan), force=force)
    n_bytes = plan.disk_bytes
    if packed:  # beside the plain file that it is made of
        n_bytes += packed_bytes(plan.disk_bytes - PAIR_BYTES * plan.pairs, plan.pairs)
    target.check(n_bytes, "fewer points or two-sided checkers (--two-sided)")
    return target


def write_file(plan: BuildPlan, target: Target, progress: Progress | None) -> None:
    """Make the file of a plan."""
    with target:
        with Writer(target, work_of(plan), target.plain if plan.compress else None) as writer:
            write_tables(writer, plan, progress)
        if plan.compress:
            write_archive(target, writer, _packing_progress(plan, progress))


def write_tables(writer: Writer, plan: BuildPlan, progress: Progress | None) -> None:
    """Solve all that a plan has, and write it."""
    one_sided = write_one_sided(writer, PositionSpace(plan.points, plan.checkers), plan, progress)
    if plan.two_sided:
        write_pairs(writer, PositionSpace(plan.points, plan.two_sided), plan, one_sided, progress)


def work_of(plan: BuildPlan) -> Work:
    """The contents of a plan's file."""
    return Work(plan.points, plan.checkers, plan.two_sided, generator_name(), plan.gammons)


def _packing_progress(plan: BuildPlan, progress: Progress | None) -> Progress:
    """Progress of compression, reported as the last tenth of the work."""

    def report(done: int, total: int) -> None:
        if progress is not None:
            work = plan.pairs + layers_work(plan.points, plan.checkers)
            progress(work + work * done // (9 * total), work + work // 9)

    return report


def generator_name() -> str:
    """The maker that a file names: program and version."""
    return f"bgrace {VERSION}"
