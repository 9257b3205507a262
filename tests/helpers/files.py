"""Database files with any tables in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bgrace._base.arrays import JSON
from bgrace._base.progress import Progress
from bgrace.database.building import checked_target, plan_build
from bgrace.database.packing import write_packed
from bgrace.database.store.writer import Work, Writer, database_target

__all__ = ["build_packed", "written"]


@contextmanager
def written(path: Path, work: Work, **attributes: JSON) -> Iterator[Writer]:
    """A file that is finished, and has its name, when the block is left."""
    with database_target(path, work) as target, Writer(target, work, attributes=attributes) as writer:
        yield writer


def build_packed(path: Path, *shape: int, force: bool = False, progress: Progress | None = None) -> None:
    """Build and pack at once, as ``bgrace build --pack``."""
    plan = plan_build(*shape)
    write_packed(plan, checked_target(plan, path, packed=True, force=force), progress)
