"""``bgrace board``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import click

from bgrace._base.arrays import JSON
from bgrace._base.files import write_small_file
from bgrace.board import Board, Position, board_svg, board_text, parse_position
from bgrace.board.dice import parse_roll
from bgrace.board.drawing.scene import Direction
from bgrace.board.text import read_text
from bgrace.cli.options import json_option, position_text
from bgrace.cli.output import emit, print_notes
from bgrace.cli.race import read_sides
from bgrace.cli.screen import console
from bgrace.cli.targets import Target, check_targets


@click.command(name="board")
@click.argument("pos", callback=position_text)
@click.argument("opp", required=False)
@click.option("--roll", metavar="DICE", help="Draw the dice, such as 31 or 6-6.  [default: as the ID has them]")
@click.option("--play", metavar="MOVES", help='Draw a play of the roll, such as "6/3 2/1", as arrows.')
@click.option(
    "--bear-off",
    "direction",
    type=click.Choice(["right", "left"]),
    default="right",
    show_default=True,
    help="Where the player on roll bears off.",
)
@click.option("--ascii", "ascii_only", is_flag=True, help="Use no box-drawing characters.")
@click.option("--svg", type=click.Path(path_type=Path), metavar="FILE", help="Write an .svg drawing to FILE instead.")
@click.option("--caption", default="", metavar="TEXT", help="With --svg: a line below the board.")
@json_option
def board_command(
    *,
    pos: str,
    opp: str | None,
    roll: str | None,
    play: str | None,
    direction: str,
    ascii_only: bool,
    svg: Path | None,
    caption: str,
    as_json: bool,
) -> None:
    """Draw a board, seen by the player on roll, and print its IDs.

    POS is the player on roll, OPP the opponent, each counted from its own ace point, in any of the forms that bgrace
    query takes; one ID of both sides will do, and its dice, cube and score are drawn too.  POS alone draws one
    side.  The player on roll is X, at the bottom.

    \b
    Examples:
      bgrace board "2,2,2,3,3,3" "1,1,2,3,4,4"
      bgrace board XGID=-BBBA--------------aaaaaa-:1:1:1:31:0:0:0:0:10 --play "4/1 2/1"
      bgrace board 5x1,6x1 4x1,5x1 --svg race.svg --caption "Double, pass"
    """  # noqa: D301
    if caption and svg is None:
        raise click.UsageError("--caption needs --svg, the file of the drawing")
    if svg is not None and (as_json or ascii_only):
        raise click.UsageError("--svg writes a drawing, --json and --ascii print: give one")
    check_targets([Target("--svg", svg, (".svg",))])
    board = read_text(pos) if opp is None else Board(parse_position(pos), parse_position(opp))
    if roll is not None and isinstance(board, Board):
        board = replace(board, roll=parse_roll(roll))
    notes = [] if opp is None else read_sides(pos, opp).notes
    towards = cast(Direction, direction)  # click has checked the choice
    if svg is not None:
        drawing = board_svg(board, roll=roll, play=play, direction=towards, caption=caption)
        click.echo(write_small_file(svg, drawing.encode("utf-8") + b"\n"))
        print_notes(notes, True)
        return
    ascii_only = ascii_only or console().options.ascii_only
    lines = board_text(board, roll=roll, play=play, direction=towards, ascii_only=ascii_only).splitlines()
    if isinstance(board, Board):
        lines += ["", f"  GNU Backgammon  {board.gnubg_id()}", f"  eXtreme Gammon  {board.xgid()}"]
        lines.append(f"  OpenGammon      {board.ogid()}")
    emit(_described(board), as_json, lambda *_: lines, notes)


def _described(board: Board | Position) -> dict[str, JSON]:
    """The drawing as JSON: the fields of a board, or those of one side."""
    if isinstance(board, Board):
        return board.to_dict()
    return {"on_roll": {"position": list(board), "pips": board.pips}, "opponent": None}
