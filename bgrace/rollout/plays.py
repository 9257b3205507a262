"""The plays of a policy with given rolls: the result of one, and the distribution of how many are needed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

import bgrace._kernels.rollout as kernel
from bgrace._base.arrays import Floats
from bgrace._base.limits import how_many
from bgrace.board import MAX_POINTS, Position, PositionLike, parse_position
from bgrace.board.dice import ROLLS, WEIGHTS, parse_roll
from bgrace.board.spaces import PositionSpace, space_of
from bgrace.errors import MemoryLimitError
from bgrace.rollout.sides import Policy, check_apart, side_of
from bgrace.tables.one_sided import solve_one_sided

__all__ = ["play", "roll_distribution"]

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
