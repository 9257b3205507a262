"""Limits of an answer: seconds, memory and threads."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from bgrace._base.arrays import as_integer, as_number

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the work done and the work to do; may raise to stop."""

DEFAULT_SECONDS: Final = 3.0
"""Approximate time limit of one question."""

MAX_SECONDS: Final = 1_000_000
"""Eleven days.  The option `exact` has no time limit."""

DEFAULT_MEMORY: Final = 8 << 30
"""Bytes that a solution of one side, or of a pair at many scores, may use by default."""

PAIR_MEMORY: Final = 2 << 30
"""Bytes that the solution of one pair may use; a pair that needs more is solved by turns."""

MAX_THREADS: Final = 256
"""More threads than these are taken for a mistake."""


def checked_seconds(seconds: float) -> float:
    """Return a number of seconds: more than 0, at most MAX_SECONDS."""
    problem = f"seconds={seconds!r:.80}: give more than 0, {MAX_SECONDS:,} at most"
    return as_number(seconds, problem, math.ulp(0.0), MAX_SECONDS)


def checked_memory(memory_bytes: int) -> int:
    """Return a number of bytes: 0 or more, cut to 2^63 - 1."""
    problem = f"memory_bytes={memory_bytes!r} is not a number of bytes: give one, such as 8 << 30"
    return min(as_integer(memory_bytes, problem, 0), (1 << 63) - 1)  # the greatest that C takes


def checked_threads(threads: int | None = None) -> int:
    """Return a number of threads: from 1 to MAX_THREADS; None is one per available processor."""
    if threads is None:
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return min(processors, MAX_THREADS)
    return as_integer(threads, f"threads={threads!r}: give a whole number from 1 to {MAX_THREADS}", 1, MAX_THREADS)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an answer, checked; `threads` is None for one thread per processor."""

    seconds: float = DEFAULT_SECONDS
    memory_bytes: int = PAIR_MEMORY
    threads: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "seconds", checked_seconds(self.seconds))
        object.__setattr__(self, "memory_bytes", checked_memory(self.memory_bytes))
        checked_threads(self.threads)

    @property
    def n_threads(self) -> int:
        """Number of threads to compute with."""
        return checked_threads(self.threads)


DEFAULT_LIMITS: Final = Limits()


def memory_limit(memory_bytes: int | None = None) -> int:
    """Return the number of bytes to use: the given one, or three quarters of the machine's memory."""
    return machine_bytes() * 3 // 4 if memory_bytes is None else checked_memory(memory_bytes)


def memory_text(n_bytes: int) -> str:
    """Write a size in memory with three digits, in powers of 1024; sizes of files are written in powers of 1000.

    Examples
    --------
    >>> memory_text(8 << 30), memory_text(70 << 30), memory_text(500_000), memory_text(0), memory_text(1)
    ('8.00 GiB', '70.0 GiB', '488 KiB', '0 bytes', '1 byte')
    """
    for unit, name in ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if n_bytes >= unit:
            size = n_bytes / unit
            return f"{size:,.{2 if size < 10 else 1 if size < 100 else 0}f} {name}"
    return f"{n_bytes} byte{'' if n_bytes == 1 else 's'}"


def allowed_text(n_bytes: int) -> str:
    """Say how much memory may be used, for messages.

    Examples
    --------
    >>> allowed_text(8 << 30), allowed_text(1)
    ('8.00 GiB are allowed', '1 byte is allowed')
    """
    return f"{memory_text(n_bytes)} {'is' if n_bytes == 1 else 'are'} allowed"


def machine_bytes() -> int:
    """Memory of the machine, or of the container that this process is confined to."""
    limits = [2**63]
    with suppress(AttributeError, OSError, ValueError):
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):  # "max" where there is no limit
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii")))
    return min(limits)
