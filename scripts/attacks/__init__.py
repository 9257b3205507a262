"""What scripts/attack.py tries: each module returns rows of its table."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import NamedTuple


class Tried(NamedTuple):
    """A row: what was tried, how often, and what failed."""

    what: str
    n: int
    failed: list[str]
    note: str = ""


def limit_memory(more: int) -> None:
    """So many bytes more than this process has now are all that it may have."""
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + more, resource.getrlimit(resource.RLIMIT_AS)[1]))
