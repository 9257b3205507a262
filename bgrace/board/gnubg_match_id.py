"""GNU Backgammon match IDs."""

from __future__ import annotations

import re
from typing import Final

from bgrace.board.board import Board, checked_board
from bgrace.board.gnubg_position_id import BASE64, decoded
from bgrace.board.position import Position, shown
from bgrace.errors import PositionError

__all__ = ["MATCH_ID", "board_with_match_id"]

MATCH_ID: Final = re.compile(f"{BASE64}{{12}}")


def board_with_match_id(on_roll: Position, opponent: Position, match_id: str) -> Board:
    """Add to the two sides what a match ID tells.

    Examples
    --------
    >>> home = Position((1, 0, 0, 0, 0, 0))
    >>> board = board_with_match_id(home, home, "QoklATAAKAAE")
    >>> board.roll, board.cube_value, board.cube, board.score, board.match_length
    ((3, 1), 4, 'theirs', (5, 3), 9)
    """
    key = decoded(match_id)

    def field(start: int, length: int) -> int:
        return key >> start & (1 << length) - 1

    # Players are numbered 0 and 1.  Bit 6 is the player on roll, and stays so while a double or resignation is offered.
    player, owner = field(6, 1), field(4, 2)
    if owner == 2:
        raise PositionError(
            f"{shown(match_id)} is no GNU match ID: it gives the cube to a third player; check its first characters"
        )
    scores = (field(36, 15), field(51, 15))
    return checked_board(
        shown(match_id),
        (on_roll, opponent),
        dice=(field(15, 3), field(18, 3)),
        cube_value=1 << field(0, 4),
        cube="centered" if owner == 3 else "mine" if owner == player else "theirs",
        score=(scores[player], scores[1 - player]),
        match_length=field(21, 15),
        crawford=bool(field(7, 1)),
        jacoby=not field(66, 1),
    )
