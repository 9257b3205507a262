"""Whether two sides are a race: no checker on the bar, and all have passed each other."""

from __future__ import annotations

from collections.abc import Sequence

import bgrace._kernels.contact as kernel
from bgrace.board.position import HOME_POINTS, MAX_CHECKERS, MAX_POINTS, Position, shown
from bgrace.errors import PositionError

__all__ = ["check_no_contact", "check_not_over", "race"]


def race(on_roll: Sequence[int], opponent: Sequence[int], text: str) -> tuple[Position, Position]:
    """Make two positions of two sides of 24 points and the bar, or tell why they are no race.

    Examples
    --------
    >>> race([1] + [0] * 24, [0, 2] + [0] * 23, "example")
    (Position((1, 0, 0, 0, 0, 0)), Position((0, 2, 0, 0, 0, 0)))
    """
    for name, side in (("player on roll", on_roll), ("opponent", opponent)):
        if sum(side) > MAX_CHECKERS:
            raise PositionError(
                f"{shown(text)} has {sum(side)} checkers for the {name}: a side has at most {MAX_CHECKERS}"
            )
        if side[MAX_POINTS]:
            raise PositionError(
                f"{shown(text)} has {side[MAX_POINTS]} of the {name} on the bar: "
                f"give a race, with no checker on the bar and no contact{_other_answer(on_roll, opponent)}"
            )
    mine, theirs = Position(on_roll[:MAX_POINTS]), Position(opponent[:MAX_POINTS])
    check_no_contact(mine, theirs, shown(text))
    points = max(HOME_POINTS, mine.highest, theirs.highest)
    return mine.resized(points), theirs.resized(points)


def check_not_over(on_roll: Position, opponent: Position) -> None:
    """Raise PositionError if a side has borne off all its checkers.

    Examples
    --------
    >>> check_not_over(Position([1]), Position([0]))
    Traceback (most recent call last):
        ...
    bgrace.errors.PositionError: the opponent has no checker left: the game is over
    """
    for name, side in (("the player on roll", on_roll), ("the opponent", opponent)):
        if not side.checkers:
            raise PositionError(f"{name} has no checker left: the game is over")


def check_no_contact(on_roll: Position, opponent: Position, name: str) -> None:
    """Raise PositionError unless all checkers have passed each other.

    Examples
    --------
    >>> check_no_contact(Position([0] * 11 + [15]), Position([0] * 11 + [15]), "midpoints")
    """
    mine, theirs = on_roll.highest, opponent.highest
    # My point p is the opponent's point 25 - p.
    if not mine or not theirs or mine + theirs < 25:
        return
    for point, n in enumerate(on_roll, 1):
        if n and 25 - point <= len(opponent) and opponent[24 - point]:
            raise PositionError(
                f"{name}: both sides stand on point {point} of the player on roll: a point holds one side"
            )
    raise PositionError(
        f"{name}: the sides still have contact, with checkers on point {mine} of the player on roll and {theirs} of "
        "the opponent: give a race, where these two add up to at most 24"
        + _other_answer(*([*side.resized(MAX_POINTS), 0] for side in (on_roll, opponent)))
    )


def _other_answer(on_roll: Sequence[int], opponent: Sequence[int]) -> str:
    """Name the command that does answer, if there is one, of two sides of 24 points and the bar.

    Examples
    --------
    >>> _other_answer([0, 3, 3] + [0] * 22, [2] + [0] * 23 + [1]), _other_answer([0] * 24 + [1], [0] * 24 + [1])
    ('; or ask bgrace risk how likely a hit is', '')
    """
    try:
        kind = kernel.contact_of(on_roll, opponent)[0]
    except PositionError:
        return ""
    return "; or ask bgrace risk how likely a hit is" if kind == kernel.KNOWN else ""
