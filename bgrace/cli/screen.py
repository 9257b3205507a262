"""The screen of a reader: lines, tables without lines, bars and notes, drawn with rich as wide as the output is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

import click
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text


class Note(str):
    """A note under a result: what its reader should know."""

    __slots__ = ()


Block: TypeAlias = str | Text | Table
"""The parts of a result, one below the other: a line, which is never broken, a table, or a note."""

_MAX_WIDTH: Final = 10_000
"""Columns that no table needs."""

_MIN_WIDTH: Final = 10
"""Columns that a line needs: some shells say that they have none."""

_FOLDED: Final = 20
"""Columns that a word is broken at, where words may be."""


_HELD: Final = "\ue000"
"""Stands for a blank at which no line is broken; as wide as one, and in no text."""


def console(width: int | None = None) -> Console:
    """Where results go: standard output, as it is now; 80 columns wide unless a terminal or COLUMNS says otherwise."""
    made = Console(highlight=False, markup=False, emoji=False, width=width)
    made.width = max(made.width, _MIN_WIDTH)
    return made


def columns(*justify: str, heads: Iterable[str] = ()) -> Table:
    """Make a table without lines, its columns two blanks apart, that begins two blanks from the left."""
    table = Table(box=None, show_header=False, pad_edge=True, padding=(0, 0, 0, 2))
    for side in justify:
        table.add_column(justify="right" if side == "right" else "left")
    if heads:
        table.add_row(*(head and Text(head, style="dim") for head in heads))
    return table


def wrapped(text: str, width: int, sink: Console) -> str:
    """Break text into lines of so many columns, two for a Japanese letter, but not before what belongs to a number."""
    held = text.replace(": ", f":{_HELD}").replace(" %", f"{_HELD}%").replace("\u00a0", _HELD)
    return "\n".join(line.plain.rstrip() for line in Text(held).wrap(sink, width)).replace(_HELD, " ")


def bar(fraction: float, width: int, ascii_only: bool) -> Text:
    """Draw a horizontal bar: a fraction of `width` columns, to an eighth of one, or to a whole one in ASCII.

    Something is to be seen unless the fraction is 0.

    Examples
    --------
    >>> bar(0.5, 5, False).plain, bar(0.5, 5, True).plain, bar(0.0001, 5, False).plain
    ('██▌', '##', '▏')
    """
    if ascii_only:
        return Text("#" * int(fraction * width), style="cyan")
    eighths = max(round(fraction * width * 8), 1 if fraction > 0 else 0)
    return Text("█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip(), style="cyan")


def show(*blocks: Block) -> None:
    """Print lines that are not to be broken, however narrow the output is, tables, and notes."""
    sink = console()
    for block in blocks:
        if isinstance(block, Table):
            # What rich has left of colours is what this output can show.
            click.echo(_text_of(block, sink.width), color=True)
        elif isinstance(block, Note):
            sink.print()
            sink.print(Text(f"Note: {block}", style="yellow"), soft_wrap=not sink.is_terminal)
        else:
            sink.print(block, soft_wrap=True)


def _text_of(table: Table, width: int) -> str:
    """Draw a table without the blanks that fill its last column, wider than the output if it has to be.

    Where the output is too narrow, text is broken between its words; numbers, which are what is justified right, stay
    whole.
    """
    sink = console(max(width, _fit(table, width)))
    with sink.capture() as captured:
        sink.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _fit(table: Table, width: int) -> int:
    """Give the columns of a table their widths, and return its own: what is asked for, or more if it needs that."""
    sink = console(_MAX_WIDTH)
    _, right, _, left = table.padding
    total = (left + right) * len(table.columns)
    least, widths = [], []
    for column in table.columns:
        needs = [Measurement.get(sink, sink.options, cell) for cell in column.cells]
        most = max((need.maximum for need in needs), default=0)
        if column.width is not None:
            most = column.width
        elif column.max_width is not None:
            most = min(most, column.max_width)
        whole = column.width is not None or column.no_wrap or column.justify == "right"
        longest_word = max((need.minimum for need in needs), default=0)
        if column.overflow == "fold":  # of what may have words of any length, such as the name of a file
            longest_word = min(longest_word, _FOLDED)
        least.append(most if whole else min(longest_word, most))
        widths.append(most)
    while total + sum(widths) > width and widths != least:
        widest = max((k for k in range(len(widths)) if widths[k] > least[k]), key=widths.__getitem__)
        widths[widest] -= 1
    for column, its_width in zip(table.columns, widths, strict=True):
        column.width = its_width
    return total + sum(widths)
