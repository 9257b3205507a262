"""The questions of users, as the numbers of positions that tables know; and whether they have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from bgrace._base.arrays import Integers
from bgrace.board import OnePosition, Position, PositionLike, Positions, parse_position
from bgrace.board.many import is_one
from bgrace.board.spaces import PositionSpace
from bgrace.database.sources import BOTH_FINISHED, Source, no_cube
from bgrace.errors import ArgumentError, CoverageError, PositionError


def read_one(pos: PositionLike) -> Position:
    """Read one position; PositionError for an array of them."""
    if not is_one(pos):
        raise PositionError("this takes one pair of positions, not an array")
    return parse_position(pos)


def pair_indices(
    space: PositionSpace, on_roll: OnePosition | Positions, opponent: OnePosition | Positions
) -> tuple[int | Integers, int | Integers]:
    """Indices of both sides: two ints, or two int64 arrays of one shape."""
    mine: Any = space.index(on_roll)
    theirs: Any = space.index(opponent)
    if isinstance(mine, int) and isinstance(theirs, int):
        started = mine > 0 or theirs > 0
    else:
        # Asked of the sides as they are given: spread out they may be many times as many.
        started = bool(np.all(mine) or np.all(theirs))
        try:
            mine, theirs = np.broadcast_arrays(mine, theirs)
        except ValueError:
            raise ArgumentError(
                f"{np.shape(mine)} positions on roll and {np.shape(theirs)} opponents: give shapes that broadcast"
            ) from None
        started = started or bool(np.logical_or(mine, theirs).all())
    if not started:
        raise PositionError(BOTH_FINISHED)
    return mine, theirs


def check_covered(source: Source, mine: int | Integers, theirs: int | Integers, with_cube: bool = True) -> None:
    """Raise CoverageError for pairs beyond the table."""
    if isinstance(mine, int) and isinstance(theirs, int):
        most = max(mine, theirs)
    else:
        most = int(max(np.max(mine, initial=0), np.max(theirs, initial=0)))
    if most >= source.n_pairs:
        raise CoverageError(source.why_not_covered(source.space.position(most).checkers))
    if with_cube and not source.cubeful:
        raise CoverageError(no_cube(source))
