"""What the benchmarks share: the clock, and claims that a run has to meet."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

failures: list[str] = []
"""Claims that `check` found wrong."""


def seconds(work: Callable[[], object]) -> float:
    """Wall-clock time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def median(work: Callable[[], object], repeats: int) -> float:
    """Median of the wall-clock time of a call, in seconds."""
    return statistics.median(seconds(work) for _ in range(repeats))


def spread(times: Sequence[float]) -> dict[str, float]:
    """Median and extremes."""
    return {"median": statistics.median(times), "least": min(times), "greatest": max(times)}


def load() -> str:
    """How busy the machine has been."""
    return " ".join(f"{load:.1f}" for load in os.getloadavg()) + " (1, 5, 15 minutes, at the end)"


def installed(compiled: Path) -> dict[str, str]:
    """The environment of a command that is to start as an installed one does, whatever this environment says.

    Its modules are compiled when they are first imported, and kept in a folder of their own; run it once first.
    """
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return inherited | {"PYTHONPYCACHEPREFIX": str(compiled)}


def check(text: str, passed: bool) -> None:
    """Print a claim and whether it holds."""
    print(f"  {'ok  ' if passed else 'FAIL'}  {text}")
    if not passed:
        failures.append(text)
