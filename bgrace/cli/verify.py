"""``bgrace verify``."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from bgrace.cli.options import database_argument, json_option
from bgrace.cli.output import emit, progress
from bgrace.cli.screen import Block
from bgrace.database.money import open as open_database
from bgrace.database.verify import VerificationReport
from bgrace.database.verify import verify as verify_file
from bgrace.errors import BgraceError, VerificationError
from bgrace.interop.gnubg import is_converted


@click.command()
@database_argument
@click.option("--full", is_flag=True, help="Look at every value instead of a sample.")
@click.option(
    "--samples",
    type=click.IntRange(min=0),
    default=300,
    show_default=True,
    metavar="N",
    help="How many positions and pairs to look at beside the fixed part.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Which sample to look at."
)
@json_option
def verify(file: Path, full: bool, samples: int, seed: int, as_json: bool) -> None:
    """Check a database file.

    Checks the checksums of all tables, and that a sample of values follows from those of the positions that each roll
    leads to.  The exit status is 1 if any check fails.

    Of the tables whose sums are published, it says whether all numbers are those.

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
    emit(report, as_json, lambda *_: _blocks(report, file))
    if not report.passed:
        failed = [check for check in report.checks if not check.passed]
        raise VerificationError(
            f"{file} fails {len(failed)} of {len(report.checks)} checks, first: {failed[0].name}: {failed[0].detail}; "
            + _advice(file, {check.name for check in failed})
        )


def _advice(file: Path, failed: set[str]) -> str:
    if not failed & {"tables", "checksums"}:
        with suppress(BgraceError), open_database(file) as db:
            if db.stored.directory.approximate:
                return "make it again of the file that it was made of (bgrace pack)"
            if is_converted(str(db.info()["generator"])):
                return "its values are GNU Backgammon's, which are rounded more: bgrace build makes exact ones"
    return "build it again"


def _blocks(report: VerificationReport, file: Path) -> list[Block]:
    table = Table(box=None, show_header=False, pad_edge=True, padding=(0, 0, 0, 2))
    table.add_column(no_wrap=True)
    table.add_column(max_width=34)
    table.add_column(overflow="fold")
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
        Text.assemble(
            (f"{file}", "bold"),
            f": {number} of {len(report.checks)} checks passed ({how})",
        ),
        *([origin] if origin else []),
    ]
