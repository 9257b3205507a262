"""Draw boards as text and as SVG: both sides of a race seen by the player on roll, or one side alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

from bgrace._base.arrays import as_choice
from bgrace.board.board import Board
from bgrace.board.dice import parse_roll
from bgrace.board.drawing.scene import Direction, Scene, scene_text
from bgrace.board.drawing.svg import ColourScheme, board_css, scene_svg
from bgrace.board.play_text import play_moves
from bgrace.board.position import Position, PositionLike
from bgrace.board.text import read_text
from bgrace.errors import ArgumentError

__all__ = ["board_css", "board_svg", "board_text"]


def board_text(
    board: Board | PositionLike,
    *,
    roll: str | Iterable[int] | None = None,
    play: str | None = None,
    names: tuple[str, str] | None = None,
    direction: Direction = "right",
    ascii_only: bool = False,
) -> str:
    """Draw a board as text, at most 80 columns wide, much as GNU Backgammon does.

    The checkers of the player on roll are X and at the bottom, the opponent's are O; points have the numbers of the
    player on roll, a stack of more than five ends in its number, and checkers borne off lie beside the home boards.
    Beside the board stand pip counts, score, cube, rules and dice, as far as they are known.  A play is not carried
    out: each of its different moves is an arrow below or above the board.

    Parameters
    ----------
    board : Board, position or str
        Both sides; or one position alone, in any form that `parse_position` reads; or an ID of both sides.
    roll : str or pair of int, optional
        The dice, in any form that `parse_roll` reads; by default those of the board.
    play : str, optional
        A play of the dice by the player on roll, such as ``"6/3"``.
    names : tuple of two str, optional
        Names of the player on roll and the opponent, written beside the board; long ones are cut.
    direction : {"right", "left"}
        Where the player on roll bears off.
    ascii_only : bool
        Whether to draw without box-drawing characters.

    Returns
    -------
    str
        Lines without blanks at their ends, no newline after the last.

    Raises
    ------
    PositionError
        If `board` is none of these, or `play` is not a legal play of the roll.
    RollError
        If `roll` is not a roll.
    ArgumentError
        If there is a play and no roll, a roll while a double is offered, or `direction` is unknown.

    Examples
    --------
    >>> print(board_text("6x1 3x1 2x7", roll="31", play="6/3 2/1", ascii_only=True))
    +-------------------+---+-------------------+-----+
    |                   |   |              7    |     |
    |                   |   |              X    |     |
    |                   |   |              X    |     |
    |                   |   |              X    | XXX |  rolled 3-1
    |                   |   |  X        X  X    | XXX |  X  23 pips, 6 off
    +-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+-----+
                               `-------->                6/3
                                           `-->          2/1
    """
    towards: Direction = as_choice("direction", direction, get_args(Direction))
    return scene_text(_scene(board, roll, play, names), towards, ascii_only=ascii_only)


def board_svg(
    board: Board | PositionLike,
    *,
    roll: str | Iterable[int] | None = None,
    play: str | None = None,
    names: tuple[str, str] | None = None,
    direction: Direction = "right",
    scheme: ColourScheme = "auto",
    caption: str = "",
    with_style: bool = True,
) -> str:
    """Draw a board as SVG, on white paper or a dark screen.

    The contents are those of `board_text`, with the player on roll dark and at the bottom, all checkers, the doubling
    cube (none in a Crawford game), dice, and an arrow for each checker that a play moves.  One side alone is drawn up
    to its farthest checker.  The drawing has a title and a description, and refers to no other file.

    Parameters
    ----------
    board, roll, play, names, direction
        As for `board_text`.
    scheme : {"auto", "light", "dark"}
        Colours: as the reader's screen prefers (always light in print), or fixed.  A page can set each as a CSS
        variable: see `board_css`.
    caption : str
        Text below everything else, such as the cube action; broken into lines if it is long.
    with_style : bool
        Whether the drawing contains its style sheet.  On a page that has `board_css` itself it needs none.

    Returns
    -------
    str
        An ``<svg>`` element, less than 20 kB; the same bytes for the same arguments.

    Raises
    ------
    PositionError, RollError, ArgumentError
        For the reasons that `board_text` has, or if `scheme` is unknown.

    Examples
    --------
    >>> drawing = board_svg(Board(Position((5, 1, 8, 1)), Position((0, 0, 0, 2))), roll="31", play="4/1 3/2")
    >>> drawing.count('class="checker mine"'), drawing.count('class="off theirs"'), drawing.count('class="arrow"')
    (15, 13, 2)
    """
    if not isinstance(caption, str):
        raise ArgumentError(f"caption={caption!r:.80} is not text: give words to write below the board")
    towards: Direction = as_choice("direction", direction, get_args(Direction))
    scene = _scene(board, roll, play, names)
    return scene_svg(scene, towards, scheme=scheme, caption=caption, with_style=with_style)


def _scene(
    board: Board | PositionLike,
    roll: str | Iterable[int] | None,
    play: str | None,
    names: tuple[str, str] | None = None,
) -> Scene:
    """Read the arguments of a drawing.

    Examples
    --------
    >>> _scene("6x1", "61", "6/off").moves
    ((6, 0),)
    """
    board = read_text(board) if isinstance(board, str) else board if isinstance(board, Board) else Position(board)
    dice = None if roll is None else parse_roll(roll)
    if isinstance(board, Board):
        board = board if dice is None else replace(board, roll=dice)
        scene = Scene(board.on_roll, board.opponent, board.state, board.roll, names=names)
    else:
        scene = Scene(board, roll=dice)
    if play is None:
        return scene
    if scene.roll is None:
        raise ArgumentError(f"the play {play!r} has no roll: give the roll, such as '31', or leave out the play")
    return replace(scene, moves=play_moves(scene.on_roll, play, scene.roll))
