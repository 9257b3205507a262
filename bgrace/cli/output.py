"""The output of commands: results as JSON or for a reader, sizes and times as text, notes and progress."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import click

from bgrace._base.interrupts import check_interrupt

if TYPE_CHECKING:
    from rich.console import Console

    from bgrace.cli.screen import Block


_SECONDS_BETWEEN_LINES: Final = 5.0
_LIKE_A_TERMINAL: Final = {"FORCE_COLOR", "TTY_COMPATIBLE"}
"""Variables that make rich write to any output as to a terminal."""

_IN_LISTS: Final = (
    (re.compile(r"(?<=\[)\n +(?=[-0-9ntf])"), ""),
    (re.compile(r"(?<=,)\n +(?=[-0-9ntf])"), " "),
    (re.compile(r"(?<=[0-9el])\n +(?=\])"), ""),
)
"""Line breaks in lists of numbers, and their substitutes; no string has a line break, and members begin with quotes."""


class JSONResult(Protocol):
    """A result with values of JSON."""

    def to_dict(self) -> Mapping[str, object]:
        """The fields by name."""


Result = TypeVar("Result", bound=JSONResult | Mapping[str, object])


def emit(
    result: Result,
    as_json: bool,
    shown: Callable[[Result, Console], Iterable[Block]],
    notes: Iterable[str] = (),
) -> None:
    """Print a result as JSON, or as text drawn by `shown`, followed by its notes."""
    if as_json:
        print_json(result if isinstance(result, Mapping) else result.to_dict())
    else:
        from bgrace.cli.screen import console, show  # noqa: PLC0415  (not needed for JSON, and slow)

        show(*shown(result, console()))
    print_notes(notes, as_json)


def emit_made(file: Path, contents: str, facts: Mapping[str, object], start: float, as_json: bool) -> None:
    """Report a file that was made since `start`, a `time.perf_counter`, and the time that it took."""
    seconds = time.perf_counter() - start
    if as_json:
        print_json({"path": str(file), **facts, "seconds": round(seconds, 3)})
    else:
        click.echo(f"{file}: {contents} in {duration_text(seconds)}")


def print_json(result: Mapping[str, object]) -> None:
    """Print a result as JSON, one field a line and lists of numbers on one line."""
    text = json.dumps(result, indent=2, allow_nan=False)
    for line_break, instead in _IN_LISTS:
        text = line_break.sub(instead, text)
    click.echo(text)


def listed(names: Sequence[str]) -> str:
    """Write names as in a sentence: "a, b and c"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def eprint(text: str) -> None:
    """Print a line to standard error."""
    click.echo(text, err=True)


def bytes_text(n_bytes: float) -> str:
    """Write the size of a file in powers of 1000, like those of disks; memory is in powers of 1024, as in --memory.

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
    """Write a duration for people.

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


def print_notes(texts: Iterable[str], as_json: bool) -> None:
    """Print notes under a result, or for JSON to standard error."""
    for text in texts:
        if as_json:
            eprint(f"note: {text}")
        else:
            from bgrace.cli.screen import Note, show  # noqa: PLC0415  (not needed for JSON, and slow)

            show(Note(text))


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of a computation on standard error.

    A terminal gets a bar that disappears when the work is done.  Other outputs get a line from time to time, and none
    for short work.  The function that is yielded takes the work done and the total work, and raises KeyboardInterrupt
    if Ctrl-C was pressed.
    """
    # Python has None for a closed standard error.
    if not _LIKE_A_TERMINAL & os.environ.keys() and not (sys.stderr and sys.stderr.isatty()):
        yield _Lines(label)
        return
    # Takes a while to import, and only a terminal needs it.
    from rich import progress as parts  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    terminal = Console(stderr=True, highlight=False, markup=False, emoji=False)
    if not terminal.is_terminal or terminal.is_dumb_terminal:
        yield _Lines(label)
        return
    with parts.Progress(
        parts.TextColumn("{task.description}"),
        parts.BarColumn(bar_width=None),
        parts.TextColumn("{task.percentage:3.0f} %"),
        parts.TimeElapsedColumn(),
        parts.TextColumn("left"),
        parts.TimeRemainingColumn(),
        console=terminal,
        transient=True,
        expand=True,
    ) as shown:
        task = shown.add_task(label, total=None)

        def report(done: int, total: int) -> None:
            check_interrupt()
            shown.update(task, completed=done, total=total)

        yield report


class _Lines:
    """Progress as plain lines, at most one for each percentage."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._pause = _SECONDS_BETWEEN_LINES
        self._last_time = time.monotonic()
        self._last_percentage = 0

    def __call__(self, done: int, total: int) -> None:
        check_interrupt()
        percentage = 100 * done // total if total else 100
        now = time.monotonic()
        if percentage == self._last_percentage or now - self._last_time < self._pause:
            return
        self._last_time, self._last_percentage = now, percentage
        self._pause *= 1.5  # so that a long computation does not fill a log
        eprint(f"{self._label}: {percentage} %")
