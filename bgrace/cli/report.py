"""``bgrace report``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click
from rich.console import Console
from rich.text import Text

from bgrace.cli.options import json_option
from bgrace.cli.output import emit
from bgrace.cli.screen import Block
from bgrace.studies.bearoff_facts import BearoffReport, bearoff_report


@click.command()
@json_option
def report(as_json: bool) -> None:
    """Print published facts about the bearoff, computed anew.

    How often it is wrong to bear off as many checkers as possible, and what that costs; the effect of an ace on the
    dice; the least, mean and greatest expected pip count.  Each stands beside the printed figure.  No file is needed.

    \b
    Examples:
      bgrace report
      bgrace report --json
    """  # noqa: D301
    emit(bearoff_report(), as_json, _lines)


def _lines(facts: BearoffReport, sink: Console) -> Iterator[Block]:
    for line in str(facts).splitlines():
        # A file gets every fact on a line of its own; a terminal gets it broken where words end.
        shown = line
        if sink.is_terminal and len(line) > sink.width:
            shown = textwrap.fill(line, sink.width, subsequent_indent="    ", break_on_hyphens=False)
        yield Text(shown, style="bold" if line.isupper() else "")
