"""How long an answer may take."""

from __future__ import annotations

from typing import Final

from bgrace._base.arrays import as_number
from bgrace.errors import ArgumentError

DEFAULT_SECONDS: Final = 3.0
"""For one question, about."""

MAX_SECONDS: Final = 1_000_000
"""Eleven days.  For an exact solution, however long it takes, there is `precision`."""


def checked_seconds(seconds: float) -> float:
    """Return a number of seconds if it is one to compute for; an answer that may take for ever would."""
    problem = f"seconds={seconds!r:.80}: give more than 0, {MAX_SECONDS:,} at most"
    number = as_number(seconds, problem)
    if not 0 < number <= MAX_SECONDS:
        raise ArgumentError(problem)
    return number
