"""Bearing off against men behind: the risk of being hit.

Every position of a bearoff has a least chance of ever being hit, by one or two men who wait on the bar or on a point,
and a chance of never being hit that no play of a single man can lower.  docs/contact.md applies these chances;
docs/contact-mathematics.md derives them, and lists the positions that are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Protocol, runtime_checkable

import bgrace._kernels.contact as kernel
from bgrace._base.arrays import JSON, ToDict, as_json, plain
from bgrace.board.dice import ROLLS, parse_roll
from bgrace.board.position import HOME_POINTS, MAX_CHECKERS, MAX_POINTS, Position, PositionLike, checked, shown
from bgrace.board.text import has_both_sides, parse_position, sides_of_board
from bgrace.errors import PositionError

__all__ = ["PlayRisk", "Risk", "risk"]

BAR: Final = 0
"""The place of men on the bar; other places are points of the side that bears off."""

_GROUP: Final = re.compile(r"(?:(bar)|([0-9]{1,2}))(?:x([0-9]{1,2}))?", re.IGNORECASE)


@runtime_checkable
class Sides(Protocol):
    """Any board with both sides' checkers on 24 points and the bar, each counted from their own ace point."""

    @property
    def mine(self) -> Sequence[int]:
        """Checkers of the player on roll."""

    @property
    def theirs(self) -> Sequence[int]:
        """Checkers of the opponent."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A bearoff and the men behind it.

    Attributes
    ----------
    position : Position
        Checkers of the side that bears off, six points.
    place : int
        Where all men behind are: `BAR`, or a point of the side that bears off.
    men : int
        Number of men behind, one or two.
    on_roll : bool, or None
        Whether the side that bears off is on roll; None if unknown.
    roll : tuple of two int, or None
        The dice, if they are known.
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
            raise PositionError(f'{shown(token)} is not a place of men behind: give "bar", "bar bar", "3x1" or "1x2"')
        n_men = int(group[3] or 1)
        if group[2] and not group[3]:
            raise PositionError(f"{shown(token)} has no number of men: give {token}x1 or {token}x2")
        if not 1 <= n_men <= MAX_CHECKERS:
            raise PositionError(f"{shown(token)} puts {n_men} men there: give one or two, such as 1x2")
        if group[2] and not 1 <= int(group[2]) <= MAX_POINTS:
            raise PositionError(f"{shown(token)} is on no point: men behind are on the bar or on points 1 to 5")
        other[MAX_POINTS - int(group[2] or BAR)] += n_men
    name = shown(f"{position} with {behind} behind")
    if position.highest > HOME_POINTS:
        raise PositionError(f"{name}: a checker is on point {position.highest}: the tables know bearoffs, all home")
    # The other men are somewhere past the bearoff: one stands for them, unless all 15 men are behind.
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
    if not has_both_sides(text):
        raise PositionError(f"{shown(text)} is not the ID of a board: for one side, give men behind too, as bar or 1x2")
    on_roll, opponent, state = sides_of_board(text)
    return contact_of_sides(on_roll, opponent, shown(text), state.roll)


def contact_of_sides(
    on_roll: Sequence[int], opponent: Sequence[int], name: str, roll: tuple[int, int] | None = None
) -> Contact:
    """Find which of two sides, 24 points and the bar each, bears off, and the men that the other has behind.

    Raises
    ------
    PositionError
        If the tables do not have this board: the message says which of their assumptions fails.

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


ASSUMPTIONS: Final = (
    "the men behind wait, and hit whenever a roll can",
    "a man on the bar who does not hit goes back to the bar",
    "the other side's other checkers can always play what the men behind leave over",
    "two men on a point block it",
    "one hit is the end",
)
"""Assumptions of `Risk.least` and `PlayRisk.least`.  `never_hit` does not need the first two."""


@cache
def tables() -> kernel.Risks:
    """Return the tables of risk, which are computed at the first call."""
    return kernel.Risks()


@dataclass(frozen=True, slots=True)
class PlayRisk(ToDict):
    """One play of a roll and its risk.

    Attributes
    ----------
    play : str
        In notation, a hit marked with ``*``: ``"6/3*/1"``; empty if nothing can be played.
    position : Position
        The position after the play, six points.
    shots : int
        Number of rolls, out of 36, that hit at once.
    least : float
        The least chance of ever being hit after the play, by men who wait: see `ASSUMPTIONS`.
    never_hit : float, or None
        Lower bound of the chance of never being hit, for any play of a single man behind; None for two men.
    off : int
        Checkers borne off by the play.
    pips : int
        Pip count of `position`.
    epc : float
        Expected pip count of `position`, as if there were no men behind.
    """

    play: str
    position: Position
    shots: int
    least: float
    never_hit: float | None
    off: int
    pips: int
    epc: float

    @property
    def risk(self) -> float:
        """The measure of risk: ``1 - never_hit`` against one man, for any of his plays; `least` against two."""
        return self.least if self.never_hit is None else 1 - self.never_hit


@dataclass(frozen=True, slots=True)
class Risk:
    """The risk of being hit in a bearoff against one or two men behind.

    Attributes
    ----------
    position : Position
        Checkers of the side that bears off, six points.
    behind : str
        Where the men behind are, on points of the side that bears off: ``"bar"``, ``"bar bar"`` or ``"1x2"``.
    shots : int
        Number of rolls, out of 36, that hit, if the side of the men behind is to roll.
    least : float
        The least chance of ever being hit, with the side of the men behind to roll, if every play only minimises it:
        see `ASSUMPTIONS`.
    never_hit : float, or None
        Lower bound of the chance of never being hit, for any play of a single man behind, with that man's side to roll;
        None for two men.
    least_on_roll, never_hit_on_roll : float, float or None
        The same with the side that bears off to roll.
    on_roll : bool, or None
        Whether the side that bears off is on roll; None without a board.
    roll : tuple of two int, or None
        The dice of the board, larger first.
    """

    position: Position
    behind: str
    shots: int
    least: float
    never_hit: float | None
    least_on_roll: float
    never_hit_on_roll: float | None
    on_roll: bool | None
    roll: tuple[int, int] | None

    def plays(self, roll: str | Iterable[int]) -> list[PlayRisk]:
        """Every play of a roll by the side that bears off, in rising order of `PlayRisk.risk`.

        The first is the safest, not the best: the best often takes a risk for the race or a gammon.

        Parameters
        ----------
        roll : str or pair of int
            Two dice, in any form that `bgrace.board.dice.parse_roll` reads.

        Returns
        -------
        list of PlayRisk
            One, with an empty `play`, if nothing can be played.

        Raises
        ------
        RollError
            If `roll` is not a roll.

        Examples
        --------
        >>> for found in risk("0,3,4,2,2,4", behind="1x2").plays("62"):
        ...     print(found.play, found.shots, f"{found.least:.4f}")
        6/4 6/off 0 0.4388
        6/off 2/off 0 0.4941
        6/off 5/3 11 0.6165
        6/off 4/2 11 0.6737
        """
        contact = contact_of_home(self.position, self.behind)
        found = []
        after = tables().plays(contact.position, contact.place, contact.men, *parse_roll(roll))
        for text, counts, _, (shots, least, never_hit, *_, epc) in after:
            position = checked(counts)
            off = contact.position.checkers - position.checkers
            found.append(PlayRisk(text, position, shots, least, never_hit, off, position.pips, epc))
        return found

    def to_dict(self, roll: str | Iterable[int] | None = None, *, all_rolls: bool = False) -> dict[str, JSON]:
        """Attributes by name, as values of JSON, and the assumptions.

        Parameters
        ----------
        roll : str or pair of int, optional
            Add ``"plays"`` of this roll, instead of the board's own.
        all_rolls : bool, optional
            Add ``"rolls"``: the plays of all 21 rolls.

        Raises
        ------
        RollError
            If `roll` is not a roll.
        """
        dice = self.roll if roll is None else parse_roll(roll)
        fields = as_json(self) | {"roll": plain(dice), "assumptions": plain(ASSUMPTIONS)}
        if roll is not None:
            fields["plays"] = plain(self.plays(roll))
        if all_rolls:
            fields["rolls"] = [{"roll": list(one), "plays": plain(self.plays(one))} for one in ROLLS]
        return fields


def risk(position: PositionLike | Sides, behind: str | None = None) -> Risk:
    """Look up the risk of being hit in a bearoff against one or two men behind.

    It does not tell the best play: the chance to win with men behind is unknown.

    Parameters
    ----------
    position : str, position or board
        With `behind`, all checkers of the side that bears off: anything that `bgrace.parse_position` reads.  Without
        it, a whole board: a GNU Backgammon ID, an XGID, or an object with 25 counts `mine` of the player on roll and
        25 `theirs`, each from their own ace point, the bar last.
    behind : str, optional
        The men behind, on points of the side that bears off: ``"bar"``, ``"bar bar"``, ``"3x1"`` or ``"1x2"``.

    Returns
    -------
    Risk

    Raises
    ------
    PositionError
        For all other positions: a race, checkers that are not home, more men behind or in different places.  The
        message says which assumption fails.

    Notes
    -----
    The tables for all places and numbers of men behind are computed at the first call: half a second, 91 MB, of which
    18 MB stay.  Safe to call from several threads.

    Examples
    --------
    >>> anchored = risk("0,3,4,2,2,4", behind="1x2")
    >>> anchored.shots, round(anchored.least, 6), anchored.never_hit
    (0, 0.446759, None)
    >>> closed = risk("2,2,2,3,3,3", "bar")
    >>> round(closed.least, 6), round(closed.never_hit, 6)
    (0.247292, 0.981777)
    """
    if behind is not None and (isinstance(position, Sides) or has_both_sides(position)):
        raise PositionError(f"behind={shown(behind)} is for one side's position: a board has its men behind")
    if isinstance(position, Sides):
        contact = contact_of_sides(tuple(position.mine), tuple(position.theirs), "the board")
    elif behind is not None:
        contact = contact_of_home(position, behind)
    elif isinstance(position, str):
        contact = contact_of_id(position)
    else:
        raise PositionError(f'{shown(position)} is one side: say where the men behind are, as behind="bar" or "1x2"')
    numbers = tables().of(contact.position, contact.place, contact.men)
    return Risk(contact.position, str(contact), *numbers[:5], contact.on_roll, contact.roll)
