"""Unwrap optional values in tests."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def known(value: T | None) -> T:
    """Return the value; fail the test if it is None."""
    assert value is not None
    return value
