"""Initial positions for rollouts of races: one of 15 checkers for each pip count from 50 to 160, and variants.

Ross, Benjamin and Munson, "Estimating Winning Probabilities in Backgammon Races", section 3.1, "Initial positions".
The paper asks for plausible home and outer boards and numbers of crossovers, for neighbouring pip counts that differ in
few checkers, and that any two boards can be played against each other.  Here checkers stand only on points 1 to 10, 13
and 14, so an opponent's are, by the player's numbers, on 11, 12 and from 15 on.  The paper's own boards exist only as
drawings; these replace them, and reproduce the paper's figures as closely as its text allows to expect.

From each pip count to the next, one checker moves back by one pip, except at 98, 107, 117, 125, 135, 145 and 155, where
one checker goes from 10 to 13 and two others move one pip forward.

Every function returns a `Position` of 15 checkers on 14 points, or raises ArgumentError if there is none.
"""

from __future__ import annotations

from typing import Final

from bgrace._base.arrays import as_integer
from bgrace.board import Position
from bgrace.errors import ArgumentError

__all__ = ["PIPS", "POINTS", "VARIANT_PIPS", "base", "extra_crossovers", "gap"]

POINTS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14)
"""The points used by the positions."""

_FIRST: Final = (2, 3, 3, 3, 3, 1)
"""The position of 50 pips."""

_STEPS: Final = """
5 5 4 5 4 3 3 2 2 1 5 4 4 3 4 3 2 3 1 2 6 6 5 5 4 4 3 2 3 7 6 7 6 6 5 5 5 4 3 7 8 8 9 7 7 6 4 5/7 6 4 9 8 7 6 5 5 6/6
5 5 4 9 8 8 7 6 5 6/7 6 5 9 13 9 8 7 8/9 8 7 6 4 5 13 9 8 8 9/9 8 8 7 6 6 13 9 8 7 8/9 8 7 7 6 5 13 9 9 8 9/10 9 8 8 7
6
"""
"""For each pip count, the point from which a checker moves one pip back for the next one; or x/y if one checker goes
from 10 to 13 and two others move a pip forward from x and y."""


def _step(counts: list[int], start: int, end: int) -> None:
    counts[start - 1] -= 1
    counts[end - 1] += 1


def _all() -> dict[int, Position]:
    counts = [*_FIRST, *(14 - len(_FIRST)) * [0]]
    positions = [Position(counts)]
    for step in _STEPS.split():
        moves = [(int(point), int(point) + 1) for point in step.split("/")]
        if "/" in step:
            moves = [(10, 13), *((point, point - 1) for point, _ in moves)]
        for start, end in moves:
            _step(counts, start, end)
        positions.append(Position(counts))
    return {position.pips: position for position in positions}


_POSITIONS: Final = _all()

PIPS: Final = range(min(_POSITIONS), max(_POSITIONS) + 1)
"""The pip counts of `base`: 50 to 160."""

VARIANT_PIPS: Final = range(60, max(_POSITIONS) + 1)
"""The pip counts of `extra_crossovers` and `gap`: 60 to 160."""


def base(pips: int) -> Position:
    """The position of a pip count.

    Parameters
    ----------
    pips : int
        50 to 160.

    Examples
    --------
    >>> print(base(70))
    2x1 3x2 4x3 5x4 6x5
    >>> print(base(130))
    5x1 6x5 7x1 8x2 9x1 10x1 13x3 14x1
    """
    return _POSITIONS[_checked(pips, PIPS)]


def extra_crossovers(pips: int, n: int = 1) -> Position:
    """The position of a pip count with one or two crossovers more than `base`.

    For each crossover, one checker moves from 6 back to 7, and one moves a pip forward: from the point among 2 to 5
    with most checkers, the higher one if equal, or, if these are empty, from the first occupied of 10, 9, 8, 14 and 6.

    Parameters
    ----------
    pips : int
        60 to 160.
    n : int
        1 or 2.

    Examples
    --------
    >>> print(extra_crossovers(60))
    1x1 2x2 3x4 4x2 5x2 6x3 7x1
    >>> print(extra_crossovers(60, 2))
    1x1 2x3 3x3 4x2 5x2 6x2 7x2
    """
    if n not in (1, 2):
        raise ArgumentError(f"{n!r} extra crossovers: give 1 or 2")
    counts = list(base(_checked(pips, VARIANT_PIPS)))
    for _ in range(n):
        _step(counts, 6, 7)
        inner = max((2, 3, 4, 5), key=lambda point: (counts[point - 1], point))
        start = inner if counts[inner - 1] else _first_occupied(counts, (10, 9, 8, 14, 6))
        _step(counts, start, start - 1)
    return Position(counts)


def gap(pips: int) -> Position:
    """The position of a pip count with an empty five point.

    Half of the checkers there, rounded up, move back to 6, the others forward to 4; if their number was odd, one
    checker moves a pip forward from the first occupied of 4, 3, 2, 10, 9, 8 and 14.

    Parameters
    ----------
    pips : int
        60 to 160.

    Examples
    --------
    >>> print(gap(60))
    1x1 2x2 3x3 4x4 6x5
    """
    counts = list(base(_checked(pips, VARIANT_PIPS)))
    on_five = counts[4]
    for k in range(on_five):
        _step(counts, 5, 6 if 2 * k < on_five else 4)
    if on_five % 2:
        start = _first_occupied(counts, (4, 3, 2, 10, 9, 8, 14))
        _step(counts, start, start - 1)
    return Position(counts)


def _checked(pips: int, there_are: range) -> int:
    problem = f"{pips!r} pips: there are positions of {there_are[0]} to {there_are[-1]} pips"
    return as_integer(pips, problem, there_are[0], there_are[-1])


def _first_occupied(counts: list[int], points: tuple[int, ...]) -> int:
    return next(point for point in points if counts[point - 1])
