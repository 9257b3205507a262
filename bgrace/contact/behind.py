"""Which men are behind, and whether the tables know such men."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable

import bgrace._kernels.contact as kernel
from bgrace.board.gnubg_ids import POSITION_ID
from bgrace.board.position import HOME_POINTS, MAX_CHECKERS, MAX_POINTS, Position, PositionLike, shown
from bgrace.board.text import parse_position, sides_of_board
from bgrace.errors import PositionError

BAR: Final = 0
"""The place of men on the bar; other places are points as the side that bears off counts them."""

_GROUP: Final = re.compile(r"(?:(bar)|([0-9]{1,2}))(?:x([0-9]{1,2}))?", re.IGNORECASE)


@runtime_checkable
class Sides(Protocol):
    """Any board with both sides' checkers on 24 points and the bar, each counted from their own ace point."""

    @property
    def mine(self) -> Sequence[int]:
        """Of the player on roll."""
        ...

    @property
    def theirs(self) -> Sequence[int]:
        """Of the opponent."""
        ...


@dataclass(frozen=True, slots=True)
class Contact:
    """A bearoff and the men behind it.

    Attributes
    ----------
    position : Position
        Of the side that bears off, six points.
    place : int
        Where all men behind are: `BAR`, or a point of the side that bears off.
    men : int
        One or two.
    on_roll : bool, or None
        Whether the side that bears off is on roll; None if nobody said.
    roll : tuple of two int, or None
        The dice, if they were given.
    """

    position: Position
    place: int
    men: int
    on_roll: bool | None = None
    roll: tuple[int, int] | None = None

    def __str__(self) -> str:
        """Where the men behind are: ``"bar"``, ``"bar bar"`` or ``"3x2"``."""
        return " ".join(["bar"] * self.men) if self.place == BAR else f"{self.place}x{self.men}"


def contact_of_home(home: PositionLike, behind: str) -> Contact:
    """Put men behind a position.

    Examples
    --------
    >>> print(contact_of_home("0,3,4,2,2,4", "1x2"), contact_of_home("3x2", "bar"))
    1x2 bar
    """
    position = parse_position(home)
    if not isinstance(behind, str):
        raise PositionError(f'behind={shown(behind)} is not text: give "bar", "bar bar", or point x men, such as "1x2"')
    if not behind.strip():
        raise PositionError('behind is empty: give "bar", "bar bar", "3x1" or "1x2"; without men behind it is a race')
    other = [0] * (MAX_POINTS + 1)
    for token in behind.replace(",", " ").split():
        group = _GROUP.fullmatch(token)
        if group is None:
            raise PositionError(f'{shown(token)} is not where men are: give "bar", "bar bar", "3x1" or "1x2"')
        n_men = int(group[3] or 1)
        if group[2] and not group[3]:
            raise PositionError(f"{shown(token)} says no number of men: give {token}x1 or {token}x2")
        if not 1 <= n_men <= MAX_CHECKERS:
            raise PositionError(f"{shown(token)} puts {n_men} men there: give one or two, such as 1x2")
        if group[2] and not 1 <= int(group[2]) <= MAX_POINTS:
            raise PositionError(f"{shown(token)} is on no point: men behind are on the bar or on points 1 to 5")
        other[MAX_POINTS - int(group[2] or BAR)] += n_men
    name = shown(f"{position} with {behind} behind")
    if position.highest > HOME_POINTS:
        raise PositionError(f"{name}: a checker is on point {position.highest}: the tables know bearoffs, all home")
    # Whose other men are somewhere past all this: one stands for them, unless the men behind are 15.
    other[0] += sum(other) < MAX_CHECKERS
    known = contact_of_sides([*position.resized(MAX_POINTS), 0], other, name)
    return replace(known, on_roll=None)


def contact_of_id(text: str) -> Contact:
    """Read an ID of a whole board: GNU Backgammon's, or an XGID.

    Examples
    --------
    >>> found = contact_of_id("u3sDAED3AAAAAA")
    >>> str(found.position), str(found), found.on_roll
    ('1x3 2x4', 'bar', True)
    """
    if ":" not in text and not POSITION_ID.fullmatch(text.strip()):
        raise PositionError(f'{shown(text)} is not the ID of a board: if it is one side, say behind="bar" or "1x2" too')
    on_roll, opponent, state = sides_of_board(text)
    return contact_of_sides(on_roll, opponent, shown(text), state.roll)


def contact_of_sides(
    on_roll: Sequence[int], opponent: Sequence[int], name: str, roll: tuple[int, int] | None = None
) -> Contact:
    """See which of two sides, 24 points and the bar each, bears off, and which men the other has behind.

    Raises
    ------
    PositionError
        If the tables do not know such a board: the message says which of their assumptions fails.

    Examples
    --------
    >>> str(contact_of_sides([0, 3, 3] + [0] * 22, [2] + [0] * 22 + [1, 1], "example"))
    Traceback (most recent call last):
        ...
    bgrace.errors.PositionError: example: the men behind are in different places, the bar and point 1: the tables ...
    """
    for side in (on_roll, opponent):
        if len(side) != MAX_POINTS + 1 or min(side) < 0:
            raise PositionError(f"{name}: {shown(side)} is not a side: give counts of 24 points and the bar")
        if sum(side) > MAX_CHECKERS:
            raise PositionError(f"{name} has {sum(side)} checkers of one side: a side has at most {MAX_CHECKERS}")
        if not any(side):
            raise PositionError(f"{name}: one side has no checker left: the game is over")
    for point in range(1, MAX_POINTS + 1):
        if on_roll[point - 1] and opponent[MAX_POINTS - point]:
            raise PositionError(f"{name}: both sides stand on point {point} of the player on roll")
    kind, why, is_on_roll, counts, men, place, other = kernel.contact_of(on_roll, opponent)
    if kind != kernel.KNOWN:
        places = " and ".join("the bar" if place == BAR else f"point {place}" for place in (place, other))
        details = {
            kernel.RACE: ": ask bgrace solve",
            kernel.MANY: f": these are {men}, and the tables know one or two",
            kernel.APART: f", {places}: the tables know two on the bar or two on one point",
        }
        raise PositionError(f"{name}: {why}{details.get(kind, ': the tables know a bearoff against men behind')}")
    return Contact(Position(counts), place, men, is_on_roll, roll)
