"""Values that may be missing, in a test where they are there."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def known(value: T | None) -> T:
    """Give the value; a test in which it is missing fails."""
    assert value is not None
    return value
