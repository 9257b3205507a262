"""The two sides of a race, as arguments of a command."""

from __future__ import annotations

from dataclasses import dataclass

from bgrace.board import Board, GameState, Position, parse_position
from bgrace.board.draw import read_board
from bgrace.board.position import HOME_POINTS, check_no_contact
from bgrace.board.text import xgids_of


@dataclass(frozen=True, slots=True)
class Sides:
    """The meaning of POS and OPP, and one note for each part that no answer takes into account in full.

    There is an opponent if there is an OPP, or if POS is an ID of both sides, which alone tells of dice and the game.
    """

    on_roll: Position
    opponent: Position | None
    roll: tuple[int, int] | None
    state: GameState | None
    notes: list[str]

    @property
    def money_notes(self) -> list[str]:
        """The notes, of equities and cube action for money."""
        return self.notes_without_score("equities and cube action are those of money play")

    def notes_without_score(self, instead: str) -> list[str]:
        """The notes of an answer that does not take into account the score of an ID, and tells something instead."""
        away = None if self.state is None else self.state.away
        if away is None:
            return self.notes
        return [f"the ID is of a match, {away[0]} away against {away[1]} away; {instead}"]


def read_sides(pos: str, opp: str | None, *, race: bool = True) -> Sides:
    """Read the arguments POS and OPP; in a race they must have passed each other, as those of an ID always have."""
    board = read_board(pos)
    if isinstance(board, Board) and opp is None:
        notes = [f"the ID has {board.doubt}"] if board.doubt else []
        n_ids = len(xgids_of(pos))
        if n_ids > 1:
            notes.append(f"the text has {n_ids} XGIDs: the first is the position")
        left = [side for side in (board.on_roll, board.opponent) if side.checkers]
        if len(left) == 1:
            notes.append("one side of the ID has no checker left: the other is taken by itself")
            return Sides(left[0].resized(max(HOME_POINTS, left[0].highest)), None, None, None, notes)
        mine = board.on_roll  # of its own points, as parse_position has it
        return Sides(mine.resized(max(HOME_POINTS, mine.highest)), board.opponent, board.roll, board, notes)
    on_roll, opponent = parse_position(pos), None if opp is None else parse_position(opp)
    if opponent is not None and race:
        check_no_contact(on_roll, opponent)
    ids = [text for text in (pos, opp) if text is not None and isinstance(read_board(text), Board)]
    return Sides(on_roll, opponent, None, None, [f"of {text}, only the player on roll counts" for text in ids])
