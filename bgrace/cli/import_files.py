"""``bgrace import``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from bgrace.cli.options import json_option, threads_option
from bgrace.cli.output import bytes_text, emit_made, progress
from bgrace.database.money import open as open_database
from bgrace.interop.gnubg import convert


@click.command("import")
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.bd...")
@click.argument("file", type=click.Path(path_type=Path), metavar="OUT.h5")
@threads_option
@click.option("--force", is_flag=True, help="Replace OUT.h5 if it exists.")
@json_option
def import_command(sources: tuple[Path, ...], file: Path, threads: int | None, force: bool, as_json: bool) -> None:
    """Make a database file from GNU Backgammon's bearoff files.

    FILE.bd is a one-sided file, a two-sided file, or one of each.  Values stay as they are.  From a two-sided
    file alone, the one-sided tables are computed.

    \b
    Examples:
      bgrace import gnubg_os0.bd bearoff.h5
      bgrace import gnubg_os0.bd gnubg_ts0.bd bearoff.h5
    """  # noqa: D301
    start = time.perf_counter()
    with progress(f"making {file.name}") as report:
        convert(sources, file, threads=threads, force=force, progress=report)
    with open_database(file) as db:
        facts: dict[str, Any] = db.info()
    wanted = ("file_size", "points", "checkers", "two_sided_checkers", "positions", "pairs")
    contents = f"{facts['positions']:,} positions, {facts['pairs']:,} pairs; {bytes_text(facts['file_size'])}"
    emit_made(file, contents, {name: facts[name] for name in wanted}, start, as_json)
