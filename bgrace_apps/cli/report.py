"""``bgrace report``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.text import Text

from bgrace._base.files import write_small_file
from bgrace.cli.options import Target, check_targets, json_option
from bgrace.cli.output import emit, progress
from bgrace.cli.screen import Block, columns
from bgrace_apps.studies.bearoff_facts import BearoffReport, bearoff_report
from bgrace_apps.studies.reference_positions import ReferencePositions, reference

_STYLE: Final = "body{font:14px/1.35 sans-serif;margin:2em}td,th{padding:1px 1em 1px 0;text-align:left}"


@click.command()
@click.option("--positions", is_flag=True, help="Print positions to learn by heart instead, in about a minute.")
@click.option(
    "--html", type=click.Path(path_type=Path), metavar="FILE", help="With --positions: write an .html page to print."
)
@json_option
def report(positions: bool, html: Path | None, as_json: bool) -> None:
    """Print published facts about the bearoff, computed anew.

    How often it is wrong to bear off as many checkers as possible, and what that costs; the effect of an ace on the
    dice; the least, mean and greatest expected pip count.  Each stands beside the printed figure.  No file is needed.

    With --positions: the expected pip counts of ten common shapes, races of the same number of rolls each, and the
    leads at which one doubles, redoubles and takes last, for money and at scores.

    \b
    Examples:
      bgrace report
      bgrace report --positions --html positions.html
      bgrace report --json
    """  # noqa: D301
    if html is not None and not positions:
        raise click.UsageError("--html is for --positions: give both")
    check_targets([Target("--html", html, (".html", ".htm"))])
    if not positions:
        emit(bearoff_report(), as_json, _lines)
        return
    with progress("last takes") as shown:
        card = reference(progress=shown)
    if html is not None:
        write_small_file(html, _page(card).encode())
    emit(card, as_json, _blocks)


def _lines(facts: BearoffReport, sink: Console) -> Iterator[Block]:
    for line in str(facts).splitlines():
        # A file gets every fact on a line of its own; a terminal gets it broken where words end.
        shown = line
        if sink.is_terminal and len(line) > sink.width:
            shown = textwrap.fill(line, sink.width, subsequent_indent="    ", break_on_hyphens=False)
        yield Text(shown, style="bold" if line.isupper() else "")


# ---- positions to learn by heart


def _blocks(card: ReferencePositions, sink: Console) -> Iterator[Block]:
    for title, note, (heads, *rows) in card.sections():
        numbers = [cell.strip("~").isdecimal() or "." in cell for cell in rows[0]]
        table = columns(*("right" if number else "left" for number in numbers), heads=heads)
        for row in rows:
            table.add_row(*row)
        yield Text(title, style="bold")
        yield from textwrap.wrap(note, sink.width)
        yield table
        yield ""


def _page(card: ReferencePositions) -> str:
    parts = ['<!doctype html><html lang="en"><meta charset="utf-8"><title>Reference positions</title>']
    parts += [f"<style>{_STYLE}</style><h1>Reference positions</h1>"]
    for title, note, table in card.sections():
        cells = ["".join(f"<{'td' if k else 'th'}>{escape(cell)}" for cell in row) for k, row in enumerate(table)]
        parts.append(f"<h2>{title}</h2><p>{note}<table><tr>{'<tr>'.join(cells)}</table>")
    return "\n".join(parts) + "\n"
