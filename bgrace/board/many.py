"""Many positions at once: arrays of checker counts, read and checked as far as their numbers go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bgrace.board.position import MAX_POINTS
from bgrace.errors import PositionError


def is_one(pos: object) -> bool:
    """Whether this is one position, as text or counts, and not an array of them.

    Examples
    --------
    >>> is_one("6x1"), is_one((0, 1)), is_one([[0, 1]]), is_one([[0, 1], [0]])
    (True, True, False, False)
    """
    if isinstance(pos, tuple) and pos and isinstance(pos[0], int):
        return True  # the short way for what is asked most
    if isinstance(pos, str) or _is_long(pos):
        return True
    try:
        return np.ndim(pos) == 1  # type: ignore[arg-type]
    except ValueError:  # rows that differ in length
        return False


def _is_long(pos: object) -> bool:
    """Whether this is a sequence of numbers, and of more than a position has: not to be read through."""
    if isinstance(pos, (range, Sequence)) and not isinstance(pos, str) and len(pos) > MAX_POINTS:
        return isinstance(pos[0], (int, np.integer))
    return False


def read_counts(pos: object) -> npt.NDArray[Any]:
    """Read an array of integers with at least one axis; how large they are, and how many, is for the caller to check.

    Examples
    --------
    >>> read_counts([[0, 1], [2, 0]]).shape
    (2, 2)
    """
    if _is_long(pos):
        raise PositionError(f"a position with more than {MAX_POINTS} points: give 1 to {MAX_POINTS} counts")
    try:
        counts = np.asarray(pos)
    except ValueError:
        raise PositionError(f"{pos!r} is not an array of positions: its rows differ in length") from None
    if np.any(getattr(pos, "mask", False)):
        raise PositionError("a masked array with hidden counts is not an array of positions: leave these rows out")
    if counts.dtype.kind == "U":
        raise PositionError(
            "several texts are not an array of positions: read each with bgrace.parse_position, or give counts"
        )
    if counts.dtype.kind not in "iu":
        raise PositionError(f"counts must be integers, not {counts.dtype}: give such as 5,1,8")
    if counts.ndim == 0:
        raise PositionError(f"{pos!r} is a number, not a position: give counts such as 5,1,8")
    return counts
