"""``bgrace info`` and ``bgrace verify``."""

from __future__ import annotations

from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bgrace.cli.options import check_option, database_argument, json_option
from bgrace.cli.output import bytes_text, emit, progress
from bgrace.cli.screen import Block, columns
from bgrace.database.database import open as open_database
from bgrace.database.store.reader import file_facts, read_tables
from bgrace.database.verify import VerificationReport
from bgrace.database.verify import verify as verify_file
from bgrace.errors import BgraceError, VerificationError
from bgrace.interop.gnubg import is_converted

_WIDE = 112
"""Least number of columns of the output for units and offsets."""


@click.command()
@database_argument
@check_option
@json_option
def info(file: Path, checked: bool, as_json: bool) -> None:
    """Show the contents of a database file and how it was made.

    Opening FILE checks its head; --check also checks its tables, and "bgrace verify" checks more.

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
        crc32 = f"{facts['unpacked_crc32']:08x}"
        made.append(("packed", f"by {facts['packed_by']}; the pairs unpacked have CRC-32 {crc32}"))
    if facts["approximate"]:
        errors = f"chances to win off by {facts['win_error']:.5f} at most, equities by {facts['equity_error']:.5f}"
        made.append(("errors", f"{errors}; made by {facts['packed_by']}"))
    gammons = "gammons count 2" if facts["gammons"] else "no gammons"
    pairs = f"{facts['pairs']:,} pairs: up to {facts['two_sided_checkers']} checkers a side"
    positions = f"{facts['positions']:,} positions: up to {facts['checkers']} checkers on {facts['points']} points"
    solved = ", solved when the file is opened" if facts["approximate"] else ""
    jacoby = ", with or without the Jacoby rule" if facts["gammons"] else ""
    return [
        *made,
        ("one-sided", f"{positions}{solved}"),
        ("two-sided", pairs if facts["pairs"] else "none"),
        ("rules", f"money, {gammons}{jacoby}"),
    ]


def _printable(text: str) -> str:
    """Text of a file, without characters that would move the cursor of a terminal or colour it."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _tables(tables: list[dict[str, Any]], wide: bool) -> Table:
    shown = columns(
        *("left", "right", "left", "right", *(["right", "left"] if wide else []), "left"),
        heads=("table", "shape", "type", "size", *(["offset", "unit"] if wide else []), "CRC-32"),
    )
    shown.columns[0].no_wrap = True
    for group, members in groupby(tables, key=lambda table: table["name"].rpartition("/")[0]):
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


@click.command()
@database_argument
@click.option("--full", is_flag=True, help="Check every value instead of a sample.")
@click.option(
    "--samples",
    type=click.IntRange(min=0),
    default=300,
    show_default=True,
    metavar="N",
    help="Number of positions and of pairs to check in addition to the fixed part.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Seed of the sample."
)
@json_option
def verify(file: Path, full: bool, samples: int, seed: int, as_json: bool) -> None:
    """Check a database file.

    Checks the checksums of all tables, and that a sample of values follows from those of the positions that each roll
    leads to.  The exit status is 1 if any check fails.

    If the sums of its tables are published, it says whether all numbers are the published ones.

    Values of an approximate file may differ by twice its stated errors.

    \b
    Examples:
      bgrace verify bearoff.h5
      bgrace verify bearoff.h5 --samples 100000
      bgrace verify small.h5 --full
      bgrace verify bearoff.h5 --seed 7 --json
    """  # noqa: D301
    with progress(f"verifying {file.name}") as report_progress:
        report = verify_file(file, full, seed=seed, samples=samples, progress=report_progress)
    emit(report, as_json, lambda *_: _verify_blocks(report, file))
    if not report.passed:
        failed = report.failures
        raise VerificationError(
            f"{file} fails {len(failed)} of {len(report.checks)} checks, first: {failed[0].name}: {failed[0].detail}; "
            + _advice(file, {check.name for check in failed})
        )


def _advice(file: Path, failed: set[str]) -> str:
    if not failed & {"tables", "checksums"}:
        with suppress(BgraceError), open_database(file) as db:
            if db.stored.directory.approximate:
                return "make it again from its source (bgrace pack)"
            if is_converted(str(db.info()["generator"])):
                return "its values are GNU Backgammon's, which are rounded more: bgrace build makes exact ones"
    return "build it again"


def _verify_blocks(report: VerificationReport, file: Path) -> list[Block]:
    table = columns("left", "left", "left")
    table.columns[0].no_wrap = True
    table.columns[1].max_width = 34
    table.columns[2].overflow = "fold"
    for check in report.checks:
        verdict = Text("ok", style="green") if check.passed else Text("FAILED", style="bold red")
        table.add_row(verdict, check.name, Text(check.detail, style="" if not check.passed else "dim"))
    how = "every value" if report.full else f"{report.samples} values of a kind, seed {report.seed}"
    origin = {
        True: "Every number is that of the published table.",
        False: "This is not one of ours: its numbers are not those of the published table.",
        None: "",
    }[report.published]
    number = sum(check.passed for check in report.checks)
    return [
        table,
        "",
        Text.assemble((f"{file}", "bold"), f": {number} of {len(report.checks)} checks passed ({how})"),
        *([origin] if origin else []),
    ]
