"""What a roll can do to a position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bgrace._kernels import plays as kernel
from bgrace.dice import parse_roll
from bgrace.notation import Position, parse_position
from bgrace.positions import space_of

__all__ = ["legal_plays"]


def legal_plays(pos: str | Sequence[int], roll: str | Iterable[int]) -> list[Position]:
    """Every distinct result of a roll.

    The roll is played in full, in either order of its dice, a double four times.  Checkers are borne off only when
    all are within the six home points, from the highest point if the die is larger.  A die is left over only when no
    checker is.

    Parameters
    ----------
    pos : sequence of int, or str
        Checker counts on any number of points up to 24, ace point first, or text.
    roll : str or pair of int
        Two dice, in any form that `bgrace.dice.parse_roll` reads.

    Returns
    -------
    list of Position
        In rising order of their index.  The empty board has one result, itself.

    Raises
    ------
    PositionError
        If `pos` is no position.
    RollError
        If `roll` is no roll.

    Notes
    -----
    Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3.

    Examples
    --------
    >>> for result in legal_plays((5, 1, 8, 1, 0, 0), (2, 4)):
    ...     print(result)
    1x5 3x8
    1x6 2x1 3x7
    1x5 2x2 3x7
    """
    position = parse_position(pos)
    larger, smaller = parse_roll(roll)
    space = space_of(position.points, max(position.checkers, 1))
    results = kernel.plays(space.kernel, space.index(position), larger, smaller)
    return [Position(row) for row in space.position(results).tolist()]
