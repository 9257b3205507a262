"""The plays of a roll in the usual notation: ``"4/2 3/off"``, ``"6/3"``, ``"8/4(2)"``.

A play is written as moves from point to point, highest point first.  Several dice played by one checker are one move,
and equal moves are counted in brackets.  GNU Backgammon writes the plays of a race in the same way.

In a race no checker blocks another, so three rules are enough: every die is played while a checker is left (doubles
four times); checkers are borne off only when all are home; and a die larger than the point bears off only from the
highest occupied point.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from bgrace._kernels import plays
from bgrace.board.dice import parse_roll
from bgrace.board.drawing import OFF, Move
from bgrace.board.position import HOME_POINTS, Position, PositionLike
from bgrace.board.text import SEPARATOR, parse_position
from bgrace.errors import PositionError

_MOVE = re.compile(r"([0-9]{1,2}(?:/[0-9]{1,2})*/(?:[0-9]{1,2}|off))(?:\(([1-4])\))?", re.IGNORECASE)

__all__ = ["format_play", "parse_play"]


def format_play(position: PositionLike, result: PositionLike, roll: str | Iterable[int]) -> str:
    """Write the play that leads from one position to another.

    Parameters
    ----------
    position : position
        Checkers of the player on roll before the play: anything that `bgrace.board.parse_position` reads.
    result : position
        The player's checkers after it.  The numbers of points may differ.
    roll : str or pair of int
        The dice: ``"31"``, ``(3, 1)``.

    Returns
    -------
    str
        Moves, highest point first; `parse_play` reads them back.  If a play can be written in several ways, it is
        written with the fewest moves, and of these ways, with the longest move.

    Raises
    ------
    PositionError
        If either is not a position, if no checker is left to play, or if no legal play of the roll leads from one to
        the other.
    RollError
        If `roll` is not a roll.

    Examples
    --------
    >>> format_play((0, 0, 1, 1, 0, 0), (0, 1, 0, 0, 0, 0), (3, 2))
    '4/2 3/off'
    >>> format_play("6x3", "3x1 6x2", "21"), format_play("8x2", "4x2", "22"), format_play("6x2", "off", "66")
    ('6/3', '8/4(2)', '6/off(2)')
    """
    before, after, dice = parse_position(position), parse_position(result), parse_roll(roll)
    _check_not_off(before)
    text = plays.play_text(before, after, *dice)
    if text is None:
        raise PositionError(f"{dice[0]}{dice[1]} does not lead from {before} to {after}: {_hint(before, dice)}")
    return text


def parse_play(position: PositionLike, text: str, roll: str | Iterable[int]) -> Position:
    """Read a play in the usual notation and carry it out.

    Parameters
    ----------
    position : position
        Checkers of the player on roll before the play: anything that `bgrace.board.parse_position` reads.
    text : str
        Moves with blanks or commas between them, in any order: ``"6/4 3/2"``, ``"6/3"`` or ``"6/4/3"`` for one checker
        that plays two dice, ``"6/off(2)"`` for two equal moves; ``0`` may stand for ``off``.
    roll : str or pair of int
        The dice: ``"31"``, ``(3, 1)``.

    Returns
    -------
    Position
        The result, on as many points as `position`.

    Raises
    ------
    PositionError
        If `position` is not one, if no checker is left to play, if `text` cannot be read, or if it is not a legal play
        of the roll: moves that the dice do not make, a die left unplayed, a checker borne off too early.
    RollError
        If `roll` is not a roll.

    Examples
    --------
    >>> parse_play((0, 0, 1, 1, 0, 0), "4/2 3/off", (3, 2))
    Position((0, 1, 0, 0, 0, 0))
    >>> parse_play("6x3", "6/4/3", "21"), parse_play("8x2", "8/4(2)", "22").points
    (Position((0, 0, 1, 0, 0, 2)), 8)
    """
    before, dice = parse_position(position), parse_roll(roll)
    _check_not_off(before)
    if not isinstance(text, str):
        raise PositionError(f"a play is text such as 6/4 3/off, not a {type(text).__name__}")
    shown = repr(text) if len(text) <= 60 else repr(text[:60]) + "..."
    moves = _read_moves(text, shown)
    counts = after = list(before)
    for start, end in moves:
        if start > before.points or not (after[start - 1] or any(to == start for _, to in moves)):
            raise PositionError(f"{shown}: no checker to play from point {start}; the position is {before}")
        after = _after_move(after, start, end)
    if dice[0] == dice[1]:
        # The result determines the number of steps from each point, so it is enough to judge the play.
        whole_steps = all(not end or (start - end) % dice[0] == 0 for start, end in moves)
        legal = whole_steps and min(after) >= 0 and plays.play_text(counts, after, *dice) is not None
    else:
        legal = _fits_two_dice(counts, moves, dice)
    if not legal:
        raise PositionError(f"{shown} is not a legal play of {dice[0]}{dice[1]} from {before}: {_hint(before, dice)}")
    return Position(after)


def play_moves(position: PositionLike, text: str, roll: str | Iterable[int]) -> tuple[Move, ...]:
    """Read a play as moves, one for each checker and each hop, highest point first.

    Each can be carried out after those before it; the target of a checker borne off is 0.

    Examples
    --------
    >>> play_moves("8x2 6x1", "6/4/2 8/4(2)", "22")
    Traceback (most recent call last):
        ...
    bgrace.errors.PositionError: '6/4/2 8/4(2)' is not a legal play ...
    >>> play_moves("8x2 6x1", "6/4 8/4 8/6", "22")
    ((8, 6), (8, 4), (6, 4))
    """
    parse_play(position, text, roll)
    return tuple(sorted(_read_moves(text, repr(text)), reverse=True))


def _check_not_off(position: Position) -> None:
    """Raise PositionError if no checker is left: then there is no play, nor a text for it.

    Examples
    --------
    >>> _check_not_off(Position((1, 0)))
    """
    if not any(position):
        raise PositionError("all checkers are off, so there is no play: give a position with at least one checker")


def _target(counts: Sequence[int], point: int, die: int) -> int | None:
    """Find the target of a checker on a point with a die: a point, `OFF`, or None if it may not move.

    Examples
    --------
    >>> _target([1, 0, 1], 3, 2), _target([1, 0, 1], 3, 6), _target([1, 0, 1], 1, 2)
    (1, 0, None)
    """
    if not counts[point - 1]:
        return None
    if point > die:
        return point - die
    # An exact die needs all checkers home; a larger die also needs every higher point to be empty.
    return None if any(counts[HOME_POINTS if point == die else point :]) else OFF


def _after_move(counts: Sequence[int], start: int, end: int) -> list[int]:
    """Carry out one move.

    Examples
    --------
    >>> _after_move([0, 0, 2], 3, 1), _after_move([0, 0, 2], 3, OFF)
    ([1, 0, 1], [0, 0, 1])
    """
    changed = list(counts)
    changed[start - 1] -= 1
    if end:
        changed[end - 1] += 1
    return changed


def _fits_two_dice(counts: Sequence[int], moves: Sequence[Move], dice: tuple[int, int]) -> bool:
    """Whether two different dice make these moves, in some order, and no die is left over.

    Examples
    --------
    >>> _fits_two_dice([0, 0, 1, 1], [(4, 2), (3, 0)], (3, 2)), _fits_two_dice([0, 0, 1, 1], [(4, 1)], (3, 2))
    (True, False)
    """
    for first, second in (dice, dice[::-1]):
        for order in (moves, moves[::-1]):
            start, end = order[0]
            reached = _target(counts, start, first)
            if reached is None:
                continue
            between = _after_move(counts, start, reached)
            if len(moves) == 2 and reached == end and _target(between, order[1][0], second) == order[1][1]:
                return True
            if len(moves) == 1 and not any(between):
                return end == OFF
            if len(moves) == 1 and reached != OFF and _target(between, reached, second) == end:
                return True
    return False


def _read_moves(text: str, shown: str) -> list[Move]:
    """Read the moves of a play, one for each checker and each hop.

    Examples
    --------
    >>> _read_moves("6/4/3 2/off(2)", "example")
    [(6, 4), (4, 3), (2, 0), (2, 0)]
    """
    moves: list[Move] = []
    for token in SEPARATOR.split(text.strip()):
        match = _MOVE.fullmatch(token)
        if match is None:
            raise PositionError(f"{shown} is not a play: write moves such as 6/4, 6/4/3, 6/off or 6/off(2)")
        stops = [OFF if stop.lower() == "off" else int(stop) for stop in match[1].split("/")]
        hops = list(pairwise(stops))
        if any(start <= end for start, end in hops):
            raise PositionError(f"{shown}: {match[1]} does not go down: write the higher point first, as 6/4 or 6/off")
        moves += hops * int(match[2] or 1)
        if len(moves) > 4:
            raise PositionError(f"{shown} has more than four moves: two dice make two, or four when they are equal")
    return moves


def _hint(position: Position, dice: tuple[int, int]) -> str:
    """Explain legal plays, with an example that plays each die from the highest point.

    Examples
    --------
    >>> _hint(Position((0, 0, 1, 1)), (3, 2)).partition("; ")[2]
    'one that works is 4/1 3/1'
    """
    counts = list(position)
    for die in dice if dice[0] != dice[1] else dice * 2:
        highest = Position(counts).highest
        if highest:
            counts = _after_move(counts, highest, max(highest - die, OFF))
    shown = plays.play_text(position, counts, *dice) or ""
    return (
        "each die is played by one checker, and checkers are borne off only when all are on points 1 to "
        f"{HOME_POINTS}, with too large a die only from the highest; one that works is {shown}"
    )
