"""Read positions from text, GNU Backgammon IDs, XGIDs and OGIDs, and write them.

A position is one side's checker counts, ace point first; `Board` is both sides of a race, seen by the player on roll.
Each side's points are counted from its own home, so the two sides of a board look alike.
"""

from typing import TYPE_CHECKING

from bgrace._base.lazy import names_of_modules
from bgrace.board.board import Board
from bgrace.board.game_state import GameState
from bgrace.board.position import (
    HOME_POINTS,
    MAX_CHECKERS,
    MAX_POINTS,
    OnePosition,
    Position,
    PositionArray,
    PositionLike,
    Positions,
)
from bgrace.board.text import gnubg_position_id, parse_board, parse_position

if TYPE_CHECKING:
    from bgrace.board.draw import board_css, board_svg, board_text
else:
    __getattr__, _ = names_of_modules(__name__, draw=("board_css", "board_svg", "board_text"))

__all__ = [
    "HOME_POINTS",
    "MAX_CHECKERS",
    "MAX_POINTS",
    "Board",
    "GameState",
    "OnePosition",
    "Position",
    "PositionArray",
    "PositionLike",
    "Positions",
    "board_css",
    "board_svg",
    "board_text",
    "gnubg_position_id",
    "parse_board",
    "parse_position",
]


def __dir__() -> list[str]:
    return __all__
