"""How long an answer may take, and how much of the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bgrace._base.arrays import as_number
from bgrace._base.memory import PAIR_MEMORY, checked_memory
from bgrace._base.threads import how_many
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


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an answer, checked: `threads` None is a thread per processor."""

    seconds: float = DEFAULT_SECONDS
    memory_bytes: int = PAIR_MEMORY
    threads: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "seconds", checked_seconds(self.seconds))
        object.__setattr__(self, "memory_bytes", checked_memory(self.memory_bytes))
        how_many(self.threads)

    @property
    def n_threads(self) -> int:
        """How many threads to compute with."""
        return how_many(self.threads)


DEFAULT_LIMITS: Final = Limits()
