"""``bgrace risk``."""

from __future__ import annotations

import click
from rich.table import Table
from rich.text import Text

from bgrace.cli.options import json_option, position_text
from bgrace.cli.output import emit
from bgrace.cli.screen import Block, Note, columns
from bgrace.contact import PlayRisk, Risk, risk

_WAITING = "hit at last: your risk if the men behind stay where they are"
_RUNNING = "safe: you get home unhit at least so often, whatever the man behind does.  Go by safe"
_SAFEST = "The safest play comes first.  It is not always the best: that may take a risk for race or gammon."


@click.command(name="risk")
@click.argument("pos", metavar="ID|HOME", callback=position_text)
@click.argument("behind", metavar="[BEHIND]", required=False)
@click.option("--roll", metavar="DICE", help="List the plays of a roll, such as 62, the safest first.")
@json_option
def risk_command(*, pos: str, behind: str | None, roll: str | None, as_json: bool) -> None:
    """Show the risk of being hit when you bear off against one or two men behind.

    ID is a GNU Backgammon ID, an XGID or an OGID of such a board.  Or HOME is the side that bears off, as counts or as
    point x count, and BEHIND says where the other side's men are on its points: "bar", "bar bar", "3x1" or "1x2".
    The roll of an ID is answered too.

    The safest play comes first: against one man by the chance to get home unhit whatever he does, against two by the
    risk while they stay.  It need not be the best play: the chance to win with men behind is not known.

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


def _table(*names: str) -> Table:
    table = columns(*("left" if n == 0 else "right" for n in range(len(names))))
    table.show_header = True
    table.header_style = "dim"
    for column, name in zip(table.columns, names, strict=True):
        column.header = name
    return table


def _chances(*chances: float | None) -> list[str]:
    return [f"{100 * chance:.2f} %" for chance in chances if chance is not None]
