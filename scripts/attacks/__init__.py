"""What scripts/attack.py tries: each module returns rows of its table."""

from __future__ import annotations

from typing import NamedTuple


class Tried(NamedTuple):
    """A row: what was tried, how often, and what failed."""

    what: str
    n: int
    failed: list[str]
    note: str = ""
