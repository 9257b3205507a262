"""The risk of being hit: of a position, and after each play of a roll."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import bgrace._kernels.contact as kernel
from bgrace._base.arrays import JSON, Told, as_json, plain
from bgrace.board.dice import ROLLS, parse_roll
from bgrace.board.position import Position, PositionLike, checked, shown
from bgrace.contact.behind import Contact, Sides, contact_of_home, contact_of_id, contact_of_sides
from bgrace.errors import PositionError

ASSUMPTIONS: Final = (
    "the men behind wait, and hit whenever a roll can",
    "a man on the bar who does not hit goes back to the bar",
    "the other side's other checkers can always play what the men behind leave over",
    "two men on a point block it",
    "one hit is the end",
)
"""What `Risk.least` and `PlayRisk.least` take to be so.  `never_hit` needs none of the first two."""


@cache
def tables() -> kernel.Risks:
    """Return the tables of risk, which are made at the first call."""
    return kernel.Risks()


@dataclass(frozen=True, slots=True)
class PlayRisk(Told):
    """One play of a roll and its risk.

    Attributes
    ----------
    play : str
        In notation, a hit marked with ``*``: ``"6/3*/1"``; empty if nothing can be played.
    position : Position
        What is left, six points.
    shots : int
        Rolls, out of 36, that hit at once.
    least : float
        The least chance ever to be hit from here on, by men who wait: see `ASSUMPTIONS`.
    never_hit : float, or None
        The chance never to be hit is at least this, whatever a single man behind does; None for two.
    off : int
        Checkers borne off by the play.
    pips : int
        Of what is left.
    epc : float
        Expected pip count of what is left, as if there were no men behind.
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
        """The number to go by: ``1 - never_hit`` against one man, whatever he does; `least` against two."""
        return self.least if self.never_hit is None else 1 - self.never_hit


@dataclass(frozen=True, slots=True)
class Risk:
    """The risk of being hit in a bearoff against one or two men behind.

    Attributes
    ----------
    position : Position
        Of the side that bears off, six points.
    behind : str
        Where the men behind are, as the side that bears off counts its points: ``"bar"``, ``"bar bar"`` or ``"1x2"``.
    shots : int
        Rolls, out of 36, that hit, if the side of the men behind is to roll.
    least : float
        The least chance ever to be hit, with the side of the men behind to roll, when every play is made for that
        alone: see `ASSUMPTIONS`.
    never_hit : float, or None
        The chance never to be hit is at least this, whatever a single man behind does, with that man's side to roll;
        None for two men.
    least_on_roll, never_hit_on_roll : float, float or None
        The same with the side that bears off to roll.
    on_roll : bool, or None
        Whether the side that bears off is on roll; None where no board said so.
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
        after = tables().plays(contact.position, contact.place, contact.men, *parse_roll(roll))
        return [_play_risk(contact, *play) for play in after]

    def to_dict(self, roll: str | Iterable[int] | None = None, *, all_rolls: bool = False) -> dict[str, JSON]:
        """Every attribute under its name, as JSON would have it, and the assumptions.

        Parameters
        ----------
        roll : str or pair of int, optional
            Add ``"plays"`` of this roll, which takes the place of the board's own.
        all_rolls : bool, optional
            Add ``"rolls"``: the plays of all 21.

        Raises
        ------
        RollError
            If `roll` is not a roll.
        """
        dice = self.roll if roll is None else parse_roll(roll)
        told = as_json(self) | {"roll": plain(dice), "assumptions": plain(ASSUMPTIONS)}
        if roll is not None:
            told["plays"] = plain(self.plays(roll))
        if all_rolls:
            told["rolls"] = [{"roll": list(one), "plays": plain(self.plays(one))} for one in ROLLS]
        return told


def risk(position: PositionLike | Sides, behind: str | None = None) -> Risk:
    """Tell the risk of being hit when bearing off against one or two men behind.

    Nothing here says which play is best: the chance to win with men behind is not known.

    Parameters
    ----------
    position : str, position or board
        All checkers of the side that bears off, with `behind`: anything that `bgrace.parse_position` reads.  Or a whole
        board without it: a GNU Backgammon ID, an XGID, or an object with 25 counts `mine` of the player on roll and
        25 `theirs`, each from their own ace point, the bar last.
    behind : str, optional
        The men behind, on points of the side that bears off: ``"bar"``, ``"bar bar"``, ``"3x1"`` or ``"1x2"``.

    Returns
    -------
    Risk

    Raises
    ------
    PositionError
        If there is no such contact: a race, checkers that are not home, more men behind or in different places.  The
        message says which assumption fails.

    Notes
    -----
    The tables of every kind of men behind are made at the first call: half a second, 91 MB, of which 18 MB stay.  Safe
    to call from several threads.

    Examples
    --------
    >>> anchored = risk("0,3,4,2,2,4", behind="1x2")
    >>> anchored.shots, round(anchored.least, 6), anchored.never_hit
    (0, 0.446759, None)
    >>> closed = risk("2,2,2,3,3,3", "bar")
    >>> round(closed.least, 6), round(closed.never_hit, 6)
    (0.247292, 0.981777)
    """
    contact = _contact(position, behind)
    shots, least, never_hit, least_on_roll, never_hit_on_roll, _ = tables().of(
        contact.position, contact.place, contact.men
    )
    return Risk(
        contact.position,
        str(contact),
        shots,
        least,
        never_hit,
        least_on_roll,
        never_hit_on_roll,
        contact.on_roll,
        contact.roll,
    )


def _contact(position: PositionLike | Sides, behind: str | None) -> Contact:
    if isinstance(position, Sides):
        if behind is not None:
            raise PositionError(f"behind={shown(behind)} is for one side's position: a board has its men behind")
        return contact_of_sides(tuple(position.mine), tuple(position.theirs), "the board")
    if behind is not None:
        return contact_of_home(position, behind)
    if isinstance(position, str):
        return contact_of_id(position)
    raise PositionError(f'{shown(position)} is one side: say where the men behind are, as behind="bar" or "1x2"')


def _play_risk(
    contact: Contact, text: str, counts: kernel.HomeCounts, _place: int, numbers: kernel.RiskNumbers
) -> PlayRisk:
    shots, least, never_hit, _, _, epc = numbers
    position = checked(counts)
    off = contact.position.checkers - position.checkers
    return PlayRisk(text, position, shots, least, never_hit, off, position.pips, epc)
