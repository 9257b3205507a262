"""Positions to learn by heart: expected pip counts, the same number of rolls each, and last takes, all worked out anew.

A last take is one of real positions: the opponent has the position of the player on roll, with its three rearmost
checkers moved back in turn, a pip at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from bgrace._base.arrays import ShortRepr, ToDict
from bgrace._base.limits import Limits
from bgrace.answers.alone import follow_alone
from bgrace.answers.question import Question
from bgrace.board import MAX_POINTS, Position, parse_position
from bgrace.match import Score
from bgrace.match.stakes import Stakes

__all__ = ["LAST_TAKES", "SCORES", "SHAPES", "LastTake", "ReferencePositions", "SameRolls", "Shape", "reference"]

SHAPES: Final = (
    *("6x7 5x5 4x3", "6x5 5x5 4x5", "6x4 5x4 4x4 3x3", "6x5 5x5"),
    *("6x2 5x2 4x2 3x2 2x2 1x2", "6x15", "3x15", "2x15", "1x15", "1x10"),
)
"""Ten common shapes: smooth ones, then flat ones and stacks."""

LAST_TAKES: Final[Mapping[int, str]] = {
    5: "6x2 5x1 4x2 3x2 2x1",
    7: "6x3 5x3 4x3 3x2",
    10: "6x5 5x5 4x5",
    12: "8x3 7x2 6x5 5x3 4x2",
    15: "9x4 8x4 7x3 6x3 5x1",
}
"""By the mean number of rolls, a smooth position of the player on roll."""

SCORES: Final = ((2, 4), (3, 3), (3, 5), (4, 2), (5, 3), (5, 5))
"""Points that the player on roll and the opponent need, at which last takes are told."""

AT_SCORES: Final = (5, 10)
"""Mean numbers of rolls for which they are."""

_LEADS: Final = ("double_from", "redouble_from", "take_to")
_MAX_LEAD: Final = 15
_MOVED: Final = 3
_NEAR: Final = 0.015
"""Points that an answer of these races is off by at most, where it can be compared with longer ones."""

_MAX_ROLLS: Final = 7


@dataclass(frozen=True, slots=True)
class Shape:
    """A position by itself: its pips, expected pips, and the difference of the two."""

    position: Position
    pips: int
    epc: float
    wastage: float


@dataclass(frozen=True, slots=True)
class SameRolls:
    """Both sides need the same number of rolls without a double: twice as many checkers on the ace point.

    Attributes
    ----------
    rolls : int
    win_probability : float
    double, redouble : str
        Verdicts with the cube in the middle and with an own one.
    """

    rolls: int
    win_probability: float
    double: str
    redouble: str


@dataclass(frozen=True, slots=True)
class LastTake:
    """The leads, in pips, at which decisions change, for a player on roll.

    Attributes
    ----------
    rolls : float
        Mean number.
    position : Position
    pips : int
    score : tuple of two int, or None
        Points that the player on roll and the opponent need; None for money.
    double_from, redouble_from, take_to : int, or None
        The least lead that is a double, one that is a redouble, and the greatest that is a take, among leads from 0 to
        15; None if there is none; of a redouble, at a score, too.
    unsure : tuple of str
        Of these three, the ones beside which yes and no are within the error, and within .015 points.
    error : float
        Greatest stated error of the answers, in points per unit of the cube.
    """

    rolls: float
    position: Position
    pips: int
    score: tuple[int, int] | None
    double_from: int | None
    redouble_from: int | None
    take_to: int | None
    unsure: tuple[str, ...]
    error: float

    def leads(self) -> list[str]:
        """The three leads as text: ``"none"``, or with ~ in front if they are unsure."""
        values = ((name, getattr(self, name)) for name in _LEADS)
        return ["none" if lead is None else f"{'~' if name in self.unsure else ''}{lead}" for name, lead in values]


@dataclass(frozen=True, slots=True, repr=False)
class ReferencePositions(ShortRepr, ToDict):
    """The positions that `reference` works out, a tuple of each kind."""

    shapes: tuple[Shape, ...]
    same_rolls: tuple[SameRolls, ...]
    last_takes: tuple[LastTake, ...]

    def sections(self) -> Iterator[tuple[str, str, list[tuple[str, ...]]]]:
        """Each part: a title, what it says, and a table whose first row has its heads."""
        shapes = [
            (str(each.position), f"{each.pips}", f"{each.epc:.2f}", f"{each.wastage:.2f}") for each in self.shapes
        ]
        note = "Wastage: the pips that you will throw and not need."
        yield "Expected pip counts", note, [("position", "pips", "EPC", "wastage"), *shapes]
        rolls = [
            (f"{each.rolls}", f"{100 * each.win_probability:.1f} %", each.double, each.redouble)
            for each in self.same_rolls
        ]
        note = "Both sides have twice as many checkers on the ace point."
        yield "The same number of rolls each", note, [("rolls", "wins", "cube in the middle", "own cube"), *rolls]
        money = [
            (f"{each.rolls:.1f}", str(each.position), f"{each.pips}", *each.leads())
            for each in self.last_takes
            if each.score is None
        ]
        error = max((each.error for each in self.last_takes), default=0.0)
        note = (
            "The lead in pips of a player on roll, against the same position with its three rearmost checkers further "
            f"back.  ~: about a tie.  Answers state errors of up to {error:.2f} points."
        )
        yield "Last takes for money", note, [("rolls", "position", "pips", "double", "redouble", "last take"), *money]
        scores = [
            (f"{each.rolls:.1f}", f"{each.score[0]}-away", f"{each.score[1]}-away", *each.leads()[::2])
            for each in self.last_takes
            if each.score is not None
        ]
        if scores:
            note = "The same positions, with the cube in the middle, not in the Crawford game."
            yield "Last takes at scores", note, [("rolls", "on roll", "opponent", "double", "last take"), *scores]


def reference(
    rolls: Sequence[int] = tuple(LAST_TAKES),
    scores: Sequence[tuple[int, int]] = SCORES,
    *,
    limits: Limits | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> ReferencePositions:
    """Work out reference positions.

    Parameters
    ----------
    rolls : sequence of int
        Keys of `LAST_TAKES`, for money.
    scores : sequence of pair of int
        For those of 5 and 10 rolls, beside money.
    limits : Limits, optional
        Of each answer; without, .5 seconds.
    progress : callable, optional
        Is told how many last takes are done, and of how many.

    Returns
    -------
    ReferencePositions

    Examples
    --------
    >>> card = reference(rolls=[5], scores=[])
    >>> card.last_takes[0].double_from, card.last_takes[0].redouble_from, card.last_takes[0].take_to
    (1, 1, 1)
    >>> round(card.shapes[0].epc, 2)
    86.07
    """
    limits = limits or Limits(seconds=0.5)
    asked: list[tuple[int, tuple[int, int] | None]] = [(n, None) for n in rolls]
    asked += [(n, score) for n in rolls if n in AT_SCORES for score in scores]
    takes = []
    for done, (n, score) in enumerate(asked):
        if progress is not None:
            progress(done, len(asked))
        takes.append(_last_take(parse_position(LAST_TAKES[n]), score, limits))
    return ReferencePositions(tuple(map(_shape, SHAPES)), tuple(_same_rolls(limits)), tuple(takes))


def _shape(text: str) -> Shape:
    position = parse_position(text)
    epc = follow_alone(position).epc
    return Shape(position, position.pips, epc, epc - position.pips)


def _same_rolls(limits: Limits) -> Iterator[SameRolls]:
    for n in range(1, _MAX_ROLLS + 1):
        stack = parse_position(f"1x{2 * n}")
        race = Question(stack, stack, Stakes.money(), limits=limits).solution()
        yield SameRolls(n, race.win_probability, race.cube_action().verdict, race.cube_action("mine").verdict)


def _behind(position: Position, lead: int) -> Position:
    """The position with its rearmost checkers moved back by `lead` pips together."""
    points = sorted((k + 1 for k, n in enumerate(position) for _ in range(n)), reverse=True)
    points = [point + len(range(k, lead, _MOVED)) if k < _MOVED else point for k, point in enumerate(points)]
    return Position([points.count(point + 1) for point in range(MAX_POINTS)])


def _last_take(position: Position, score: tuple[int, int] | None, limits: Limits) -> LastTake:
    stakes = Stakes.money() if score is None else Stakes.at(Score(*score))

    @cache
    def margins(lead: int) -> dict[str, tuple[float, float]]:
        """By decision, by how much yes is better, and the error."""
        race = Question(position, _behind(position, lead), stakes, limits=limits).solution()
        first, own = race.cube_action(), None if score else race.cube_action("mine")
        found = {"double_from": first.double_margin, "take_to": first.take_margin}
        found["redouble_from"] = own.double_margin if own else None
        return {name: (margin, race.error) for name, margin in found.items() if margin is not None}

    leads: dict[str, int | None] = {}
    unsure, worst = [], 0.0
    for name in _LEADS:
        take = name == "take_to"
        low, high = -1, _MAX_LEAD + 1  # the one side of the change and the other
        while high - low > 1 and name in margins(0):
            middle = (low + high) // 2
            low, high = (middle, high) if (margins(middle)[name][0] > 0) == take else (low, middle)
        lead = low if take else high
        leads[name] = lead if name in margins(0) and 0 <= lead <= _MAX_LEAD else None
        edges = [margins(edge)[name] for edge in (low, high) if leads[name] is not None and 0 <= edge <= _MAX_LEAD]
        worst = max([worst, *(error for _, error in edges)])
        unsure += [name] if any(abs(margin) <= min(error, _NEAR) for margin, error in edges) else []
    alone = follow_alone(position)
    return LastTake(alone.mean_rolls, position, position.pips, score, **leads, unsure=tuple(unsure), error=worst)
