"""The two sides of a race, as arguments of a command."""

from __future__ import annotations

from dataclasses import dataclass

from bgrace.board import Board, GameState, Position, parse_board, parse_position
from bgrace.board.contact import check_no_contact
from bgrace.errors import PositionError

__all__ = ["Sides", "read_sides"]


@dataclass(frozen=True, slots=True)
class Sides:
    """What POS and OPP say, and one note for each argument that answers, or answers about money, do not respect.

    There is an opponent if there is an OPP, or if POS is an ID of both sides, which alone tells of dice and the game.
    """

    on_roll: Position
    opponent: Position | None
    roll: tuple[int, int] | None
    state: GameState | None
    notes: list[str]
    money_notes: list[str]


def read_sides(pos: str, opp: str | None, *, race: bool = True) -> Sides:
    """Read the arguments POS and OPP; in a race they must have passed each other, as those of an ID always have."""
    board = _board(pos)
    on_roll = parse_position(pos)
    if board is not None and opp is None:
        return Sides(on_roll, board.opponent, board.roll, board.state, [], _money_notes(board))
    opponent = None if opp is None else parse_position(opp)
    if opponent is not None and race:
        check_no_contact(on_roll, opponent, f"{on_roll} against {opponent}")
    notes = [f"of {text}, only the player on roll counts" for text in (pos, opp) if text and _board(text)]
    return Sides(on_roll, opponent, None, None, notes, notes)


def _board(text: str) -> Board | None:
    """Both sides, if the text is an ID of both; None for anything else, and for an ID that is wrong."""
    try:
        return parse_board(text)
    except PositionError:
        parse_position(text)  # which says what is wrong, unless it is the text of one side
        return None


def _money_notes(board: Board) -> list[str]:
    """Say what of an ID answers about money play don't respect."""
    if board.away is None:
        return []
    return [
        f"the ID is of a match, {board.away[0]} away against {board.away[1]} away; "
        "equities and cube action are those of money play"
    ]
