"""What is checked of the model's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bgrace.errors import ArgumentError

__all__ = ["MAX_POINTS", "as_pair", "check_doubles", "check_points", "check_range"]

MAX_POINTS: Final = 64
"""Longest match that a model is solved for."""


def as_pair(value: float | Sequence[float]) -> tuple[float, float]:
    """One number for both players, or one for each."""
    if isinstance(value, int | float):
        return (value, value)
    first, second = value
    return (first, second)


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Raise ArgumentError unless a number lies between two others."""
    if not isinstance(value, int | float) or not low <= value <= high:
        raise ArgumentError(f"{name}={value!r} is out of range: give {low:g} to {high:g}")


def check_points(needs: int) -> None:
    """Raise ArgumentError unless the points needed are a number that a match can have."""
    if not isinstance(needs, int) or isinstance(needs, bool) or needs > MAX_POINTS:
        raise ArgumentError(f"{needs!r} points to go: give whole numbers up to {MAX_POINTS}")


def check_doubles(x1: int, x2: int) -> None:
    """Raise ArgumentError unless there are take points at a score."""
    for needs in (x1, x2):
        check_points(needs)
        if needs < 2:
            raise ArgumentError(f"x1={x1}, x2={x2}: take points are for scores at which both sides need 2 or more")
