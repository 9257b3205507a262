"""``bgrace board`` and ``bgrace risk``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from bgrace._base.arrays import JSON
from bgrace._base.files import write_small_file
from bgrace.board import Board, Position, board_svg, board_text, parse_position
from bgrace.board.dice import parse_roll
from bgrace.board.text import read_text
from bgrace.cli.options import Target, check_targets, json_option, pair_arguments, position_text
from bgrace.cli.output import emit, print_notes
from bgrace.cli.race import read_sides
from bgrace.cli.screen import Block, Note, columns, console
from bgrace.contact import PlayRisk, Risk, risk


@click.command(name="board")
@pair_arguments()
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
    ascii_only: bool,
    svg: Path | None,
    caption: str,
    as_json: bool,
    **drawn: Any,
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
    if svg is not None:
        drawing = board_svg(board, roll=roll, caption=caption, **drawn)
        click.echo(write_small_file(svg, drawing.encode("utf-8") + b"\n"))
        print_notes(notes, True)
        return
    ascii_only = ascii_only or console().options.ascii_only
    lines = board_text(board, roll=roll, ascii_only=ascii_only, **drawn).splitlines()
    if isinstance(board, Board):
        lines += ["", f"  GNU Backgammon  {board.gnubg_id()}", f"  eXtreme Gammon  {board.xgid()}"]
        lines.append(f"  OpenGammon      {board.ogid()}")
    emit(_drawing_fields(board), as_json, lambda *_: lines, notes)


def _drawing_fields(board: Board | Position) -> dict[str, JSON]:
    """The drawing as values of JSON: the fields of a board, or those of one side."""
    if isinstance(board, Board):
        return board.to_dict()
    return {"on_roll": {"position": list(board), "pips": board.pips}, "opponent": None}


_WAITING = "hit at last: your risk if the men behind stay where they are"
_RUNNING = "safe: you get home unhit at least this often, whatever the man behind does.  Go by safe"
_SAFEST = "The safest play comes first.  It is not always the best: that may take a risk for race or gammon."


@click.command(name="risk")
@click.argument("pos", metavar="ID|HOME", callback=position_text)
@click.argument("behind", metavar="[BEHIND]", required=False, callback=position_text)
@click.option("--roll", metavar="DICE", help="List the plays of a roll, such as 62, the safest first.")
@json_option
def risk_command(*, pos: str, behind: str | None, roll: str | None, as_json: bool) -> None:
    """Show the risk of being hit when you bear off against one or two men behind.

    ID is a GNU Backgammon ID, an XGID or an OGID of such a board.  Or HOME is the side that bears off, as counts or as
    point x count, and BEHIND is the place of the other side's men on its points: "bar", "bar bar", "3x1" or "1x2".
    The plays of an ID's roll are listed too.

    The safest play comes first: against one man by the chance to get home unhit whatever he does, against two by the
    risk if they stay.  It need not be the best play: the chance to win with men behind is unknown.

    \b
    Examples:
      bgrace risk "0,3,4,2,2,4" 1x2 --roll 62
      bgrace risk "2,2,2,3,3,3" bar
      bgrace risk u3sDAED3AAAAAA --json
    """  # noqa: D301
    known = risk(pos, behind)
    dice = roll or (known.roll if known.on_roll else None)
    emit(known.to_dict(dice), as_json, lambda *_: _blocks(known, None if dice is None else known.plays(dice)))


def _blocks(known: Risk, plays: list[PlayRisk] | None) -> list[Block]:
    to_roll = {None: "", True: ", on roll", False: ", the other side to roll"}[known.on_roll]
    blocks: list[Block] = [Text(f"{known.position} against {known.behind}{to_roll}", style="bold"), ""]
    one_man = known.never_hit is not None
    never = ["safe"] if one_man else []
    table = _table("", "shots", "hit at last", *never)
    table.add_row("other side to roll", f"{known.shots} of 36", *_chances(known.least, known.never_hit))
    table.add_row("to bear off", "", *_chances(known.least_on_roll, known.never_hit_on_roll))
    blocks.append(table)
    if plays is not None:
        table = _table("play", "shots", "hit at last", *never, "off", "pips", "EPC")
        for play in plays:
            chances = _chances(play.least, play.never_hit)
            numbers = f"{play.off}", f"{play.pips}", f"{play.epc:.2f}"
            table.add_row(play.play or "(none)", f"{play.shots} of 36", *chances, *numbers)
        blocks += ["", table]
    blocks.append(Note(f"{_WAITING}.  {_RUNNING}." if one_man else f"{_WAITING}."))
    if plays is not None:
        blocks.append(Note(_SAFEST))
    return blocks


def _table(first: str, *others: str) -> Table:
    return columns("left", *["right"] * len(others), heads=(first, *others))


def _chances(*chances: float | None) -> list[str]:
    return [f"{100 * chance:.2f} %" for chance in chances if chance is not None]
