"""The two sides of a race, one pair or many, and what counts ask about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from bgrace._base.arrays import Integers
from bgrace.board import HOME_POINTS, MAX_CHECKERS, MAX_POINTS, OnePosition, Positions, parse_position
from bgrace.board.spaces import is_one, read_counts
from bgrace.errors import PositionError

AnyPositions: TypeAlias = OnePosition | Positions
"""One position (counts, ace point first, or text), or an array of int whose last axis is the points."""


@dataclass(frozen=True, slots=True)
class Side:
    """Checkers of one side, and what the counts ask about them."""

    points: Integers  # shape (..., 24)

    def on(self, point: int) -> Integers:
        """Checkers on a point."""
        return np.asarray(self.points[..., point - 1])

    def beyond(self, point: int, free: int) -> Integers:
        """Checkers on a point beyond the first few."""
        return np.maximum(self.on(point) - free, 0)

    @property
    def pips(self) -> Integers:
        """Pip count."""
        return np.asarray(self.points @ np.arange(1, MAX_POINTS + 1))

    @property
    def checkers(self) -> Integers:
        """Checkers left."""
        return np.asarray(self.points.sum(axis=-1))

    @property
    def covered(self) -> Integers:
        """Occupied points of the home board."""
        return np.asarray(np.count_nonzero(self.points[..., :HOME_POINTS], axis=-1))

    @property
    def outside(self) -> Integers:
        """Checkers outside the home board."""
        return np.asarray(self.points[..., HOME_POINTS:].sum(axis=-1))

    @property
    def crossovers(self) -> Integers:
        """Quarters of the board to be crossed until all checkers are home."""
        return np.asarray(self.points @ (np.arange(MAX_POINTS) // HOME_POINTS))


def _side(pos: Any, name: str) -> Side:
    """Read positions; PositionError names the side."""
    if is_one(pos):
        counts = np.array(parse_position(pos).resized(MAX_POINTS), dtype=np.int64)
    else:
        given = read_counts(pos)
        if not 1 <= given.shape[-1] <= MAX_POINTS:
            raise PositionError(f"{name} of shape {given.shape}: the last axis lists 1 to {MAX_POINTS} points")
        if given.size and (given.min() < 0 or given.max() > MAX_CHECKERS):
            raise PositionError(
                f"{name} has counts of {given.min()} to {given.max()}: give 0 to {MAX_CHECKERS} checkers"
            )
        counts = np.zeros((*given.shape[:-1], MAX_POINTS), dtype=np.int64)
        counts[..., : given.shape[-1]] = given
    checkers = counts.sum(axis=-1)
    if checkers.size and not (checkers.min() > 0 and checkers.max() <= MAX_CHECKERS):
        wrong = checkers.min() if checkers.min() <= 0 else checkers.max()
        raise PositionError(f"{name} has {wrong} checkers left: counts are for 1 to {MAX_CHECKERS} a side")
    return Side(counts)


def sides(on_roll: AnyPositions, opponent: AnyPositions) -> tuple[Side, Side]:
    """Read both sides; PositionError names the one that is wrong."""
    own, other = _side(on_roll, "on_roll"), _side(opponent, "opponent")
    try:
        np.broadcast_shapes(own.points.shape, other.points.shape)
    except ValueError:
        raise PositionError(
            f"{own.points.shape[:-1]} positions on roll and {other.points.shape[:-1]} of the opponent do not go "
            "together: give one against many, or as many of each"
        ) from None
    return own, other


def more(a: Integers, b: Integers) -> Integers:
    """How much a is more than b, 0 if it isn't."""
    return np.asarray(np.maximum(a - b, 0))
