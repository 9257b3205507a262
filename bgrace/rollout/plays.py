"""The sides of a rollout: where they stand, how they play, and which single checker runs along.

The result of one roll by a policy, and the distribution of how many rolls are needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

import bgrace._kernels.rollout as kernel
from bgrace import scm
from bgrace._base.arrays import Floats, as_integer
from bgrace._base.limits import how_many
from bgrace.board import HOME_POINTS, MAX_CHECKERS, MAX_POINTS, Position, PositionLike, parse_position
from bgrace.board.dice import MEAN_PIPS, ROLLS, WEIGHTS, parse_roll
from bgrace.board.spaces import PositionSpace, space_of
from bgrace.errors import ArgumentError, MemoryLimitError, PositionError
from bgrace.tables import solve_one_sided

__all__ = ["POLICIES", "Policy", "play", "roll_distribution"]

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


_MAX_CARRIED: Final = 1 << 22


def play(
    position: PositionLike,
    roll: str | Iterable[int],
    policy: Policy = "hi",
    *,
    opponent: PositionLike | None = None,
    points: int | None = None,
) -> Position:
    """Play one roll by a policy.

    Parameters
    ----------
    position : position
        One position on up to 24 points.
    roll : str or pair of int
    policy, points
        As for `one_player`.
    opponent : position, optional
        The side that strategies H and I avoid, counted from its own ace point.

    Returns
    -------
    Position
        The counts after the roll, on as many points as `position`.

    Raises
    ------
    PositionError
        If a position cannot be read, `position` has no checker, or both stand on one point.
    RollError
        If `roll` is not a roll.

    Examples
    --------
    >>> print(play("14x1 13x3 10x1 9x1 8x2 7x1 6x5 5x1", "32"))
    5x1 6x5 7x1 8x2 9x1 10x1 11x2 13x2
    >>> print(play("14x1 13x3 10x1 9x1 8x2 7x1 6x5 5x1", "32", opponent="13x2 14x2"))    # who blocks 12 and 11
    5x1 6x6 7x1 8x1 9x1 10x2 13x2 14x1
    """
    dice = parse_roll(roll)
    side = side_of(position, "the position", policy, points)
    blocked = 0
    if opponent is not None:
        other = parse_position(opponent)
        check_apart(side.position, other)
        blocked = sum(1 << (MAX_POINTS - 1 - j) for j, n in enumerate(other) if n)
    wide = space_of(MAX_POINTS, side.position.checkers)
    results = kernel.plays(
        side.kernel,
        wide.kernel,
        np.array([side.counts], dtype=np.int8),
        np.array([blocked], dtype=np.uint32),
        1,
    )
    after: Position = wide.position(int(results[0, ROLLS.index(dice)]))
    return after.resized(side.position.points)


def roll_distribution(
    position: PositionLike, policy: Policy = "hi", *, points: int | None = None, threads: int | None = None
) -> npt.NDArray[np.float64]:
    """Exact chance of being off in exactly 0, 1, ... rolls, without an opponent.

    The chances of all positions that can be reached are carried forward turn by turn, until all checkers are within the
    table of best results, whose distribution is known.

    Parameters
    ----------
    position, policy, points, threads
        As for `one_player`.

    Returns
    -------
    float64 ndarray, shape (longest + 1,)

    Raises
    ------
    ArgumentError
        As for `one_player`.
    MemoryLimitError
        As for `one_player`, or if the positions are too many.
    PositionError
        As for `one_player`.

    Notes
    -----
    The paper's positions of 120 pips come to some 18,000 others before all checkers are home, those of 160 pips to more
    than a million: seconds.  Positions with many checkers far back can take far longer.

    Examples
    --------
    >>> chances = roll_distribution("6x1")
    >>> chances.tolist(), round(float(chances @ range(3)), 12)
    ([0.0, 0.75, 0.25], 1.25)
    """
    n_threads = how_many(threads)
    side = side_of(position, "the position", policy, points)
    wide = space_of(MAX_POINTS, side.position.checkers)
    table = _distributions(side.space)
    weights = np.array(WEIGHTS) / 36
    chances = np.zeros(kernel.MAX_ROLLS + 1)
    indices = np.array([wide.index(side.counts)], dtype=np.int64)
    likely: Floats = np.ones(1)
    turn = 0
    while indices.size:
        counts = wide.position(indices)
        home = ~counts[:, side.space.points :].any(axis=1)
        if home.any():
            rows = side.space.index(counts[home][:, : side.space.points])
            chances[turn : turn + table.shape[1]] += likely[home] @ table[rows]
        counts, likely = np.ascontiguousarray(counts[~home]), likely[~home]
        if len(counts) > _MAX_CARRIED:
            raise MemoryLimitError(
                f"{side.position} comes to {len(counts):,} positions after {turn} rolls, and {_MAX_CARRIED:,} are "
                "allowed: use one_player"
            )
        nobody = np.zeros(len(counts), dtype=np.uint32)
        reached = kernel.plays(side.kernel, wide.kernel, counts, nobody, n_threads).ravel()
        indices, inverse = np.unique(reached, return_inverse=True)
        arriving: Floats = np.outer(likely, weights).ravel()
        likely = np.zeros(len(indices))
        np.add.at(likely, inverse.ravel(), arriving)
        turn += 1
    return chances[: np.flatnonzero(chances)[-1] + 1]


@lru_cache(maxsize=1)
def _distributions(space: PositionSpace) -> Floats:
    return solve_one_sided(space).roll_distribution
