"""What the commands print: numbers as text, JSON, tables, notes and progress."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from bgrace._base.interrupts import check_interrupt

if TYPE_CHECKING:  # what prints JSON, or one line, does not wait for rich
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

__all__ = [
    "bar",
    "bytes_text",
    "columns",
    "console",
    "duration_text",
    "print_json",
    "print_lines",
    "print_note",
    "print_notes",
    "print_table",
    "progress",
    "say",
]

_SECONDS_BETWEEN_LINES: Final = 5.0
_LIKE_A_TERMINAL: Final = {"FORCE_COLOR", "TTY_COMPATIBLE"}
"""Variables that tell rich to write to anything as to a terminal."""

_MAX_WIDTH: Final = 10_000
"""Columns that no table needs."""

_FOLDED: Final = 20
"""Columns that a word is broken at, where words may be."""

_STRING_OR_LIST: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\[\s*([^\[\]{}"]*?)\s*\]')


def console(width: int | None = None) -> Console:
    """Where results go: standard output, as it is now; 80 columns wide unless a terminal or COLUMNS says otherwise."""
    from rich.console import Console  # noqa: PLC0415

    return Console(highlight=False, markup=False, emoji=False, width=width)


def columns(*justify: str) -> Table:
    """Make a table without lines, its columns two blanks apart, that begins two blanks from the left."""
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, show_header=False, pad_edge=True, padding=(0, 0, 0, 2))
    for side in justify:
        table.add_column(justify="right" if side == "right" else "left")
    return table


def bar(fraction: float, width: int, ascii_only: bool) -> Text:
    """Draw a horizontal bar.

    Parameters
    ----------
    fraction : float
        0 to 1, of the whole width.
    width : int
        In characters.
    ascii_only : bool
        Whether the output knows no block characters.

    Returns
    -------
    Text
        To an eighth of a character, or to a whole one in ASCII; something to be seen unless the fraction is 0.

    Examples
    --------
    >>> bar(0.5, 5, False).plain, bar(0.5, 5, True).plain, bar(0.0001, 5, False).plain
    ('██▌', '##', '▏')
    """
    from rich.text import Text  # noqa: PLC0415

    if ascii_only:
        return Text("#" * int(fraction * width), style="cyan")
    eighths = max(round(fraction * width * 8), 1 if fraction > 0 else 0)
    return Text("█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip(), style="cyan")


def print_json(result: Mapping[str, object]) -> None:
    """Print a result as JSON, one field a line and lists of numbers on one line."""
    text = json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False)
    # Strings are matched to be left alone: what looks like a list may be part of a path.
    click.echo(
        _STRING_OR_LIST.sub(lambda match: match[0] if match[1] is None else f"[{' '.join(match[1].split())}]", text)
    )


def say(text: str) -> None:
    """Print a line to standard error."""
    click.echo(text, err=True)


def bytes_text(n_bytes: float) -> str:
    """Write the size of a file in powers of 1000, as disks are sold; memory is in powers of 1024, as --memory is.

    Examples
    --------
    >>> bytes_text(999), bytes_text(434112), bytes_text(88367104), bytes_text(24e9)
    ('999 bytes', '434 kB', '88.4 MB', '24.0 GB')
    """
    if n_bytes < 1000:
        return f"{n_bytes:.0f} bytes"
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if n_bytes >= 0.9995 * size:
            return f"{n_bytes / size:.1f} {unit}"
    return f"{n_bytes / 1e3:.0f} kB"


def duration_text(seconds: float) -> str:
    """Write a time as a person would.

    Examples
    --------
    >>> duration_text(0.4), duration_text(9.87), duration_text(150), duration_text(9000)
    ('0.4 s', '9.9 s', '2 min 30 s', '2 h 30 min')
    """
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def print_lines(*lines: str | Text) -> None:
    """Print lines that are not to be broken, however narrow the output is."""
    sink = console()
    for line in lines:
        sink.print(line, soft_wrap=True)


def print_table(table: Table) -> None:
    """Print a table without the blanks that fill its last column, wider than the output if it has to be.

    Where the output is too narrow, text is broken between its words; numbers, which are what is justified right, stay
    whole.
    """
    sink = console()
    sink = console(max(sink.width, _fit(table, sink.width)))
    with sink.capture() as captured:
        sink.print(table)
    # What rich has left of colours is what this output can show.
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()), color=True)


def _fit(table: Table, width: int) -> int:
    """Give the columns of a table their widths, and return its own: what is asked for, or more if it needs that."""
    from rich.measure import Measurement  # noqa: PLC0415

    sink = console(_MAX_WIDTH)
    _, right, _, left = table.padding
    total = (left + right) * len(table.columns)
    least, widths = [], []
    for column in table.columns:
        cells = [*column.cells, *([column.header] if table.show_header else [])]
        needs = [Measurement.get(sink, sink.options, cell) for cell in cells]
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


def print_note(text: str) -> None:
    """Print, under a result, what its reader should know."""
    from rich.text import Text  # noqa: PLC0415

    sink = console()
    sink.print()
    sink.print(Text(f"Note: {text}", style="yellow"), soft_wrap=not sink.is_terminal)


def print_notes(texts: Iterable[str], as_json: bool) -> None:
    """Print what the reader of a result should know: under it, or, if it is JSON, to standard error."""
    for text in texts:
        if as_json:
            say(f"note: {text}")
        else:
            print_note(text)


@contextmanager
def progress(label: str, seconds_between_lines: float = _SECONDS_BETWEEN_LINES) -> Iterator[Callable[[int, int], None]]:
    """Show how far a computation is, on standard error.

    A terminal gets a bar that goes away when the work is done.  Anything else gets a line now and then, and none for
    work that takes no time.

    Parameters
    ----------
    label : str
        What is being done.
    seconds_between_lines : float
        How much time passes, at least, before the next line.

    Yields
    ------
    callable
        To be called with how much is done and how much there is.  Raises KeyboardInterrupt if Ctrl-C was pressed.
    """
    # Where standard error is closed, Python has None.
    if not _LIKE_A_TERMINAL & os.environ.keys() and not (sys.stderr and sys.stderr.isatty()):
        yield _stoppable(_Lines(label, seconds_between_lines))
        return
    # Takes a while to import, and only a terminal needs it.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    terminal = Console(stderr=True, highlight=False, markup=False, emoji=False)
    if not terminal.is_terminal or terminal.is_dumb_terminal:
        yield _stoppable(_Lines(label, seconds_between_lines))
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.percentage:3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=terminal,
        transient=True,
        expand=True,
    ) as shown:
        task = shown.add_task(label, total=None)
        yield _stoppable(lambda done, total: shown.update(task, completed=done, total=total))


def _stoppable(show: Callable[[int, int], None]) -> Callable[[int, int], None]:
    def report(done: int, total: int) -> None:
        check_interrupt()
        show(done, total)

    return report


class _Lines:
    """Progress as plain lines, never two for the same percentage."""

    def __init__(self, label: str, seconds_between_lines: float) -> None:
        self._label = label
        self._pause = seconds_between_lines
        self._last_time = time.monotonic()
        self._last_percentage = 0

    def __call__(self, done: int, total: int) -> None:
        percentage = 100 * done // total if total else 100
        now = time.monotonic()
        if percentage == self._last_percentage or now - self._last_time < self._pause:
            return
        self._last_time, self._last_percentage = now, percentage
        self._pause *= 1.5  # a long computation need not fill a log
        say(f"{self._label}: {percentage} %")
