"""``bgrace info``."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bgrace.cli.options import check_option, database_argument, json_option
from bgrace.cli.output import bytes_text, emit
from bgrace.cli.screen import Block
from bgrace.database.store import file_facts, read_tables

_WIDE = 112
"""Columns from which units and offsets have room."""


@click.command()
@database_argument
@check_option
@json_option
def info(file: Path, checked: bool, as_json: bool) -> None:
    """Show the contents of a database file and how it was made.

    Opening FILE checks its head; --check checks its tables too, and "bgrace verify" more.

    \b
    Examples:
      bgrace info bearoff.h5
      bgrace info bearoff.h5 --json
    """  # noqa: D301
    facts: dict[str, Any] = file_facts(read_tables(file, verify=checked))
    emit(facts, as_json, lambda _, sink: _blocks(file, facts, sink))


def _blocks(file: Path, facts: dict[str, Any], sink: Console) -> list[Block]:
    lines = [f"  {label:<11}{_printable(value)}" for label, value in _facts(facts)]
    return [Text(f"{file}", style="bold"), *lines, "", _tables(facts["tables"], wide=sink.width >= _WIDE)]


def _facts(facts: dict[str, Any]) -> list[tuple[str, str]]:
    kind = next((f", {name}" for name in ("archive", "packed", "approximate") if facts.get(name)), "")
    made = [
        ("format", f"{facts['format']}, version {facts['format_version']}{kind}, {bytes_text(facts['file_size'])}"),
        ("made", f"{facts['created']} by {facts['generator']}"),
    ]
    if facts["packed"]:
        made.append(
            ("packed", f"by {facts['packed_by']}; the pairs unpacked have CRC-32 {facts['unpacked_crc32']:08x}")
        )
    if facts["approximate"]:
        made.append(
            (
                "errors",
                f"chances to win off by {facts['win_error']:.5f} at most, equities by {facts['equity_error']:.5f}; "
                f"made by {facts['packed_by']}",
            )
        )
    gammons = "gammons count 2" if facts["gammons"] else "no gammons"
    pairs = (
        f"{facts['pairs']:,} pairs: up to {facts['two_sided_checkers']} checkers a side" if facts["pairs"] else "none"
    )
    jacoby = ", with or without the Jacoby rule" if facts["gammons"] else ""
    return [
        *made,
        (
            "one-sided",
            f"{facts['positions']:,} positions: up to {facts['checkers']} checkers on {facts['points']} points",
        ),
        ("two-sided", pairs),
        ("rules", f"money, {gammons}{jacoby}"),
    ]


def _printable(text: str) -> str:
    """A file's own text, without characters that would move the cursor of a terminal or colour it."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _tables(tables: list[dict[str, Any]], wide: bool) -> Table:
    shown = Table(box=None, pad_edge=True, padding=(0, 0, 0, 2), header_style="dim")
    shown.add_column("table", no_wrap=True)
    shown.add_column("shape", justify="right", no_wrap=True)
    shown.add_column("type")
    shown.add_column("size", justify="right", no_wrap=True)
    if wide:
        shown.add_column("offset", justify="right")
        shown.add_column("unit")
    shown.add_column("CRC-32")
    for group, members in groupby(tables, key=lambda table: table["name"].rpartition("/")[0]):
        if group:
            shown.add_row(Text(group, style="bold"))
        for table in members:
            cells = [
                "  " + table["name"].rpartition("/")[2],
                " x ".join(str(n) for n in table["shape"]),
                table["dtype"],
                bytes_text(table["stored_bytes"]),
            ]
            if wide:
                cells += ["" if table["offset"] is None else f"{table['offset']}", table["unit"]]
            shown.add_row(*cells, table["crc32"])
    return shown
