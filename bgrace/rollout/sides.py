"""The sides of a rollout: where they stand, how they play, and which single checker runs along."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

import bgrace._kernels.rollout as kernel
from bgrace import scm
from bgrace._base.arrays import Floats, as_integer
from bgrace._base.limits import how_many
from bgrace.board import HOME_POINTS, MAX_CHECKERS, MAX_POINTS, Position, PositionLike, parse_position
from bgrace.board.dice import MEAN_PIPS
from bgrace.board.spaces import PositionSpace, space_of
from bgrace.errors import ArgumentError, MemoryLimitError, PositionError

__all__ = ["POLICIES", "Policy"]

Policy: TypeAlias = Literal["hi", "epc"]

POLICIES: Final[tuple[Policy, ...]] = get_args(Policy)
"""Names of the ways to play."""

_MAX_TABLE: Final = 1 << 22

_USUAL_WASTAGE: Final = 7.7
"""Pips that races waste; only how much the adjustment gains depends on it."""

_MODEL_PIPS: Final = 400
"""Pips of a single checker that no position of 15 checkers on 24 points needs."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side, ready to play."""

    position: Position
    policy: Policy
    space: PositionSpace
    kernel: kernel.Policy
    model_pips: int

    @property
    def counts(self) -> tuple[int, ...]:
        """Checkers on all 24 points."""
        return self.position.resized(MAX_POINTS)


def side_of(position: PositionLike, name: str, policy: str, points: int | None, threads: int | None = None) -> Side:
    """Check what is asked of a side, and solve the table that it plays by; errors call it `name`."""
    side = parse_position(position)
    if not side.checkers:
        raise PositionError(f"{name} has no checker left: the race is over")
    if policy not in POLICIES:
        raise ArgumentError(f"policy {policy!r} is unknown: use {' or '.join(POLICIES)}")
    highest = side.highest
    if points is None:
        points = max(HOME_POINTS, highest) if policy == "epc" else HOME_POINTS
    problem = f"points={points!r}: give a whole number from {HOME_POINTS} to {MAX_POINTS}"
    points = as_integer(points, problem, HOME_POINTS, MAX_POINTS)
    if policy == "epc" and highest > points:
        raise ArgumentError(
            f"{name} has a checker on point {highest}, and the table ends at {points}: give points={highest}, "
            'or the policy "hi"'
        )
    # All the table's own checkers, so that one table serves every position; fewer where that would be too large.
    checkers = MAX_CHECKERS if points == HOME_POINTS else side.checkers
    space = space_of(points, checkers)
    if len(space) > _MAX_TABLE:
        raise MemoryLimitError(
            f"a table of {checkers} checkers on {points} points has {len(space):,} positions, and {_MAX_TABLE:,} "
            'are allowed: use the policy "hi" with fewer points'
        )
    tables = tables_of(space, how_many(threads))
    mean_rolls = (side.pips + _USUAL_WASTAGE) / MEAN_PIPS
    if highest <= points:
        mean_rolls = float(tables.mean_rolls[space.index(side.resized(points))])
    return Side(side, policy, space, tables, int(np.searchsorted(_model_means(), mean_rolls)))


@lru_cache(maxsize=3)  # the home board, and one for either side
def tables_of(space: PositionSpace, n_threads: int) -> kernel.Policy:
    """Best results of every roll in a space."""
    return kernel.Policy(space.kernel, n_threads)


@lru_cache(maxsize=1)
def _model_means() -> Floats:
    """Halfway between the mean rolls of x and of x + 1 pips, x = 0, 1, ...: what is in between is nearest x + 1."""
    means = scm.mean_rolls(np.arange(_MODEL_PIPS + 1))
    halfway: Floats = (means[:-1] + means[1:]) / 2
    halfway[0] = 0  # no single checker is off before it moves
    return halfway


def check_apart(side: Position, other: Position) -> None:
    """Raise PositionError if both sides stand on one point."""
    points = [j for j, n in enumerate(side, start=1) if n and MAX_POINTS - j < len(other) and other[MAX_POINTS - j]]
    if points:
        raise PositionError(
            f"both sides stand on point {points[0]} of the player on roll: without blocking they play as though they "
            "could not meet"
        )


def check_contact(on_roll: Position, opponent: Position) -> None:
    """Raise PositionError unless strategies H and I can play on: see `two_player`."""
    check_apart(on_roll, opponent)
    farthest = on_roll.highest, opponent.highest
    if sum(farthest) > MAX_POINTS and max(farthest) > MAX_POINTS - HOME_POINTS:
        raise PositionError(
            f"a checker on point {max(farthest)} stands in a home board and has yet to pass the other side: that "
            "is not a race; without blocking they play as though they could not meet"
        )
