"""Database files with any tables in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bgrace._base.arrays import JSON
from bgrace.database.store.writer import Work, Writer, database_target

__all__ = ["written"]


@contextmanager
def written(path: Path, work: Work, **attributes: JSON) -> Iterator[Writer]:
    """A file that is finished, and has its name, when the block is left."""
    with database_target(path, work) as target, Writer(target, work, attributes=attributes) as writer:
        yield writer
