"""One side's checkers, and whether two sides are a race: none on the bar, and all have passed each other."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, SupportsIndex, TypeAlias

import bgrace._kernels.contact as kernel
from bgrace._base.arrays import JSON, as_integer
from bgrace._kernels.lazy_numpy import np, npt
from bgrace.board import drawing
from bgrace.errors import ArgumentError, PositionCoverageError, PositionError

MAX_CHECKERS: Final = 15
MAX_POINTS: Final = 24
HOME_POINTS: Final = 6
_NO_CHECKERS: Final = (0,) * MAX_POINTS

OnePosition: TypeAlias = "str | Sequence[int | np.integer]"
"""One position, for a single answer: text, a `Position`, or a sequence of counts, ace point first."""

PositionArray: TypeAlias = "npt.NDArray[np.integer]"
"""Counts, shape (..., points)."""

Positions: TypeAlias = "PositionArray | Sequence[Sequence[int]] | Sequence[PositionArray]"
"""Several positions, for arrays of answers: an array whose last axis is the points, or rows to make one."""

AnyPositions: TypeAlias = "OnePosition | Positions"
"""One position (counts, ace point first, or text), or an array of int whose last axis is the points."""

PositionLike: TypeAlias = "OnePosition | PositionArray"
"""One position only: as above, or a one-dimensional array."""


def shown(value: object) -> str:
    """Quote any value for an error message, shortened if it is long.

    Examples
    --------
    >>> shown("5,1"), len(shown("x" * 1000))
    ("'5,1'", 63)
    """
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print an int of very many digits
        text = f"<a very large {type(value).__name__}>"
    return text if len(text) <= 60 else text[:60] + "..."


def _are_counts(counts: tuple[object, ...]) -> bool:
    """Whether these are the counts of a position, by a fast check; False may also mean that the full check is needed.

    Examples
    --------
    >>> _are_counts((1, 0, 2)), _are_counts((8, 8)), _are_counts((1, True)), _are_counts(())
    (True, False, False, False)
    """
    total = 0
    for count in counts:
        if type(count) is not int or count < 0:
            return False
        total += count
    return total <= MAX_CHECKERS and 0 < len(counts) <= MAX_POINTS


class Position(tuple[int, ...]):
    """Checker counts of one side, ace point first.

    An immutable tuple of counts that has been checked: 1 to 24 points, no count below 0, at most 15 checkers in all.
    It equals and hashes as the plain tuple; checkers that are not listed are off.  The number of points is part of
    the value: ``Position((1,)) != Position((1, 0))``.

    Parameters
    ----------
    counts : iterable of int
        Checkers on point 1, 2, ...: a sequence, or a one-dimensional integer array.  For text see `parse_position`.

    Raises
    ------
    PositionError
        If a count is not a whole number or below 0, if there are more than 15 checkers, or not 1 to 24 points.

    Notes
    -----
    ``Position.index(value)`` is the tuple's own method, not the number of the position.

    Examples
    --------
    >>> p = Position((5, 1, 8, 1, 0, 0))
    >>> p.pips, p.checkers, p.points
    (35, 15, 6)
    >>> p == (5, 1, 8, 1, 0, 0), str(p)
    (True, '1x5 2x1 3x8 4x1')
    """

    __slots__ = ()

    def __new__(cls, counts: Iterable[SupportsIndex]) -> Position:
        """Check the counts and make the position.

        Examples
        --------
        >>> Position([0, 2])
        Position((0, 2))
        """
        if type(counts) is cls:
            return counts
        if type(counts) is tuple and _are_counts(counts):
            return tuple.__new__(cls, counts)
        if isinstance(counts, (str, bytes)):
            raise PositionError(
                f"{shown(counts)} is text, and a Position takes counts such as (5, 1, 8, 1, 0, 0): "
                "read text with parse_position"
            )
        if getattr(counts, "ndim", 1) != 1:
            shape = getattr(counts, "shape", "unknown")
            raise PositionError(f"an array of shape {shape} is not a single position: give one row, of shape (points,)")
        try:
            # The iterable may be endless: one entry too many is enough for the error.
            given = list(islice(counts, MAX_POINTS + 1))
        except TypeError:
            raise PositionError(
                f"{shown(counts)} is not a position: give a sequence of counts such as (5, 1, 8, 1, 0, 0)"
            ) from None
        if not 1 <= len(given) <= MAX_POINTS:
            number = "no points" if not given else f"more than {MAX_POINTS} points"
            raise PositionError(f"a position with {number}: give 1 to {MAX_POINTS} counts, ace point first")
        try:
            checked = [as_integer(n, "") for n in given]
        except ArgumentError:
            raise PositionError(f"{shown(given)} has a count that is not a whole number: give ints") from None
        for point, n in enumerate(checked, 1):
            if n < 0:
                raise PositionError(f"{shown(n)} checkers on point {point}: a count is 0 to {MAX_CHECKERS}")
        if sum(checked) > MAX_CHECKERS:
            raise PositionError(f"{shown(sum(checked))} checkers: give counts that add up to at most {MAX_CHECKERS}")
        return tuple.__new__(cls, checked)

    @property
    def pips(self) -> int:
        """Pip count: each checker counts the number of its point.

        Examples
        --------
        >>> Position((1, 0, 2)).pips
        7
        """
        return sum(map(operator.mul, self, range(1, len(self) + 1)))

    @property
    def checkers(self) -> int:
        """Checkers left on the board.

        Examples
        --------
        >>> Position((1, 0, 2)).checkers
        3
        """
        return sum(self)

    @property
    def points(self) -> int:
        """Number of points, occupied or not.

        Examples
        --------
        >>> Position((1, 0, 2, 0)).points
        4
        """
        return len(self)

    @property
    def highest(self) -> int:
        """The highest occupied point, 0 if all checkers are off.

        Examples
        --------
        >>> Position((1, 0, 2, 0)).highest, Position((0,)).highest
        (3, 0)
        """
        point = len(self)
        while point and not self[point - 1]:
            point -= 1
        return point

    def resized(self, points: SupportsIndex) -> Position:
        """Return the same checkers on more or fewer points.

        Parameters
        ----------
        points : int
            1 to 24.

        Returns
        -------
        Position
            With exactly this many points.

        Raises
        ------
        PositionError
            If a checker stands beyond the new last point.
        ArgumentError
            If `points` is not 1 to 24.

        Examples
        --------
        >>> Position((1, 2)).resized(4), Position((1, 2, 0, 0)).resized(2)
        (Position((1, 2, 0, 0)), Position((1, 2)))
        """
        if type(points) is int and points == len(self):
            return self
        problem = f"points={shown(points)} is out of range: a position has 1 to {MAX_POINTS} points"
        number, highest = as_integer(points, problem, 1, MAX_POINTS), self.highest
        if highest > number:
            raise PositionCoverageError(
                f"{self} has a checker on point {highest}, beyond the {number} points wanted: "
                f"use {highest} points or more, and a database that has them"
            )
        return checked((tuple(self) + (0,) * MAX_POINTS)[:number])

    def __str__(self) -> str:
        """Write the position for players: point x count, ace point first, or "off" if no checker is left.

        `parse_position` reads it back; only the number of points is not in the text.

        Examples
        --------
        >>> str(Position((5, 1, 8, 1, 0, 0))), str(Position((0, 0)))
        ('1x5 2x1 3x8 4x1', 'off')
        """
        return " ".join([f"{point}x{n}" for point, n in enumerate(self, 1) if n]) or "off"  # a list is faster

    def __repr__(self) -> str:
        """Write the position as the expression that makes it.

        Examples
        --------
        >>> Position([1, 2])
        Position((1, 2))
        """
        return f"Position({tuple(self)!r})"

    def _repr_svg_(self) -> str:
        return drawing.scene_svg(drawing.Scene(self))

    def _repr_html_(self) -> str:
        return drawing.figure_html(self._repr_svg_(), str(self))


def checked(counts: tuple[int, ...]) -> Position:
    """Make a position of counts that have been checked; `Position` would check them again.

    Examples
    --------
    >>> checked((1, 0, 2))
    Position((1, 0, 2))
    """
    return tuple.__new__(Position, counts)


# ---------------------------------------------------------------------- two sides


def sides_as_json(on_roll: Position, opponent: Position) -> dict[str, JSON]:
    """Counts and pips of both sides, as values of JSON."""
    sides = {"on_roll": on_roll, "opponent": opponent}
    return {name: {"position": list(side), "pips": side.pips} for name, side in sides.items()}


def counts_of(position: Position) -> array[int]:
    """The counts as the C library takes them."""
    return array("b", (*position, *_NO_CHECKERS[len(position) :]))


def race(on_roll: Sequence[int], opponent: Sequence[int], text: str) -> tuple[Position, Position]:
    """Make positions of two sides of 24 points and the bar; PositionError with the reason if they are not a race.

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


def check_race(on_roll: Position, opponent: Position) -> None:
    """Raise PositionError unless both sides have checkers, and all have passed each other."""
    check_not_over(on_roll, opponent)
    check_no_contact(on_roll, opponent)


def check_no_contact(on_roll: Position, opponent: Position, name: str = "") -> None:
    """Raise PositionError unless all checkers have passed each other.

    Examples
    --------
    >>> check_no_contact(Position([0] * 11 + [15]), Position([0] * 11 + [15]))
    """
    mine, theirs = on_roll.highest, opponent.highest
    # My point p is the opponent's point 25 - p.
    if not mine or not theirs or mine + theirs < 25:
        return
    name = name or f"{on_roll} against {opponent}"
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
    """Name the command that answers for two sides of 24 points and the bar, if there is one.

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
