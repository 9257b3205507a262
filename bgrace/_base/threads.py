"""How many threads to use."""

from __future__ import annotations

import operator
import os
from typing import Final

from bgrace.errors import ArgumentError

MAX_THREADS: Final = 256
"""More than that are taken for a mistake."""


def how_many(threads: int | None = None) -> int:
    """`threads` if that is a number of threads to work with; None for as many as there are processors to run on."""
    if threads is None:
        there_are = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return min(there_are, MAX_THREADS)
    try:
        number = operator.index(threads)
    except TypeError:
        raise ArgumentError(f"threads={threads!r} is not a whole number: give 1 to {MAX_THREADS}") from None
    if not 1 <= number <= MAX_THREADS:
        raise ArgumentError(f"{number} threads: give 1 to {MAX_THREADS}")
    return number
