"""Building and packing at once."""

from __future__ import annotations

import os
from pathlib import Path

from bgrace._base.files import check_target, real_target
from bgrace._base.progress import Progress
from bgrace.database.building import BuildPlan, build, check_build, plan_build
from bgrace.database.packing.lossless import PackReport, pack
from bgrace.database.store import read_tables
from bgrace.errors import BuildError

__all__ = ["build_packed", "check_build_packed", "plain_path"]


def plain_path(path: Path) -> Path:
    """Where the plain file is until it has been packed."""
    return path.with_name(path.name + ".plain")


def check_build_packed(plan: BuildPlan, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Raise what `build_packed` would raise before it begins, without making anything.

    Parameters
    ----------
    plan : BuildPlan
    path, force
        As for `build_packed`.

    Raises
    ------
    ArgumentError
        If SOURCE_DATE_EPOCH is set to what is not a time.
    BuildError
        If the file is there and `force` is not given, it is a folder or a device, there is no room for it, or
        NAME.plain is a link.
    """
    target = real_target(path)
    check_target(target, plan.disk_bytes * 5 // 4, force=force, smaller="fewer two-sided checkers (--two-sided)")
    plain = plain_path(target)
    if plain.is_symlink():
        raise BuildError(f"{plain} is a link, and a plain file has that name until it is packed: move the link away")
    if force or not plain.exists():  # else it is what an earlier run came to, and has what it needs
        check_build(plan, plain, force=force)


def build_packed(
    path: str | os.PathLike[str],
    points: int = 6,
    checkers: int = 15,
    two_sided: int | None = None,
    *,
    threads: int | None = None,
    memory_bytes: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> tuple[BuildPlan, PackReport]:
    """Make a packed file: a plain one beside it, NAME.plain, which vanishes when it has been packed.

    What was stopped goes on where it was when it is run again with the same arguments.

    Parameters
    ----------
    path, points, checkers, two_sided, threads, memory_bytes, force
        As for `bgrace.build`.
    progress : callable, optional
        Called with the work done and the work to do, first of the building and then of the packing.

    Returns
    -------
    BuildPlan, PackReport

    Raises
    ------
    ArgumentError, MemoryLimitError
        As `bgrace.build` does, and if there are no pairs to be packed.
    BuildError
        If the file is there, or a plain file of other tables, and `force` is not given, or it cannot be written.
    """
    plan = plan_build(points, checkers, two_sided, threads, memory_bytes)
    check_build_packed(plan, path, force=force)
    target = real_target(path)
    plain = plain_path(target)
    if force or not plain.exists():
        build(
            plain,
            plan.points,
            plan.checkers,
            plan.two_sided,
            threads=threads,
            memory_bytes=memory_bytes,
            force=force,
            progress=progress,
        )
    else:  # what an earlier run came to
        directory = read_tables(plain).directory
        found = directory.points, directory.checkers, directory.two_sided_checkers, directory.match
        if found != (plan.points, plan.checkers, plan.two_sided, None):
            raise BuildError(f"{plain} has other tables: move it away, or use force (--force) to replace it")
    report = pack(plain, target, threads=threads, force=force, progress=progress)
    plain.unlink()
    return plan, report
