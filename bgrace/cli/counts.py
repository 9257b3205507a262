"""``bgrace counts``."""

from __future__ import annotations

import click
from rich.text import Text

from bgrace._base.arrays import JSON
from bgrace.board import Position
from bgrace.cli.options import json_option
from bgrace.cli.output import columns, print_json, print_lines, print_note, print_notes, print_table
from bgrace.cli.sides import read_sides
from bgrace.counts import COUNTS, CountOfPair
from bgrace.errors import PositionError

__all__ = ["counts_command"]


@click.command(name="counts")
@click.argument("pos")
@click.argument("opp", required=False)
@json_option
def counts_command(*, pos: str, opp: str | None, as_json: bool) -> None:
    """Tell what the counts that players use over the board say about a race.

    POS is the player on roll, OPP the opponent, each counted from its own ace point, in any of the forms that bgrace
    query takes; one ID of both sides will do.  Each count's adjusted pips of both sides, its win probability if it has
    one, and its advice: double with a centered cube, redouble with an own one, take.

    \b
    Examples:
      bgrace counts "2,2,2,3,3,3" "1,1,2,3,4,4"
      bgrace counts "4x2 5x3 6x4 8x3 10x3" "5x4 6x5 8x3 13x3" --json
    """  # noqa: D301
    sides = read_sides(pos, opp)
    if sides.opponent is None:
        raise click.UsageError("OPP is missing: give both sides, or an ID of both")
    for side in (sides.on_roll, sides.opponent):
        if not side.checkers:
            raise PositionError(f"{side} has no checker left: counts are for races that are not over")
    counted: dict[str, CountOfPair | None] = {}
    left_out: dict[str, str] = {}
    for name, count in COUNTS.items():
        try:
            counted[name] = count(sides.on_roll, sides.opponent)
        except PositionError as error:  # a count that does not reach this pair
            counted[name], left_out[name] = None, str(error)
    if as_json:
        print_json(
            {
                "on_roll": _described(sides.on_roll),
                "opponent": _described(sides.opponent),
                "counts": {name: count and count.to_dict() for name, count in counted.items()},
                "left_out": left_out,
            }
        )
        print_notes(sides.money_notes, as_json)
        return
    print_lines(Text(f"{sides.on_roll} on roll against {sides.opponent}", style="bold"), "")
    table = columns("left", "right", "right", "right", "left")
    table.add_row(*(Text(head, style="dim") for head in ("", "on roll", "opponent", "wins", "")))
    for count_or_none in counted.values():
        if count_or_none is not None:
            table.add_row(*_row(count_or_none))
    print_table(table)
    for name, reason in left_out.items():
        print_note(f"{name}: {reason}")
    print_notes(sides.money_notes, as_json)


def _described(position: Position) -> dict[str, JSON]:
    return {"position": list(position), "pips": position.pips}


def _row(count: CountOfPair) -> tuple[str, str, str, str, str]:
    win = "" if count.win_probability is None else f"{100 * count.win_probability:.1f} %"
    return count.name, _pips(count.on_roll), _pips(count.opponent), win, count.advice


def _pips(value: float) -> str:
    """Whole counts without decimals, others with the two that tell them apart."""
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"
