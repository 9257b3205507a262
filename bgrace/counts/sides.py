"""The two sides of a race, one pair or many, as the counts take them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bgrace.board import MAX_CHECKERS, MAX_POINTS, OnePosition, Positions, parse_position
from bgrace.board.spaces import is_one, read_counts
from bgrace.errors import PositionError

AnyPositions: TypeAlias = OnePosition | Positions
"""One position (counts, ace point first, or text), or an array of int whose last axis is the points."""

Side: TypeAlias = npt.NDArray[np.int8]
"""Shape (..., 24)."""


def _side(pos: Any, name: str) -> Side:
    """Read positions; PositionError names the side."""
    if is_one(pos):
        counts = np.array(parse_position(pos).resized(MAX_POINTS), dtype=np.int8)
    else:
        given = read_counts(pos)
        if not 1 <= given.shape[-1] <= MAX_POINTS:
            raise PositionError(f"{name} of shape {given.shape}: the last axis lists 1 to {MAX_POINTS} points")
        if given.size and (given.min() < 0 or given.max() > MAX_CHECKERS):
            raise PositionError(
                f"{name} has counts of {given.min()} to {given.max()}: give 0 to {MAX_CHECKERS} checkers"
            )
        counts = np.zeros((*given.shape[:-1], MAX_POINTS), dtype=np.int8)
        counts[..., : given.shape[-1]] = given
    checkers = counts.sum(axis=-1)
    if checkers.size and not (checkers.min() > 0 and checkers.max() <= MAX_CHECKERS):
        wrong = checkers.min() if checkers.min() <= 0 else checkers.max()
        raise PositionError(f"{name} has {wrong} checkers left: counts are for 1 to {MAX_CHECKERS} a side")
    return counts


def sides(on_roll: AnyPositions, opponent: AnyPositions) -> tuple[Side, Side]:
    """Read both sides; PositionError names the one that is wrong."""
    own, other = _side(on_roll, "on_roll"), _side(opponent, "opponent")
    try:
        np.broadcast_shapes(own.shape, other.shape)
    except ValueError:
        raise PositionError(
            f"{own.shape[:-1]} positions on roll and {other.shape[:-1]} of the opponent do not go "
            "together: give one against many, or as many of each"
        ) from None
    return own, other
